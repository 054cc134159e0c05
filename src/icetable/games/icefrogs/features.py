"""The features of IceFrogs: the turns that each seat needs to a goal, the places of the tops, and the supplies."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from icetable.games.icefrogs.evaluation import MAX_TURNS_TO_GOAL, turns_to_goal
from icetable.games.icefrogs.rules import BOARD, BOARDS, COPIES, MAX_SEATS, OWN, SIZES, START, SUPPLY, TOPS
from icetable.kernels.bits import lowest, without_lowest
from icetable.kernels.jit import kernel
from icetable.kernels.layout import ACTOR, OFFSET, SEATS, SURELY_LOST

if TYPE_CHECKING:
    from icetable.kernels.boards import HexBoard, Space
    from icetable.kernels.jit import Floats, Ints

LAST_OF_STAR = 60
"""A space that only the star has."""


def _place(board: HexBoard, space: Space) -> complex:
    """The position of a space in the plane, relative to the middle of the board."""
    middle = (len(board.row_lengths) - 1) / 2
    return complex(space.x / 2, (space.y - middle) * math.sqrt(0.75))


def _zones() -> tuple[Ints, int]:
    """The number of a space's zone by board, start of a seat and space, and the number of zones.

    Spaces that are mirror images about the line from the seat's start through the middle share a zone.
    """
    numbers: dict[tuple[int, float, float], int] = {}
    zones = np.zeros((2, 64, 64), np.int64)
    for index, board in enumerate(BOARDS.values()):
        for start in board.spaces:
            for space in board.spaces:
                direction = _place(board, start) or 1
                seen = _place(board, space) * direction.conjugate() / abs(direction)
                zone = (index, round(seen.real, 3), round(abs(seen.imag), 3))
                if abs(_place(board, start)) > 2.9:
                    zones[index, start.square, space.square] = numbers.setdefault(zone, len(numbers))
    return zones, len(numbers)


ZONES, MAX_ZONES = _zones()

DISTANCES = MAX_TURNS_TO_GOAL + 1
RACE = 1
"""By the seat's fewest turns, those of its nearest opponent, and whether it is to act."""
WAYS = RACE + 2 * DISTANCES * DISTANCES
"""By the turns of each size, and whether the seat is to act."""
PLACES = WAYS + 2 * DISTANCES**3
"""By owner, size and zone of a top."""
SUPPLIES = PLACES + 2 * SIZES * MAX_ZONES
"""By size and the number in supply."""
FEATURES = SUPPLIES + SIZES * (COPIES + 1)
MAX_ACTIVE = MAX_SEATS * (1 + 2 + 37 + SIZES)


@kernel
def features(state: Ints, active: Ints, amounts: Floats, ends: Ints) -> None:
    """Write the features seat by seat, and the end of each seat's features."""
    board = 0 if (state[BOARD] >> LAST_OF_STAR) & 1 else 1
    count, nearest, next_nearest, first = 0, MAX_TURNS_TO_GOAL, MAX_TURNS_TO_GOAL, -1
    for seat in range(state[SEATS]):
        ends[seat] = 0
        shortest = MAX_TURNS_TO_GOAL
        for size in range(SIZES):
            turns = turns_to_goal(state, seat, size)
            ends[seat] = ends[seat] * DISTANCES + turns
            shortest = min(shortest, turns)
        if shortest < nearest:
            nearest, next_nearest, first = shortest, nearest, seat
        elif shortest < next_nearest:
            next_nearest = shortest
        if shortest == 1 and seat == state[ACTOR]:
            for other in range(state[SEATS]):
                if other != seat:
                    active[count], amounts[count] = OFFSET, SURELY_LOST
                    count += 1
                ends[other] = count
            return
    for seat in range(state[SEATS]):
        ways = ends[seat]
        acting = int(seat == state[ACTOR])
        mine = min(ways % DISTANCES, ways // DISTANCES % DISTANCES, ways // DISTANCES // DISTANCES)
        theirs = next_nearest if seat == first else nearest
        active[count] = RACE + (acting * DISTANCES + mine) * DISTANCES + theirs
        active[count + 1] = WAYS + acting * DISTANCES**3 + ways
        amounts[count] = amounts[count + 1] = 1.0
        count += 2
        zones = ZONES[board, state[START + seat]]
        for size in range(SIZES):
            own = state[OWN + seat] & state[TOPS + size]
            others = state[TOPS + size] & ~own
            while own:
                active[count] = PLACES + size * MAX_ZONES + zones[lowest(own)]
                amounts[count] = 1.0
                count += 1
                own = without_lowest(own)
            while others:
                active[count] = PLACES + (SIZES + size) * MAX_ZONES + zones[lowest(others)]
                amounts[count] = 1.0
                count += 1
                others = without_lowest(others)
            active[count] = SUPPLIES + size * (COPIES + 1) + state[SUPPLY + seat * SIZES + size]
            amounts[count] = 1.0
            count += 1
        ends[seat] = count
