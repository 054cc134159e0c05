#!/usr/bin/env python3
"""Updates all locks to the newest compatible versions.

The locks hold versions and hashes but no URLs, so that they work with any mirror of the registries.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import bootstrap

PYPROJECT = bootstrap.ROOT / "pyproject.toml"
BENCH_LOCK = bootstrap.ROOT / "requirements-bench.lock"
COMPILE = ["pip", "compile", "--universal", "--python-version", "3.11", "--upgrade"]
COMPILE += ["--generate-hashes", "--no-header", "--no-annotate"]


def main() -> None:
    with TemporaryDirectory() as name, bootstrap.setup_lock():
        scratch = Path(name)
        uv = bootstrap.find_uv()
        lock_uv(uv, scratch)
        # Each lock is constrained by the one before: ./test installs everything that ./play does.
        lock_group(uv, "build", bootstrap.PLAY_LOCK)
        lock_group(uv, "test", bootstrap.TEST_LOCK, bootstrap.PLAY_LOCK)
        lock_group(uv, "bench", BENCH_LOCK, bootstrap.TEST_LOCK)
        bootstrap.install_packages(bootstrap.TEST_LOCK)
        for folder in (bootstrap.ROOT / "web", bootstrap.CHROMIUM):
            lock_npm(folder, scratch / folder.name)


def lock_uv(uv: str, scratch: Path) -> None:
    requirements = scratch / "uv.in"
    requirements.write_text("uv\n")
    bootstrap.step("the lock of uv", [uv, *COMPILE, "--output-file", str(bootstrap.UV_LOCK), str(requirements)])


def lock_group(uv: str, group: str, lock: Path, base: Path | None = None) -> None:
    extras = [] if group == "build" else ["--all-extras"]
    sources = [str(PYPROJECT), *extras, "--group", f"{PYPROJECT}:{group}"]
    constraints = ["--constraints", str(base)] if base else []
    bootstrap.step(lock.name, [uv, *COMPILE, "--output-file", str(lock), *sources, *constraints])


def lock_npm(folder: Path, scratch: Path) -> None:
    # In its own folder: npm would omit packages for other systems, which node_modules lacks.
    scratch.mkdir()
    for name in ("package.json", ".npmrc"):
        shutil.copy(folder / name, scratch)
    npm = bootstrap.find_node().npm
    bootstrap.step(f"the npm lock of {folder.name}", [*npm, "install", "--package-lock-only"], scratch)
    shutil.copy(scratch / "package-lock.json", folder)


if __name__ == "__main__":
    with bootstrap.readable_errors("tools/lock.py"):
        main()
