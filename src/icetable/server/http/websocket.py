"""WebSockets that deliver messages to the application by callback.

ASGI passes each message through a queue and a task in each direction; with a thousand sockets that is a third of all
work. So the application accepts a socket by ASGI and then takes it from the scope.
"""

from __future__ import annotations

import asyncio
import contextlib
import email.utils
import logging
from http import HTTPStatus
from typing import TYPE_CHECKING, cast

from starlette.websockets import WebSocketDisconnect
from websockets.datastructures import Headers
from websockets.exceptions import InvalidState
from websockets.frames import DATA_OPCODES, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from icetable.server import metrics

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starlette.types import ASGIApp, Message, Scope
    from starlette.websockets import WebSocket

EXTENSION = "icetable.socket"
"""The scope extension that holds the socket."""
MAX_FRAME_BYTES = 64 * 1024
"""Larger messages close the socket."""
MAX_UNSENT_BYTES = 1 << 20
"""A client with more unsent data than this is dropped."""
SLICE_BYTES = 1024
"""Number of bytes parsed in one step, half a millisecond with the shortest frames."""
PING_SECONDS = 20.0
"""Interval between pings. A client that has not answered one by the next is dropped."""
CLOSE_SECONDS = 10.0
"""How long a client has to answer a close frame."""
INVALID_UTF_8 = 1007
NO_ANSWER = 1011

NO_HANDSHAKE = "This is not a WebSocket handshake."

logger = logging.getLogger(__name__)


class ClientDisconnected(OSError):
    """The client has disconnected, so nothing can be sent to it."""


def socket_of(websocket: WebSocket) -> DirectWebSocket:
    """Take the socket from the scope. It may run once it is accepted."""
    return cast("DirectWebSocket", websocket.scope["extensions"].pop(EXTENSION))


class DirectWebSocket(asyncio.Protocol):
    """A WebSocket for text messages, with limits. It reads no frame until the application runs it.

    Unlike ASGI, it counts each frame against the limits (pings, pongs and fragments too), parses large amounts in
    slices so that other clients get their turn, batches the writes of one turn of the event loop, and drops a client
    that does not read.
    """

    def __init__(self, transport: asyncio.Transport, scope: Scope, headers: Mapping[str, str]) -> None:
        """`scope`: the request for a WebSocket; `headers`: those of all responses."""
        self._transport = transport
        self._scope = scope
        self._headers = headers
        self._protocol = ServerProtocol(max_size=MAX_FRAME_BYTES, logger=logger)
        self._loop = asyncio.get_running_loop()
        self._on_message: Callable[[str | None], None] = _ignore
        self._admit: Callable[[], bool] = _reject
        self._closed = asyncio.Event()
        self._writable = asyncio.Event()
        self._writable.set()
        self._handshake: Response | None = None
        """The response that accepts the socket, until it is sent."""
        self._denial: Message | None = None
        """The beginning of a response that the application sends instead."""
        self._is_write_scheduled = False
        self._may_read = False
        self._is_paused = False
        """Whether the transport reads nothing."""
        self._unread = b""
        self._next_slice: asyncio.Handle | None = None
        self._is_whole = True
        """Whether no fragment of the current message was rejected."""
        self._fragments = b""
        self._is_text = False
        self._awaits_pong = False
        self._timer: asyncio.TimerHandle | None = None
        """Of the next ping or, once a close frame is sent, of the end."""

    # The application

    async def serve(self, app: ASGIApp) -> None:
        """Let the application accept or deny the socket, and run it until it is closed."""
        if self._closed.is_set() or not self._begin_handshake():
            return
        scope = {name: value for name, value in self._scope.items() if name != "method"}
        scope |= {
            "type": "websocket",
            "scheme": "wss" if scope["scheme"] == "https" else "ws",
            "subprotocols": [],
            "extensions": {"websocket.http.response": {}, EXTENSION: self},
        }
        received = iter(({"type": "websocket.connect"},))

        async def receive() -> Message:
            for message in received:
                return message
            await self._closed.wait()
            return {"type": "websocket.disconnect", "code": 1006}

        try:
            await app(scope, receive, self._send)
        except (ClientDisconnected, WebSocketDisconnect):
            pass
        except Exception:
            metrics.EXCEPTIONS.inc()
            logger.exception("A WebSocket failed.")
        finally:
            if self._handshake is not None:
                self._respond(self._protocol.reject(HTTPStatus.INTERNAL_SERVER_ERROR, ""))
            if self._protocol.state is not State.CLOSING:
                self._transport.close()

    async def run(self, on_message: Callable[[str | None], None], admit: Callable[[], bool]) -> None:
        """Call `on_message` with each message, None for binary data, until the socket is closed.

        `admit` is called for each frame before it is processed; frames that it refuses are dropped.
        """
        self._on_message, self._admit = on_message, admit
        self.resume_reading()
        await self._closed.wait()

    async def close(self, code: int, reason: str) -> None:
        """Close once the output is flushed; `run` returns then."""
        try:
            await self._writable.wait()
            with contextlib.suppress(InvalidState):  # the client has disconnected or is closing
                self._protocol.send_close(code, reason)
                self._flush()
                self._set_timer(CLOSE_SECONDS, self._transport.close)
                self.resume_reading()
        finally:
            self._closed.set()

    def abort(self, code: int, reason: str) -> None:
        """Close immediately, without flushing the output or waiting for the client's close frame."""
        if not self._transport.is_closing():
            self._protocol.fail(code, reason)
            self._end()

    # The handshake

    def _begin_handshake(self) -> bool:
        """Judge the request; return False if it is rejected."""
        path = self._scope["raw_path"].decode("ascii")
        if self._scope["query_string"]:
            path += f"?{self._scope['query_string'].decode('ascii')}"
        headers = Headers([(name.decode("latin-1"), value.decode("latin-1")) for name, value in self._scope["headers"]])
        if self._scope["method"] == "GET" and self._scope["http_version"] == "1.1":
            self._protocol.receive_data(Request(path, headers).serialize())
        events = self._protocol.events_received()
        if events:
            response = self._protocol.accept(cast("Request", events[0]))
            if response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
                self._handshake = response
                return True
            refusal = response.serialize()
        else:  # the protocol has an answer of its own to some
            bad_request = self._protocol.reject(HTTPStatus.BAD_REQUEST, NO_HANDSHAKE)
            refusal = b"".join(self._protocol.data_to_send()) or bad_request.serialize()
        metrics.REJECTED.labels("handshakes").inc()
        self._transport.write(refusal)
        self._transport.close()
        return False

    async def _send(self, message: Message) -> None:
        """Send the application's response to the handshake, or its close."""
        await self._writable.wait()
        if self._transport.is_closing():
            raise ClientDisconnected
        kind = message["type"]
        if self._handshake is None:
            if kind == "websocket.close":
                await self.close(message.get("code", 1000), message.get("reason") or "")
        elif kind == "websocket.accept":
            handshake, self._handshake = self._handshake, None
            for name, value in self._headers.items():
                handshake.headers[name] = value
            self._protocol.send_response(handshake)
            self._flush()
            self._set_timer(PING_SECONDS, self._ping)
        elif kind == "websocket.http.response.start":
            self._denial = message
        elif kind == "websocket.http.response.body" and self._denial is not None:
            status = HTTPStatus(self._denial["status"])
            headers = Headers([(name.decode(), value.decode("latin-1")) for name, value in self._denial["headers"]])
            headers["Date"], headers["Connection"] = email.utils.formatdate(usegmt=True), "close"
            self._respond(Response(status.value, status.phrase, headers, message["body"]))
        else:
            self._respond(self._protocol.reject(HTTPStatus.FORBIDDEN, ""))

    def _respond(self, response: Response) -> None:
        """Send a response that is no WebSocket's, and close."""
        self._handshake = None
        self._transport.write(response.serialize())
        self._transport.close()

    # Writing

    def send_text(self, message: bytes) -> None:
        """Queue a message in UTF-8."""
        if self._protocol.state is State.OPEN and not self._transport.is_closing():
            self._protocol.send_text(message)
            self._schedule_write()

    def _schedule_write(self) -> None:
        if not self._is_write_scheduled:  # batches the messages of one turn of the event loop
            self._is_write_scheduled = True
            self._loop.call_soon(self._write)

    def _write(self) -> None:
        """Write the queued messages. A client that does not keep up is dropped."""
        self._is_write_scheduled = False
        if self._transport.is_closing():
            return
        if self._transport.get_write_buffer_size() > MAX_UNSENT_BYTES:
            metrics.SLOW_READERS.inc()
            self._transport.abort()
            return
        self._flush()

    def _flush(self) -> None:
        self._transport.write(b"".join(self._protocol.data_to_send()))

    def _end(self) -> None:
        """Send what is left, a close frame, and close."""
        self._flush()
        self._transport.close()

    async def drain(self) -> None:
        """Wait until most of the output is flushed."""
        await self._writable.wait()

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    def _ping(self) -> None:
        """Drop a client that has not answered the last ping, and send the next."""
        if self._protocol.state is not State.OPEN:
            return
        if self._awaits_pong:
            self.abort(NO_ANSWER, "keepalive ping timeout")
            return
        self._awaits_pong = True
        self._protocol.send_ping(b"")
        self._schedule_write()
        self._set_timer(PING_SECONDS, self._ping)

    def _set_timer(self, seconds: float, call: Callable[[], object]) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(seconds, call)

    # Reading

    def pause_reading(self) -> None:
        """Deliver no messages until `resume_reading`."""
        self._may_read = False
        self._schedule_read()

    def resume_reading(self) -> None:
        """Deliver messages again."""
        self._may_read = True
        self._schedule_read()

    def delay_reading(self, seconds: float) -> None:
        """Delay the next message."""
        if self._next_slice is None:
            self._next_slice = self._loop.call_later(seconds, self._read_slice)

    def data_received(self, data: bytes) -> None:
        """Parse frames slice by slice."""
        self._unread += data
        if self._next_slice is None:
            self._read_slice()

    def _read_slice(self) -> None:
        """Parse one slice. The rest waits for later turns of the event loop, so that other clients get theirs."""
        self._next_slice = None
        if self._may_read and self._unread and not self._transport.is_closing():
            data, self._unread = self._unread[:SLICE_BYTES], self._unread[SLICE_BYTES:]
            self._protocol.receive_data(data)
            for event in self._protocol.events_received():
                self._process(cast("Frame", event))
            if self._protocol.parser_exc is not None and not self._transport.is_closing():
                self._end()
        self._schedule_read()

    def _schedule_read(self) -> None:
        if self._transport.is_closing():
            return
        if self._may_read and self._unread and self._next_slice is None:
            self._next_slice = self._loop.call_soon(self._read_slice)
        pauses = self._next_slice is not None or not self._may_read
        if pauses != self._is_paused:
            self._is_paused = pauses
            (self._transport.pause_reading if pauses else self._transport.resume_reading)()

    def _process(self, frame: Frame) -> None:
        """Process a frame, unless it is rejected."""
        if frame.opcode is Opcode.CLOSE:
            self._end()
            return
        if self._transport.is_closing():
            return
        is_admitted = self._admit()
        if frame.opcode in DATA_OPCODES:
            self._is_whole = is_admitted and (self._is_whole or frame.opcode is not Opcode.CONT)
            if self._is_whole:
                self._join(frame)
        elif is_admitted:
            if frame.opcode is Opcode.PONG:
                self._awaits_pong = False
            else:
                self._schedule_write()  # of the pong that the protocol has queued

    def _join(self, frame: Frame) -> None:
        """Add a fragment to its message, and deliver that once it is complete."""
        if frame.opcode is Opcode.CONT:
            self._fragments += frame.data
        else:
            self._fragments, self._is_text = bytes(frame.data), frame.opcode is Opcode.TEXT
        if not frame.fin:
            return
        data, self._fragments = self._fragments, b""
        if self._protocol.state is not State.OPEN:
            return
        try:
            self._on_message(data.decode() if self._is_text else None)
        except UnicodeDecodeError:
            self.abort(INVALID_UTF_8, "")

    def connection_lost(self, exc: Exception | None) -> None:
        for handle in (self._next_slice, self._timer):
            if handle is not None:
                handle.cancel()
        self._writable.set()  # nothing drains any more
        self._protocol.parser.close()  # breaks a reference cycle
        self._on_message, self._admit, self._timer = _ignore, _reject, None  # drops references to the application
        self._closed.set()


def _ignore(_: str | None) -> None: ...


def _reject() -> bool:
    return False
