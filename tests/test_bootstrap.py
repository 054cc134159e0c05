"""The two commands where something on the machine is in the way, and what makes them set things up anew."""

from __future__ import annotations

import ast
import errno
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import bootstrap
import frontend
import pytest
import stages

ROOT = Path(__file__).parents[1]
CARRIED = (
    "play",
    "test",
    "tools",
    "pyproject.toml",
    "requirements.lock",
    "requirements-test.lock",
    "web/index.html",
)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what the commands read, with nothing set up in it."""
    copy = tmp_path / "check out"
    for name in CARRIED:
        source, target = ROOT / name, copy / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy(source, target)
    return copy


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """An empty folder: all that is on PATH in `ended`."""
    folder = tmp_path / "programs"
    folder.mkdir()
    return folder


def script(path: Path, *lines: str) -> None:
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    path.chmod(0o755)


def bare(programs: Path, **variables: str) -> dict[str, str]:
    """An environment with almost nothing in it."""
    return {"PATH": str(programs), "HOME": str(programs), **variables}


def ended(command: list[str], variables: dict[str, str]) -> str:
    """The error of a command that must fail, which must not be a traceback."""
    done = subprocess.run(command, env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


def play(checkout: Path) -> list[str]:
    return [sys.executable, str(checkout / "play")]


# An old Python


@pytest.mark.parametrize("name", ["play", "test", "tools/python_check.py"])
def test_an_old_python_can_read_what_it_must(name: str) -> None:
    ast.parse((ROOT / name).read_text(), feature_version=(3, 6))


@pytest.fixture
def old_python(tmp_path: Path) -> list[str]:
    """A command as ./play is, run by a Python that takes itself for 3.9 unless NEWER is set."""
    path = tmp_path / "play"
    path.write_text(
        "import os, sys\n"
        f"sys.path.insert(0, {str(ROOT / 'tools')!r})\n"
        "if 'NEWER' not in os.environ:\n"
        "    sys.version_info = (3, 9, 2)\n"
        "import python_check\n"
        "python_check.ensure()\n"
        "sys.exit('went on with ' + sys.argv[1])\n"
    )
    return [sys.executable, str(path), "--an-argument"]


def test_an_old_python_alone_says_so(old_python: list[str], programs: Path) -> None:
    script(programs / "python3.13", "echo 'not installed' >&2; exit 127")
    message = ended(old_python, bare(programs))
    assert message == "./play: icetable needs Python 3.11 or newer; this is 3.9, and no newer one was found here.\n"


def test_a_newer_python_on_path_goes_on(old_python: list[str], programs: Path) -> None:
    script(programs / "python3.14", "echo 'not installed' >&2; exit 127")
    script(programs / "python3.12", f"NEWER=1 exec '{sys.executable}' \"$@\"")
    assert ended(old_python, bare(programs)) == "went on with --an-argument\n"


def test_a_newer_python_that_uv_knows_goes_on(old_python: list[str], programs: Path, tmp_path: Path) -> None:
    script(tmp_path / "newer", f"NEWER=1 exec '{sys.executable}' \"$@\"")
    script(programs / "uv", f"echo '{tmp_path}/newer'")
    assert ended(old_python, bare(programs)) == "went on with --an-argument\n"


# Things missing on the machine


def test_no_pip_and_no_uv(checkout: Path, programs: Path) -> None:
    # The Python that runs the tests has no pip: uv made its environment.
    assert "has no pip, and uv is not on PATH" in ended(play(checkout), bare(programs))


def test_no_network(checkout: Path, programs: Path, tmp_path: Path) -> None:
    (programs / "uv").symlink_to(bootstrap.find_uv())
    nobody_there = "http://127.0.0.1:9"
    variables = bare(programs, ALL_PROXY=nobody_there, UV_CACHE_DIR=str(tmp_path / "cache"), UV_HTTP_RETRIES="0")
    message = ended(play(checkout), variables)
    assert message.startswith("./play: the Python packages must be fetched once, and the network can't be reached.")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("error: failed to write to file: No space left on device (os error 28)", "the disk is full."),
        ("npm error code ENOTFOUND", "an environment for Python must be fetched once"),
        ("pip: Temporary failure in name resolution", "an environment for Python must be fetched once"),
        ("error: no such thing", "setting up an environment for Python failed:\nerror: no such thing"),
    ],
)
def test_a_complaint_of_a_tool_is_explained(checkout: Path, programs: Path, words: str, sentence: str) -> None:
    script(programs / "uv", f"echo '{words}' >&2; exit 2")
    assert ended(play(checkout), bare(programs)).startswith(f"./play: {sentence}")


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EACCES, "/some/where can't be written"),
        (errno.EROFS, "/some/where can't be written"),
        (errno.ENOSPC, "the disk is full"),
    ],
)
def test_a_folder_that_takes_no_files(number: int, words: str) -> None:
    with pytest.raises(SystemExit, match=words), bootstrap.readable_errors("play"):
        raise OSError(number, os.strerror(number), "/some/where")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_write_permission(checkout: Path, programs: Path) -> None:
    checkout.chmod(0o555)
    message = ended(play(checkout), bare(programs))
    checkout.chmod(0o755)
    assert f"{checkout / '.tools'} can't be written" in message


@pytest.mark.skipif(sys.platform == "win32", reason="there is no lock on Windows")
def test_the_second_of_two_commands_waits(checkout: Path, programs: Path) -> None:
    import fcntl

    script(programs / "uv", "echo 'the fake uv was reached'; exit 1")
    (checkout / ".tools").mkdir()
    with (checkout / ".tools" / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        second = subprocess.Popen(
            play(checkout), env=bare(programs), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert second.stdout is not None
        assert second.stdout.readline() == "Waiting for another ./play or ./test to finish setting up.\n"
    assert "the fake uv was reached" in second.communicate()[1]


# What makes a command set things up anew


def test_a_changed_or_new_source_makes_the_front_end_anew(tmp_path: Path) -> None:
    static, report, web = frontend.static_of(tmp_path), frontend.report_of(tmp_path), tmp_path / "web"
    for folder in (static, report, web / "src", web / "node_modules", tmp_path / ".tools"):
        folder.mkdir(parents=True)
    (web / "src" / "main.ts").write_text("one")

    def pretend_to_build() -> None:
        (static / "index.html").write_text("built")
        (report / "report.html").write_text("built")
        frontend.stamp_of(tmp_path).write_text(frontend.digest(frontend.sources(web)))

    assert not frontend.built(tmp_path)
    pretend_to_build()
    assert frontend.built(tmp_path)
    (web / "node_modules" / "something").write_text("else")
    assert frontend.built(tmp_path)
    (web / "src" / "main.ts").write_text("two")
    assert not frontend.built(tmp_path)
    pretend_to_build()
    (web / "src" / "new.ts").write_text("new")
    assert not frontend.built(tmp_path)
    pretend_to_build()
    for page in (static / "index.html", report / "report.html"):
        page.unlink()
        assert not frontend.built(tmp_path)
        pretend_to_build()


def test_a_changed_lock_or_a_moved_checkout_makes_the_environment_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = tmp_path / "requirements.lock"
    lock.write_text("one==1")
    first = bootstrap.packages_digest(lock)
    assert bootstrap.packages_digest(lock) == first
    lock.write_text("one==2")
    second = bootstrap.packages_digest(lock)
    assert second != first
    monkeypatch.setattr(bootstrap, "ROOT", tmp_path)
    assert bootstrap.packages_digest(lock) != second


# The stages of ./test


def test_stages_go_on_after_a_failure(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def stage(name: str, code: int) -> stages.Stage:
        return stages.Stage(name, [sys.executable, "-c", f"print('ran {name}'); raise SystemExit({code})"], tmp_path)

    assert stages.run([stage("first", 3), stage("second", 0)], dict(os.environ)) == 1
    printed = capfd.readouterr().out
    assert printed.index("== first ==") < printed.index("ran first") < printed.index("ran second")
    assert "FAILED (3)" in printed
    assert printed.splitlines()[-1].startswith("1 of 2 stages passed")
    assert stages.run([stage("second", 0)], dict(os.environ)) == 0


def test_checks_run_side_by_side_and_keep_their_order(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The first one waits for the second; what a stage needs comes after both."""
    there = "import pathlib, time\nwhile not pathlib.Path('there').exists(): time.sleep(0.01)\nprint('it is there')"
    programs = {"ruff": there, "format": "open('there', 'w'); print('wrote it')", "pytest": "print('at last')"}
    chosen = [stages.Stage(name, [sys.executable, "-c", program], tmp_path) for name, program in programs.items()]
    assert stages.run(chosen, dict(os.environ)) == 0
    printed = capfd.readouterr().out
    assert re.findall("== (.+) ==", printed) == ["ruff", "format", "pytest", "summary"]
    assert printed.index("it is there") < printed.index("wrote it") < printed.index("at last")


def test_names_choose_stages_and_the_rest_goes_to_pytest() -> None:
    assert stages.parse(["mypy", "pytest", "--", "-k", "mypy"]) == (["mypy", "pytest"], ["-k", "mypy"])
    assert stages.parse(["--", "-x"]) == (list(stages.NAMES), ["-x"])


def test_an_unknown_stage_names_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ending:
        stages.parse(["mypi"])
    assert ending.value.code == 2
    message = capsys.readouterr().err
    assert "there is no stage 'mypi'" in message
    assert all(name in message for name in stages.NAMES)
