"""Counting sequences of acts at kernel speed."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from icetable.core import jit
from icetable.core.kernel import ACTOR, NOBODY, Rules

if TYPE_CHECKING:
    from icetable.core.jit import Ints

rules = cast("Rules", None)  # bound for each game


@jit.kernel
def count_sequences(positions: Ints, acts: Ints, left: Ints) -> int:
    """How many sequences of exactly `len(positions)` acts there are from `positions[0]`.

    `positions`, `acts` and `left` are room to work in: a position, its legal acts, and how many of them are still
    to be tried, for each depth.
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
        positions[deeper] = positions[depth]
        rules.apply(positions[deeper], acts[depth, left[depth]])
        if positions[deeper, ACTOR] != NOBODY:
            left[deeper] = rules.legal(positions[deeper], acts[deeper])
            depth = deeper
    return total
