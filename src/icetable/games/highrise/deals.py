"""What the deal makes of the towers when all pyramids are placed: the exact expectation over all deals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icetable.games.highrise.rules import DICE, OPEN, PIPS, PLAYERS, SIDES, SQUARES, UNSEEN, VALUES, owner
from icetable.kernels.jit import allocating, kernel
from icetable.kernels.layout import ACTOR, CHANCE, UNPROVEN

if TYPE_CHECKING:
    from icetable.kernels.jit import Floats, Ints

MAX_WORK = 1 << 18
"""The additions, some tenths of a millisecond, beyond which the deal of known numbers is not worked out."""


@kernel
def expect(state: Ints) -> float:
    """Seat 1's share on average over all deals (HR-2, HR-9, HR-10), exact but for rounding.

    UNPROVEN before all pyramids are placed, and where known numbers would take too long.
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
    """Seat 1's share where dice that nobody has seen lie under the towers.

    A die that is subtracted falls like one that is added, less 7. So the lead grows by one for each of seat 0's dice,
    falls by six for each of seat 1's, and grows by a sum of numbers from 0 to 5: one for each die. The ways to reach a
    sum are the coefficients of (1 + x + … + x⁵)ⁿ, and that sum of powers is (1 + x³)(1 + x + x²).
    """
    below = 3  # places for what is always 0
    ways = np.zeros(below + (SIDES - 1) * (own + other) + 1)
    ways[below] = 1.0
    last = below
    for _ in range(own + other):
        last += SIDES - 1
        for total in range(last, below - 1, -1):
            ways[total] += ways[total - 3]
        for total in range(last, below - 1, -1):
            ways[total] += ways[total - 1] + ways[total - 2]
    return part_behind(ways, lead + own - SIDES * other - below)


@allocating
def by_values(state: Ints, own: int, other: int, lead: int) -> float:
    """Seat 1's share where known numbers are dealt in random order.

    Counts, number by number, the ways to put `mine` of them under seat 0's towers and `theirs` under seat 1's, by the
    difference of their sums. All numbers count from the least one on.
    """
    squares = state[SQUARES]
    values = state[VALUES : VALUES + squares]
    least, most = values[0], 0
    for square in range(squares):
        least = min(least, values[square])
        most += values[square]
    most -= squares * least
    tied = squares - own - other
    if (own + 1) * (other + 1) * (tied + 1) * (2 * most + 1) > MAX_WORK:
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
    return part_behind(ways[own, other], lead + (own - other) * least - most)


@kernel
def part_behind(ways: Floats, start: int) -> float:
    """The share of the seat that is behind where a lead is negative; `ways` counts how often it is `start` and more."""
    behind, all_ways = 0.0, 0.0
    for more in range(len(ways)):
        lead = start + more
        behind += ways[more] * (1.0 if lead < 0 else 0.5 if lead == 0 else 0.0)
        all_ways += ways[more]
    return behind / all_ways
