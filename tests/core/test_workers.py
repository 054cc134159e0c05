"""The processes of a pool when the process that began them is killed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

KILLED = """
import os, signal
from icetable.core.workers import Workers

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
