"""The examples of the lab's guide run as a reader runs them: as a file, and from standard input."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from tests.clusters import PATIENCE

GUIDE = Path(__file__).parent.parent.parent / "docs" / "lab.md"
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
GUARDED = [code for code in EXAMPLES if "__main__" in code]
UNGUARDED = [code for code in EXAMPLES if code not in GUARDED]
JOBS_WITHOUT_GUARD = """
from icetable import lab

lab.run(lab.Plan("squad", blocks=20), jobs=2)
"""


def script_of(code: str, folder: Path) -> Path:
    """A script in a folder."""
    script = folder / "example.py"
    for long, short in ((r"blocks=\d+", "blocks=2"), ("seconds=1", "seconds=0"), (r"sims:\d+", "sims:2")):
        code = re.sub(long, short, code)  # a reader has more time
    script.write_text(code, encoding="utf-8")
    return script


def ran(code: str, folder: Path, is_file: bool = True) -> subprocess.CompletedProcess[str]:
    """A script that was run in a folder, by a process of its own."""
    script = script_of(code, folder)
    command = [sys.executable, str(script) if is_file else "-"]
    given = None if is_file else script.read_text(encoding="utf-8")
    plain = {**os.environ, "ICETABLE_JIT": "0"}  # it begins sooner
    return subprocess.run(command, input=given, capture_output=True, text=True, cwd=folder, timeout=PATIENCE, env=plain)


@pytest.mark.parametrize("code", UNGUARDED, ids=range(len(UNGUARDED)))
def test_an_example_runs(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(script_of(code, tmp_path)), run_name="__main__")
    said, warned = capfd.readouterr()
    assert said
    assert not warned


def test_an_example_runs_as_a_file(tmp_path: Path) -> None:
    """The one with several jobs shows the guard that they need."""
    (code,) = GUARDED
    found = ran(code, tmp_path)
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout


def test_an_example_runs_from_standard_input(tmp_path: Path) -> None:
    found = ran(next(code for code in UNGUARDED if "squad" in code), tmp_path, is_file=False)
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout


@pytest.mark.parametrize("is_file", [True, False], ids=["file", "standard input"])
def test_several_jobs_without_a_guard_say_what_is_needed(is_file: bool, tmp_path: Path) -> None:
    """In one traceback, that of the call: what workers meet while they begin is of no use to a reader."""
    found = ran(JOBS_WITHOUT_GUARD, tmp_path, is_file)
    assert found.returncode == 1
    assert found.stderr.count("Traceback") == 1
    last = found.stderr.splitlines()[-1]
    assert 'under if __name__ == "__main__":' in last
    assert "memory" not in last
