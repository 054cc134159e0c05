"""Calling a designer's code: what goes wrong there ends in a sentence with file and line, and no loop is endless."""

from __future__ import annotations

import ctypes
import threading
import time
import traceback
from pathlib import Path
from types import TracebackType

from icetable.core.errors import BadOption, GameError

MAX_SECONDS = 2.0
"""How long a game may compute to answer one question; the time of a busy machine does not count."""
TICK_SECONDS = 0.1


class DesignError(GameError):
    """A game of the workshop has failed: what went wrong, in which file and line."""

    __module__ = "icetable"


REST_SECONDS = 30.0
"""For so long a file that took too long is not run again, so that one table can't hold up all others."""
_STOPPED: dict[str, tuple[DesignError, float]] = {}
"""By file: why it is not run now, and until when."""


def forget(file: str) -> None:
    """Run a file again that was stopped: it has been read anew."""
    _STOPPED.pop(file, None)


class TooSlow(BaseException):
    """Raised within code that takes too long. It is no Exception, so that no `except` of the game holds it up."""


class _Watch:
    """One thread that stops what has taken too long in others."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watched: dict[int, object] = {}
        """By thread, what tells this question from the next one."""
        self._stopped: set[int] = set()
        self._thread: threading.Thread | None = None

    def begin(self) -> bool:
        """Watch this thread from now on; False where it is watched already."""
        thread = threading.get_ident()
        if thread in self._watched:
            return False
        self._watched[thread] = object()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="workshop-watch", daemon=True)
            self._thread.start()
        return True

    def end(self, *, is_stopped: bool) -> None:
        """Watch this thread no longer. Raises TooSlow where it was to be stopped, and that has not come yet."""
        thread = threading.get_ident()
        with self._lock:
            del self._watched[thread]
            is_to_come = thread in self._stopped and not is_stopped
            self._stopped.discard(thread)
        while is_to_come:  # the exception is on its way: it comes between two instructions
            time.sleep(0)

    def _run(self) -> None:
        """Read the clocks here: reading one can take longer than a game's answer."""
        begun: dict[int, tuple[object, float]] = {}
        while True:
            time.sleep(TICK_SECONDS)
            with self._lock:
                for thread, question in list(self._watched.items()):
                    if thread in self._stopped:
                        continue
                    if thread not in begun or begun[thread][0] is not question:
                        begun[thread] = question, spent(thread)
                    elif begun[thread][1] + MAX_SECONDS < spent(thread):
                        self._stopped.add(thread)
                        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(TooSlow))


def spent(thread: int) -> float:
    """The seconds that a thread has computed; where the system does not say, the time that has gone by."""
    if hasattr(time, "pthread_getcpuclockid"):
        return time.clock_gettime(time.pthread_getcpuclockid(thread))
    return time.monotonic()


_watch = _Watch()


class guarded:  # noqa: N801 (used as a verb; a class, since one of a generator takes three times as long)
    """Run code of a game's file. Raises DesignError for what it raises but a BadOption, and if it takes too long."""

    __slots__ = ("_file", "_is_first", "_what")

    def __init__(self, what: str, file: str) -> None:
        self._what, self._file = what, file

    def __enter__(self) -> None:
        if self._file in _STOPPED:
            why, until = _STOPPED[self._file]
            if time.monotonic() < until:
                raise DesignError(str(why))
            forget(self._file)
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
                f"{self._what}{where(error.__traceback__, self._file)} takes longer than {MAX_SECONDS:g} s"
            )
            _STOPPED[self._file] = why, time.monotonic() + REST_SECONDS
            raise why from None
        if isinstance(error, Exception):
            named = str(error) if isinstance(error, GameError) else f"{type(error).__name__}: {error}"
            raise DesignError(f"{self._what}{where(error.__traceback__, self._file)} has failed: {named}") from error


def where(trace: TracebackType | None, file: str) -> str:
    """The innermost line of a file that a traceback leads through, as " (canals.py:31)"; empty where it has none."""
    lines = [frame for frame in traceback.extract_tb(trace) if frame.filename == file]
    return f" ({Path(file).name}:{lines[-1].lineno})" if lines else ""
