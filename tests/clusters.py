"""A cluster of Dask on this machine."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

PATIENCE = 120.0


@contextlib.contextmanager
def cluster(folder: Path) -> Iterator[str]:
    """A scheduler and two workers, each a process, on this machine; the scheduler's address."""
    scheduler_file = folder / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    programs = [["scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]]
    programs += [
        [
            "worker",
            "--host",
            "127.0.0.1",
            "--no-dashboard",
            "--no-nanny",
            "--nthreads",
            "1",
            "--local-directory",
            str(folder / one),
        ]
        for one in ("first", "second")
    ]
    with contextlib.ExitStack() as stack:
        for name, *options in programs:
            command = [sys.executable, "-m", f"distributed.cli.dask_{name}", "--scheduler-file", str(scheduler_file)]
            process = stack.enter_context(subprocess.Popen([*command, *options], **quiet))  # type: ignore[call-overload]
            stack.callback(process.kill)
            if name == "scheduler":
                wait_for(scheduler_file.exists)
        wait_for(lambda: bool(scheduler_file.read_text()))
        yield json.loads(scheduler_file.read_text())["address"]


def wait_for(happened: Callable[[], bool]) -> None:
    for _ in range(int(PATIENCE * 20)):
        if happened():
            return
        threading.Event().wait(0.05)
    raise AssertionError("it did not happen")
