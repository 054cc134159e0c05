"""Running a designer's code: failures become a message with file and line, and slow code is stopped."""

from __future__ import annotations

import ctypes
import threading
import time
import traceback
from pathlib import Path
from types import TracebackType

from icetable.core.errors import BadOption, GameError
from icetable.workshop.hints import told

MAX_SECONDS = 2.0
"""The maximum CPU time of one call into a game."""
TICK_SECONDS = 0.1


class DesignError(GameError):
    """A workshop game has failed: what went wrong, in which file and line."""

    __module__ = "icetable"


COOLDOWN_SECONDS = 30.0
"""The time for which a file that was too slow is not run again, so that one table can't hold up all others."""
_STOPPED: dict[str, tuple[DesignError, float]] = {}
"""By file: why it is not run, and until when."""


def lift_cooldown(file: str) -> None:
    """Allow a stopped file to run again, as after a reload."""
    _STOPPED.pop(file, None)


class TooSlow(BaseException):
    """Raised in code that takes too long. It is no Exception, so that the game's own `except` can't catch it."""


class _Watch:
    """A thread that stops calls in other threads that take too long."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watched: dict[int, object] = {}
        """By thread: a token for the current call."""
        self._stopped: set[int] = set()
        self._thread: threading.Thread | None = None

    def begin(self) -> bool:
        """Start watching this thread; False if it is watched already."""
        thread = threading.get_ident()
        if thread in self._watched:
            return False
        self._watched[thread] = object()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="workshop-watch", daemon=True)
            self._thread.start()
        return True

    def end(self, *, is_stopped: bool) -> None:
        """Stop watching this thread. Raises TooSlow if that is already scheduled for it."""
        thread = threading.get_ident()
        with self._lock:
            del self._watched[thread]
            is_pending = thread in self._stopped and not is_stopped
            self._stopped.discard(thread)
        while is_pending:  # the exception is raised between two instructions
            time.sleep(0)

    def _run(self) -> None:
        """Read the clocks here, as reading one can take longer than a call."""
        begun: dict[int, tuple[object, float]] = {}
        while True:
            time.sleep(TICK_SECONDS)
            with self._lock:
                for thread, call in list(self._watched.items()):
                    if thread in self._stopped:
                        continue
                    if thread not in begun or begun[thread][0] is not call:
                        begun[thread] = call, cpu_seconds(thread)
                    elif begun[thread][1] + MAX_SECONDS < cpu_seconds(thread):
                        self._stopped.add(thread)
                        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(TooSlow))


def cpu_seconds(thread: int) -> float:
    """The CPU time of a thread; elapsed time on systems without that."""
    if hasattr(time, "pthread_getcpuclockid"):
        return time.clock_gettime(time.pthread_getcpuclockid(thread))
    return time.monotonic()


_watch = _Watch()


class guarded:  # noqa: N801 (used as a verb; a class, since one of a generator takes three times as long)
    """Run code of a game's file, for an act if one is given.

    Raises DesignError if it takes too long, or for any exception except BadOption.
    """

    __slots__ = ("_act", "_file", "_is_first", "_what")

    def __init__(self, what: str, file: str, act: str = "") -> None:
        self._what, self._file, self._act = what, file, act

    def __enter__(self) -> None:
        if self._file in _STOPPED:
            why, until = _STOPPED[self._file]
            if time.monotonic() < until:
                raise DesignError(str(why))
            lift_cooldown(self._file)
        self._is_first = _watch.begin()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if not self._is_first:
            return
        try:
            _watch.end(is_stopped=kind is TooSlow)
        except TooSlow as late:
            error = late
        if error is None or isinstance(error, BadOption | DesignError):
            return
        if isinstance(error, TooSlow):
            why = DesignError(
                f"{self._what}{line_of(error.__traceback__, self._file)} takes longer than {MAX_SECONDS:g} s"
            )
            _STOPPED[self._file] = why, time.monotonic() + COOLDOWN_SECONDS
            raise why from None
        if isinstance(error, Exception):
            place = line_of(error.__traceback__, self._file)
            at_act = f", at the act {self._act}" if self._act else ""
            raise DesignError(f"{self._what}{place} has failed: {told(error)}{at_act}") from error


def line_of(trace: TracebackType | None, file: str) -> str:
    """The innermost line of a file in a traceback, as " (canals.py:31)"; empty if there is none."""
    lines = [frame for frame in traceback.extract_tb(trace) if frame.filename == file]
    return f" ({Path(file).name}:{lines[-1].lineno})" if lines else ""
