"""The encoding of actions and observations of High Rise for learning programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icetable.extras.encoding import Encoding, Plane, Symmetry, for_each_seat
from icetable.games.highrise.rules import (
    COLOURS_PER_STASH,
    DICE,
    HIDES,
    KNOWN,
    LEFT,
    LOG,
    NUMBERS,
    PLAYERS,
    ROLL,
    SEAT_BITS,
    SIDES,
    SIGHT,
    SIZE_BITS,
    SIZES,
    SQUARES,
    TOWER,
    VALUES,
    copies,
    seat_of,
    size_of,
    square_of,
)
from icetable.kernels.jit import clear, kernel, spread
from icetable.kernels.layout import ACTOR, NOBODY, TURN

if TYPE_CHECKING:
    from icetable.extras.encoding import Bytes
    from icetable.games.highrise.compiled import CompiledHighRise
    from icetable.kernels.jit import Ints

SIZE_WORDS = ("small", "medium", "large")
MAX_VALUE = 127
SEAT_MASK = (1 << SEAT_BITS) - 1

# The planes of a seat: its pyramids in sight by size, its stash by size, and whether it is to act.
STASH = SIZES
TO_MOVE = STASH + SIZES
PLANES_PER_SEAT = TO_MOVE + 1
# The planes after those of both seats.
COMMON = PLAYERS * PLANES_PER_SEAT
COVERED, NUMBER, SHOWN, MEMORY, FACES = COMMON, COMMON + 1, COMMON + 2, COMMON + 3, COMMON + 4
"""From FACES on come planes for the numbers that all players know, one for each side of a die."""


def describe(game: CompiledHighRise) -> Encoding:
    """Describe the encoding."""
    squares = len(game.board.names)
    counts = [(word, min(MAX_VALUE, COLOURS_PER_STASH * copies(squares, size))) for size, word in enumerate(SIZE_WORDS)]
    each = [
        *(Plane(f"{size} in sight", "number in sight here", number) for size, number in counts),
        *(Plane(f"{size} stash", "number left to place", number) for size, number in counts),
        Plane("turn", "1 if this seat is to act"),
    ]
    common = [
        Plane("covered", "number of pyramids out of sight here; 0 at the end and without `memory`", MAX_VALUE),
        Plane("number", f"the number of the square, once it is shown, at most {MAX_VALUE}", MAX_VALUE),
        Plane("shown", "1 once the numbers are shown"),
        Plane("memory", "1 if a larger pyramid hides what it covers"),
        *(
            Plane(f"numbers {face}", f"how many of the known numbers are {face}", squares)
            for face in range(1, SIDES + 1)
        ),
    ]
    return Encoding(
        version=0,
        actions=SIZES * squares,
        numbering=tuple(
            (size * squares, f"place a {word} pyramid on a square") for size, word in enumerate(SIZE_WORDS)
        ),
        height=game.options["rows"],
        width=game.options["cols"],
        cells="square a1, b1, … row by row",
        planes=(*for_each_seat(PLAYERS, each), *common),
        symmetries=tuple(_exchange(squares, other) for other in range(1, squares)),
    )


def _exchange(squares: int, other: int) -> Symmetry:
    """Swap the first square with another one: the places of squares do not matter (HR-1)."""
    cells = np.arange(squares)
    cells[[0, other]] = other, 0
    actions = (np.arange(SIZES)[:, None] * squares + cells).ravel()
    return Symmetry(f"first square and square {other}", (0, 1), cells, actions)


@kernel
def action_of(state: Ints, act: int) -> int:
    """The action of a kernel act, whatever its colour."""
    if act >= ROLL:
        return -1
    return int(size_of(act) * state[SQUARES] + square_of(act))


@kernel
def act_of(state: Ints, action: int) -> int:
    """The kernel act of an action, without a colour."""
    squares = state[SQUARES]
    size = int(action >= squares) + int(action >= 2 * squares)
    return int(size << 6 | (action - size * squares))


@kernel
def observe(state: Ints, seat: int, planes: Bytes) -> None:
    """Write a seat's observation: before the end without pyramids hidden by larger ones (HR-7), and without numbers."""
    clear(planes[0])
    for after in range(PLAYERS):
        other = seat if after == 0 else 1 - seat
        first = after * PLANES_PER_SEAT
        for size in range(SIZES):
            planes[0, first + STASH + size] = min(MAX_VALUE, state[LEFT + other * SIZES + size])
        planes[0, first + TO_MOVE] = state[ACTOR] == other
    planes[0, MEMORY] = state[HIDES]
    planes[0, SHOWN] = state[ACTOR] == NOBODY
    if state[DICE] == KNOWN:
        count_known(state, planes)
    spread(planes)
    if state[HIDES] and state[ACTOR] != NOBODY:
        show_visible(state, seat, planes)
    else:
        show_all(state, seat, planes)
    if state[ACTOR] == NOBODY:
        for square in range(state[SQUARES]):
            planes[square, NUMBER] = min(MAX_VALUE, state[NUMBERS + square])


@kernel
def count_known(state: Ints, planes: Bytes) -> None:
    """Count the numbers that all players know, by sides of a die."""
    for square in range(state[SQUARES]):
        number = state[VALUES + square]
        if 1 <= number <= SIDES:
            planes[0, FACES + number - 1] += 1


@kernel
def show_all(state: Ints, seat: int, planes: Bytes) -> None:
    """Show all pyramids, if none are hidden."""
    for turn in range(state[TURN]):
        entry = state[LOG + turn]
        planes[square_of(entry), (seat_of(entry) ^ seat) * PLANES_PER_SEAT + size_of(entry)] += 1


@kernel
def show_visible(state: Ints, seat: int, planes: Bytes) -> None:
    """Show the pyramids not hidden by a larger one, and the number of the others (HR-7)."""
    for square in range(state[SQUARES]):
        word = state[SIGHT + square]
        own, other = word >> seat * SEAT_BITS, word >> (1 - seat) * SEAT_BITS
        seen = 0
        for size in range(SIZES):
            first, second = own >> size * SIZE_BITS & SEAT_MASK, other >> size * SIZE_BITS & SEAT_MASK
            planes[square, size], planes[square, PLANES_PER_SEAT + size] = first, second
            seen += first + second
        planes[square, COVERED] = min(MAX_VALUE, (word >> TOWER) - seen)
