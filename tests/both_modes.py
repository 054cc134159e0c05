"""A program run in either mode: in this process, and in one that runs the other mode."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from contextlib import redirect_stdout

from icetable.kernels import jit


def said_in_both_modes(program: str) -> str:
    """The output of a program, the same in the plain and in the compiled mode; warnings are errors."""
    other = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, "ICETABLE_JIT": "1" if jit.ALWAYS_PLAIN else "0"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    with redirect_stdout(io.StringIO()) as here:
        exec(program, {})
    assert here.getvalue() == other
    return other
