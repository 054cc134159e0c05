"""Fair scheduling of work in threads, by visitors' addresses.

An address uses one thread at a time, so a busy address delays only itself, and a thread stays free for others. Working
threads slow down the event loop, which runs all games, so no address may keep a thread busy for long.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakValueDictionary

from icetable.server.apart import games as apart
from icetable.server.apart.games import ApartInfo
from icetable.server.gil import yielding
from icetable.server.live.fair_pool import FairPool
from icetable.server.table.positions import Segment

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from icetable.core.game import GameInfo
    from icetable.server.table.positions import Positions

MAX_THREADS = 2
"""Maximum number of logs replayed, or written as records, concurrently: a long one takes memory and most of a core."""
MAX_CORE_SHARE = 0.25
"""Maximum share of a core per address in the long run."""
BURST_SECONDS = 1.0
"""Work that an address may have done before it has to wait."""
MIN_PRUNED_ADDRESSES = 4096
"""Number of addresses from which those that need not wait are dropped."""

T = TypeVar("T")

client_address: ContextVar[str] = ContextVar("client_address", default="")
"""The address of the current request (`rate_limits.network_of`); empty for the server's own work."""


class FairScheduler:
    """A few threads that visitors share fairly, by the time that their work takes."""

    def __init__(self) -> None:
        self._pool = FairPool(MAX_THREADS, "turn")
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._paid_until: dict[str, float] = {}
        """By address: when its work so far would have ended at its share of a core."""

    async def run(self, work: Callable[[], T], info: GameInfo | None = None) -> T:
        """Run `work` in a thread at the visitor's turn, and return its result. It can be cancelled until it starts.

        `info`: the game that it asks. A file's game holds up nobody else: its work runs in a thread of its own.
        """
        if isinstance(info, ApartInfo):
            return await apart.run(info, work)
        address, loop = client_address.get(), asyncio.get_running_loop()
        lock = self._locks.setdefault(address, asyncio.Lock())
        seconds = 0.0

        def run_timed() -> T:
            nonlocal seconds
            began = time.thread_time()
            try:
                with yielding():
                    return work()
            finally:
                seconds = time.thread_time() - began

        def release_later(_: object) -> None:
            with contextlib.suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(lambda: loop.call_later(self._delay(address, seconds), lock.release))

        await lock.acquire()
        try:
            job = self._pool.submit(address, run_timed)
        except BaseException:
            lock.release()
            raise
        job.add_done_callback(release_later)  # runs later than the end of this call, if that is cancelled
        try:
            return await asyncio.wrap_future(job)
        finally:
            del job  # else an error's traceback would keep it alive, and all that it refers to

    def _delay(self, address: str, seconds: float) -> float:
        """The seconds that an address waits for its next turn after this work; 0 for the server itself."""
        if not address:
            return 0.0
        now = time.monotonic()
        if len(self._paid_until) >= MIN_PRUNED_ADDRESSES:
            self._paid_until = {other: until for other, until in self._paid_until.items() if until > now}
        until = self._paid_until[address] = max(now, self._paid_until.get(address, now)) + seconds / MAX_CORE_SHARE
        return max(0.0, until - now - BURST_SECONDS / MAX_CORE_SHARE)

    @contextlib.asynccontextmanager
    async def loaded_positions(
        self, positions: Positions, first: int, last: int, info: GameInfo | None = None
    ) -> AsyncIterator[None]:
        """Hold the positions after `first` to `last` acts in memory."""
        held = positions.segments(first, last)
        for index, segment in enumerate(held):
            if isinstance(segment, Segment):
                held[index] = positions.cache(segment, await self.run(segment.states, info)) or segment
        yield

    def close(self) -> None:
        self._pool.close()
