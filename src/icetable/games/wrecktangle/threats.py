"""Threats: the rectangles that a seat could complete with one move in the current position."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icetable.games.wrecktangle.evaluation import faces_to, moves_to
from icetable.games.wrecktangle.game import FACES
from icetable.games.wrecktangle.rules import (
    BOARD,
    COIN,
    DIE,
    HOMES,
    MAX_SEATS,
    OWED,
    OWN,
    SEAT,
    UNUSED,
    caught,
    counts,
    is_in,
    names_of,
    occupied,
    rectangle,
)
from icetable.kernels.bits import bit, lowest, without_lowest
from icetable.kernels.jit import allocating, kernel
from icetable.kernels.layout import ACTOR, NOBODY, SEATS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from icetable.kernels.jit import Ints

BY_MOVE = 1 << len(FACES)
"""The bit for completion by a normal move. The lower bits are the faces of the die that allow completion."""
WORDS_PER_THREAT = 5
"""Seat, corners, missing corner, ways of completion, prey."""
MAX_THREATS = 20 * MAX_SEATS
"""20 is the number of triples of six pyramids. A triple can have at most one fourth corner."""


def threats(position: Ints) -> Iterator[tuple[int, tuple[str, ...], str, list[str], list[str]]]:
    """The threats of all seats: the seat, the corners, the missing one, the ways to it, and the prey."""
    found = np.empty(MAX_THREATS * WORDS_PER_THREAT, np.int64)
    words = found[: find_threats(position, found)].tolist()
    for first in range(0, len(words), WORDS_PER_THREAT):
        seat, corners, missing, ways, prey = words[first : first + WORDS_PER_THREAT]
        faces = [face for number, face in enumerate(FACES) if ways >> number & 1]
        by_move = ["move"] if ways & BY_MOVE else []
        yield seat, names_of(corners), names_of(missing)[0], [*by_move, *faces], list(names_of(prey))


@allocating
def find_threats(state: Ints, found: Ints) -> int:
    """Write the threats of all seats to `found`, WORDS_PER_THREAT words each, and return the number of words."""
    end = 0
    if state[ACTOR] == NOBODY:
        return end
    complete = state.copy()
    for seat in range(state[SEATS]):
        own = state[OWN + seat]
        complete[SEAT] = seat
        left = BOARD & ~(own | state[HOMES]) if is_in(state, seat) else 0
        while left:
            square = lowest(left)
            left = without_lowest(left)
            complete[OWN + seat] = own | bit(square)
            index = 0
            corners = rectangle(complete, square, index)
            while corners:
                ways = ways_to(state, seat, bit(square), own & ~corners)
                if ways and counts(complete, corners):
                    found[end], found[end + 1], found[end + 2], found[end + 3] = seat, corners, bit(square), ways
                    found[end + 4] = caught(corners, state[COIN]) & occupied(state) & ~own
                    end += WORDS_PER_THREAT
                index += 1
                corners = rectangle(complete, square, index)
        complete[OWN + seat] = own
    return end


@kernel
def ways_to(state: Ints, seat: int, target: int, movers: int) -> int:
    """The ways to bring one of a seat's `movers` to a square with one move, in this turn or else its next one."""
    acting = state[ACTOR] == seat
    ways = 0
    if (not acting or state[OWED]) and moves_to(state, target, movers):
        ways = BY_MOVE
    if not acting:
        ways |= faces_to(state, seat, target, movers)
    elif state[UNUSED]:
        ways |= faces_to(state, seat, target, movers) & (1 << state[DIE])
    return ways
