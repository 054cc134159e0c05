"""The encoding of actions and observations of Who's On The Squad? for learning programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icetable.extras.encoding import Encoding, Plane, Symmetry, for_each_seat
from icetable.games.squad.rules import (
    ALL_IN_TIES,
    ANYONE_STUCK,
    BOARD,
    BOARDS,
    CAPTAIN,
    CAPTAIN_KIND,
    CORNERS,
    FACE,
    KINDS,
    OF_SIZE,
    OWN_ONLY,
    PYRAMIDS,
    SIZES,
    SUPPLY,
    UP_TO,
)
from icetable.kernels.bits import lowest, without_lowest
from icetable.kernels.jit import clear, kernel, spread
from icetable.kernels.layout import ACTOR, SEATS

if TYPE_CHECKING:
    from icetable.extras.encoding import Bytes
    from icetable.games.squad.compiled import CompiledSquad
    from icetable.kernels.jit import Ints

KIND_WORDS = ("freshman", "sophomore", "junior", "captain")

# The planes of a seat: its friends by kind, then constant planes for supplies, face and turn.
LEFT = KINDS
SHOWN = LEFT + SIZES
TO_MOVE = SHOWN + 1
PLANES_PER_SEAT = TO_MOVE + 1
# The planes after those of all seats.
UP_TO_PLANE, OWN_ONLY_PLANE, CORNER_PLANE, STUCK_PLANE, TIE_PLANE = range(5)


def describe(game: CompiledSquad) -> Encoding:
    """Describe the encoding."""
    side, squares = game.squares.columns, len(game.squares.spaces)
    trios = game.options["trios"]
    each = [
        *(Plane(kind, "stands here") for kind in KIND_WORDS),
        *(Plane(f"{kind} supply", "number still to be placed", trios) for kind in KIND_WORDS[:SIZES]),
        Plane("die", "the number that the captain shows", 4),
        Plane("turn", "1 if this seat is to act"),
    ]
    common = [
        Plane("up to", "1 if `formation` is `up-to`"),
        Plane("own only", "1 if `friends` is `own`"),
        Plane("corner begins", "1 if three play and `begins` is `corner`"),
        Plane("anyone stuck", "1 if `stuck` is `anyone`"),
        Plane("all in ties", "1 if `tie` is `all`"),
    ]
    return Encoding(
        version=0,
        actions=KINDS * squares,
        numbering=tuple((kind * squares, f"place a {word} on a square") for kind, word in enumerate(KIND_WORDS)),
        height=side,
        width=side,
        cells="square a1, b1, … row by row",
        planes=(*for_each_seat(game.players, each), *common),
        symmetries=tuple(symmetries(game.players, side)),
    )


def symmetries(players: int, side: int) -> list[Symmetry]:
    """A quarter turn and a reflection."""
    board = np.arange(side * side).reshape(side, side)
    images = {"quarter turn": np.rot90(board), "left and right": np.fliplr(board)}
    return [
        Symmetry(
            name,
            tuple(range(players)),
            image.ravel(),
            (np.arange(KINDS)[:, None] * side * side + image.ravel()).ravel(),
        )
        for name, image in images.items()
    ]


def _cells() -> Ints:
    """The cell of each square, -1 off the board, by board (see `is_large`)."""
    cells = np.full((2, 64), -1)
    for large, side in enumerate((4, 6)):
        for space in BOARDS[side].spaces:
            cells[large, space.square] = space.y * side + space.x
    return cells


CELLS = _cells()
SQUARES = np.array([[int((row == cell).argmax()) for cell in range(36)] for row in CELLS])
"""The square of each cell, by board (see `is_large`)."""


@kernel
def is_large(state: Ints) -> int:
    """1 for a board with 6 squares per side, 0 for one with 4."""
    return int(state[BOARD] >> 4 & 1)


@kernel
def cells_of(large: int) -> int:
    """The number of squares."""
    return 36 if large else 16


@kernel
def action_of(state: Ints, act: int) -> int:
    """The action of a kernel act."""
    large = is_large(state)
    return int((act >> 6) * cells_of(large) + CELLS[large, act & 63])


@kernel
def act_of(state: Ints, action: int) -> int:
    """The kernel act of an action."""
    large = is_large(state)
    kind = 0
    while action >= cells_of(large):  # a division costs more
        action -= cells_of(large)
        kind += 1
    return int(kind << 6 | SQUARES[large, action])


@kernel
def mark(squares: int, large: int, planes: Bytes, plane: int) -> None:
    """Set a plane to 1 on some squares."""
    while squares:
        planes[CELLS[large, lowest(squares)], plane] = 1
        squares = without_lowest(squares)


@kernel
def observe(state: Ints, seat: int, planes: Bytes) -> None:
    """Write a seat's observation. Nothing is hidden in this game."""
    seats, large = state[SEATS], is_large(state)
    common = seats * PLANES_PER_SEAT
    clear(planes[0])
    for after in range(seats):
        other = seat + after if seat + after < seats else seat + after - seats
        first = after * PLANES_PER_SEAT
        for size in range(SIZES):
            planes[0, first + LEFT + size] = state[SUPPLY + other * SIZES + size]
        planes[0, first + SHOWN] = state[FACE + other]
        planes[0, first + TO_MOVE] = state[ACTOR] == other
    planes[0, common + UP_TO_PLANE] = state[UP_TO]
    planes[0, common + OWN_ONLY_PLANE] = state[OWN_ONLY]
    planes[0, common + CORNER_PLANE] = state[CORNERS] != 0
    planes[0, common + STUCK_PLANE] = state[ANYONE_STUCK]
    planes[0, common + TIE_PLANE] = state[ALL_IN_TIES]
    spread(planes)
    for after in range(seats):
        other = seat + after if seat + after < seats else seat + after - seats
        first = after * PLANES_PER_SEAT
        for size in range(SIZES):
            mark(state[PYRAMIDS + other] & state[OF_SIZE + size], large, planes, first + size)
        mark(state[CAPTAIN + other], large, planes, first + CAPTAIN_KIND)
