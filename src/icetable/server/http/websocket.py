"""uvicorn WebSockets that deliver messages to the application by callback.

ASGI passes each message through a queue and a task in each direction; with a thousand sockets that is a third of all
work. So the application accepts a socket by ASGI and then takes it from the scope.
"""

from __future__ import annotations

import asyncio
import contextlib
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, cast

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import DATA_OPCODES, Frame, Opcode

from icetable.server import metrics

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.websockets import WebSocket
    from uvicorn._types import ASGISendEvent
    from websockets.http11 import Request
    from websockets.protocol import Event

EXTENSION = "icetable.socket"
"""The scope extension that holds the socket."""
MAX_UNSENT_BYTES = 1 << 20
"""A client with more unsent data than this is dropped."""
SLICE_BYTES = 1024
"""Number of bytes parsed in one step, half a millisecond with the shortest frames."""
INVALID_UTF_8 = 1007

NO_HANDSHAKE = "This is not a WebSocket handshake."


def socket_of(websocket: WebSocket) -> DirectWebSocket:
    """Take the socket from the scope. It may run once it is accepted."""
    return cast("DirectWebSocket", websocket.scope["extensions"].pop(EXTENSION))


class DirectWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket for text messages, with limits. It reads no frame until the application runs it.

    Unlike ASGI, it counts each frame against the limits (pings, pongs and fragments too), parses large amounts in
    slices so that other clients get their turn, batches the writes of one turn of the event loop, and drops a client
    that does not read.
    """

    _on_message: Callable[[str | None], None]
    _admit: Callable[[], bool]
    _closed: asyncio.Event
    _is_write_scheduled = False
    _may_read = False
    _unread = b""
    _next_slice: asyncio.Handle | None = None
    _is_whole = True
    """Whether no fragment of the current message was rejected."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._closed = asyncio.Event()

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.close_sent:
            metrics.REJECTED.labels("handshakes").inc()
        else:
            cast("dict[str, Any]", self.scope["extensions"])[EXTENSION] = self

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
            with contextlib.suppress(ClientDisconnected, RuntimeError):  # the client has disconnected or is closing
                await self.send({"type": "websocket.close", "code": code, "reason": reason})
        finally:
            self._closed.set()

    def abort(self, code: int, reason: str) -> None:
        """Close immediately, without flushing the output or waiting for the client's close frame."""
        if not self.transport.is_closing():
            self.conn.fail(code, reason)
            self.handle_parser_exception()

    # Writing

    async def send(self, message: ASGISendEvent) -> None:
        """Send the application's response to the handshake, or its close."""
        await super().send(message)
        if self.close_sent:  # uvicorn does not count a refusal as an answer
            self.handshake_complete = True

    def send_text(self, message: bytes) -> None:
        """Queue a message in UTF-8."""
        if not self.close_sent and not self.transport.is_closing():
            self.conn.send_text(message)
            self._schedule_write()

    def handle_ping(self) -> None:
        """Send the pong that the protocol has queued."""
        self._schedule_write()

    def _schedule_write(self) -> None:
        if not self._is_write_scheduled:  # batches the messages of one turn of the event loop
            self._is_write_scheduled = True
            self.loop.call_soon(self._write)

    def _write(self) -> None:
        """Write the queued messages. A client that does not keep up is dropped."""
        self._is_write_scheduled = False
        if self.transport.is_closing():
            return
        if self.transport.get_write_buffer_size() > MAX_UNSENT_BYTES:
            metrics.SLOW_READERS.inc()
            self.transport.abort()
            return
        self.transport.write(b"".join(self.conn.data_to_send()))

    async def drain(self) -> None:
        """Wait until most of the output is flushed."""
        await self.writable.wait()

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
            self._next_slice = self.loop.call_later(seconds, self._read_slice)

    def data_received(self, data: bytes) -> None:
        """Parse the handshake, and frames slice by slice."""
        if self.handshake_initiated:
            self._unread += data
            if self._next_slice is None:
                self._read_slice()
            return
        super().data_received(data)
        if self.conn.handshake_exc is not None:
            self._reject_handshake()

    def _reject_handshake(self) -> None:
        """Send the protocol's response, or a default one."""
        metrics.REJECTED.labels("handshakes").inc()
        rejection = self.conn.reject(HTTPStatus.BAD_REQUEST, NO_HANDSHAKE)
        self.transport.write(b"".join(self.conn.data_to_send()) or rejection.serialize())
        self.handshake_complete = self.close_sent = True
        self.transport.close()

    def _read_slice(self) -> None:
        """Parse one slice. The rest waits for later turns of the event loop, so that other clients get theirs."""
        self._next_slice = None
        if self._may_read and self._unread and not self.transport.is_closing():
            data, self._unread = self._unread[:SLICE_BYTES], self._unread[SLICE_BYTES:]
            super().data_received(data)
        self._schedule_read()

    def _schedule_read(self) -> None:
        if self.transport.is_closing():
            return
        if self._may_read and self._unread and self._next_slice is None:
            self._next_slice = self.loop.call_soon(self._read_slice)
        pauses = self._next_slice is not None or not self._may_read
        if pauses != self.read_paused:
            self.read_paused = pauses
            (self.transport.pause_reading if pauses else self.transport.resume_reading)()

    def handle_events(self) -> None:
        """Drop rejected frames and process the others."""
        self.conn.events = [event for event in self.conn.events if self._is_admitted(event)]
        super().handle_events()

    def _is_admitted(self, event: Event) -> bool:
        if not isinstance(event, Frame) or event.opcode is Opcode.CLOSE:
            return True
        if self.transport.is_closing():
            return False
        admitted = self._admit()
        if event.opcode not in DATA_OPCODES:
            return admitted
        self._is_whole = admitted and (self._is_whole or event.opcode is not Opcode.CONT)
        return self._is_whole

    def handle_cont(self, event: Frame) -> None:
        """Join a continuation fragment immediately, so that empty ones take no memory."""
        self.frames = [b"".join((*self.frames, event.data))]
        if event.fin:
            self.send_receive_event_to_app()

    def send_receive_event_to_app(self) -> None:
        """Deliver a complete message."""
        data, self.frames = b"".join(self.frames), []
        if self.close_sent:
            return
        try:
            self._on_message(data.decode() if self.curr_msg_data_type == "text" else None)
        except UnicodeDecodeError:
            self.abort(INVALID_UTF_8, "")

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._next_slice is not None:
            self._next_slice.cancel()
        self.conn.parser.close()  # breaks a reference cycle
        self._on_message, self._admit = _ignore, _reject  # drops references to the application
        self._closed.set()


def _ignore(_: str | None) -> None: ...


def _reject() -> bool:
    return False
