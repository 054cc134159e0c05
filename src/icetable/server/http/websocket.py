"""The lines to browsers: uvicorn's HTTP and its WebSocket, within bounds of time, size and speed.

Through ASGI every message of a socket passes a queue and a task on its way in, and as much on its way out; with a
thousand sockets that is a third of all the work. So the application accepts a socket as ASGI has it and takes its line
over then: messages are heard and sent by a call.
"""

from __future__ import annotations

import asyncio
import contextlib
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, cast

import h11
from uvicorn.protocols.http.flow_control import CLOSE_HEADER
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import DATA_OPCODES, Frame, Opcode

from icetable.server import messages, metrics

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.websockets import WebSocket
    from uvicorn._types import ASGISendEvent
    from websockets.http11 import Request
    from websockets.protocol import Event

EXTENSION = "icetable.line"
MOST_WAITING = 1 << 20
"""How many bytes may wait for a slow reader before the next message."""
SLICE = 1024
"""The bytes that are parsed at once. With the shortest frames that takes half a millisecond."""
NO_UTF_8 = 1007
HEAD_SECONDS = 5
BODY_SECONDS = 10
"""How long a client may take to send the head of a request, and then its body."""
MOST_BODY = 2 * messages.LONGEST
"""Of a body with its framing no more bytes are parsed."""

TOO_LONG = f"A request has at most {messages.LONGEST} bytes."
TOO_SLOW = "The request did not come in time."
NO_HANDSHAKE = "This is no request for a WebSocket."


class DirectWebSocket(WebSocketsSansIOProtocol):
    """A socket that its application may take over. Until then no frame of it is read."""

    _hear: Callable[[str | None], None]
    _admit: Callable[[], bool]
    ended: asyncio.Event
    """Set at the latest when the socket is closed."""
    _will_send = False
    _listens = False
    _unread = b""
    _next: asyncio.Handle | None = None
    """When it is read on, where that is settled."""
    _is_whole = True
    """Whether no fragment of the current message was refused."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client has connected."""
        super().connection_made(transport)
        self.ended = asyncio.Event()

    def handle_connect(self, event: Request) -> None:
        """A browser asks for a socket."""
        super().handle_connect(event)
        if self.close_sent:
            metrics.REJECTED.labels("handshakes").inc()
        else:
            cast("dict[str, Any]", self.scope["extensions"])[EXTENSION] = self

    def take_over(self, hear: Callable[[str | None], None], admit: Callable[[], bool]) -> None:
        """From now on call `hear` with each message: its text, None for binary data.

        `admit` is called for each frame before anything is done for it; False refuses it.
        """
        self._hear, self._admit = hear, admit
        self.listen(now=True)

    def release(self) -> None:
        """Hold on to nothing of the application, so that all of it is freed without a search for garbage."""
        self._hear, self._admit = _hear_nothing, _admit_nothing
        self.scope["extensions"] = {}

    def turn_away(self, code: int, reason: str) -> None:
        """Close without waiting for an answer."""
        if not self.transport.is_closing():
            self.conn.fail(code, reason)
            self.handle_parser_exception()

    # Writing

    async def send(self, message: ASGISendEvent) -> None:
        """Send what the application answers to the handshake, or its close."""
        await super().send(message)
        if self.close_sent:  # uvicorn does not count a refusal as an answer
            self.handshake_complete = True

    def tell(self, message: bytes) -> None:
        """Send a text without waiting."""
        if not self.close_sent and not self.transport.is_closing():
            self.conn.send_text(message)
            self._send_soon()

    def handle_ping(self) -> None:
        """The protocol has made a pong."""
        self._send_soon()

    def _send_soon(self) -> None:
        if not self._will_send:  # what is told together goes together
            self._will_send = True
            self.loop.call_soon(self._send_now)

    def _send_now(self) -> None:
        """Write what is to be sent. A client that does not keep up is dropped, so that others need not wait."""
        self._will_send = False
        if self.transport.is_closing():
            return
        if self.transport.get_write_buffer_size() > MOST_WAITING:
            metrics.SLOW.inc()
            self.transport.abort()
            return
        self.transport.write(b"".join(self.conn.data_to_send()))

    async def has_room(self) -> None:
        """Wait until what was sent is mostly gone."""
        await self.writable.wait()

    # Reading

    def listen(self, now: bool) -> None:
        """Read on, or read no more for a while."""
        self._listens = now
        self._read_on()

    def rest(self, seconds: float) -> None:
        """Read on after a while."""
        if self._next is None:
            self._next = self.loop.call_later(seconds, self._read_slice)

    def data_received(self, data: bytes) -> None:
        """Bytes have come: at first the request for a socket, then frames."""
        if self.handshake_initiated:
            self._unread += data
            if self._next is None:
                self._read_slice()
            return
        super().data_received(data)
        if self.conn.handshake_exc is not None:
            self._refuse_handshake()

    def _refuse_handshake(self) -> None:
        """Send the answer that the protocol has made, or one in its place."""
        metrics.REJECTED.labels("handshakes").inc()
        refusal = self.conn.reject(HTTPStatus.BAD_REQUEST, NO_HANDSHAKE)
        self.transport.write(b"".join(self.conn.data_to_send()) or refusal.serialize())
        self.handshake_complete = self.close_sent = True
        self.transport.close()

    def _read_slice(self) -> None:
        """Parse a little and leave the rest to later turns of the loop, so that other clients get theirs."""
        self._next = None
        if self._listens and self._unread and not self.transport.is_closing():
            data, self._unread = self._unread[:SLICE], self._unread[SLICE:]
            super().data_received(data)
        self._read_on()

    def _read_on(self) -> None:
        if self.transport.is_closing():
            return
        if self._listens and self._unread and self._next is None:
            self._next = self.loop.call_soon(self._read_slice)
        pauses = self._next is not None or not self._listens
        if pauses != self.read_paused:
            self.read_paused = pauses
            (self.transport.pause_reading if pauses else self.transport.resume_reading)()

    def handle_events(self) -> None:
        """Frames have come. Those that are refused are dropped before anything is done for them."""
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
        """A further fragment. Joined at once, so that empty ones take no room."""
        self.frames = [b"".join((*self.frames, event.data))]
        if event.fin:
            self.send_receive_event_to_app()

    def send_receive_event_to_app(self) -> None:
        """A message is whole."""
        data, self.frames = b"".join(self.frames), []
        if self.close_sent:
            return
        try:
            self._hear(data.decode() if self.curr_msg_data_type == "text" else None)
        except UnicodeDecodeError:
            self.turn_away(NO_UTF_8, "")

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is closed."""
        super().connection_lost(exc)
        if self._next is not None:
            self._next.cancel()
        self.conn.parser.close()  # it and the protocol hold each other
        self.ended.set()


def _hear_nothing(_: str | None) -> None: ...


def _admit_nothing() -> bool:
    return False


def direct_websocket(websocket: WebSocket) -> DirectWebSocket:
    """The line of a socket that was accepted."""
    return cast("DirectWebSocket", websocket.scope["extensions"][EXTENSION])


class BoundedHttp(H11Protocol):
    """HTTP for clients that may be slow: each head and each body has its time, and each body its length."""

    _awaited: object = None
    """How long the client may take for what is to come, and behind which request."""
    _overdue: asyncio.TimerHandle | None = None
    _body = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has connected."""
        super().connection_made(transport)
        self._expect()

    def data_received(self, data: bytes) -> None:
        """Bytes have come."""
        for start in range(0, len(data), SLICE):
            piece = data[start : start + SLICE]
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                return
            if self.conn.their_state is h11.SEND_BODY:
                self._body += len(piece)
            if self._body > MOST_BODY:
                self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "long requests", TOO_LONG)
                return
            super().data_received(piece)

    def handle_events(self) -> None:
        """Something of a request may be whole."""
        super().handle_events()
        self._expect()

    def _expect(self) -> None:
        """Give what is awaited its time, from when it was first awaited."""
        seconds = {h11.IDLE: HEAD_SECONDS, h11.SEND_BODY: BODY_SECONDS}.get(self.conn.their_state)
        if self.timeout_keep_alive_task is not None or self.transport.get_protocol() is not self:
            seconds = None
        awaited = (seconds, self.cycle)
        if awaited != self._awaited:
            self._awaited, self._body = awaited, 0
            self._forget()
            if seconds is not None:
                self._overdue = self.loop.call_later(seconds, self._give_up)

    def _forget(self) -> None:
        if self._overdue is not None:
            self._overdue.cancel()

    def _give_up(self) -> None:
        self._refuse(HTTPStatus.REQUEST_TIMEOUT, "slow requests", TOO_SLOW)

    def _refuse(self, status: HTTPStatus, reason: str, text: str) -> None:
        """Answer in the application's place, where that is still possible, and close."""
        if self.transport.is_closing():
            return
        metrics.REJECTED.labels(reason).inc()
        self._answer(status, text)
        if self.cycle is not None:
            self.cycle.disconnected = True
        self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """The request can't be understood."""
        self._refuse(HTTPStatus.BAD_REQUEST, "broken requests", msg)

    def _answer(self, status: HTTPStatus, text: str) -> None:
        body = messages.write(messages.ErrorBody(text))
        headers = [
            *self.server_state.default_headers,
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            CLOSE_HEADER,
        ]
        start = h11.Response(status_code=status, headers=headers, reason=STATUS_PHRASES[status])
        with contextlib.suppress(h11.LocalProtocolError):  # an answer has begun
            for event in (start, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event))

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has gone, or the connection is closed."""
        super().connection_lost(exc)
        self._forget()
