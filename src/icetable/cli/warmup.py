"""`icetable warmup`: compile the kernels and cache them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from icetable import bots, games
from icetable.cli.waiting import wait_for
from icetable.core import jit

if TYPE_CHECKING:
    from argparse import Namespace

    from icetable.core.game import Game


def run(chosen: Namespace) -> int:
    loaded = [games.load(name) for name in chosen.games or (info.name for info in games.list_games())]
    if jit.ALWAYS_PLAIN:
        print("ICETABLE_JIT=0 is set, so nothing is compiled.")
        return 0
    for game in loaded:
        warm(game)
    return 0


def warm(game: Game) -> None:
    """Compile the kernels of a game and its bots, and print how long it takes."""
    print(f"{game.info.title}: compiling rules and bots …", end="", flush=True)
    start = time.perf_counter()
    wait_for(lambda: bots.warm(game))
    print(f" ready after {time.perf_counter() - start:.1f} s")
