"""A program run in either gear, each in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys


def said_in_both_gears(program: str) -> tuple[str, str]:
    """What a program prints in the plain and in the fast gear; warnings are errors."""
    plain, fast = (
        subprocess.run(
            [sys.executable, "-W", "error", "-c", program],
            env={**os.environ, "ICETABLE_JIT": gear},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for gear in ("0", "1")
    )
    return plain, fast
