"""The processes of a pool when the process that began them is killed."""

from __future__ import annotations

import contextlib
import gc
import itertools
import multiprocessing
import signal
import subprocess
import sys
import threading
import weakref
from concurrent.futures import CancelledError, Executor, Future
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from icetable.workers import Workers, begin, run_tasks, wait_for

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

KILLED = """
import os, signal
from icetable.workers import Workers

if __name__ == "__main__":
    workers = Workers(1)
    assert workers.pool.submit(int, "1").result() == 1
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_after_a_kill_nothing_is_left_and_nothing_is_said(tmp_path: Path) -> None:
    """Until the last of the processes has ended, the pipe stays open."""
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    killed = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60, check=False)
    assert (killed.returncode, killed.stdout, killed.stderr) == (-9, "", "")


def waiting_signals() -> set[int]:
    return {int(one) for one in signal.pthread_sigmask(signal.SIG_BLOCK, ())}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such masks")
def test_workers_never_hear_ctrl_c(tmp_path: Path) -> None:
    """A worker that did at its start, before any of its code has run, would print a traceback."""
    before = waiting_signals()
    with Workers(1) as workers:
        assert signal.SIGINT in workers.pool.submit(waiting_signals).result()
    assert waiting_signals() == before


def test_they_are_waited_for() -> None:
    """Python's own threads for them too, which print a traceback where a program ends while they do."""
    before = set(threading.enumerate())
    with Workers(1) as workers:
        assert workers.pool.submit(int, "1").result() == 1
        processes = multiprocessing.active_children()
    assert set(threading.enumerate()) <= before
    assert not any(process.is_alive() for process in processes)


class Heavy:
    """An object that work holds."""


def test_begin_returns_and_raises_as_work_does() -> None:
    assert begin(lambda: 3).result() == 3
    with pytest.raises(ZeroDivisionError):
        wait_for(lambda: 1 // 0)


def test_work_that_fails_leaves_nothing_to_the_garbage_collector() -> None:
    """A server has it run seldom, and what a long review held would stay until then."""
    held: list[weakref.ref[Heavy]] = []

    def fail() -> None:
        heavy = Heavy()
        held.append(weakref.ref(heavy))
        raise ValueError

    gc.disable()
    try:
        with contextlib.suppress(ValueError):
            wait_for(fail)
        assert held[0]() is None
    finally:
        gc.enable()


class Scripted(Executor):
    """An executor of which some tasks, by number, end as they begin: with a result, or with an error."""

    def __init__(self, ends: Mapping[int, object]) -> None:
        self.ends = ends
        self.given: list[Future[Any]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        end = self.ends.get(len(self.given))
        self.given.append(future)
        if isinstance(end, CancelledError):
            future.cancel()
        elif isinstance(end, Exception):
            future.set_exception(end)
        elif end is not None:
            future.set_result(end)
        return future


def numbered() -> Callable[[], tuple[int, Callable[[], str]]]:
    """Tasks whose keys are their numbers."""
    numbers = itertools.count()
    return lambda: (next(numbers), str)


def test_tasks_are_submitted_a_few_at_a_time_and_those_left_are_cancelled() -> None:
    executor = Scripted({1: "b", 2: "c"})
    results = run_tasks(executor, 2, numbered())
    assert next(results) == (1, "b")
    assert len(executor.given) == 2
    assert next(results) == (2, "c")
    assert len(executor.given) == 3
    executor.given[0].set_result("a")
    assert next(results) == (0, "a")
    results.close()
    assert [future.cancelled() for future in executor.given] == [False, False, False, True]


def test_results_that_are_there_come_before_an_error() -> None:
    executor = Scripted({0: "a", 1: ValueError("no result"), 2: "c"})
    results = run_tasks(executor, 4, numbered())
    assert [next(results), next(results)] == [(0, "a"), (2, "c")]
    with pytest.raises(ValueError, match="no result"):
        next(results)
    assert executor.given[3].cancelled()


def test_a_task_that_its_executor_cancels_is_not_waited_for() -> None:
    with pytest.raises(CancelledError):
        next(run_tasks(Scripted({0: CancelledError()}), 1, numbered()))


def test_tasks_that_run_when_time_is_up_are_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    executor = Scripted({0: "a"})
    clock = SimpleNamespace(monotonic=lambda: float(len(executor.given)))
    monkeypatch.setattr("icetable.workers.time", clock)
    assert list(run_tasks(executor, 4, numbered(), until=2.0)) == [(0, "a")]
    assert [future.cancelled() for future in executor.given] == [False, True]
