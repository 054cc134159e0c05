"""HTTP/1.1 for clients that may be slow or send too much: uvicorn's protocol with limits of time and size."""

from __future__ import annotations

import asyncio
import contextlib
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import h11
from uvicorn.protocols.http.flow_control import CLOSE_HEADER
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol

from icetable.server import messages, metrics
from icetable.server.http.endpoints import too_long
from icetable.server.http.lingering import linger

if TYPE_CHECKING:
    from collections.abc import Callable

    from uvicorn._types import ASGIReceiveCallable, ASGIReceiveEvent, ASGISendCallable, ASGISendEvent, Scope

    from icetable.server.http.round_robin import RoundRobin

SLICE = 1024
"""The number of bytes that are parsed in one step."""
HEAD_SECONDS = 5
BODY_SECONDS = 10
"""How long a client may take to send the head of a request, and then its body."""
HEAD_END = b"\r\n\r\n"
FRAMING = 8192
"""How many bytes of a body may be the framing of its chunks. Chunks of 1 kB have 3 kB of it in the longest body."""

TOO_SLOW = "The request did not come in time."
TOO_SMALL = f"The chunks of the request are too small: their framing has at most {FRAMING} bytes."


class BoundedHttp(H11Protocol):
    """Closes connections whose request head or body comes too slowly, or whose body is too long.

    All connections share the time in which requests are parsed. A body is parsed once the application asks for it: a
    request that is answered before is the last one of its connection.
    """

    _unread = memoryview(b"")
    _is_waiting = False
    _has_turn = False
    """Whether this connection waits to be read, and whether it is being read."""
    _asked: object = None
    """The request whose body the application has asked for."""
    _awaited: object = None
    """The time limit of what comes next, and the request before it."""
    _timer: asyncio.TimerHandle | None = None
    _body_length = _framing = 0
    """The number of bytes that came behind a head, and how many of them are framing."""

    def __init__(self, *args: Any, round_robin: RoundRobin, longest_body: Callable[[str], int], **kwargs: Any) -> None:
        """`longest_body` tells by the path of a request how many bytes its body may have."""
        super().__init__(*args, **kwargs)
        self._round_robin = round_robin
        self._longest_body = longest_body
        self._answer_of, self.app = self.app, self._run

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has connected."""
        super().connection_made(transport)
        self._start_timer()

    # Reading

    def data_received(self, data: bytes) -> None:
        """Bytes have arrived. While they wait for their turn, no more are taken."""
        self._unread = memoryview(bytes(self._unread) + data if self._unread else data)
        self._wait()
        if self._unread and not self._is_closed():
            self.transport.pause_reading()

    def handle_events(self) -> None:
        """A part of a request may be complete."""
        if self._has_turn:
            super().handle_events()
            self._start_timer()
        else:  # the next request came together with the one before, whose answer is complete
            self._wait()

    def _wait(self) -> None:
        if not self._is_waiting and self._is_wanted():
            self._is_waiting = True
            self._round_robin.add(self._read)

    def _is_wanted(self) -> bool:
        return self.conn.their_state is not h11.SEND_BODY or self._asked is self.cycle

    def _read(self) -> bool:
        """Parse one slice, of which a head has its own; False if there is nothing more."""
        end = SLICE
        if self.conn.their_state is h11.IDLE and (found := bytes(self._unread[:SLICE]).find(HEAD_END)) >= 0:
            end = found + len(HEAD_END)
        piece, self._unread = bytes(self._unread[:end]), self._unread[end:]
        if not self._is_closed():
            self._has_turn = True
            self._parse(piece)
            self._has_turn = False
        is_more = bool(self._unread) and not self._is_closed()
        self._is_waiting = is_more and self._is_wanted()
        if not is_more and not self.transport.is_closing() and not self.flow.read_paused:
            self.transport.resume_reading()
        return self._is_waiting

    def _is_closed(self) -> bool:
        """Whether this connection is closing, or has become a WebSocket."""
        return self.transport.is_closing() or self.transport.get_protocol() is not self

    def _parse(self, piece: bytes) -> None:
        """Parse bytes of a request, or what was parsed before and had to wait."""
        is_body = self.conn.their_state is h11.SEND_BODY
        before = len(self.cycle.body) if is_body else 0
        if piece:
            super().data_received(piece)
        else:
            self.handle_events()
        if is_body and not self._is_closed():
            self._body_length += len(piece)
            self._framing += len(piece) - (len(self.cycle.body) - before)
            self._check_body(self.scope["path"])

    def _check_body(self, path: str) -> None:
        if self._framing > FRAMING:
            self._reject(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "long_requests", TOO_SMALL)
        elif self._body_length > (longest := self._longest_body(path)) + FRAMING:
            self._reject(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "long_requests", too_long(longest))

    # Time

    def _start_timer(self) -> None:
        """Limit the time of what comes next, from the moment when it could first come."""
        seconds = {h11.IDLE: HEAD_SECONDS, h11.SEND_BODY: BODY_SECONDS}.get(self.conn.their_state)
        if self.timeout_keep_alive_task is not None or self.transport.get_protocol() is not self:
            seconds = None
        awaited = (seconds, self.cycle)
        if awaited != self._awaited:
            self._awaited, self._body_length, self._framing = awaited, 0, 0
            self._stop_timer()
            if seconds is not None:
                self._timer = self.loop.call_later(seconds, self._time_out)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _time_out(self) -> None:
        self._reject(HTTPStatus.REQUEST_TIMEOUT, "slow_requests", TOO_SLOW)

    # Answers

    async def _run(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        """Let the application answer; without the whole request its answer is the last one."""

        async def send_last(message: ASGISendEvent) -> None:
            if message["type"] == "http.response.start" and self.conn.their_state is h11.SEND_BODY:
                message["headers"] = [*message["headers"], CLOSE_HEADER]
            await send(message)

        cycle = self.cycle

        async def receive_asked() -> ASGIReceiveEvent:
            if self._asked is not cycle:
                self._asked = cycle
                self._wait()
            return await receive()

        await self._answer_of(scope, receive_asked, send_last)

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
        """The connection is closed. Its client may not have finished a request that has been answered."""
        super().connection_lost(exc)
        self._stop_timer()
        if exc is None and (self._unread or self.conn.their_state in (h11.SEND_BODY, h11.ERROR)):
            linger(self.transport)
        self._forget()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """The connection becomes a WebSocket."""
        super().handle_websocket_upgrade(event)
        self._forget()

    def _forget(self) -> None:
        """Refer to itself no more: the garbage collector is seldom there (`server.GARBAGE`)."""
        self._unread, self.app = memoryview(b""), self._answer_of
        self.cycle = self._asked = self._awaited = None  # type: ignore[assignment]
