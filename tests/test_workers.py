"""The processes of a pool when the process that began them is killed."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import signal
import subprocess
import sys
import threading
import weakref
from pathlib import Path

import pytest

from icetable.workers import Workers, begin, wait_for

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
    """What work has in its hands."""


def test_what_work_returns_and_raises() -> None:
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
