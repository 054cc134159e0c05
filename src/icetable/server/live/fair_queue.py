"""Work shared fairly among clients: the one that has used the least time is served next."""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
import threading
import time
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from icetable.server.apart import games as apart
from icetable.server.apart.games import ApartInfo
from icetable.server.gil import yielding
from icetable.server.table.positions import Segment

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from icetable.core.game import GameInfo
    from icetable.server.table.positions import Positions

MAX_CLIENTS = 1024
"""Maximum number of clients whose time is remembered; beyond it only the heaviest half is kept."""
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


@dataclass(eq=False)
class Job:
    """A job in a queue."""

    client: str
    number: int
    """Of jobs whose clients have used equal time, the lowest number is next."""
    begin: Callable[[Job], object]
    """Called when its turn has come."""
    done: Future[Any] = field(default_factory=Future)
    """Can be cancelled until then."""


@dataclass(eq=False)
class ClientJobs:
    """The jobs of one client."""

    lanes: dict[object, deque[Job]] = field(default_factory=dict)
    """Those that wait, by lane; the next lane first."""
    running: int = 0
    is_ready: bool = False
    """Whether the queue knows that one of them may begin."""

    def pop(self) -> Job:
        """The next job. The lanes take turns."""
        lane, jobs = next(iter(self.lanes.items()))
        del self.lanes[lane]
        job = jobs.popleft()
        if jobs:
            self.lanes[lane] = jobs
        return job


class FairQueue:
    """Jobs of many clients, of which a limited number run at a time, by start-time fair queueing.

    The queue has a virtual clock, and each client a virtual time: that of the clock when its first job came, plus the
    seconds that its jobs have taken. The client with the lowest time is served first. So a client with few jobs is
    served as soon as there is room, however many jobs of others wait. When the queue is idle all times are reset.
    """

    def __init__(
        self, most: int, name: str, *, per_client: int | None = None, rest: Callable[[str, float], float] | None = None
    ) -> None:
        """`most`, `per_client`: how many jobs run at a time, in all and of one client.

        `rest` returns the seconds for which a client's next job has to wait after one that took so many seconds of a
        core; with it, the queue must be created in a running loop.
        """
        self._most = self._free = most
        self._per_client = per_client or most
        self._rest = rest
        self._loop = None if rest is None else asyncio.get_running_loop()
        self._threads = ThreadPoolExecutor(most, name)
        self._lock = threading.Lock()
        self._lines: dict[str, ClientJobs] = {}
        """Of the clients with jobs that wait or run."""
        self._ready: list[tuple[float, int, str]] = []
        """A heap of the clients that may begin a job: their time, the number of the job, and their name."""
        self._begun: deque[tuple[Job, Callable[[], Any]]] = deque()
        """The jobs that threads take next; as arguments of the threads, errors would hold them in reference cycles."""
        self._waiting = 0
        self._clock = 0.0
        self._times: dict[str, float] = {}
        self._numbers = itertools.count()
        self._is_closed = False

    @property
    def load(self) -> int:
        """The number of jobs that wait or run."""
        with self._lock:
            return self._most - self._free + self._waiting

    def submit(self, client: str, work: Callable[[], T], lane: object = None) -> Future[T]:
        """Run `work` in a thread when it is the client's turn. The job can be cancelled until it starts.

        The `lanes` of a client take turns with each other. Raises RuntimeError if the queue is closed.
        """

        def begin(job: Job) -> None:
            self._begun.append((job, work))
            self._threads.submit(self._run)

        return self._put(client, begin, lane).done

    @contextlib.asynccontextmanager
    async def turn(self, client: str) -> AsyncIterator[None]:
        """Wait for the client's turn, which lasts as long as the context."""
        job = self._put(client, lambda job: job.done.set_result(None), None)
        began = time.monotonic()
        try:
            await asyncio.wrap_future(job.done)
            began = time.monotonic()
            yield
        finally:
            if not job.done.cancel():  # its turn has come
                self._end(job, time.monotonic() - began)

    def close(self) -> None:
        """Start no more jobs, and cancel those that wait."""
        with self._lock:
            self._is_closed = True
            waiting = [job for line in self._lines.values() for jobs in line.lanes.values() for job in jobs]
            self._lines, self._ready, self._waiting = {}, [], 0
        for job in waiting:
            job.done.cancel()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _put(self, client: str, begin: Callable[[Job], object], lane: object) -> Job:
        job = Job(client, next(self._numbers), begin)
        with self._lock:
            if self._is_closed:
                raise RuntimeError("the queue is closed")
            line = self._lines.get(client)
            if line is None:
                line = self._lines[client] = ClientJobs()
                self._times[client] = max(self._clock, self._times.get(client, 0.0))
            line.lanes.setdefault(lane, deque()).append(job)
            self._waiting += 1
            self._note_ready(client, line)
        self._begin_jobs()
        return job

    def _note_ready(self, client: str, line: ClientJobs) -> None:
        """Note whether a client may begin a job. The lock must be held."""
        if not (line.lanes or line.running):
            del self._lines[client]
        elif line.lanes and line.running < self._per_client and not line.is_ready:
            line.is_ready = True
            number = next(iter(line.lanes.values()))[0].number
            heapq.heappush(self._ready, (self._times[client], number, client))

    def _begin_jobs(self) -> None:
        while (job := self._next()) is not None:
            job.begin(job)

    def _next(self) -> Job | None:
        """Take the next job out of the queue; None if none may begin."""
        with self._lock:
            while self._free and self._ready:
                at, _, client = heapq.heappop(self._ready)
                line = self._lines[client]
                line.is_ready = False
                if at == self._times[client]:  # otherwise a job has ended meanwhile, and the client comes later
                    job = line.pop()
                    self._waiting -= 1
                    if job.done.set_running_or_notify_cancel():
                        line.running += 1
                        self._free -= 1
                        self._clock = max(self._clock, at)
                        self._note_ready(client, line)
                        return job
                self._note_ready(client, line)
        return None

    def _run(self) -> None:
        job, work = self._begun.popleft()
        began, core = time.monotonic(), time.thread_time()
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 (raised again by `result`)
            self._end(job, time.monotonic() - began, time.thread_time() - core)
            job.done.set_exception(error)
            del job  # else the error's traceback would keep it alive, and all that it refers to
        else:
            self._end(job, time.monotonic() - began, time.thread_time() - core)
            job.done.set_result(result)

    def _end(self, job: Job, seconds: float, core_seconds: float = 0.0) -> None:
        """Charge a job's time to its client, before the client submits the next one, and begin other jobs."""
        client = job.client
        with self._lock:
            self._free += 1
            self._times[client] = self._times.get(client, self._clock) + seconds
            delay = 0.0 if self._rest is None else self._rest(client, core_seconds)
            if not delay:
                self._leave(client)
        if delay and self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the server has ended
                self._loop.call_soon_threadsafe(self._loop.call_later, delay, self._rested, client)
        self._begin_jobs()

    def _rested(self, client: str) -> None:
        with self._lock:
            self._leave(client)
        self._begin_jobs()

    def _leave(self, client: str) -> None:
        """Let a client's next job begin. The lock must be held."""
        if client in self._lines:  # otherwise the queue is closed
            self._lines[client].running -= 1
            self._note_ready(client, self._lines[client])
        if not self._lines:
            self._clock, self._times = 0.0, {}
        elif len(self._times) > MAX_CLIENTS:
            largest = heapq.nlargest(MAX_CLIENTS // 2, self._times.items(), key=lambda item: item[1])
            self._times = dict(largest) | {busy: self._times[busy] for busy in self._lines}


class FairScheduler:
    """A few threads that the addresses of clients share fairly, by the time that their work takes.

    An address uses one thread at a time, so a busy address delays only itself, and a thread stays free for others.
    Working threads slow down the event loop, which runs all games, so no address may keep a thread busy for long.
    """

    def __init__(self) -> None:
        self._queue = FairQueue(MAX_THREADS, "turn", per_client=1, rest=self._rest)
        self._paid_until: dict[str, float] = {}
        """By address: when its work so far would have ended at its share of a core."""

    async def run(self, work: Callable[[], T], info: GameInfo | None = None) -> T:
        """Run `work` in a thread at the client's turn, and return its result. It can be cancelled until it starts.

        `info`: the game that it asks. A file's game holds up nobody else: its work runs in a thread of its own.
        """
        if isinstance(info, ApartInfo):
            return await apart.run(info, work)

        def run_yielding() -> T:
            with yielding():
                return work()

        job = self._queue.submit(client_address.get(), run_yielding)
        try:
            return await asyncio.wrap_future(job)
        finally:
            del job  # else an error's traceback would keep it alive, and all that it refers to

    def _rest(self, address: str, seconds: float) -> float:
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
        self._queue.close()
