"""The low-priority processes that search positions, for reviews and analyses."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import os
import threading
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from icetable.bots.compilation import NICENESS
from icetable.server.live.fair_queue import FairQueue
from icetable.workers import Workers, begin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CORES_PER_PROCESS = 2
"""One search process runs per this number of cores."""
CLUSTER_TASKS = 16
"""Maximum number of concurrent tasks on a cluster."""
END_TIMEOUT_SECONDS = 0.5
"""Maximum time that a stopping server waits for the processes."""
IDLE_SECONDS = 60.0
"""How long idle processes are kept."""

P = ParamSpec("P")
T = TypeVar("T")


class SearchPool:
    """A few processes that clients share fairly, started on demand and ended when idle; or the workers of a cluster.

    If a process dies or the cluster disconnects, running tasks fail with BrokenExecutor. Later tasks get new processes.
    """

    def __init__(self, cluster: Executor | None = None) -> None:
        self._cluster = cluster
        self._max_tasks = CLUSTER_TASKS if cluster else max(1, (os.cpu_count() or 1) // CORES_PER_PROCESS)
        self._queue = FairQueue(self._max_tasks, "search")
        self._lock = threading.Lock()
        self._workers: Workers | None = None
        self._users = 0
        self._idle_timer: asyncio.TimerHandle | None = None

    @contextlib.contextmanager
    def serving(self, client: str) -> Iterator[Executor]:
        """An executor for a client. The client that has used the least time is served next."""
        self._users += 1
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        try:
            yield ClientExecutor(self, client)
        finally:
            self._users -= 1
            if self._users == 0:
                self._idle_timer = asyncio.get_running_loop().call_later(IDLE_SECONDS, self.dismiss)

    def submit(self, client: str, task: Callable[[], T], lane: object = None) -> Future[T]:
        """Run a task in one of the processes when it is the client's turn; its `lanes` take turns with each other."""
        return self._queue.submit(client, functools.partial(self._run, task), lane)

    async def close(self) -> None:
        """End the processes, waiting at most END_TIMEOUT_SECONDS."""
        self._queue.close()
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        workers = self.dismiss()
        if workers is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.wrap_future(begin(workers.wait, "end searches")), END_TIMEOUT_SECONDS)
            del workers
            gc.collect()  # frees their semaphores, which would leak if a signal ended this process

    def _run(self, task: Callable[[], T]) -> T:
        """Run a task in one of the processes, from a thread of the queue."""
        if self._cluster is not None:
            try:
                return self._cluster.submit(task).result()
            except CancelledError as error:
                raise BrokenExecutor("the cluster is disconnected") from error
        with self._lock:
            if self._workers is None:
                self._workers = Workers(self._max_tasks, NICENESS)
            workers = self._workers
        try:
            return workers.pool.submit(task).result()
        except BrokenProcessPool:
            self.dismiss(workers)
            raise

    def dismiss(self, broken: Workers | None = None) -> Workers | None:
        """End the processes, if there are any; if `broken` is given, only those."""
        with self._lock:
            workers = self._workers
            if workers is None or (broken is not None and workers is not broken):
                return None
            self._workers = None
        workers.end()
        return workers


class ClientExecutor(Executor):
    """An executor for one client, whose tasks take turns with those of the client's other executors."""

    def __init__(self, pool: SearchPool, client: str) -> None:
        self._pool = pool
        self._client = client

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call a function when it is the client's turn."""
        try:
            return self._pool.submit(self._client, functools.partial(fn, *args, **kwargs), self)
        except RuntimeError:  # the queue is closed
            closed: Future[T] = Future()
            closed.cancel()
            return closed
