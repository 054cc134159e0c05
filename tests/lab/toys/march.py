"""So many steps; their sum says who wins. Rule ids: TY-3 the end, TY-6 the limit of turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.kernels.jit import draw
from icetable.kernels.layout import ACTOR, COMMON, NOBODY, SEATS, TURN, TURN_LIMIT, Words, settle, share

if TYPE_CHECKING:
    from icetable.kernels.jit import Floats, Ints

WORDS = Words(COMMON)
LENGTH = WORDS.add("length", "How many steps there are.")
WIDTH = WORDS.add("width", "How many ways there are at each.")
SUM = WORDS.add("sum", "The sum of the ways that were taken.")
MAX_ACTS = 3


def legal(state: Ints, acts: Ints) -> int:
    acts[: state[WIDTH]] = range(1, state[WIDTH] + 1)
    return int(state[WIDTH])


def pick(state: Ints, acts: Ints, rng: Ints) -> int:
    return int(acts[draw(rng, legal(state, acts))])


def apply(state: Ints, act: int) -> None:
    state[TURN] += 1
    state[SUM] += act
    if state[TURN] == state[LENGTH]:
        settle(state, 1 << state[SUM] % state[SEATS], 3)
    elif state[TURN] == state[TURN_LIMIT]:
        settle(state, (1 << state[SEATS]) - 1, 6)
    else:
        state[ACTOR] = (state[ACTOR] + 1) % state[SEATS]


def evaluate(state: Ints, values: Floats) -> None:
    if state[ACTOR] == NOBODY:
        share(state, values)
    else:
        values[:] = 1 / state[SEATS]
