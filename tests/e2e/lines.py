"""A line to a server that can be slow, stand still, break, or swallow the answers, as lines of real players do."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

T = TypeVar("T")


class Line:
    """A port of this machine that leads to another one; as a context manager it is open. Times are in seconds.

    Bytes keep their order in each direction, as on any line of the internet.
    """

    def __init__(self, target: int, delay: float = 0.0) -> None:
        """`delay`: on the way there, and again on the way back."""
        self.target = target
        self.delay = delay
        self.port = 0
        self.is_down = False
        """New connections are closed at once."""
        self.is_deaf = False
        """Bytes of the server are lost. Nothing else comes through such a connection: it has to be cut."""
        self._stands_until = 0.0
        self._writers: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)

    def __enter__(self) -> Self:
        self._thread.start()
        self._server = self._run(asyncio.start_server(self._connect, "127.0.0.1", 0))
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_: object) -> None:
        self._run(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def stall(self, seconds: float) -> None:
        """Let nothing through for so long; what is sent meanwhile comes late."""
        self._stands_until = self._loop.time() + seconds

    def cut(self) -> None:
        """Break all connections. What is under way is lost."""
        self._run(self._cut())
        self.is_deaf = False

    def _run(self, step: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(step, self._loop).result()

    async def _cut(self) -> None:
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def _close(self) -> None:
        self._server.close()
        await self._cut()
        if others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(others)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.is_down:
            writer.transport.abort()
            return
        there, back = await asyncio.open_connection("127.0.0.1", self.target)
        self._writers |= {writer, back}
        await asyncio.gather(self._carry(reader, back, lambda: False), self._carry(there, writer, lambda: self.is_deaf))
        self._writers -= {writer, back}

    async def _carry(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, loses: Callable[[], bool]
    ) -> None:
        waiting: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        writing = asyncio.create_task(self._write(waiting, writer))
        data = b"-"
        while data:
            try:
                data = await reader.read(65536)
            except ConnectionError:
                data = b""
            if not (data and loses()):
                waiting.put_nowait((self._loop.time() + self.delay, data))
        await writing

    async def _write(self, waiting: asyncio.Queue[tuple[float, bytes]], writer: asyncio.StreamWriter) -> None:
        while True:
            due, data = await waiting.get()
            while (wait := max(due, self._stands_until) - self._loop.time()) > 0:
                await asyncio.sleep(wait)
            if not data or writer.transport.is_closing():
                break
            writer.write(data)
        with suppress(ConnectionError):
            writer.close()
