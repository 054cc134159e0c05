"""Calling a designer's code: what goes wrong there ends in a sentence with file and line, and no loop is endless."""

from __future__ import annotations

import contextlib
import ctypes
import threading
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from icetable.core.errors import GameError

MOST_SECONDS = 2.0
"""How long a game may compute to answer one question; the time of a busy machine does not count."""
TICK_SECONDS = 0.1


class DesignError(GameError):
    """A game of the workshop has failed: what went wrong, in which file and line."""

    __module__ = "icetable"


_STOPPED: dict[str, DesignError] = {}
"""By file: why it is not run again before it is read anew."""


def forget(file: str) -> None:
    """Run a file again that was stopped: it has been read anew."""
    _STOPPED.pop(file, None)


class TooSlow(BaseException):
    """Raised within code that takes too long. It is no Exception, so that no `except` of the game holds it up."""


class _Watch:
    """One thread that stops what has taken too long in others."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._until: dict[int, float] = {}
        self._stopped: set[int] = set()
        self._thread: threading.Thread | None = None

    def begin(self) -> bool:
        """Watch this thread from now on; False where it is watched already."""
        thread = threading.get_ident()
        if thread in self._until:
            return False
        self._until[thread] = spent(thread) + MOST_SECONDS
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="workshop-watch", daemon=True)
            self._thread.start()
        return True

    def end(self, *, is_stopped: bool) -> None:
        """Watch this thread no longer. Raises TooSlow where it was to be stopped, and that has not come yet."""
        thread = threading.get_ident()
        with self._lock:
            del self._until[thread]
            is_to_come = thread in self._stopped and not is_stopped
            self._stopped.discard(thread)
        while is_to_come:  # the exception is on its way: it comes between two instructions
            time.sleep(0)

    def _run(self) -> None:
        while True:
            time.sleep(TICK_SECONDS)
            with self._lock:
                for thread, until in list(self._until.items()):
                    if until < spent(thread) and thread not in self._stopped:
                        self._stopped.add(thread)
                        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(TooSlow))


def spent(thread: int) -> float:
    """The seconds that a thread has computed; where the system does not say, the time that has gone by."""
    if hasattr(time, "pthread_getcpuclockid"):
        return time.clock_gettime(time.pthread_getcpuclockid(thread))
    return time.monotonic()


_watch = _Watch()


@contextlib.contextmanager
def guarded(what: str, file: str) -> Iterator[None]:
    """Run code of a game's file. Raises DesignError for whatever it raises, and where it takes too long."""
    if file in _STOPPED:
        raise _STOPPED[file]
    if not _watch.begin():
        yield
        return
    is_stopped = False
    try:
        try:
            yield
        except TooSlow:
            is_stopped = True
            raise
        finally:
            _watch.end(is_stopped=is_stopped)
    except TooSlow as error:
        place = where(error.__traceback__, file)
        _STOPPED[file] = DesignError(f"{what}{place} takes longer than {MOST_SECONDS:g} s")
        raise _STOPPED[file] from None
    except DesignError:
        raise
    except Exception as error:
        named = str(error) if isinstance(error, GameError) else f"{type(error).__name__}: {error}"
        raise DesignError(f"{what}{where(error.__traceback__, file)} has failed: {named}") from error


def where(trace: TracebackType | None, file: str) -> str:
    """The innermost line of a file that a traceback leads through, as " (canals.py:31)"; empty where it has none."""
    lines = [frame for frame in traceback.extract_tb(trace) if frame.filename == file]
    return f" ({Path(file).name}:{lines[-1].lineno})" if lines else ""
