"""How coroutines wait for the writing thread: with a timeout, and woken in batches."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from icetable.server.store.errors import StoreTimeout

if TYPE_CHECKING:
    from collections.abc import Iterable
    from concurrent.futures import Future

WAIT_SECONDS = 5.0
"""Timeout of a write, including its time in the queue."""


class Wait:
    """A coroutine's wait for one write. After a timeout, a second future replaces the first."""

    __slots__ = ("due", "future", "waits")

    def __init__(self, waits: Waits, due: float) -> None:
        self.waits = waits
        self.due = due
        self.future: asyncio.Future[None] = waits.loop.create_future()


class Waits:
    """The waits of one event loop. All have the same timeout, so one timer is enough."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._pending: dict[Wait, None] = {}
        """Ordered by deadline."""
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> Wait:
        """Start a wait. The coroutine then awaits its `future`, which may raise StoreTimeout."""
        wait = Wait(self, self.loop.time() + WAIT_SECONDS)
        self._pending[wait] = None
        if self._timer is None:
            self._timer = self.loop.call_at(wait.due, self._time_out)
        return wait

    def settle(self, answers: Iterable[tuple[Wait, Exception | None]]) -> None:
        """Wake the coroutines whose writes are finished. Thread-safe."""
        with contextlib.suppress(RuntimeError):  # the loop is closed
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
    """Set the result of a write, unless the wait was cancelled."""
    if future.cancelled():
        return
    if error is None:
        future.set_result(None)
    else:
        future.set_exception(error)


async def written(done: Future[None]) -> None:
    """Wait until a row is committed. Raises Conflict or StoreError (StoreTimeout: it may still be committed)."""
    waiting = asyncio.wrap_future(done)
    try:
        await asyncio.wait((waiting,), timeout=WAIT_SECONDS)
        if not waiting.done():
            raise StoreTimeout(waiting)
        waiting.result()
    finally:
        waiting.cancel()  # nobody awaits it any more
