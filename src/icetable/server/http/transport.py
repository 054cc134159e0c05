"""How messages reach a client and come from it: the interface, and its implementation over plain ASGI."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Protocol, cast

from starlette.websockets import WebSocketDisconnect

from icetable.server import metrics

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.websockets import WebSocket

EXTENSION = "icetable.transport"
"""Under this name a server offers a transport of its own in the scope of a socket."""
MOST_UNSENT = 1 << 20
"""A client is dropped when more than this number of bytes waits for it."""
CLOSE_SECONDS = 1
"""How long the last frame may take to leave."""


class Transport(Protocol):
    """A socket that carries text messages both ways, within bounds.

    Each implementation drops a client for which more than MOST_UNSENT bytes wait, reads nothing while reading is
    paused, and calls `admit` before it does any work for a message.
    """

    async def run(self, on_message: Callable[[str | None], None], admit: Callable[[], bool]) -> None:
        """Call `on_message` with each message, None for binary data, until the socket is closed.

        A message for which `admit` returns False is dropped.
        """

    def send_text(self, message: bytes) -> None:
        """Send a message in UTF-8, without waiting."""

    async def drain(self) -> None:
        """Wait until most of what was sent has left."""

    def pause_reading(self) -> None:
        """Deliver no message until `resume_reading`."""

    def resume_reading(self) -> None:
        """Deliver messages again."""

    def delay_reading(self, seconds: float) -> None:
        """Deliver the next message after a while."""

    async def close(self, code: int, reason: str) -> None:
        """Close once all that was sent before has left; `run` returns then."""

    def abort(self, code: int, reason: str) -> None:
        """Close at once, and drop what waits to be sent."""


def transport_of(websocket: WebSocket) -> Transport:
    """The transport of a socket: the server's own if it offers one, else plain ASGI. It may run once it is accepted."""
    offered = websocket.scope.get("extensions", {}).pop(EXTENSION, None)
    return AsgiTransport(websocket) if offered is None else cast("Transport", offered)


class AsgiTransport:
    """Plain ASGI: works under any server and in Starlette's TestClient, at the price of a queue and a task each way.

    ASGI shows whole messages only. So pings, pongs and fragments are not counted against the limits, the greatest size
    of a frame is the server's setting (uvicorn: `ws_max_size`), and a connection can't be cut: a client that does not
    read leaves its table at once, but its connection lasts until the server's own keep-alive ends it.
    """

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        self._queue = asyncio.Queue[bytes | None]()
        self._unsent = 0
        self._is_drained = asyncio.Event()
        self._is_drained.set()
        self._may_read = asyncio.Event()
        self._may_read.set()
        self._delay = 0.0
        self._farewell: tuple[int, str] | None = None
        self._writer: asyncio.Task[None] | None = None
        self._closed = asyncio.Event()

    async def run(self, on_message: Callable[[str | None], None], admit: Callable[[], bool]) -> None:
        self._writer = asyncio.create_task(self._write())
        tasks = {self._writer, asyncio.create_task(self._read(on_message, admit))}
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            self._writer = None
            self._is_drained.set()
            await self._say_farewell()
            self._closed.set()

    async def _read(self, on_message: Callable[[str | None], None], admit: Callable[[], bool]) -> None:
        while self._farewell is None:
            await self._may_read.wait()
            if self._delay:
                delay, self._delay = self._delay, 0.0
                await asyncio.sleep(delay)
            message = await self._websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if admit():
                on_message(message.get("text"))

    async def _write(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # the client has gone
            while (message := await self._queue.get()) is not None:
                await self._websocket.send_text(message.decode())
                self._unsent -= len(message)
                if self._queue.empty():
                    self._is_drained.set()

    async def _say_farewell(self) -> None:
        if self._farewell is not None:
            with contextlib.suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await self._websocket.close(*self._farewell)

    def send_text(self, message: bytes) -> None:
        if self._closed.is_set() or self._farewell is not None:
            return
        self._unsent += len(message)
        self._queue.put_nowait(message)
        self._is_drained.clear()
        if self._unsent > MOST_UNSENT and self._writer is not None and not self._writer.cancelling():
            metrics.SLOW.inc()
            self._writer.cancel()

    async def drain(self) -> None:
        await self._is_drained.wait()

    def pause_reading(self) -> None:
        self._may_read.clear()

    def resume_reading(self) -> None:
        self._may_read.set()

    def delay_reading(self, seconds: float) -> None:
        self._delay = seconds

    async def close(self, code: int, reason: str) -> None:
        self._farewell = code, reason
        self._queue.put_nowait(None)
        await self._closed.wait()

    def abort(self, code: int, reason: str) -> None:
        self._farewell = code, reason
        if self._writer is not None:
            self._writer.cancel()
