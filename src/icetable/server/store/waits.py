"""How coroutines wait for the thread that writes: within a bound, and woken together."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from icetable.server.store.errors import StoreTimeout

if TYPE_CHECKING:
    from collections.abc import Iterable
    from concurrent.futures import Future

WAIT_SECONDS = 5.0
"""How many seconds a coroutine waits for a write, the time in the queue included."""


class Wait:
    """A coroutine's wait for one write. When its time is up, another future takes the place of the first."""

    __slots__ = ("due", "future", "waits")

    def __init__(self, waits: Waits, due: float) -> None:
        self.waits = waits
        self.due = due
        self.future: asyncio.Future[None] = waits.loop.create_future()


class Waits:
    """The waits of one event loop. Since all may take equally long, one timer does for all."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._pending: dict[Wait, None] = {}
        """In the order in which their time is up."""
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> Wait:
        """Begin to wait; then the coroutine awaits `future`, which may raise StoreTimeout."""
        wait = Wait(self, self.loop.time() + WAIT_SECONDS)
        self._pending[wait] = None
        if self._timer is None:
            self._timer = self.loop.call_at(wait.due, self._time_out)
        return wait

    def settle(self, answers: Iterable[tuple[Wait, Exception | None]]) -> None:
        """Wake all whose writes are done, or failed, from any thread."""
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            self.loop.call_soon_threadsafe(self._settle, answers)

    def _settle(self, answers: Iterable[tuple[Wait, Exception | None]]) -> None:
        for wait, error in answers:
            self._pending.pop(wait, None)
            answer(wait.future, error)

    def _time_out(self) -> None:
        self._timer = None
        while self._pending:
            wait = next(iter(self._pending))
            if wait.due > self.loop.time():
                self._timer = self.loop.call_at(wait.due, self._time_out)
                return
            del self._pending[wait]
            late, wait.future = wait.future, self.loop.create_future()
            answer(late, StoreTimeout(wait.future))


def answer(future: Future[None] | asyncio.Future[None], error: Exception | None) -> None:
    """Set the result of a write, if that is still waited for."""
    if future.cancelled():
        return
    if error is None:
        future.set_result(None)
    else:
        future.set_exception(error)


async def written(done: Future[None]) -> None:
    """Wait in an event loop until a row is written. Raises Conflict or StoreError (StoreTimeout: it may still be)."""
    waiting = asyncio.wrap_future(done)
    try:
        await asyncio.wait((waiting,), timeout=WAIT_SECONDS)
        if not waiting.done():
            raise StoreTimeout(waiting)
        waiting.result()
    finally:
        waiting.cancel()  # a later answer is not needed
