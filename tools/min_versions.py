#!/usr/bin/env python3
"""Runs the tests of the interfaces with the oldest library versions that pyproject.toml allows.

The minimum versions are as low as possible, so that icetable installs beside programs that pin older ones.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from tempfile import TemporaryDirectory

import bootstrap

TESTS = {
    "gymnasium": ("test_gymnasium.py", "test_opponents.py"),
    "pettingzoo": ("test_pettingzoo.py",),
    "openspiel": ("test_openspiel.py",),
}
"""The test files of each extra."""


def main() -> int:
    project = tomllib.loads((bootstrap.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    failed = []
    for extra, names in TESTS.items():
        (requirement,) = project["optional-dependencies"][extra]
        oldest = requirement.replace(">=", "==")
        with TemporaryDirectory() as folder:
            install = [bootstrap.find_uv(), "pip", "install", "--no-deps", "--target", folder, oldest]
            subprocess.run(install, check=True)
            tests = [str(bootstrap.ROOT / "tests" / "envs" / name) for name in names]
            print(f"\n== {oldest} ==", flush=True)
            run = [sys.executable, "-m", "pytest", "-q", *tests]
            if subprocess.run(run, env={**os.environ, "PYTHONPATH": folder}, cwd=bootstrap.ROOT).returncode:
                failed.append(oldest)
    print(f"Failed: {', '.join(failed)}" if failed else "All minimum versions work.")
    return len(failed)


if __name__ == "__main__":
    sys.exit(main())
