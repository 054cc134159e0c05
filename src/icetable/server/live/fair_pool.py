"""A thread pool with fair sharing: the customer that has used the least time is served next."""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

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
