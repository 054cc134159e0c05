"""A program: `python -m icetable.bots.compiler GAME` compiles a game's kernels into the cache.

After each kernel it prints the number of compiled kernels and the number of all.
"""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

from icetable import games
from icetable.bots.warming import warm
from icetable.core import jit

if TYPE_CHECKING:
    from collections.abc import Iterator


def main(name: str) -> None:
    def tell(compiled: int, of: int) -> None:
        sys.stdout.write(f"{compiled} {of}\n")
        sys.stdout.flush()  # if the server has closed the pipe, this ends the program

    with _alone(name), jit.watching_compiler(tell):
        warm(games.load(name))


@contextlib.contextmanager
def _alone(name: str) -> Iterator[None]:
    """Let servers that start at the same time wait for the first one's work, where the system can do that."""
    with contextlib.ExitStack() as stack:
        if sys.platform != "win32":
            import fcntl

            with contextlib.suppress(OSError):
                fcntl.flock(stack.enter_context(jit.open_lock(name)), fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    main(sys.argv[1])
