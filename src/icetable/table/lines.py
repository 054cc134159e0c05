"""The line to a browser: uvicorn's WebSocket, for messages that are heard and sent by a call.

Through ASGI every message passes a queue and a task on its way in, and as much on its way out; with a thousand sockets
that is a third of all the work. So the application accepts a socket as ASGI has it and takes its line over then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from icetable.table import meters

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from starlette.websockets import WebSocket
    from websockets.http11 import Request

EXTENSION = "icetable.line"
MOST_WAITING = 1 << 20
"""How many bytes may wait for a slow reader before the next message."""
NO_UTF_8 = 1007


class Line(WebSocketsSansIOProtocol):
    """A socket that its application may take over."""

    _hear: Callable[[str | None], None] | None = None
    _will_send = False
    _lost: asyncio.Future[None]

    def handle_connect(self, event: Request) -> None:
        """A browser asks for a socket."""
        super().handle_connect(event)
        if not self.close_sent:
            cast("dict[str, Any]", self.scope["extensions"])[EXTENSION] = self

    def take_over(self, hear: Callable[[str | None], None]) -> asyncio.Future[None]:
        """From now on call `hear` with each message: its text, None for binary data. The future is done at the end."""
        self._hear, self._lost = hear, self.loop.create_future()
        if self.disconnected:
            self.let_go()
        return self._lost

    def let_go(self, error: Exception | None = None) -> None:
        """The end, though the socket may not be closed yet; with an error where there was one."""
        if self._lost.done():
            return
        if error is None:
            self._lost.set_result(None)
        else:
            self._lost.set_exception(error)

    def tell(self, message: bytes) -> None:
        """Send a text without waiting. Who does not keep up is let go, so that nobody else waits."""
        if self.close_sent or self.transport.is_closing():
            return
        if self.transport.get_write_buffer_size() > MOST_WAITING:
            meters.SLOW.inc()
            self.transport.abort()
            return
        self.conn.send_text(message)
        if not self._will_send:  # what is told together goes together
            self._will_send = True
            self.loop.call_soon(self._send_now)

    def _send_now(self) -> None:
        self._will_send = False
        if not self.transport.is_closing():
            self.transport.write(b"".join(self.conn.data_to_send()))

    async def has_room(self) -> None:
        """Wait until what was sent is mostly gone."""
        await self.writable.wait()

    def listen(self, now: bool) -> None:
        """Read on, or read no more for a while."""
        if now == self.read_paused and not self.transport.is_closing():
            self.read_paused = not now
            (self.transport.resume_reading if now else self.transport.pause_reading)()

    def send_receive_event_to_app(self) -> None:
        """A message is whole."""
        if self._hear is None:
            super().send_receive_event_to_app()
            return
        data, self.frames = b"".join(self.frames), []
        if self.close_sent:
            return
        try:
            self._hear(data.decode() if self.curr_msg_data_type == "text" else None)
        except UnicodeDecodeError:
            self.conn.fail(NO_UTF_8)
            self.handle_parser_exception()

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is closed."""
        super().connection_lost(exc)
        if self._hear is not None:
            self.let_go()


def line_of(websocket: WebSocket) -> Line:
    """The line of a socket that was accepted."""
    return cast("Line", websocket.scope["extensions"][EXTENSION])
