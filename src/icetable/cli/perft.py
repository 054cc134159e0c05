"""`icetable perft`: count the sequences of acts of a given length."""

from __future__ import annotations

from typing import TYPE_CHECKING

import icetable
from icetable.cli.choosing import game_of
from icetable.cli.options import add_game_options
from icetable.core.daemons import wait_for
from icetable.core.errors import GameError

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from icetable.core.game import State


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--depth", type=int, required=True, metavar="N", help="the number of acts of a sequence")
    add_game_options(parser)
    parser.add_argument("--divide", action="store_true", help="print a count for each first act")


def run(chosen: Namespace) -> int:
    state, depth = game_of(chosen).start(), chosen.depth
    if chosen.divide and depth < 1:
        raise GameError(f"--divide needs a depth of at least 1, not {depth}")
    print(divide(state, depth) if chosen.divide else wait_for(lambda: icetable.perft(state, depth)))
    return 0


def divide(state: State, depth: int) -> int:
    """Print the number of sequences that begin with each act, and return their sum."""
    total = 0
    for seat in sorted(state.to_act):
        for act in state.legal_actions(seat):
            after = state.apply(act, seat)
            count = wait_for(lambda after=after: icetable.perft(after, depth - 1))  # type: ignore[misc]
            print(f"{act} {count}", flush=True)
            total += count
    return total
