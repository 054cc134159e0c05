"""The evaluation of WreckTangle: losses, pyramids outside the home rows, mobility, and threats."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from icetable.games.wrecktangle.rules import (
    BOARD,
    COIN,
    DIE,
    DRONE,
    FACES,
    FORWARD,
    HOMES,
    KINDS,
    LAST,
    LINE,
    LOST,
    MAX_FORMED,
    OWED,
    OWN,
    PASSABLE,
    PAWN,
    SWAP,
    TILTS,
    TURNS,
    UNUSED,
    WILD,
    caught,
    is_in,
    normal_targets,
    occupied,
    step,
)
from icetable.kernels.bits import bit, lowest, popcount, without_lowest
from icetable.kernels.jit import allocating, kernel
from icetable.kernels.layout import ACTOR, NOBODY, SEATS, share, share_by_strength

if TYPE_CHECKING:
    from icetable.kernels.jit import Floats, Ints

# Weights in log-odds, fitted to the results of self-play of the search.
LOSS_WEIGHTS = (0.0, 0.45, 1.57)
"""The cost of lost pyramids, by their number, beyond their value on the board."""
OUTSIDE_WEIGHT = 0.3
"""The value of a pyramid outside the home rows, the only place where it helps to capture."""
MOBILITY_WEIGHT = 0.08
"""The value of each possible normal move."""
PREY_WEIGHT = 0.6
"""The value of each pyramid that the best rectangle within reach would capture."""
LATER_PREY_WEIGHT = 0.25
"""The same for the other side of the coin."""
MIN_COMPLETION_PROBABILITY = 0.12
"""The probability of completing a rectangle that no single move completes."""
PREY_BITS = 6
PREY_MASK = (1 << PREY_BITS) - 1
MAX_OPEN = 20
"""The number of triples of six pyramids. A triple can have at most one fourth corner."""


@allocating
def evaluate(state: Ints, values: Floats) -> None:
    """Write each seat's expected share of the game, exact when it is over."""
    if state[ACTOR] == NOBODY:
        share(state, values)
        return
    odds, prey = np.empty(MAX_OPEN), np.empty(MAX_OPEN, np.int64)
    for seat in range(state[SEATS]):
        values[seat] = strength(state, seat, odds, prey) if is_in(state, seat) else -math.inf
    share_by_strength(state, values)


@kernel
def strength(state: Ints, seat: int, odds: Floats, prey: Ints) -> float:
    """The strength of a seat that is in the game, in log-odds. `odds` and `prey`: for `open_rectangles`."""
    moves = 0
    for direction in range(8):
        moves += popcount(normal_targets(state, seat, direction))
    outside = popcount(state[OWN + seat] & ~state[HOMES])
    return (
        outside * OUTSIDE_WEIGHT
        + moves * MOBILITY_WEIGHT
        + threat(state, seat, odds, prey)
        - LOSS_WEIGHTS[state[LOST + seat]]
    )


@kernel
def threat(state: Ints, seat: int, odds: Floats, prey: Ints) -> float:
    """The value of the rectangles that lack one corner of a seat. `odds` and `prey`: for `open_rectangles`."""
    now, later = 0.0, 0.0
    for number in range(open_rectangles(state, seat, odds, prey)):
        now = max(now, odds[number] * (prey[number] & PREY_MASK))
        later = max(later, odds[number] * (prey[number] >> PREY_BITS))
    return now * PREY_WEIGHT + later * LATER_PREY_WEIGHT


@kernel
def open_rectangles(state: Ints, seat: int, odds: Floats, prey: Ints) -> int:
    """Write the rectangles that lack one corner of a seat, at most MAX_OPEN, and return their number.

    For each one the probability of completing it, and the number of pyramids that it would capture: in the low bits
    with the coin as it lies, above PREY_BITS with the coin turned.
    """
    own = state[OWN + seat]
    useful = own & ~state[HOMES]
    others = occupied(state) & ~own
    last = LAST + seat * MAX_FORMED
    count = 0
    for tilt in range(state[TILTS]):
        along, across = tilt << 1, tilt << 1 | 1
        left = useful
        while left:
            square = lowest(left)
            left = without_lowest(left)
            sides = useful & LINE[along, square] & ~bit(square)
            while sides:
                along_corner = lowest(sides)
                sides = without_lowest(sides)
                ends = useful & LINE[across, square] & ~bit(square)
                while ends:
                    across_corner = lowest(ends)
                    ends = without_lowest(ends)
                    missing = LINE[across, along_corner] & LINE[along, across_corner] & ~(own | state[HOMES])
                    corners = bit(square) | bit(along_corner) | bit(across_corner) | missing
                    if missing and corners != state[last] and corners != state[last + 1]:
                        odds[count] = completion_probability(state, seat, missing, own & ~corners)
                        later = popcount(caught(corners, state[COIN] ^ 1) & others)
                        prey[count] = later << PREY_BITS | popcount(caught(corners, state[COIN]) & others)
                        count += 1
    return count


@kernel
def completion_probability(state: Ints, seat: int, target: int, movers: int) -> float:
    """The probability that a seat can bring one of its `movers` to a square in its turn, or in what is left of it."""
    acting = state[ACTOR] == seat
    if (not acting or state[OWED]) and moves_to(state, target, movers):
        return 1.0
    if acting and not state[UNUSED]:
        return MIN_COMPLETION_PROBABILITY
    faces = faces_to(state, seat, target, movers)
    if acting:
        return 1.0 if (faces >> state[DIE]) & 1 else MIN_COMPLETION_PROBABILITY
    return max(popcount(faces) / FACES, MIN_COMPLETION_PROBABILITY)


@kernel
def moves_to(state: Ints, target: int, movers: int) -> bool:
    """Whether a normal move can bring one of the `movers` to a square (WT-6)."""
    free = BOARD & ~occupied(state)
    if target & free == 0:
        return False
    for direction in range(8):
        idle = state[KINDS + PAWN] if direction & 1 else state[KINDS + DRONE]
        if step(step(target, direction) & (free | state[PASSABLE]), direction) & movers & ~idle:
            return True
    return False


@kernel
def faces_to(state: Ints, seat: int, target: int, movers: int) -> int:
    """The faces of the die, as bits, with which a seat can bring one of its `movers` to a square (WT-7)."""
    if movers == 0:
        return 0
    if target & occupied(state):
        return 1 << SWAP | 1 << WILD
    faces = 0
    for turn in range(8):
        if (TURNS[WILD] >> turn) & 1 and step(target, (state[FORWARD + seat] + turn + 4) & 7) & movers:
            faces |= 1 << WILD
            for face in range(SWAP):
                faces |= ((TURNS[face] >> turn) & 1) << face
    return faces
