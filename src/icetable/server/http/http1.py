"""HTTP/1.1 with timeouts and size limits, on top of uvicorn's protocol."""

from __future__ import annotations

import asyncio
import contextlib
import re
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import h11
from uvicorn.protocols.http.flow_control import CLOSE_HEADER
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol

from icetable.server import messages, metrics
from icetable.server.http.endpoints import body_too_long
from icetable.server.http.lingering_close import linger

if TYPE_CHECKING:
    from collections.abc import Callable

    from uvicorn._types import ASGIReceiveCallable, ASGIReceiveEvent, ASGISendCallable, ASGISendEvent, Scope

    from icetable.server.http.round_robin import RoundRobin

SLICE_BYTES = 1024
"""Number of bytes parsed in one step."""
HEAD_SECONDS = 5
BODY_SECONDS = 10
"""Timeouts for the head and the body of a request."""
HEAD_END = b"\r\n\r\n"
MAX_FRAMING_BYTES = 8192
"""Maximum size of a body's chunk framing. Chunks of 1 kB need 3 kB of it in the longest body."""

BARE_LINE_FEED = re.compile(rb"(?<!\r)\n")
VERSIONS = ("1.0", "1.1")

WRONG_VERSION = "This server speaks HTTP/1.1."
WRONG_LINES = "The lines of a request's head end with a carriage return and a line feed."
TOO_SLOW = "The request did not arrive in time."
TOO_SMALL = f"The chunks of the request are too small: their framing has at most {MAX_FRAMING_BYTES} bytes."


class BoundedHttp(H11Protocol):
    """Closes connections whose request head or body arrives too slowly, or whose body is too long.

    All connections share the time for parsing. A body is parsed once the application receives it; a connection whose
    request is answered before that is closed.
    """

    _unread = memoryview(b"")
    _is_queued = False
    _has_turn = False
    """Whether this connection is in the queue, and whether its turn is running."""
    _receiving: object = None
    """The request whose body the application is receiving."""
    _deadline: object = None
    """The current timeout and the request that it began after."""
    _timer: asyncio.TimerHandle | None = None
    _last_bytes = b""
    """The last bytes of a head that is not complete."""
    _body_length = _framing = 0
    """The number of bytes received after the head, and the part of them that is framing."""

    def __init__(
        self, *args: Any, round_robin: RoundRobin, max_body_bytes: Callable[[str], int], **kwargs: Any
    ) -> None:
        """`max_body_bytes` returns the limit for a request's path."""
        super().__init__(*args, **kwargs)
        self._round_robin = round_robin
        self._max_body_bytes = max_body_bytes
        self._inner_app, self.app = self.app, self._run

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start_timer()

    # Reading

    def data_received(self, data: bytes) -> None:
        """Queue the bytes. Until they have been parsed, no more are read."""
        self._unread = memoryview(bytes(self._unread) + data if self._unread else data)
        self._enqueue()
        if self._unread and not self._is_closed():
            self.transport.pause_reading()

    def handle_events(self) -> None:
        if self._has_turn:
            super().handle_events()
            self._start_timer()
        else:  # the next request arrived with the previous one, whose answer is complete
            self._enqueue()

    def _enqueue(self) -> None:
        if not self._is_queued and self._may_read():
            self._is_queued = True
            self._round_robin.add(self._read)

    def _may_read(self) -> bool:
        return self.conn.their_state is not h11.SEND_BODY or self._receiving is self.cycle

    def _read(self) -> bool:
        """Parse one slice, ending it at the end of a head; return False if nothing is left to parse."""
        end = SLICE_BYTES
        if self.conn.their_state is h11.IDLE and (found := bytes(self._unread[:SLICE_BYTES]).find(HEAD_END)) >= 0:
            end = found + len(HEAD_END)
        piece, self._unread = bytes(self._unread[:end]), self._unread[end:]
        if not self._is_closed():
            self._has_turn = True
            self._parse(piece)
            self._has_turn = False
        is_more = bool(self._unread) and not self._is_closed()
        self._is_queued = is_more and self._may_read()
        if not is_more and not self.transport.is_closing() and not self.flow.read_paused:
            self.transport.resume_reading()
        return self._is_queued

    def _is_closed(self) -> bool:
        """Whether this connection is closing, or has become a WebSocket."""
        return self.transport.is_closing() or self.transport.get_protocol() is not self

    def _parse(self, piece: bytes) -> None:
        """Parse bytes of a request, or handle events that were parsed earlier."""
        if self.conn.their_state is h11.IDLE and self._has_bare_line_feed(piece):
            self._reject(HTTPStatus.BAD_REQUEST, "broken_requests", WRONG_LINES)
            return
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

    def _has_bare_line_feed(self, piece: bytes) -> bool:
        """Whether a piece of a head ends a line without CR: two servers could find different heads in it."""
        head, end, _ = (self._last_bytes + piece).partition(HEAD_END)
        self._last_bytes = b"" if end else head[1 - len(HEAD_END) :]
        return BARE_LINE_FEED.search(head) is not None

    def _check_body(self, path: str) -> None:
        if self._framing > MAX_FRAMING_BYTES:
            self._reject(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "long_requests", TOO_SMALL)
        elif self._body_length > (limit := self._max_body_bytes(path)) + MAX_FRAMING_BYTES:
            self._reject(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "long_requests", body_too_long(limit))

    # Time

    def _start_timer(self) -> None:
        """Start the timeout of the next head or body, unless it is running."""
        seconds = {h11.IDLE: HEAD_SECONDS, h11.SEND_BODY: BODY_SECONDS}.get(self.conn.their_state)
        if self.timeout_keep_alive_task is not None or self.transport.get_protocol() is not self:
            seconds = None
        deadline = (seconds, self.cycle)
        if deadline != self._deadline:
            self._deadline, self._body_length, self._framing = deadline, 0, 0
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
        """Run the application; an answer before the end of the request closes the connection."""

        async def send_last(message: ASGISendEvent) -> None:
            if message["type"] == "http.response.start" and self.conn.their_state is h11.SEND_BODY:
                message["headers"] = [*message["headers"], CLOSE_HEADER]
            await send(message)

        cycle = self.cycle
        if scope["type"] == "http" and scope["http_version"] not in VERSIONS:
            self._reject(HTTPStatus.HTTP_VERSION_NOT_SUPPORTED, "broken_requests", WRONG_VERSION)
            return

        async def receive_body() -> ASGIReceiveEvent:
            if self._receiving is not cycle:
                self._receiving = cycle
                self._enqueue()
            return await receive()

        await self._inner_app(scope, receive_body, send_last)

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
        """Let the connection linger if its client may still be sending a request that has been answered."""
        super().connection_lost(exc)
        self._stop_timer()
        if exc is None and (self._unread or self.conn.their_state in (h11.SEND_BODY, h11.ERROR)):
            linger(self.transport)
        self._drop_references()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        super().handle_websocket_upgrade(event)
        self._drop_references()

    def _drop_references(self) -> None:
        """Break reference cycles: the garbage collector seldom runs (`server.GC_THRESHOLDS`)."""
        self._unread, self.app = memoryview(b""), self._inner_app
        self.cycle = self._receiving = self._deadline = None  # type: ignore[assignment]
