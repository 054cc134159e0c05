"""The processes that search positions, for reviews and analyses alike. They stand back behind all tables."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import os
import threading
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from icetable.bots.warming import NICENESS
from icetable.core.workers import Workers
from icetable.server.live.daemon import in_daemon
from icetable.server.live.fair_pool import FairPool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SHARE_OF_CORES = 2
"""One of so many cores searches."""
CLOSING = 0.5
"""For how many seconds a server that ends waits for the processes."""
IDLE = 60.0
"""For how many seconds the processes stay when there is nothing to search."""

P = ParamSpec("P")
T = TypeVar("T")


class Analysts:
    """A few processes that customers share fairly. They are started when they are needed, and end soon after.

    What is under way when a process dies fails with BrokenProcessPool; what comes later gets new processes.
    """

    def __init__(self) -> None:
        self._processes = max(1, (os.cpu_count() or 1) // SHARE_OF_CORES)
        self._queue = FairPool(self._processes, "analyst")
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
            yield Share(self, customer)
        finally:
            self._customers -= 1
            if self._customers == 0:
                self._idle = asyncio.get_running_loop().call_later(IDLE, self._dismiss)

    def submit(self, customer: str, task: Callable[[], T]) -> Future[T]:
        """Do a task in one of the processes when it is the customer's turn."""
        return self._queue.submit(customer, lambda: self._work(task))

    async def close(self) -> None:
        """Search no more. The processes have CLOSING seconds to end."""
        self._queue.close()
        if self._idle is not None:
            self._idle.cancel()
        workers = self._dismiss()
        if workers is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(in_daemon("end analysts", workers.wait), CLOSING)
            del workers
            gc.collect()  # frees their semaphores, which a signal that ends this process would leave behind

    def _work(self, task: Callable[[], T]) -> T:
        """What a task returns in one of the processes; for the threads of the queue."""
        with self._lock:
            if self._workers is None:
                self._workers = Workers(self._processes, NICENESS)
            workers = self._workers
        try:
            return workers.pool.submit(task).result()
        except BrokenProcessPool:
            self._dismiss(workers)
            raise

    def _dismiss(self, broken: Workers | None = None) -> Workers | None:
        """End the processes, if there are any; with `broken` only those."""
        with self._lock:
            workers = self._workers
            if workers is None or (broken is not None and workers is not broken):
                return None
            self._workers = None
        workers.end()
        return workers


class Share(Executor):
    """What a customer has of the processes."""

    def __init__(self, analysts: Analysts, customer: str) -> None:
        self._analysts = analysts
        self._customer = customer

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call a function when it is the customer's turn."""
        return self._analysts.submit(self._customer, functools.partial(fn, *args, **kwargs))
