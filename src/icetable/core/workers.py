"""Who does work that can be given away: processes of this machine that never outlive this one, or this thread."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing import resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import TYPE_CHECKING, ParamSpec, Self, TypeVar

from icetable.core.errors import GameError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection

P = ParamSpec("P")
T = TypeVar("T")

GUARD = (
    'each worker reads the script anew, so the script has to be a file, with its calls under if __name__ == "__main__":'
)
"""What a script needs whose calls start processes."""
UNGUARDED = 3
"""The exit code of a worker that came to such a call while it read the script."""


class ThisThread(Executor):
    """Does all work at once, in the thread that gives it out. What the work raises, `submit` raises."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        done: Future[T] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


def check_start() -> None:
    """Raise GameError where no process could begin to work, since each reads the main program anew.

    A process that is just doing so, and has come to a call that would start more of them, ends without a word: the one
    that has started it tells why.
    """
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        raise SystemExit(UNGUARDED)
    if getattr(sys.modules.get("__main__"), "__file__", None) == "<stdin>":
        raise GameError(f"workers can't read what came from standard input: {GUARD}")


class _Worker(SpawnProcess):
    """A process that never hears Ctrl-C, from its first moment on: it inherits that signals of this kind wait."""

    def start(self) -> None:
        if sys.platform == "win32":
            super().start()
            return
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Context(SpawnContext):
    """Starts each process as a `_Worker`."""

    Process = _Worker


class Workers:
    """A pool of processes. They end when they are not needed, whatever they do, and when this process is killed."""

    def __init__(self, processes: int, niceness: int = 0) -> None:
        """`niceness`: how far they stand back behind others, where the system has priorities."""
        _start_tracker()
        context = _Context()
        self._until, self._ended = context.Pipe(duplex=False)
        self._heard, self._begun = context.Pipe(duplex=False)
        initial = self._until, self._begun, niceness
        self.pool = ProcessPoolExecutor(processes, context, initializer=_begin, initargs=initial)
        # A pool that was once told to end without waiting never waits any more.
        self._ending = threading.Thread(target=self.pool.shutdown, kwargs={"cancel_futures": True}, daemon=True)

    @property
    def have_begun(self) -> bool:
        """Whether any of them has come as far as to its work."""
        return self._heard.poll()

    def end(self) -> None:
        """End them, without waiting until they are gone."""
        self._ending.start()
        self._ended.close()

    def wait(self) -> None:
        """Wait until they are gone."""
        self._ending.join()
        for end in (self._until, self._heard, self._begun):
            end.close()

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


@contextlib.contextmanager
def processes(count: int) -> Iterator[Executor]:
    """So many processes as an executor."""
    check_start()
    with Workers(count) as workers:
        yield workers.pool


def _begin(until: Connection, begun: Connection, niceness: int) -> None:
    """Leave Ctrl-C to the process that gives out the work, and end as soon as it closes a pipe or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    begun.send_bytes(b"!")
    with contextlib.suppress(OSError, AttributeError):  # not every system has priorities
        os.nice(niceness)
    threading.Thread(target=_end, args=(until,), daemon=True).start()


def _end(until: Connection) -> None:
    until.poll(None)
    os._exit(0)
