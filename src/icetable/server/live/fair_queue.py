"""Work in threads, shared fairly among clients."""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from icetable.server.apart import games as apart
from icetable.server.apart.games import ApartInfo
from icetable.server.gil import yielding
from icetable.server.table.positions import Segment

MAX_CUSTOMERS = 1024
"""Maximum number of customers whose time is tracked; beyond it only the heaviest half is kept."""

T = TypeVar("T")


class Job(NamedTuple):
    """A queued job of a customer. The job with the lowest `start` (then `number`) is next."""

    start: float
    number: int
    customer: str
    work: Callable[[], Any]
    done: Future[Any]


class FairPool:
    """A thread pool with start-time fair queueing among customers: tables, or the addresses of visitors.

    The pool has a virtual clock, and each customer a virtual finish time: the start of its last job plus the seconds
    that the job took. A new job starts at its customer's finish time, or now if that is later; the lowest start is
    served first. So a customer with few jobs is served as soon as a thread is free, however many jobs of others wait.
    When the pool is idle all times are reset.
    """

    def __init__(self, threads: int, name: str) -> None:
        self._threads = ThreadPoolExecutor(threads, name)
        self._lock = threading.Lock()
        self._waiting: list[Job] = []
        self._running = 0
        self._clock = 0.0
        self._finish: dict[str, float] = {}
        self._numbers = itertools.count()

    @property
    def load(self) -> int:
        """The number of jobs that are queued or running."""
        with self._lock:
            return self._running + len(self._waiting)

    def submit(self, customer: str, work: Callable[[], T]) -> Future[T]:
        """Run `work` in a thread when it is the customer's turn. The job can be cancelled until it starts."""
        done: Future[T] = Future()
        with self._lock:
            start = max(self._clock, self._finish.get(customer, 0.0))
            heapq.heappush(self._waiting, Job(start, next(self._numbers), customer, work, done))
        self._threads.submit(self._run_next)
        return done

    def close(self) -> None:
        """Start no more jobs, and cancel the queue."""
        with self._lock:
            waiting, self._waiting = self._waiting, []
        for job in waiting:
            job.done.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _run_next(self) -> None:
        with self._lock:
            if not self._waiting:  # the pool is closed
                return
            job = heapq.heappop(self._waiting)
            if not job.done.set_running_or_notify_cancel():
                return
            self._clock = max(self._clock, job.start)
            self._running += 1
        began = time.monotonic()
        try:
            result = job.work()
        except BaseException as error:  # noqa: BLE001 (raised again by `result`)
            self._charge(job, time.monotonic() - began)
            job.done.set_exception(error)
            del job  # else the error's traceback would keep it alive, and all that it refers to
        else:
            self._charge(job, time.monotonic() - began)
            job.done.set_result(result)

    def _charge(self, job: Job, seconds: float) -> None:
        """Charge a job's time to its customer, before the customer submits the next one."""
        with self._lock:
            self._running -= 1
            self._finish[job.customer] = max(self._finish.get(job.customer, 0.0), job.start) + seconds
            if not self._running and not self._waiting:
                self._clock, self._finish = 0.0, {}
            elif len(self._finish) > MAX_CUSTOMERS:
                largest = heapq.nlargest(MAX_CUSTOMERS // 2, self._finish.items(), key=lambda item: item[1])
                self._finish = dict(largest)


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
