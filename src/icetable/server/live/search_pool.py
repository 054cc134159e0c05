"""The processes that search positions, for reviews and analyses alike. They stand back behind all tables."""

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

from icetable.bots.compiling import NICENESS
from icetable.core.daemons import begin
from icetable.core.workers import Workers
from icetable.server.live.fair_pool import FairPool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SHARE_OF_CORES = 2
"""One of so many cores searches."""
HELPED = 16
"""How many positions are with the workers of a cluster at a time."""
ENDING_SECONDS = 0.5
"""For how many seconds a server that ends waits for the processes."""
IDLE_SECONDS = 60.0
"""For how many seconds the processes stay when there is nothing to search."""

P = ParamSpec("P")
T = TypeVar("T")


class SearchPool:
    """A few processes that customers share fairly. They are started when they are needed, and end soon after. Where
    there is a cluster, its workers search instead.

    What is under way when a process dies or the cluster is gone fails with BrokenExecutor; what comes later gets new
    processes.
    """

    def __init__(self, cluster: Executor | None = None) -> None:
        self._cluster = cluster
        self._at_once = HELPED if cluster else max(1, (os.cpu_count() or 1) // SHARE_OF_CORES)
        self._queue = FairPool(self._at_once, "search")
        self._lock = threading.Lock()
        self._workers: Workers | None = None
        self._customers = 0
        self._idle: asyncio.TimerHandle | None = None

    @contextlib.contextmanager
    def serving(self, customer: str) -> Iterator[Executor]:
        """What works for a customer meanwhile. The customer that has used the least time is served next."""
        self._customers += 1
        if self._idle is not None:
            self._idle.cancel()
        try:
            yield Share(functools.partial(self.submit, customer), self._at_once)
        finally:
            self._customers -= 1
            if self._customers == 0:
                self._idle = asyncio.get_running_loop().call_later(IDLE_SECONDS, self.dismiss)

    def submit(self, customer: str, task: Callable[[], T], is_wanted: Callable[[], bool]) -> Future[T | None]:
        """Do a task in one of the processes when it is the customer's turn, if it is still wanted then."""
        return self._queue.submit(customer, lambda: self._work(task) if is_wanted() else None)

    async def close(self) -> None:
        """Search no more. The processes have ENDING_SECONDS to end."""
        self._queue.close()
        if self._idle is not None:
            self._idle.cancel()
        workers = self.dismiss()
        if workers is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.wrap_future(begin(workers.wait, "end searches")), ENDING_SECONDS)
            del workers
            gc.collect()  # frees their semaphores, which a signal that ends this process would leave behind

    def _work(self, task: Callable[[], T]) -> T:
        """What a task returns in one of the processes; for the threads of the queue."""
        if self._cluster is not None:
            try:
                return self._cluster.submit(task).result()
            except CancelledError as error:
                raise BrokenExecutor("the cluster is gone") from error
        with self._lock:
            if self._workers is None:
                self._workers = Workers(self._at_once, NICENESS)
            workers = self._workers
        try:
            return workers.pool.submit(task).result()
        except BrokenProcessPool:
            self.dismiss(workers)
            raise

    def dismiss(self, broken: Workers | None = None) -> Workers | None:
        """End the processes, if there are any; with `broken` only those."""
        with self._lock:
            workers = self._workers
            if workers is None or (broken is not None and workers is not broken):
                return None
            self._workers = None
        workers.end()
        return workers


class Share(Executor):
    """What a customer has of the processes: a few of its tasks are in the queue, and the others wait here.

    The queue gives a task its turn when it comes in. So it may not hold many of a customer that asks for them all at
    once, as a review does.
    """

    def __init__(self, submit: Callable[[Callable[[], Any], Callable[[], bool]], Future[Any]], at_once: int) -> None:
        """`submit` puts a task into the queue, and at most `at_once` are there at a time."""
        self._submit = submit
        self._at_once = at_once
        self._waiting: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._lock = threading.Lock()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call a function when it is the customer's turn."""
        done: Future[T] = Future()
        with self._lock:
            self._waiting.append((done, functools.partial(fn, *args, **kwargs)))
        self._go_on()
        return done

    def _go_on(self) -> None:
        """Put the next task into the queue, if there may be more in it."""
        with self._lock:
            while self._waiting and self._waiting[0][0].cancelled():
                self._waiting.popleft()
            if self._at_once == 0 or not self._waiting:
                return
            done, task = self._waiting.popleft()
            self._at_once -= 1
        try:
            queued = self._submit(task, done.set_running_or_notify_cancel)
        except RuntimeError:  # the queue is closed
            with self._lock:
                self._at_once += 1
                closed, self._waiting = [(done, task), *self._waiting], deque()
            for one, _ in closed:
                one.cancel()
            return
        queued.add_done_callback(functools.partial(self._end, done))

    def _end(self, done: Future[Any], queued: Future[Any]) -> None:
        with self._lock:
            self._at_once += 1
        if queued.cancelled():
            done.cancel()
        elif not done.cancelled():
            error = queued.exception()
            if error is None:
                done.set_result(queued.result())
            else:
                done.set_exception(error)
        self._go_on()
