"""A program in place of `icetable.bots.compiler`: of a game's kernels it compiles one, which takes no time."""

from __future__ import annotations

import sys

from icetable.kernels import bits, jit

if __name__ == "__main__":
    assert bits.nth(0b1011, 2) == 3
    jit.mark_cached(sys.argv[1])
    sys.stdout.write("1 1\n")
