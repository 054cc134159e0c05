"""How programs that learn number the acts of High Rise and see its positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icetable.core.encoding import Encoding, Plane, Symmetry, fill, for_each_seat
from icetable.core.jit import kernel
from icetable.core.kernel import ACTOR, NOBODY, TURN
from icetable.games.highrise.rules import (
    COLOURS_PER_STASH,
    DEAL,
    HIDES,
    LEFT,
    LOG,
    NUMBERS,
    PLAYERS,
    SIZES,
    SQUARES,
    copies,
    seat_of,
    size_of,
    square_of,
)

if TYPE_CHECKING:
    from icetable.core.encoding import Bytes
    from icetable.core.jit import Ints
    from icetable.games.highrise.game import HighRise

SIZE_WORDS = ("small", "medium", "large")
MOST = 127

# The planes of a seat: the top of each tower by size, its pyramids in sight by size and their pips, its stash by size.
IN_SIGHT = SIZES
PIPS_IN_SIGHT = IN_SIGHT + SIZES
STASH = PIPS_IN_SIGHT + 1
TO_MOVE = STASH + SIZES
PLANES_PER_SEAT = TO_MOVE + 1
# The planes after those of both seats.
COMMON = PLAYERS * PLANES_PER_SEAT
COVERED, NUMBER, SHOWN, MEMORY = COMMON, COMMON + 1, COMMON + 2, COMMON + 3


def describe(game: HighRise) -> Encoding:
    """What the numbers mean."""
    squares = len(game.squares)
    counted = [(word, min(MOST, COLOURS_PER_STASH * copies(squares, size))) for size, word in enumerate(SIZE_WORDS)]
    each = [
        *(Plane(f"top {size}", f"the top of the tower is {size}") for size in SIZE_WORDS),
        *(Plane(f"{size} in sight", "how many stand here in sight", number) for size, number in counted),
        Plane("pips in sight", f"the pips of these, at most {MOST}", MOST),
        *(Plane(f"{size} stash", "how many are left to place", number) for size, number in counted),
        Plane("turn", "1 where this seat is to act"),
    ]
    common = [
        Plane("covered", "how many pyramids stand here out of sight; always 0 without `memory`", MOST),
        Plane("number", f"the number of the square, once it is shown, at most {MOST}", MOST),
        Plane("shown", "1 once the numbers are shown"),
        Plane("memory", "1 where a larger pyramid hides what it covers"),
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
    """The first square and another one change places: no rule cares where a square lies (HR-1)."""
    cells = np.arange(squares)
    cells[[0, other]] = other, 0
    actions = (np.arange(SIZES)[:, None] * squares + cells).ravel()
    return Symmetry(f"first square and square {other}", (0, 1), cells, actions)


@kernel
def action_of(state: Ints, act: int) -> int:
    """The action of a kernel act, whatever its colour."""
    if act >= DEAL:
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
    """Write what a seat sees: no pyramid that a larger one hides (HR-7), and no number before the end."""
    planes[:] = 0
    for turn in range(state[TURN] - 1, -1, -1):  # from the tops of the towers down
        entry = state[LOG + turn]
        cell, size = square_of(entry), size_of(entry)
        first = PLANES_PER_SEAT if seat_of(entry) != seat else 0
        larger = 0
        if state[HIDES]:
            for above in range(size + 1, SIZES):
                larger += planes[cell, IN_SIGHT + above] + planes[cell, PLANES_PER_SEAT + IN_SIGHT + above]
        if larger:
            planes[cell, COVERED] += 1
            continue
        if planes[cell, PIPS_IN_SIGHT] + planes[cell, PLANES_PER_SEAT + PIPS_IN_SIGHT] == 0:
            planes[cell, first + size] = 1
        planes[cell, first + IN_SIGHT + size] += 1
        planes[cell, first + PIPS_IN_SIGHT] = min(MOST, planes[cell, first + PIPS_IN_SIGHT] + size + 1)
    for after in range(PLAYERS):
        other = seat if after == 0 else 1 - seat
        first = after * PLANES_PER_SEAT
        for size in range(SIZES):
            fill(planes, first + STASH + size, min(MOST, state[LEFT + other * SIZES + size]))
        fill(planes, first + TO_MOVE, int(state[ACTOR] == other))
    fill(planes, MEMORY, state[HIDES])
    if state[ACTOR] == NOBODY:
        fill(planes, SHOWN, 1)
        for cell in range(state[SQUARES]):
            planes[cell, NUMBER] = min(MOST, state[NUMBERS + cell])
