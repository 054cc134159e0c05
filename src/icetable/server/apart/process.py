"""The process of a file: it is started when it is asked, asked one question at a time, and ended whatever it does."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import itertools
import multiprocessing
import os
import re
import signal
import socket
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from icetable.core import errors
from icetable.core.errors import Fault, GameError, IllegalAction
from icetable.server.apart import wire
from icetable.workshop.guard import DesignError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from multiprocessing.process import BaseProcess

SECONDS = 2.0
"""Maximum time by the clock of a question to a file."""
GRACE_SECONDS = 0.5
"""Time for a file to end a call by itself, which gives a better message and leaves the process alive."""
START_SECONDS = 60.0
"""Maximum time until a new process is ready to load its file."""
READ_SECONDS = 5.0
"""Time that the library itself may need to read a file, on a busy machine."""
REPORT_SECONDS = 0.5
"""Time that a process which is late has to say in which line it is."""
PAUSE_SECONDS = 10.0
"""Time for which a question that has ended its process is refused without being asked again."""
MAX_PAUSED = 64
IDLE_SECONDS = 300.0
"""Time after which the process for searches in a game is ended while nobody needs it. It takes tens of MiB."""
MEMORY_BYTES = 512 * 2**20
"""Maximum memory of a process, besides that of Python itself, where the system can limit it."""
FRAME = re.compile(r'File "(.*)", line (\d+) in (.*)')
ERRORS: dict[str, type[GameError]] = {
    error.__name__: error for error in (*errors.GameError.__subclasses__(), GameError, DesignError)
}
"""The errors that a process may report, by name."""

A = TypeVar("A")

_numbers = itertools.count(1)
_starting = threading.Lock()
_known: weakref.WeakSet[GameProcess] = weakref.WeakSet()


class Refused(NamedTuple):
    """Why a question isn't asked, and until when by the monotonic clock."""

    why: str
    until: float


class Running(NamedTuple):
    """A process that runs: the streams of questions and answers, and of what it says when it hangs or crashes."""

    process: BaseProcess
    stream: socket.socket
    report: socket.socket

    def end(self) -> None:
        """End it, and all that it has started."""
        with contextlib.suppress(ProcessLookupError, PermissionError, AttributeError, TypeError):
            os.killpg(self.process.pid, signal.SIGKILL)  # type: ignore[arg-type]
        self.process.kill()
        self.process.join()
        self.stream.close()
        self.report.close()


class GameProcess:
    """The process of a file, which may be asked from any thread except that of an event loop."""

    def __init__(
        self,
        path: str,
        texts: Mapping[str, bytes],
        niceness: int,
        seconds: float = SECONDS,
        *,
        is_occasional: bool = False,
    ) -> None:
        """`texts`: the contents of the file and its neighbours by path, even if they have changed since.
        `is_occasional`: whether it ends after IDLE_SECONDS without a question.
        """
        self._path, self._texts, self._niceness = path, dict(texts), niceness
        self._name = Path(path).name
        self.seconds = seconds
        self._lock = threading.Lock()
        self._running: list[Running] = []
        """The process that runs, if any."""
        self._refused: dict[bytes, Refused] = {}
        """The questions that have ended a process lately."""
        self._described: wire.Described | None = None
        self._is_occasional, self._asked_at = is_occasional, 0.0
        self.thread = ThreadPoolExecutor(1, f"file-{self._name}")
        """The thread for work that asks this process."""
        _known.add(self)
        weakref.finalize(self, _give_up, self._running, self.thread)

    @property
    def is_running(self) -> bool:
        """Whether there is a process now."""
        return bool(self._running)

    def describe(self) -> wire.Described:
        """The game of the file, which is loaded for that. Raises DesignError or UnknownGame."""
        if self._described is None:
            with self._lock:
                self._start()
        assert self._described is not None
        return self._described

    def ask(
        self,
        question: wire.Question,
        answer: type[A],
        saved: msgspec.Raw = wire.NOTHING,
        extra: float = 0.0,
        on_progress: Callable[[wire.ReviewProgress], object] | None = None,
    ) -> A:
        """Ask a question, and return the answer. `saved`: the position that it is about, in case it is not known.

        `extra`: seconds that it may take longer. With `on_progress` that is the time between two reports of progress.
        Raises the errors of the file's game, and DesignError if its process had to be ended.
        """
        with contextlib.suppress(RuntimeError):
            asyncio.get_running_loop()
            raise AssertionError("a file is asked in a thread, never in an event loop")
        with self._lock:
            self._check_pause(question, saved)
            if not self._running:
                self._start()
            try:
                found = self._exchange(question, extra, on_progress)
                if isinstance(found, wire.Lost):
                    position = msgspec.structs.replace(question.position, saved=saved)  # type: ignore[union-attr]
                    found = self._exchange(msgspec.structs.replace(question, position=position), extra, on_progress)
            except DesignError as error:
                if not self._running:
                    self._pause(question, saved, str(error))
                raise
            finally:
                self._asked_at = time.monotonic()
        if not isinstance(found, answer):
            raise DesignError(f"{self._name} has answered what nobody asked")
        return found

    def end(self) -> None:
        """End the process. The next question starts a new one."""
        _end(self._running)

    def end_if_idle(self, now: float) -> None:
        """End the process if nobody has asked it for a while. Does not wait for one that is asked."""
        if self._is_occasional and self._running and self._lock.acquire(blocking=False):
            try:
                if now - self._asked_at >= IDLE_SECONDS:
                    self.end()
            finally:
                self._lock.release()

    def _start(self) -> None:
        """Start a process, and load the file. Raises DesignError or UnknownGame."""
        stream, theirs = socket.socketpair()
        report, their_report = socket.socketpair()
        given = theirs, their_report, MEMORY_BYTES, self._niceness, self.seconds
        with _starting:
            process = _context().Process(target=_run, args=given, daemon=True, name=self._name)
            process.start()
        theirs.close()
        their_report.close()
        self._running.append(Running(process, stream, report))
        self._receive(time.monotonic() + START_SECONDS, START_SECONDS)
        found = self._exchange(wire.Open(self._path, self._texts, next(_numbers) << 32), READ_SECONDS, None)
        assert isinstance(found, wire.Described)
        self._described = found

    def _exchange(
        self, question: wire.Question, extra: float, on_progress: Callable[[wire.ReviewProgress], object] | None
    ) -> wire.Answer:
        """Raises DesignError, and ends the process unless it reports the error itself."""
        seconds = self.seconds + extra
        until = time.monotonic() + seconds + GRACE_SECONDS
        try:
            asked = wire.Asked(seconds + 2 * GRACE_SECONDS, question)
            wire.send(self._running[0].stream, wire.write_question(asked), until)
        except (TimeoutError, wire.Closed, IndexError):
            raise self._ended() from None
        answer = self._receive(until, seconds)
        while on_progress is not None and isinstance(answer, wire.ReviewProgress):
            try:
                on_progress(answer)
            except BaseException:
                self.end()
                raise
            answer = self._receive(time.monotonic() + seconds, seconds)
        if isinstance(answer, wire.Failed):
            raise _error_of(answer)
        return answer

    def _receive(self, until: float, seconds: float) -> wire.Answer:
        try:
            return wire.read_answer(wire.receive(self._running[0].stream, wire.MAX_ANSWER_BYTES, until))
        except TimeoutError:
            raise self._late(seconds) from None
        except (wire.Closed, IndexError):
            raise self._ended() from None
        except (msgspec.DecodeError, RecursionError):
            self.end()
            raise DesignError(f"{self._name} has broken the program that runs it") from None

    def _late(self, seconds: float) -> DesignError:
        """End a process that has not answered in time, after it has said where it is."""
        if not self._running:
            return self._ended()
        running = self._running[0]
        with contextlib.suppress(ProcessLookupError, AttributeError):
            os.kill(running.process.pid, signal.SIGUSR1)  # type: ignore[arg-type]
        report = _read(running.report, REPORT_SECONDS)
        self.end()
        return DesignError(f"{self._where(report) or self._name} takes longer than {seconds:g} s")

    def _ended(self) -> DesignError:
        """Why a process has ended by itself."""
        if not self._running:
            return DesignError(f"{self._name} was stopped with the server")
        running = self._running[0]
        running.process.join(REPORT_SECONDS)
        report, code = _read(running.report, 0.0), running.process.exitcode
        self.end()
        how = "" if code is None else f" (signal {-code})" if code < 0 else f" (exit status {code})"
        return DesignError(f"{self._where(report) or self._name} has ended the process of the game{how}")

    def _where(self, report: str) -> str:
        """The innermost method and line of the file in a report of Python's faulthandler; empty without one."""
        path = ascii(self._path)[1:-1]
        for thread in reversed(report.split("\n\n")):  # the main thread comes last
            for file, line, function in FRAME.findall(thread):
                if file == path:
                    return f"{function} ({self._name}:{line})"
        return ""

    # Pauses

    def _check_pause(self, question: wire.Question, saved: msgspec.Raw) -> None:
        """Raise DesignError for a question that has ended its process just now."""
        if self._refused and (found := self._refused.get(_key(question, saved))):
            if time.monotonic() < found.until:
                raise DesignError(found.why)
            del self._refused[_key(question, saved)]

    def _pause(self, question: wire.Question, saved: msgspec.Raw, why: str) -> None:
        while len(self._refused) >= MAX_PAUSED:
            del self._refused[next(iter(self._refused))]
        self._refused[_key(question, saved)] = Refused(why, time.monotonic() + PAUSE_SECONDS)


async def end_idle() -> None:
    """End the processes of searches that nobody has asked for a while."""
    for process in list(_known):
        await asyncio.to_thread(process.end_if_idle, time.monotonic())


def end_all() -> None:
    """End all processes of files, when the server ends."""
    for process in list(_known):
        process.end()


atexit.register(end_all)


def _end(running: list[Running]) -> None:
    while running:
        with contextlib.suppress(IndexError):  # another thread was faster
            running.pop().end()


def _give_up(running: list[Running], thread: ThreadPoolExecutor) -> None:
    """End the process of a file that no table plays by any more."""
    thread.shutdown(wait=False)
    _end(running)


def _context() -> Any:
    """How processes are started: forked from one that has loaded what all need, where the system can."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["icetable.server.apart.child"])
    return context


def _run(stream: socket.socket, report: socket.socket, memory: int, niceness: int, seconds: float) -> None:
    from icetable.server.apart import child  # it changes the process that imports it

    child.run(stream, report, memory, niceness, seconds)


def _key(question: wire.Question, saved: msgspec.Raw) -> bytes:
    """What makes a question the same as another one: positions have other numbers in another process."""
    position = getattr(question, "position", None)
    if position is not None:
        question = msgspec.structs.replace(question, position=wire.PositionRef(position.options, 0, saved))
    return wire.write_question(question)


def _read(report: socket.socket, seconds: float) -> str:
    """What a process has reported, or reports within some seconds."""
    found = b""
    report.settimeout(seconds)
    with contextlib.suppress(OSError):
        while part := report.recv(2**16):
            found += part
            report.settimeout(0.2)  # the rest comes at once, line by line, unless the machine is busy
    return found.decode("ascii", "replace")


def _error_of(failed: wire.Failed) -> GameError:
    if failed.error == "IllegalAction" and failed.fault is not None:
        return IllegalAction(fault_of(failed.fault))
    return ERRORS.get(failed.error, DesignError)(failed.message)


def fault_of(fields: dict[str, Any]) -> Fault:
    """The fault with these fields."""
    return Fault(**{**fields, "where": tuple(fields["where"])})
