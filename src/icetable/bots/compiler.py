"""A program: `python -m icetable.bots.compiler GAME` compiles a game's kernels into the cache.

After each kernel it prints the number of compiled kernels and their total number.
"""

from __future__ import annotations

import sys

from icetable import games
from icetable.bots.compilation import alone, load
from icetable.kernels import jit


def main(name: str) -> None:
    def report(compiled: int, total: int) -> None:
        sys.stdout.write(f"{compiled} {total}\n")
        sys.stdout.flush()  # if the server has closed the pipe, this ends the program

    with alone(name), jit.watching_compiler(report):
        load(games.load(name))


if __name__ == "__main__":
    main(sys.argv[1])
