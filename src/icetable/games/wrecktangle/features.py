"""The features of WreckTangle: threats, mobility, losses, places of pyramids, and the phase of the turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icetable.games.wrecktangle.evaluation import PREY_BITS, PREY_MASK, open_rectangles
from icetable.games.wrecktangle.rules import (
    DIE,
    DOWN,
    FACES,
    FORWARD,
    HOMES,
    KINDS,
    LEFT,
    LINE,
    LOST,
    LOST_WHEN_OUT,
    MAX_PYRAMIDS,
    MAX_SEATS,
    OWED,
    OWN,
    PYRAMIDS,
    RIGHT,
    SEAT,
    SIZES,
    UNUSED,
    UP,
    is_in,
    normal_targets,
)
from icetable.kernels.bits import lowest, popcount, without_lowest
from icetable.kernels.jit import kernel
from icetable.kernels.layout import OFFSET, SEATS, SURELY_LOST

if TYPE_CHECKING:
    from icetable.kernels.jit import Floats, Ints


def _zones() -> Ints:
    """The zone of a square, by the direction that leads away from a seat's home row. Mirror images share a zone."""
    zones = np.zeros((8, 64), np.int64)
    for square in range(64):
        file, rank = square >> 3, square & 7
        for forward, (away, across) in {
            UP: (rank, file),
            DOWN: (7 - rank, file),
            RIGHT: (file, rank),
            LEFT: (7 - file, rank),
        }.items():
            zones[forward, square] = away * 4 + min(across, 7 - across)
    return zones


ZONES = _zones()
MAX_ZONES = 32
MAX_MOVES = 48
MAX_PREY = 4

LOSSES = 1
"""By the losses of the seat, and the greatest losses of another seat."""
AWAY = LOSSES + LOST_WHEN_OUT * (LOST_WHEN_OUT + 1)
"""By the number of pyramids outside the home rows."""
MOVES = AWAY + PYRAMIDS + 1
"""By the number of normal moves."""
PHASES = MOVES + MAX_MOVES + 1
"""By the phase of the seat's own turn: the moves left, and the face of its die."""
PLACES = PHASES + 1 + 4 * (FACES + 1)
"""By owner, size and zone of a pyramid."""
THREATS = PLACES + 2 * SIZES * MAX_ZONES
"""By prey on either side of the coin, and whether it is the seat's turn: the probability of completing a rectangle."""
BEST = THREATS + 2 * MAX_PREY * MAX_PREY
"""Expected prey of the best rectangle on either side of the coin, by whether it is the seat's turn."""
LINES = BEST + 4
"""By axis: the pairs of own pyramids outside the home rows on the same line."""
FEATURES = LINES + 4
MAX_ACTIVE = MAX_SEATS * (1 + 5 + MAX_PYRAMIDS + 20 + 2 + 4)


@kernel
def features(state: Ints, active: Ints, amounts: Floats, ends: Ints) -> None:
    """Write the features seat by seat, and the end of each seat's features."""
    count = 0
    for seat in range(state[SEATS]):
        if is_in(state, seat):
            count = features_of(state, seat, active, amounts, count)
        else:
            active[count], amounts[count] = OFFSET, SURELY_LOST
            count += 1
        ends[seat] = count


@kernel
def features_of(state: Ints, seat: int, active: Ints, amounts: Floats, first: int) -> int:
    """Write the features of a seat from index `first`, and return the index after the last."""
    lost = 0
    for other in range(state[SEATS]):
        if other != seat:
            lost = max(lost, min(state[LOST + other], LOST_WHEN_OUT))
    moves = 0
    for direction in range(8):
        moves += popcount(normal_targets(state, seat, direction))
    own = state[OWN + seat]
    useful = own & ~state[HOMES]
    acting = int(state[SEAT] == seat)
    count = first
    active[count] = LOSSES + state[LOST + seat] * (LOST_WHEN_OUT + 1) + lost
    active[count + 1] = AWAY + popcount(useful)
    active[count + 2] = MOVES + min(moves, MAX_MOVES)
    stage = 1 + (state[OWED] * 2 + state[UNUSED]) * (FACES + 1) + state[DIE] + 1 if acting else 0
    active[count + 3] = PHASES + stage
    for entry in range(count, count + 4):
        amounts[entry] = 1.0
    count += 4
    zones = ZONES[state[FORWARD + seat]]
    for size in range(SIZES):
        left = state[KINDS + size]
        while left:
            square = lowest(left)
            owner = 0 if (own >> square) & 1 else SIZES
            active[count] = PLACES + (owner + size) * MAX_ZONES + zones[square]
            amounts[count] = 1.0
            count += 1
            left = without_lowest(left)
    for axis in range(4):
        pairs, left = 0, useful
        while left:
            square = lowest(left)
            left = without_lowest(left)
            pairs += popcount(left & LINE[axis, square])
        active[count], amounts[count] = LINES + axis, pairs
        count += 1
    return threats(state, seat, active, amounts, count)


@kernel
def threats(state: Ints, seat: int, active: Ints, amounts: Floats, first: int) -> int:
    """Like `features_of`, for the rectangles that lack one corner of a seat."""
    acting = int(state[SEAT] == seat)
    best, later_best = 0.0, 0.0
    end = first + open_rectangles(state, seat, amounts[first:], active[first:])
    for count in range(first, end):
        now = min(active[count] & PREY_MASK, MAX_PREY - 1)
        later = min(active[count] >> PREY_BITS, MAX_PREY - 1)
        active[count] = THREATS + (acting * MAX_PREY + now) * MAX_PREY + later
        best = max(best, amounts[count] * now)
        later_best = max(later_best, amounts[count] * later)
    active[end], amounts[end] = BEST + 2 * acting, best
    active[end + 1], amounts[end + 1] = BEST + 2 * acting + 1, later_best
    return end + 2
