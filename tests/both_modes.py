"""A program run in either mode, each in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys


def said_in_both_modes(program: str) -> str:
    """What a program prints, the same in the plain and in the compiled mode; warnings are errors."""
    plain, fast = (
        subprocess.run(
            [sys.executable, "-W", "error", "-c", program],
            env={**os.environ, "ICETABLE_JIT": mode},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for mode in ("0", "1")
    )
    assert plain == fast
    return plain
