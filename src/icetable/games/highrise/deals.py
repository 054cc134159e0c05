"""The exact expected result over all deals, once all pyramids are placed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icetable.games.highrise.rules import DICE, OPEN, PIPS, PLAYERS, SIDES, SQUARES, UNSEEN, VALUES, owner
from icetable.kernels.jit import allocating, kernel
from icetable.kernels.layout import ACTOR, CHANCE, UNPROVEN

if TYPE_CHECKING:
    from icetable.kernels.jit import Floats, Ints

MAX_ADDITIONS = 1 << 18
"""Limit for the deal of known numbers, some tenths of a millisecond."""


@kernel
def expect(state: Ints) -> float:
    """Seat 1's expected share over all deals (HR-2, HR-9, HR-10), exact except for rounding.

    UNPROVEN before all pyramids are placed, and if known numbers would take too long.
    """
    if state[ACTOR] != CHANCE or state[DICE] == OPEN:
        return UNPROVEN
    own, other, lead = 0, 0, 0  # the squares that seat 0 and seat 1 control, and seat 0's lead without the numbers
    for square in range(state[SQUARES]):
        pips = PIPS + square * PLAYERS
        if owner(state, square) == 0:
            own += 1
            lead += state[pips + 1]
        elif owner(state, square) == 1:
            other += 1
            lead -= state[pips]
    if state[DICE] == UNSEEN:
        return by_dice(own, other, lead)
    return by_values(state, own, other, lead)


@allocating
def by_dice(own: int, other: int, lead: int) -> float:
    """Seat 1's expected share if unseen dice lie under the towers.

    A die that is subtracted is distributed like one that is added, minus 7. So the lead grows by 1 for each of seat 0's
    dice, falls by 6 for each of seat 1's, and grows by a number from 0 to 5 for each die. The numbers of ways to reach
    a sum are the coefficients of (1 + x + … + x⁵)ⁿ, and that sum of powers is (1 + x³)(1 + x + x²).
    """
    below = 3  # padding that is always 0
    ways = np.zeros(below + (SIDES - 1) * (own + other) + 1)
    ways[below] = 1.0
    last = below
    for _ in range(own + other):
        last += SIDES - 1
        for total in range(last, below - 1, -1):
            ways[total] += ways[total - 3]
        for total in range(last, below - 1, -1):
            ways[total] += ways[total - 1] + ways[total - 2]
    return share_behind(ways, lead + own - SIDES * other - below)


@allocating
def by_values(state: Ints, own: int, other: int, lead: int) -> float:
    """Seat 1's expected share if known numbers are dealt in random order.

    Counts, number by number, the ways to put `mine` of them under seat 0's towers and `theirs` under seat 1's, by the
    difference of their sums. All numbers are relative to the least one.
    """
    squares = state[SQUARES]
    values = state[VALUES : VALUES + squares]
    least, most = values[0], 0
    for square in range(squares):
        least = min(least, values[square])
        most += values[square]
    most -= squares * least
    tied = squares - own - other
    if (own + 1) * (other + 1) * (tied + 1) * (2 * most + 1) > MAX_ADDITIONS:
        return UNPROVEN
    ways = np.zeros((own + 1, other + 1, 2 * most + 1))
    ways[0, 0, most] = 1.0
    reach = 0
    for dealt in range(1, squares + 1):
        value = values[dealt - 1] - least
        for mine in range(min(own, dealt), -1, -1):
            for theirs in range(min(other, dealt - mine), max(0, dealt - tied - mine) - 1, -1):
                here = ways[mine, theirs]
                if mine > 0:
                    before = ways[mine - 1, theirs]
                    for total in range(most - reach, most + reach + 1):
                        here[total + value] += before[total]
                if theirs > 0:
                    before = ways[mine, theirs - 1]
                    for total in range(most - reach, most + reach + 1):
                        here[total - value] += before[total]
        reach += value
    return share_behind(ways[own, other], lead + (own - other) * least - most)


@kernel
def share_behind(ways: Floats, start: int) -> float:
    """The share of the seat that is behind if the lead is negative; `ways` counts how often it is `start`, and up."""
    behind, all_ways = 0.0, 0.0
    for more in range(len(ways)):
        lead = start + more
        behind += ways[more] * (1.0 if lead < 0 else 0.5 if lead == 0 else 0.0)
        all_ways += ways[more]
    return behind / all_ways
