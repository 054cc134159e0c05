"""Work elsewhere: in worker processes that never outlive this process, and in daemon threads."""

from __future__ import annotations

import contextlib
import math
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, ParamSpec, Self, TypeVar

from icetable.core.errors import GameError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from multiprocessing.connection import Connection

K = TypeVar("K")
P = ParamSpec("P")
MAIN_GUARD_HINT = (
    "each worker imports the script again, so the script has to be a file, "
    'with its calls under if __name__ == "__main__":'
)
UNGUARDED_EXIT_CODE = 3
"""The exit code of a worker that would start workers itself while it imports the script."""
T = TypeVar("T")


def begin(work: Callable[[], T], name: str | None = None) -> Future[T]:
    """Start work in a daemon thread. It can't be cancelled."""
    future: Future[T] = Future()
    future.set_running_or_notify_cancel()  # an interrupted wait can't cancel it any more
    threading.Thread(target=_run, args=(work, future), name=name, daemon=True).start()
    return future


def wait_for(work: Callable[[], T]) -> T:
    """Run work that ignores Ctrl-C, such as compiled code, and return its result. Ctrl-C ends the wait."""
    return begin(work).result()


def _run(work: Callable[[], T], future: Future[T]) -> None:
    try:
        future.set_result(work())
    except BaseException as error:  # noqa: BLE001 (raised again by the waiting side)
        future.set_exception(error)
        del future  # breaks a reference cycle: the error's traceback holds this frame


class InlineExecutor(Executor):
    """Runs work immediately in the calling thread. `submit` raises the exceptions of the work."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def run_tasks(
    executor: Executor,
    most: int,
    next_task: Callable[[], tuple[K, Callable[[], T]] | None],
    until: float = math.inf,
) -> Generator[tuple[K, T], None, None]:
    """Yield the results of tasks as they come in, each with its task's key, `until` a time of the monotonic clock.

    `next_task` is called while fewer than `most` tasks are submitted; it returns None if there is none for now. Tasks
    that have not begun are cancelled at the end, and when the generator is closed. Raises the error of a task that
    fails, after the results that are there.
    """
    running: dict[int, tuple[K, Future[T]]] = {}
    ended: SimpleQueue[int] = SimpleQueue()
    number = 0
    try:
        while True:
            while len(running) < most and time.monotonic() < until and (task := next_task()) is not None:
                key, work = task
                future = executor.submit(work)
                running[number] = key, future
                future.add_done_callback(partial(_put, ended, number))
                number += 1
            if not running:
                return
            try:
                numbers = [ended.get(timeout=None if math.isinf(until) else max(0.0, until - time.monotonic()))]
            except Empty:
                return
            while not ended.empty():
                numbers.append(ended.get())
            for key, future in sorted((running.pop(number) for number in numbers), key=_has_failed):
                yield key, future.result()
    except BrokenProcessPool:
        running.clear()  # all have failed
        raise
    finally:
        for _, future in running.values():
            future.cancel()


def _put(ended: SimpleQueue[int], number: int, _: object) -> None:
    """Queue the number of a task that has ended. (Queueing the future would create a reference cycle.)"""
    ended.put(number)


def _has_failed(task: tuple[object, Future[Any]]) -> bool:
    _, future = task
    return future.cancelled() or future.exception() is not None


@contextlib.contextmanager
def processes(count: int) -> Iterator[Executor]:
    """An executor with `count` processes."""
    check_start()
    with Workers(count) as workers:
        yield workers.pool


def check_start() -> None:
    """Raise GameError if workers could not start, because each imports the main program again.

    A worker that would start workers itself during that import exits silently: the parent process explains why.
    """
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        raise SystemExit(UNGUARDED_EXIT_CODE)
    if getattr(sys.modules.get("__main__"), "__file__", None) == "<stdin>":
        raise GameError(f"workers can't import a script from standard input: {MAIN_GUARD_HINT}")


class Workers:
    """A pool of processes, which end with the pool, even in the middle of work, and when this process is killed."""

    def __init__(self, processes: int, niceness: int = 0) -> None:
        """`niceness` lowers the priority of the processes, if the system has priorities."""
        _start_tracker()
        context = _Context()
        self._until, self._ended = context.Pipe(duplex=False)
        self._start_reader, self._start_writer = context.Pipe(duplex=False)
        initial = self._until, self._start_writer, niceness
        self.pool = _Pool(processes, context, initializer=_start, initargs=initial)
        # In a thread, because a pool that was shut down without waiting can't be waited for later.
        self._ending = threading.Thread(target=self.pool.shutdown, kwargs={"cancel_futures": True}, daemon=True)

    @property
    def have_started(self) -> bool:
        """Whether any process is ready to work."""
        return self._start_reader.poll()

    def end(self) -> None:
        """End the processes without waiting."""
        self._ending.start()
        self._ended.close()

    def wait(self) -> None:
        """Wait until the processes have ended."""
        self._ending.join()
        for connection in (self._until, self._start_reader, self._start_writer):
            connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()
        self.wait()


def _start_tracker() -> None:
    """Start Python's resource tracker without its warnings, which would be plain text in a log of JSON."""
    if sys.platform != "win32":
        quiet = "ignore:resource_tracker:UserWarning"
        sys.warnoptions.append(quiet)
        try:
            resource_tracker.ensure_running()
        finally:
            sys.warnoptions.remove(quiet)


def _start(until: Connection, started: Connection, niceness: int) -> None:
    """Leave Ctrl-C to the parent process, and end as soon as it closes a pipe or ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    started.send_bytes(b"!")
    with contextlib.suppress(OSError, AttributeError):  # not every system has priorities
        os.nice(niceness)
    threading.Thread(target=_end, args=(until,), daemon=True).start()


def _end(until: Connection) -> None:
    until.poll(None)
    os._exit(0)


class _Worker(SpawnProcess):
    """A process that ignores Ctrl-C from the start: it inherits a mask that blocks the signal."""

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
    Process = _Worker


class _Task:
    """A call for a worker, which unpickles it only when it runs it: a failure then is the call's, and not the end of
    the worker."""

    def __init__(self, *call: Any) -> None:
        self._call = call

    def __reduce__(self) -> tuple[Any, ...]:
        return _Task, (_run_pickled, (pickle.dumps(self._call),), {})

    def __call__(self) -> Any:
        function, args, kwargs = self._call
        return function(*args, **kwargs)


def _run_pickled(call: bytes) -> Any:
    """Raises GameError if this process can't import what is called, or what it is called with."""
    try:
        function, args, kwargs = pickle.loads(call)  # noqa: S301 (from the process that has started this one)
    except (AttributeError, ImportError) as error:
        raise GameError(f"a worker can't load what it shall work on: {error}; {MAIN_GUARD_HINT}") from None
    return function(*args, **kwargs)


class _Pool(ProcessPoolExecutor):
    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        return super().submit(_Task(fn, args, kwargs))
