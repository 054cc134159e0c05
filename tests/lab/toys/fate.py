"""Lots, and then a heap of beans. Rule ids: TY-3 the beans, TY-4 the lots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.kernels.jit import draw
from icetable.kernels.layout import ACTOR, CHANCE, COMMON, NOBODY, TURN, Words, settle, share

if TYPE_CHECKING:
    from icetable.kernels.jit import Floats, Ints

WORDS = Words(COMMON)
HEAP = WORDS.add("heap", "The beans that are left.")
LOTS = WORDS.add("lots", "The lots below this one end the game.")
FIRST = WORDS.add("first", "The lots below this one are seat 0's.")
LOT = 10  # the acts: 1 … 3 takes so many beans, 10 … 19 is a lot
MAX_TAKEN = 3
MAX_ACTS = 10


def legal(state: Ints, acts: Ints) -> int:
    if state[ACTOR] == CHANCE:
        acts[:10] = range(LOT, LOT + 10)
        return 10
    count = min(MAX_TAKEN, int(state[HEAP]))
    acts[:count] = range(1, count + 1)
    return count


def pick(state: Ints, acts: Ints, rng: Ints) -> int:
    return int(acts[draw(rng, legal(state, acts))])


def apply(state: Ints, act: int) -> None:
    if act >= LOT:
        state[ACTOR] = 0
        if act - LOT < state[LOTS]:
            settle(state, 1 if act - LOT < state[FIRST] else 2, 4)
        return
    state[TURN] += 1
    state[HEAP] -= act
    if state[HEAP] == 0:
        settle(state, 1 << state[ACTOR], 3)
    else:
        state[ACTOR] = 1 - state[ACTOR]


def evaluate(state: Ints, values: Floats) -> None:
    """Perfect play's."""
    if state[ACTOR] == NOBODY:
        share(state, values)
        return
    wins = float(state[HEAP] % (MAX_TAKEN + 1) != 0)
    if state[ACTOR] == CHANCE:
        values[0] = (state[FIRST] + (10 - state[LOTS]) * wins) / 10
    else:
        values[0] = wins if state[ACTOR] == 0 else 1 - wins
    values[1] = 1 - values[0]
