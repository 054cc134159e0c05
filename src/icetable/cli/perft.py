"""`icetable perft`: how many sequences of acts of a length there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import icetable
from icetable.cli.choosing import game_of
from icetable.cli.waiting import wait_for
from icetable.core.errors import GameError

if TYPE_CHECKING:
    from argparse import Namespace

    from icetable.core.game import State

DEEPEST = 99


def run(chosen: Namespace) -> int:
    state, depth = game_of(chosen).start(), chosen.depth
    least = 1 if chosen.divide else 0
    if not least <= depth <= DEEPEST:
        raise GameError(f"--depth is a whole number from {least} to {DEEPEST}, not {depth}")
    print(divide(state, depth) if chosen.divide else wait_for(lambda: icetable.perft(state, depth)))
    return 0


def divide(state: State, depth: int) -> int:
    """Print how many sequences begin with each act, and return how many there are in all."""
    total = 0
    for seat in sorted(state.to_act):
        for act in state.legal_actions(seat):
            after = state.apply(act, seat)
            count = wait_for(lambda after=after: icetable.perft(after, depth - 1))  # type: ignore[misc]
            print(f"{act} {count}", flush=True)
            total += count
    return total
