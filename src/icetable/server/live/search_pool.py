"""The low-priority processes that search positions, for reviews and analyses."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import os
import threading
from collections import deque
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from icetable.bots.compilation import NICENESS
from icetable.core.daemons import begin
from icetable.core.workers import Workers
from icetable.server.live.fair_pool import FairPool

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
    """A few processes that customers share fairly, started on demand and ended when idle; or the workers of a cluster.

    If a process dies or the cluster disconnects, running tasks fail with BrokenExecutor. Later tasks get new processes.
    """

    def __init__(self, cluster: Executor | None = None) -> None:
        self._cluster = cluster
        self._max_tasks = CLUSTER_TASKS if cluster else max(1, (os.cpu_count() or 1) // CORES_PER_PROCESS)
        self._queue = FairPool(self._max_tasks, "search")
        self._lock = threading.Lock()
        self._workers: Workers | None = None
        self._customers = 0
        self._idle_timer: asyncio.TimerHandle | None = None

    @contextlib.contextmanager
    def serving(self, customer: str) -> Iterator[Executor]:
        """An executor for a customer. The customer that has used the least time is served next."""
        self._customers += 1
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        try:
            yield CustomerExecutor(functools.partial(self.submit, customer), self._max_tasks)
        finally:
            self._customers -= 1
            if self._customers == 0:
                self._idle_timer = asyncio.get_running_loop().call_later(IDLE_SECONDS, self.dismiss)

    def submit(self, customer: str, task: Callable[[], T], is_wanted: Callable[[], bool]) -> Future[T | None]:
        """Run a task in one of the processes when it is the customer's turn, if it is still wanted then."""
        return self._queue.submit(customer, lambda: self._run(task) if is_wanted() else None)

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


class CustomerExecutor(Executor):
    """An executor for one customer, which limits the number of its tasks in the shared queue.

    The queue fixes the turn of a task on arrival. So it must not hold many tasks of a customer that submits them all at
    the same time, as a review does.
    """

    def __init__(self, submit: Callable[[Callable[[], Any], Callable[[], bool]], Future[Any]], max_tasks: int) -> None:
        """`submit` puts a task into the queue; at most `max_tasks` are there at a time."""
        self._submit = submit
        self._free_slots = max_tasks
        self._pending: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._lock = threading.Lock()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call a function when it is the customer's turn."""
        done: Future[T] = Future()
        with self._lock:
            self._pending.append((done, functools.partial(fn, *args, **kwargs)))
        self._submit_next()
        return done

    def _submit_next(self) -> None:
        """Put the next task into the queue, if the limit allows."""
        with self._lock:
            while self._pending and self._pending[0][0].cancelled():
                self._pending.popleft()
            if self._free_slots == 0 or not self._pending:
                return
            done, task = self._pending.popleft()
            self._free_slots -= 1
        try:
            queued = self._submit(task, done.set_running_or_notify_cancel)
        except RuntimeError:  # the queue is closed
            with self._lock:
                self._free_slots += 1
                closed, self._pending = [(done, task), *self._pending], deque()
            for future, _ in closed:
                future.cancel()
            return
        queued.add_done_callback(functools.partial(self._end, done))

    def _end(self, done: Future[Any], queued: Future[Any]) -> None:
        with self._lock:
            self._free_slots += 1
        if queued.cancelled():
            done.cancel()
        elif not done.cancelled():
            error = queued.exception()
            if error is None:
                done.set_result(queued.result())
            else:
                done.set_exception(error)
        self._submit_next()
