"""Threads that work for tables, shared out fairly: next comes the table that has had the least of their time."""

from __future__ import annotations

import heapq
import itertools
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

MOST_REMEMBERED = 1024
"""Of how many tables their use is kept; then only the half that has used most."""

T = TypeVar("T")


class Job(NamedTuple):
    """Work for a table that waits for a thread. The one with the lowest `start` (then `number`) is next."""

    start: float
    number: int
    table: str
    work: Callable[[], Any]
    done: Future[Any]


class FairPool:
    """A thread pool with start-time fair queueing among tables.

    Each table has a virtual finish time: when its last job started on the pool's virtual clock, plus how many seconds
    that job took. A new job starts there, or now if that is later, and the lowest start is served first. So a table
    that asks for little is served as soon as a thread is free, however long the queue of the others is. When the pool
    is idle all begin anew.
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
        """The number of jobs that run or wait."""
        with self._lock:
            return self._running + len(self._waiting)

    def submit(self, table: str, work: Callable[[], T]) -> Future[T]:
        """Run `work` in a thread when it is the table's turn. A job that has not begun can be cancelled."""
        done: Future[T] = Future()
        with self._lock:
            start = max(self._clock, self._finish.get(table, 0.0))
            heapq.heappush(self._waiting, Job(start, next(self._numbers), table, work, done))
        self._threads.submit(self._run_next)
        return done

    def close(self) -> None:
        """Start no more jobs; those that wait are cancelled."""
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
        result, error = None, None
        try:
            result = job.work()
        except BaseException as raised:  # noqa: BLE001 (the waiting side gets it)
            error = raised
        self._charge(job, time.monotonic() - began)
        if error is None:
            job.done.set_result(result)
        else:
            job.done.set_exception(error)

    def _charge(self, job: Job, seconds: float) -> None:
        """Count what a job took, before its table asks for the next one."""
        with self._lock:
            self._running -= 1
            self._finish[job.table] = max(self._finish.get(job.table, 0.0), job.start) + seconds
            if not self._running and not self._waiting:
                self._clock, self._finish = 0.0, {}
            elif len(self._finish) > MOST_REMEMBERED:
                most = heapq.nlargest(MOST_REMEMBERED // 2, self._finish.items(), key=lambda item: item[1])
                self._finish = dict(most)
