"""HTTP/1.1 connections with timeouts, size limits and fair turns.

uvicorn parses requests and runs the application. A connection here stands between its protocol and the network, by
asyncio's interface of protocols and transports: it passes bytes on in slices, and closes what takes too long or is too
large. Between uvicorn and the application, `Bounded` says when a request begins, is read and is answered.
"""

from __future__ import annotations

import asyncio
import contextlib
import email.utils
import re
import socket
import time
from collections import deque
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, cast

from starlette.exceptions import HTTPException

from icetable.server import messages, metrics
from icetable.server.http.api.endpoints import body_too_long
from icetable.server.http.responses import json_response
from icetable.server.http.websocket import DirectWebSocket

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

SLICE_BYTES = 1024
"""Number of bytes parsed in one step."""
TURN_SECONDS = 0.0003
"""Time for parsing in one turn of the event loop. The last step may exceed it."""
HEAD_SECONDS = 5
BODY_SECONDS = 10
"""Timeouts for the head and the body of a request."""
HEAD_END = b"\r\n\r\n"
MAX_FRAMING_BYTES = 8192
"""Maximum size of a body's chunk framing. Chunks of 1 kB need 3 kB of it in the longest body."""
LINGER_SECONDS = 2
MAX_LINGER_BYTES = 1 << 20
SERVICE_RESTART = 1012
MAX_LINGERING = 500
"""Maximum number of lingering connections; further ones are closed immediately."""

BARE_LINE_FEED = re.compile(rb"(?<!\r)\n")
VERSIONS = ("1.0", "1.1")

BROKEN = "Invalid HTTP request received."
WRONG_VERSION = "This server speaks HTTP/1.1."
WRONG_LINES = "The lines of a request's head end with a carriage return and a line feed."
TOO_SLOW = "The request did not arrive in time."
TOO_SMALL = f"The chunks of the request are too small: their framing has at most {MAX_FRAMING_BYTES} bytes."

STATE = "icetable.connection"
"""The key in a scope's state that leads to the connection."""


class RoundRobin:
    """Gives connections their turns to parse, so that no client blocks the event loop."""

    def __init__(self) -> None:
        self._queue: deque[Callable[[], bool]] = deque()
        self._seconds_left = 0.0
        self._next_turn: asyncio.Handle | None = None

    def add(self, step: Callable[[], bool]) -> None:
        """Call `step` until it returns False: now if this turn has time left, otherwise in later turns."""
        self._queue.append(step)
        if self._next_turn is None:
            self._begin()
        self._run()

    def _begin(self) -> None:
        self._seconds_left = TURN_SECONDS
        self._next_turn = asyncio.get_running_loop().call_soon(self._end)

    def _end(self) -> None:
        self._next_turn = None
        if self._queue:
            self._begin()
            self._run()

    def _run(self) -> None:
        while self._queue and self._seconds_left > 0:
            started_at = time.perf_counter()
            step = self._queue.popleft()
            if step():
                self._queue.append(step)
            self._seconds_left -= time.perf_counter() - started_at


class Connections(set["HttpConnection"]):
    """The open connections of a server. It makes them, around protocols of uvicorn's."""

    def __init__(self, make_inner: Callable[..., asyncio.Protocol], headers: Mapping[str, str]) -> None:
        """`headers`: those of all responses."""
        super().__init__()
        self._make_inner = make_inner
        self.headers = headers
        self.round_robin = RoundRobin()
        self.tasks = set[asyncio.Task[None]]()
        """Those that run the application for a WebSocket."""

    def make(self, *, app_state: Mapping[str, Any], **arguments: Any) -> HttpConnection:
        """The protocol of a new connection, from the arguments of the one inside it."""
        inner_transport = InnerTransport()
        inner = self._make_inner(app_state={**app_state, STATE: inner_transport}, **arguments)
        return HttpConnection(self, inner, inner_transport)


class HttpConnection(asyncio.Protocol):
    """A connection, until it is closed.

    All connections share the time for parsing. A body is parsed once the application receives it; a connection whose
    request is answered before that is closed.
    """

    _transport: asyncio.Transport
    _unread = b""
    _is_queued = False
    _in_head = True
    """Whether the next bytes are the head of a request; otherwise the application has one to answer."""
    _is_receiving = False
    """Whether the application is receiving the request's body."""
    _max_body = _body_left = 0
    """The limit for the body of this request, and the number of bytes that it may still have."""
    _is_chunked = False
    _is_parsing = False
    """Whether bytes are being passed on. What is written meanwhile is not from the application: it is a refusal."""
    _is_answering = False
    _is_last = False
    """Whether no other request is read, as the client may still be sending one that was answered."""
    _reads_no_more = False
    """Whether the inner protocol has enough for now."""
    _last_bytes = b""
    """The last bytes of a head that is not complete."""
    _timer: asyncio.TimerHandle | None = None

    def __init__(self, connections: Connections, inner: asyncio.Protocol, inner_transport: InnerTransport) -> None:
        self._connections = connections
        self._inner: asyncio.Protocol = inner
        self._inner_transport = inner_transport
        self.body_bytes = 0
        """The number of bytes of this request's body that were parsed, with their framing."""

    def close(self) -> None:
        """Close once the output is flushed. A WebSocket's client may come back."""
        if isinstance(self._inner, DirectWebSocket):
            self._inner.abort(SERVICE_RESTART, "")
        self._transport.close()

    def is_at(self, host: str) -> bool:
        """Whether the client came in at an address of this machine."""
        name = self._transport.get_extra_info("sockname")
        return bool(name) and name[0] == host

    # From the network

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._connections.add(self)
        self._inner_transport.attach(self, self._transport)
        self._inner.connection_made(self._inner_transport)
        self._start_timer()

    def data_received(self, data: bytes) -> None:
        """Queue the bytes. Until they have been parsed, no more are read."""
        if isinstance(self._inner, DirectWebSocket):
            self._inner.data_received(data)
            return
        if self._in_head and self._timer is None:
            self._start_timer()
        self._unread += data
        self._enqueue()
        if self._unread and not self._transport.is_closing():
            self._transport.pause_reading()

    def pause_writing(self) -> None:
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._inner.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Let the connection linger if its client may still be sending a request that has been answered."""
        self._connections.discard(self)
        self._stop_timer()
        if exc is None and (self._unread or self._is_last):
            linger(self._transport)
        inner, self._inner, self._unread = self._inner, asyncio.Protocol(), b""
        self._inner_transport.detach()  # breaks reference cycles: the collector seldom runs (`server.GC_THRESHOLDS`)
        inner.connection_lost(exc)

    # Reading

    def _enqueue(self) -> None:
        if not self._is_queued and self._may_read():
            self._is_queued = True
            self._connections.round_robin.add(self._read)

    def _may_read(self) -> bool:
        may_read = self._in_head or (self._is_receiving and self._body_left > 0)
        return may_read and bool(self._unread) and not self._reads_no_more

    def _read(self) -> bool:
        """Parse one slice, ending it at the end of a head; return False if nothing is left to parse."""
        if not self._transport.is_closing() and self._may_read():
            self._read_slice()
        is_closing = self._transport.is_closing()
        self._is_queued = not is_closing and self._may_read()
        if not self._unread and not is_closing:
            self._transport.resume_reading()
        return self._is_queued

    def _read_slice(self) -> None:
        if self._in_head:
            piece = self._unread[:SLICE_BYTES]
            if (rest := self._rest_of_head(piece)) is None:
                self._reject(HTTPStatus.BAD_REQUEST, "broken_requests", WRONG_LINES)
                return
            piece = piece[:rest]
        else:
            piece = self._unread[: min(SLICE_BYTES, self._body_left)]
            self._body_left -= len(piece)
            self.body_bytes += len(piece)
        self._unread = self._unread[len(piece) :]
        self._pass_on(piece)
        if self._is_chunked and self._body_left == 0:
            self._reject(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "long_requests", body_too_long(self._max_body))

    def _pass_on(self, piece: bytes) -> None:
        self._is_parsing = True
        try:
            self._inner.data_received(piece)
        finally:
            self._is_parsing = False

    def _rest_of_head(self, piece: bytes) -> int | None:
        """The number of bytes of a slice that belong to the head. None: one of its lines ends without CR.

        Two servers could find different heads in such lines.
        """
        known = self._last_bytes
        head, end, _ = (known + piece).partition(HEAD_END)
        if BARE_LINE_FEED.search(head, 1 if known else 0):  # the first byte was seen with the one before it
            return None
        self._last_bytes = b"" if end else head[-len(HEAD_END) :]
        if end:
            self._in_head = self._is_chunked = False
            self._body_left = 0
            self._stop_timer()
        return len(head + end) - len(known)

    # Time

    def _start_timer(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(HEAD_SECONDS, self._time_out)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _time_out(self) -> None:
        self._reject(HTTPStatus.REQUEST_TIMEOUT, "slow_requests", TOO_SLOW)
        self._is_last = False  # a client that sends so little gets no time to linger

    # From the inner protocol

    def write(self, data: bytes) -> None:
        """Write the application's answer, or refuse a request that can't be parsed."""
        if self._is_parsing:
            self._reject(HTTPStatus.BAD_REQUEST, "broken_requests", BROKEN)
        else:
            self._transport.write(data)

    def set_reading(self, may_read: bool) -> None:
        self._reads_no_more = not may_read
        self._enqueue()

    def _reject(self, status: HTTPStatus, reason: str, text: str) -> None:
        """Answer in place of the application, if no answer has begun, and close."""
        if self._transport.is_closing():
            return
        metrics.REJECTED.labels(reason).inc()
        if not self._is_answering:
            body = messages.write(messages.ErrorBody(text))
            headers = {
                "date": email.utils.formatdate(usegmt=True),
                **self._connections.headers,
                "content-type": "application/json",
                "content-length": str(len(body)),
                "connection": "close",
            }
            lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            self._transport.write(f"HTTP/1.1 {status.value} {status.phrase}\r\n{lines}\r\n".encode() + body)
        self._is_last = True
        self._transport.close()

    # From the application

    def begin(self, length: int | None, max_body: int) -> None:
        """The application has a request, whose body has this length. None: it comes in chunks, up to a limit."""
        self._max_body, self.body_bytes = max_body, 0
        self._is_chunked = length is None
        self._body_left = max_body + MAX_FRAMING_BYTES if length is None else length

    def receive(self) -> None:
        """The application receives the body."""
        self._is_receiving = not self._is_answering
        self._enqueue()

    def answer(self, *, is_last: bool) -> None:
        """The application answers. If this is the last answer, no more bytes are parsed."""
        self._is_answering, self._is_last = True, is_last
        self._is_receiving = self._is_receiving and not is_last

    def end(self) -> None:
        """The answer is complete: the next request may come."""
        self._is_answering = self._is_receiving = False
        self._in_head = not self._is_last
        if self._in_head and self._unread and not self._transport.is_closing():
            self._start_timer()
        self._enqueue()

    def upgrade(self, scope: Scope, app: ASGIApp) -> None:
        """Make this the connection of a WebSocket, with a task of its own: to the inner protocol it is lost."""
        socket = DirectWebSocket(self._transport, scope, self._connections.headers)
        inner, self._inner = self._inner, socket
        self._inner_transport.detach()
        inner.connection_lost(None)
        unread, self._unread = self._unread, b""
        socket.data_received(unread)
        task = asyncio.get_running_loop().create_task(socket.serve(app))
        self._connections.tasks.add(task)
        task.add_done_callback(self._connections.tasks.discard)


class InnerTransport(asyncio.Transport):
    """The transport of an inner protocol. When it is detached, the protocol's connection is no more."""

    _transport: asyncio.Transport
    connection: HttpConnection | None = None

    def attach(self, connection: HttpConnection, transport: asyncio.Transport) -> None:
        """Lead to a connection."""
        self.connection, self._transport = connection, transport

    def detach(self) -> None:
        """Lead nowhere."""
        self.connection = None

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._transport.get_extra_info(name, default)

    def is_closing(self) -> bool:
        return self.connection is None or self._transport.is_closing()

    def close(self) -> None:
        if self.connection is not None:
            self._transport.close()

    def abort(self) -> None:
        if self.connection is not None:
            self._transport.abort()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self.connection is not None:
            self.connection.write(bytes(data))

    def writelines(self, list_of_data: Iterable[bytes | bytearray | memoryview]) -> None:
        self.write(b"".join(list_of_data))

    def get_write_buffer_size(self) -> int:
        return self._transport.get_write_buffer_size()

    def pause_reading(self) -> None:
        if self.connection is not None:
            self.connection.set_reading(False)

    def resume_reading(self) -> None:
        if self.connection is not None:
            self.connection.set_reading(True)


class Bounded:
    """An application whose requests have limits: for connections that `Connections` makes.

    It times and counts bodies, closes connections with an answer before the end of the request, and turns requests for
    a WebSocket into WebSockets.
    """

    def __init__(self, app: ASGIApp, max_body_bytes: Callable[[str], int]) -> None:
        """`max_body_bytes` returns the limit for a request's path."""
        self._app = app
        self._max_body_bytes = max_body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        connection: HttpConnection | None = scope["state"].pop(STATE).connection
        headers = dict(scope["headers"])
        if connection is None:
            return
        if scope["http_version"] not in VERSIONS:
            metrics.REJECTED.labels("broken_requests").inc()
            connection.answer(is_last=True)
            refusal = json_response(messages.ErrorBody(WRONG_VERSION), 505, {"Connection": "close"})
            await refusal(scope, receive, send)
        elif headers.get(b"upgrade", b"").lower() == b"websocket":
            connection.upgrade(scope, self._app)
        else:
            await self._answer(connection, headers, scope, receive, send)

    async def _answer(
        self, connection: HttpConnection, headers: dict[bytes, bytes], scope: Scope, receive: Receive, send: Send
    ) -> None:
        is_chunked, length = b"transfer-encoding" in headers, int(headers.get(b"content-length", 0))
        deadline = asyncio.get_running_loop().time() + BODY_SECONDS
        is_whole, received = not is_chunked and not length, 0
        connection.begin(None if is_chunked else length, self._max_body_bytes(scope["path"]))

        async def receive_in_time() -> Message:
            nonlocal is_whole, received
            if is_whole:
                return await receive()
            connection.receive()
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError:
                metrics.REJECTED.labels("slow_requests").inc()
                raise HTTPException(HTTPStatus.REQUEST_TIMEOUT, TOO_SLOW) from None
            received += len(message.get("body", b""))
            is_whole = not message.get("more_body", False)
            if connection.body_bytes - received > MAX_FRAMING_BYTES:
                metrics.REJECTED.labels("long_requests").inc()
                raise HTTPException(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, TOO_SMALL)
            return message

        async def send_last(message: Message) -> None:
            if message["type"] == "http.response.start":
                is_last = is_chunked or not is_whole  # where chunks end, only the inner protocol knows
                connection.answer(is_last=is_last)
                if is_last:
                    message["headers"] = [*message.get("headers", ()), (b"connection", b"close")]
            await send(message)
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                connection.end()

        await self._app(scope, receive_in_time, send_last)


_lingering = set[asyncio.Task[None]]()
_discarded = bytearray(64 * 1024)


def linger(transport: asyncio.BaseTransport) -> None:
    """Let a connection linger before its transport closes the socket.

    Closing a socket with unread bytes resets the connection, and the client may lose the answer. So the rest is read
    and discarded for a while.
    """
    connected = transport.get_extra_info("socket")
    if len(_lingering) < MAX_LINGERING:
        with contextlib.suppress(OSError):  # no file descriptor is left
            copy = socket.fromfd(connected.fileno(), connected.family, connected.type)
            task = asyncio.get_running_loop().create_task(_linger(copy))
            _lingering.add(task)
            task.add_done_callback(_lingering.discard)


async def _linger(copy: socket.socket) -> None:
    loop, left = asyncio.get_running_loop(), MAX_LINGER_BYTES
    with copy, contextlib.suppress(OSError):  # the client has disconnected or takes too long
        copy.setblocking(False)
        copy.shutdown(socket.SHUT_WR)
        async with asyncio.timeout(LINGER_SECONDS):
            while left > 0 and (count := await loop.sock_recv_into(copy, _discarded)):
                left -= count
