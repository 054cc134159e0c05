"""Counting sequences of acts."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from icetable.core.errors import GameError
from icetable.core.game import State
from icetable.core.numbers import is_integer
from icetable.core.options import short_repr
from icetable.kernels import jit
from icetable.kernels.layout import ACTOR, NOBODY, Rules

if TYPE_CHECKING:
    from icetable.kernels.jit import Ints

rules = cast("Rules", None)  # bound for each game

MAX_DEPTH = 1000


def perft(state: State, depth: int) -> int:
    """The number of sequences of exactly `depth` acts from a state.

    Each outcome of chance counts once. Sequences that the end of the game cuts short do not count. Raises GameError if
    the depth is not an integer from 0 to 1000, and for a game without turns.

    >>> import icetable
    >>> icetable.perft(icetable.load("icefrogs").start(), 2)
    36
    """
    if not isinstance(state, State):
        raise GameError(f"perft counts from a State, not from {short_repr(state)}")
    if not is_integer(depth) or not 0 <= depth <= MAX_DEPTH:
        raise GameError(f"a depth is a whole number from 0 to {MAX_DEPTH}, not {short_repr(depth)}")
    return state.game.perft(state, depth)


@jit.kernel
def count_sequences(positions: Ints, acts: Ints, left: Ints) -> int:
    """The number of sequences of exactly `len(positions)` acts from `positions[0]`.

    `positions`, `acts` and `left` are buffers with a row for each depth: a position, its legal acts, and the number of
    acts not yet tried.
    """
    last = len(positions) - 1
    if positions[0, ACTOR] == NOBODY:
        return 0
    total = 0
    depth = 0
    left[0] = rules.legal(positions[0], acts[0])
    while depth >= 0:
        if depth == last:
            total += left[depth]
            left[depth] = 0
        if left[depth] == 0:
            depth -= 1
            continue
        left[depth] -= 1
        deeper = depth + 1
        jit.copy(positions[depth], positions[deeper])
        rules.apply(positions[deeper], acts[depth, left[depth]])
        if positions[deeper, ACTOR] != NOBODY:
            left[deeper] = rules.legal(positions[deeper], acts[deeper])
            depth = deeper
    return total
