"""HTTP/1.1 for clients that may be slow or send too much: uvicorn's protocol with limits of time and size."""

from __future__ import annotations

import asyncio
import contextlib
from http import HTTPStatus

import h11
from uvicorn.protocols.http.flow_control import CLOSE_HEADER
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol

from icetable.server import messages, metrics
from icetable.server.http.endpoints import longest_body, too_long

SLICE = 1024
"""The number of bytes that are parsed at once."""
HEAD_SECONDS = 5
BODY_SECONDS = 10
"""How long a client may take to send the head of a request, and then its body."""
FRAMED = 2
"""How many times the bytes of a body are parsed at most, with its framing."""

TOO_SLOW = "The request did not come in time."


class BoundedHttp(H11Protocol):
    """Closes connections whose request head or body comes too slowly, or whose body is too long."""

    _awaited: object = None
    """The time limit of what comes next, and the request before it."""
    _timer: asyncio.TimerHandle | None = None
    _body_length = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has connected."""
        super().connection_made(transport)
        self._start_timer()

    def data_received(self, data: bytes) -> None:
        """Bytes have arrived."""
        for start in range(0, len(data), SLICE):
            piece = data[start : start + SLICE]
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                return
            if self.conn.their_state is h11.SEND_BODY:
                self._body_length += len(piece)
            if self._body_length and self._body_length > FRAMED * longest_body(self.scope["path"]):
                self._reject(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "long_requests", too_long(self.scope["path"]))
                return
            super().data_received(piece)

    def handle_events(self) -> None:
        """A part of a request may be complete."""
        super().handle_events()
        self._start_timer()

    def _start_timer(self) -> None:
        """Limit the time of what comes next, from the moment when it could first come."""
        seconds = {h11.IDLE: HEAD_SECONDS, h11.SEND_BODY: BODY_SECONDS}.get(self.conn.their_state)
        if self.timeout_keep_alive_task is not None or self.transport.get_protocol() is not self:
            seconds = None
        awaited = (seconds, self.cycle)
        if awaited != self._awaited:
            self._awaited, self._body_length = awaited, 0
            self._stop_timer()
            if seconds is not None:
                self._timer = self.loop.call_later(seconds, self._time_out)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _time_out(self) -> None:
        self._reject(HTTPStatus.REQUEST_TIMEOUT, "slow_requests", TOO_SLOW)

    def _reject(self, status: HTTPStatus, reason: str, text: str) -> None:
        """Answer in place of the application, if no answer has begun, and close."""
        if self.transport.is_closing():
            return
        metrics.REJECTED.labels(reason).inc()
        self._answer(status, text)
        if self.cycle is not None:
            self.cycle.disconnected = True
        self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """The request can't be parsed."""
        self._reject(HTTPStatus.BAD_REQUEST, "broken_requests", msg)

    def _answer(self, status: HTTPStatus, text: str) -> None:
        body = messages.write(messages.ErrorBody(text))
        headers = [
            *self.server_state.default_headers,
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            CLOSE_HEADER,
        ]
        start = h11.Response(status_code=status, headers=headers, reason=STATUS_PHRASES[status])
        with contextlib.suppress(h11.LocalProtocolError):  # the application's answer has begun
            for event in (start, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event))

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is closed."""
        super().connection_lost(exc)
        self._stop_timer()
