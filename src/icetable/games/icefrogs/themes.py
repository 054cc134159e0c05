"""The themes of puzzles of IceFrogs."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from icetable.core.game import State

MIN_LEAPS = 3
"""Minimum number of leaps in a chain."""
LONGEST_STEP = 1.5
"""Neighbours are 1 apart, the ends of a leap 2."""


def themes(state: State) -> Iterator[str]:
    """The themes of the act that led to a state."""
    assert state.parent is not None
    (path,) = [effect.spaces for effect in state.effects if effect.kind == "path"] or [()]
    if leaps(state, path) >= MIN_LEAPS:
        yield "chain of leaps"
    covered = [str(effect.value) for effect in state.effects if effect.kind == "covers"]
    if covered:
        yield "sits on its own" if covered[0].startswith(str(state.seat)) else "sits on another's"
    if "@" in str(state.act):
        yield "newcomer"
    others = (state.parent.apply(act) for act in state.parent.legal_actions())
    if not state.is_terminal and not is_lost(state) and any(map(is_lost, others)):
        yield "blockade"


def leaps(state: State, path: Sequence[str]) -> int:
    """The number of steps of a path that go farther than to a neighbour."""
    places = {space["name"]: (space["x"], space["y"]) for space in state.game.layout()["spaces"]}
    steps = [(places[before], places[after]) for before, after in itertools.pairwise(path)]
    return sum(math.dist(here, there) > LONGEST_STEP for here, there in steps)


def is_lost(state: State) -> bool:
    """Whether the next player can win immediately."""
    return any(state.apply(act).winners for act in state.legal_actions())
