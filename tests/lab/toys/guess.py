"""The first seat guesses a coin that falls after it. Rule id: TY-3 the fall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.kernels.jit import draw
from icetable.kernels.layout import ACTOR, CHANCE, COMMON, NOBODY, TURN, Words, settle, share

if TYPE_CHECKING:
    from icetable.kernels.jit import Floats, Ints

WORDS = Words(COMMON)
GUESSED = WORDS.add("guessed", "What was guessed.")
MAX_ACTS = 2


def legal(state: Ints, acts: Ints) -> int:
    first = 10 if state[ACTOR] == CHANCE else 1
    acts[:2] = first, first + 1
    return 2


def pick(state: Ints, acts: Ints, rng: Ints) -> int:
    return int(acts[draw(rng, legal(state, acts))])


def apply(state: Ints, act: int) -> None:
    if state[ACTOR] == CHANCE:
        settle(state, 1 if act - 10 == state[GUESSED] - 1 else 2, 3)
    else:
        state[TURN] += 1
        state[GUESSED], state[ACTOR] = act, CHANCE


def evaluate(state: Ints, values: Floats) -> None:
    if state[ACTOR] == NOBODY:
        share(state, values)
    else:
        values[:] = 0.5
