"""Who is served next where work waits for a thread: visitors take turns, by their addresses.

An address that asks for much waits for itself. What others ask for is next as soon as a thread is free, and one thread
always is: an address has one at a time. A thread that works slows the loop, which plays everybody's games, so no
address keeps one busy for long.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakValueDictionary

from icetable.server.live.fair_pool import FairPool
from icetable.server.pauses import with_pauses
from icetable.server.table.positions import Stretch

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from icetable.server.table.positions import Positions

THREADS = 2
"""How many logs are replayed, or written as records, at the same time: a long one takes memory and much of a core."""
SHARE = 0.25
"""What part of a core one address may use in the long run."""
AT_ONCE_SECONDS = 1.0
"""How many seconds of work an address may have done before it waits."""
MANY = 4096
"""From this number of addresses on, those are forgotten that need not wait."""

T = TypeVar("T")

visitor: ContextVar[str] = ContextVar("visitor", default="")
"""The address that the present request comes from (`rate_limits.network_of`); empty for what the server does itself."""


class Turns:
    """A few threads that visitors share fairly, by the time that their work takes."""

    def __init__(self) -> None:
        self._pool = FairPool(THREADS, "turn")
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._paid_until: dict[str, float] = {}
        """When each address would have had the work that was done for it, at its share."""

    async def run(self, work: Callable[[], T]) -> T:
        """What `work` returns, done in a thread at the visitor's turn. Work that has not begun can be cancelled."""
        address, loop = visitor.get(), asyncio.get_running_loop()
        lock = self._locks.setdefault(address, asyncio.Lock())
        seconds = 0.0

        def timed() -> T:
            nonlocal seconds
            began = time.thread_time()
            try:
                with with_pauses():
                    return work()
            finally:
                seconds = time.thread_time() - began

        def end(_: object) -> None:
            with contextlib.suppress(RuntimeError):  # the server has ended meanwhile
                loop.call_soon_threadsafe(lambda: loop.call_later(self._rest(address, seconds), lock.release))

        await lock.acquire()
        try:
            job = self._pool.submit(address, timed)
        except BaseException:
            lock.release()
            raise
        job.add_done_callback(end)  # later than the end of this call, where that is cancelled
        try:
            return await asyncio.wrap_future(job)
        finally:
            del job  # an error would refer to it by this frame, so that all that it refers to would stay

    def _rest(self, address: str, seconds: float) -> float:
        """How many seconds an address waits for its next turn after this work. The server itself never does."""
        if not address:
            return 0.0
        now = time.monotonic()
        if len(self._paid_until) >= MANY:
            self._paid_until = {one: until for one, until in self._paid_until.items() if until > now}
        until = self._paid_until[address] = max(now, self._paid_until.get(address, now)) + seconds / SHARE
        return max(0.0, until - now - AT_ONCE_SECONDS / SHARE)

    @contextlib.asynccontextmanager
    async def worked_out(self, positions: Positions, first: int, last: int) -> AsyncIterator[None]:
        """The positions after `first` to `last` acts are in memory meanwhile."""
        held = positions.stretches(first, last)
        for place, one in enumerate(held):
            if isinstance(one, Stretch):
                held[place] = positions.cache(one, await self.run(one.states)) or one
        yield

    def close(self) -> None:
        """Begin no more work."""
        self._pool.close()
