"""Sockets of uvicorn that hand their messages to the application by a call.

Through ASGI each message passes a queue and a task on its way in, and again on its way out; with a thousand sockets
that is a third of all work. So the application accepts a socket by ASGI and then takes it from the scope.
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
"""Under this name a socket offers itself in its scope."""
MAX_UNSENT = 1 << 20
"""A client is dropped when more than this number of bytes waits for it."""
SLICE = 1024
"""The number of bytes that are parsed at once. With the shortest frames that takes half a millisecond."""
INVALID_UTF_8 = 1007

NO_HANDSHAKE = "This is not a WebSocket handshake."


def socket_of(websocket: WebSocket) -> DirectWebSocket:
    """The socket itself. It may run once it is accepted."""
    return cast("DirectWebSocket", websocket.scope["extensions"].pop(EXTENSION))


class DirectWebSocket(WebSocketsSansIOProtocol):
    """A socket that carries text messages both ways, within bounds. No frame is read until the application runs it.

    Beyond what ASGI allows, it counts each frame against the limits (pings, pongs and fragments too), parses large
    amounts in slices so that other clients get their turn, sends together what is sent within one turn of the loop,
    and cuts the connection of a client that does not read.
    """

    _on_message: Callable[[str | None], None]
    _admit: Callable[[], bool]
    _closed: asyncio.Event
    _will_send = False
    _may_read = False
    _unread = b""
    _next_slice: asyncio.Handle | None = None
    _is_whole = True
    """Whether no fragment of the current message was rejected."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client has connected."""
        super().connection_made(transport)
        self._closed = asyncio.Event()

    def handle_connect(self, event: Request) -> None:
        """A handshake has come."""
        super().handle_connect(event)
        if self.close_sent:
            metrics.REJECTED.labels("handshakes").inc()
        else:
            cast("dict[str, Any]", self.scope["extensions"])[EXTENSION] = self

    async def run(self, on_message: Callable[[str | None], None], admit: Callable[[], bool]) -> None:
        """Call `on_message` with each message, None for binary data, until the socket is closed.

        `admit` is called for each frame, before any work is done for it; what it refuses is dropped.
        """
        self._on_message, self._admit = on_message, admit
        self.resume_reading()
        await self._closed.wait()

    async def close(self, code: int, reason: str) -> None:
        """Close once all that was sent before has left; `run` returns then."""
        try:
            with contextlib.suppress(ClientDisconnected, RuntimeError):  # the client has gone, or closes itself
                await self.send({"type": "websocket.close", "code": code, "reason": reason})
        finally:
            self._closed.set()

    def abort(self, code: int, reason: str) -> None:
        """Close at once, and drop what waits to be sent. No answer of the client is awaited."""
        if not self.transport.is_closing():
            self.conn.fail(code, reason)
            self.handle_parser_exception()

    # Writing

    async def send(self, message: ASGISendEvent) -> None:
        """Send what the application answers to the handshake, or its close."""
        await super().send(message)
        if self.close_sent:  # uvicorn does not count a refusal as an answer
            self.handshake_complete = True

    def send_text(self, message: bytes) -> None:
        """Send a message in UTF-8, without waiting."""
        if not self.close_sent and not self.transport.is_closing():
            self.conn.send_text(message)
            self._send_soon()

    def handle_ping(self) -> None:
        """The protocol has made a pong."""
        self._send_soon()

    def _send_soon(self) -> None:
        if not self._will_send:  # what is sent together goes together
            self._will_send = True
            self.loop.call_soon(self._send_now)

    def _send_now(self) -> None:
        """Write what waits to be sent. A client that does not keep up is dropped."""
        self._will_send = False
        if self.transport.is_closing():
            return
        if self.transport.get_write_buffer_size() > MAX_UNSENT:
            metrics.SLOW_READERS.inc()
            self.transport.abort()
            return
        self.transport.write(b"".join(self.conn.data_to_send()))

    async def drain(self) -> None:
        """Wait until most of what was sent has left."""
        await self.writable.wait()

    # Reading

    def pause_reading(self) -> None:
        """Deliver no message until `resume_reading`."""
        self._may_read = False
        self._read_on()

    def resume_reading(self) -> None:
        """Deliver messages again."""
        self._may_read = True
        self._read_on()

    def delay_reading(self, seconds: float) -> None:
        """Deliver the next message after a while."""
        if self._next_slice is None:
            self._next_slice = self.loop.call_later(seconds, self._read_slice)

    def data_received(self, data: bytes) -> None:
        """Bytes have arrived: first the handshake, then frames."""
        if self.handshake_initiated:
            self._unread += data
            if self._next_slice is None:
                self._read_slice()
            return
        super().data_received(data)
        if self.conn.handshake_exc is not None:
            self._reject_handshake()

    def _reject_handshake(self) -> None:
        """Send the answer of the protocol, or one in its place."""
        metrics.REJECTED.labels("handshakes").inc()
        rejection = self.conn.reject(HTTPStatus.BAD_REQUEST, NO_HANDSHAKE)
        self.transport.write(b"".join(self.conn.data_to_send()) or rejection.serialize())
        self.handshake_complete = self.close_sent = True
        self.transport.close()

    def _read_slice(self) -> None:
        """Parse one slice. The rest waits for later turns of the loop, so that other clients get theirs."""
        self._next_slice = None
        if self._may_read and self._unread and not self.transport.is_closing():
            data, self._unread = self._unread[:SLICE], self._unread[SLICE:]
            super().data_received(data)
        self._read_on()

    def _read_on(self) -> None:
        if self.transport.is_closing():
            return
        if self._may_read and self._unread and self._next_slice is None:
            self._next_slice = self.loop.call_soon(self._read_slice)
        pauses = self._next_slice is not None or not self._may_read
        if pauses != self.read_paused:
            self.read_paused = pauses
            (self.transport.pause_reading if pauses else self.transport.resume_reading)()

    def handle_events(self) -> None:
        """Frames have arrived. Rejected ones are dropped before any work is done for them."""
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
        """A further fragment. It is joined at once, so that empty ones take no memory."""
        self.frames = [b"".join((*self.frames, event.data))]
        if event.fin:
            self.send_receive_event_to_app()

    def send_receive_event_to_app(self) -> None:
        """A message is complete."""
        data, self.frames = b"".join(self.frames), []
        if self.close_sent:
            return
        try:
            self._on_message(data.decode() if self.curr_msg_data_type == "text" else None)
        except UnicodeDecodeError:
            self.abort(INVALID_UTF_8, "")

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is closed."""
        super().connection_lost(exc)
        if self._next_slice is not None:
            self._next_slice.cancel()
        self.conn.parser.close()  # it and the protocol hold each other
        self._on_message, self._admit = _ignore, _reject  # nor does it hold the application any more
        self._closed.set()


def _ignore(_: str | None) -> None: ...


def _reject() -> bool:
    return False
