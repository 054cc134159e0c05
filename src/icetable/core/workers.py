"""Processes of this machine that work for another one and never outlive it."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


class Workers:
    """A pool of processes. They end when they are not needed, whatever they do, and when this process is killed."""

    def __init__(self, processes: int, niceness: int = 0) -> None:
        """`niceness`: how far they stand back behind others, where the system has priorities."""
        _start_tracker()
        context = multiprocessing.get_context("spawn")
        self._until, self._ended = context.Pipe(duplex=False)
        self.pool = ProcessPoolExecutor(processes, context, initializer=_begin, initargs=(self._until, niceness))

    def end(self) -> None:
        """End them, without waiting until they are gone."""
        self.pool.shutdown(wait=False, cancel_futures=True)
        self._ended.close()

    def wait(self) -> None:
        """Wait until they are gone."""
        self.pool.shutdown()
        self._until.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()
        self.wait()


def _start_tracker() -> None:
    """Start Python's process that removes semaphores when this one is killed, so that it says nothing about it.

    Its warnings would be lines of plain text in a log of JSON.
    """
    if sys.platform != "win32":
        quiet = "ignore:resource_tracker:UserWarning"
        sys.warnoptions.append(quiet)
        try:
            resource_tracker.ensure_running()
        finally:
            sys.warnoptions.remove(quiet)


def _begin(until: Connection, niceness: int) -> None:
    """Leave Ctrl-C to the process that gives out the work, and end as soon as it closes a pipe or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError, AttributeError):  # not every system has priorities
        os.nice(niceness)
    threading.Thread(target=_end, args=(until,), daemon=True).start()


def _end(until: Connection) -> None:
    until.poll(None)
    os._exit(0)
