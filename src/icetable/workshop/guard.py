"""Running a designer's code: failures become a message with file and line, and slow code is stopped."""

from __future__ import annotations

import ctypes
import threading
import time
import traceback
from pathlib import Path
from types import TracebackType
from weakref import WeakSet

from icetable.core.errors import BadOption, GameError
from icetable.workshop.mistakes import describe_error

MAX_SECONDS = 2.0
"""The maximum CPU time of one call into a game."""
TICK_SECONDS = 0.1


class DesignError(GameError):
    """A workshop game has failed: what went wrong, in which file and line."""

    __module__ = "icetable"


class TooSlow(BaseException):
    """Raised in code that takes too long. It is no Exception, so that the game's own `except` can't catch it."""


class _Calls:
    """The calls into games of a thread, one at a time."""

    __slots__ = ("__weakref__", "began", "is_read", "now", "seen", "stopped", "thread")

    def __init__(self) -> None:
        self.thread = threading.get_ident()
        self.now: guarded | None = None
        self.seen: guarded | None = None
        """The call that the watch saw last, which `began` at this CPU time of the thread."""
        self.began = 0.0
        self.is_read = False
        """Whether the watch is reading the thread's clock, so that the call must not end."""
        self.stopped: guarded | None = None
        """The last call in which TooSlow was raised."""


class _Watch:
    """A thread that stops calls in other threads that take too long. A call that is not too slow takes no lock."""

    def __init__(self) -> None:
        self.local = threading.local()
        self._all: WeakSet[_Calls] = WeakSet()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def new_calls(self) -> _Calls:
        """Those of this thread, of which there are none yet."""
        found = self.local.calls = _Calls()
        with self._lock:
            self._all.add(found)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="workshop-watch", daemon=True)
                self._thread.start()
        return found

    def end(self, calls: _Calls, call: guarded, *, is_stopped: bool) -> None:
        """Wait for what the watch is doing about a call that has ended. Raises TooSlow if it has stopped it."""
        if calls.is_read:
            with self._lock:
                pass
        while calls.stopped is call and not is_stopped:  # the exception is raised between two instructions
            time.sleep(0)

    def _run(self) -> None:
        """Read the clocks here, as reading one can take longer than a call."""
        while True:
            time.sleep(TICK_SECONDS)
            with self._lock:
                for calls in self._all:
                    if calls.now is not None and calls.stopped is not calls.now:
                        self._check(calls)

    def _check(self, calls: _Calls) -> None:
        """Stop a thread's call if it has taken too long."""
        calls.is_read = True
        call = calls.now  # can't end from here on
        if call is not None:
            seconds = cpu_seconds(calls.thread)
            if calls.seen is not call:
                calls.seen, calls.began = call, seconds
            elif calls.began + MAX_SECONDS < seconds:
                calls.stopped = call
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(calls.thread), ctypes.py_object(TooSlow))
        calls.is_read = False


def cpu_seconds(thread: int) -> float:
    """The CPU time of a thread; elapsed time on systems without that."""
    if hasattr(time, "pthread_getcpuclockid"):
        return time.clock_gettime(time.pthread_getcpuclockid(thread))
    return time.monotonic()


_watch = _Watch()
_local = _watch.local


class guarded:  # noqa: N801 (used as a verb; a class, since one of a generator takes three times as long)
    """Run code of a game's file, for an act if one is given.

    Raises DesignError if it takes too long, or for any exception except BadOption.
    """

    __slots__ = ("_act", "_calls", "_file", "_what")

    def __init__(self, what: str, file: str, act: str = "") -> None:
        self._what, self._file, self._act = what, file, act

    def __enter__(self) -> None:
        try:
            calls: _Calls = _local.calls
        except AttributeError:
            calls = _watch.new_calls()
        if calls.now is None:
            self._calls: _Calls | None = calls
            calls.now = self
        else:  # this call is part of another
            self._calls = None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        calls = self._calls
        if calls is None:
            return
        try:
            calls.now = None
            if error is None and not calls.is_read and calls.stopped is not self:
                return
            _watch.end(calls, self, is_stopped=kind is TooSlow)
        except TooSlow as late:
            error = late
        if error is None or isinstance(error, BadOption | DesignError):
            return
        if isinstance(error, TooSlow):
            place = line_of(error.__traceback__, self._file)
            raise DesignError(f"{self._what}{place} takes longer than {MAX_SECONDS:g} s") from None
        if isinstance(error, Exception | SystemExit):
            place = line_of(error.__traceback__, self._file)
            said = "a game can't end the program" if isinstance(error, SystemExit) else describe_error(error)
            at_act = f", at the act {self._act}" if self._act else ""
            raise DesignError(f"{self._what}{place} has failed: {said}{at_act}") from error


def line_of(trace: TracebackType | None, file: str) -> str:
    """The innermost line of a file or of one beside it, as " (canals.py:31)"; empty if there is none in a traceback."""
    lines = [frame for frame in traceback.extract_tb(trace) if Path(frame.filename).parent == Path(file).parent]
    return f" ({Path(lines[-1].filename).name}:{lines[-1].lineno})" if lines else ""
