"""The encoding of actions and observations of IceFrogs for learning programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icetable.extras.encoding import Encoding, Plane, Symmetry, for_each_seat
from icetable.games.icefrogs.rules import (
    BELOW,
    BOARD,
    BOARDS,
    COPIES,
    ENTRY,
    NONE,
    PASS,
    PASSES,
    SIZES,
    START,
    SUPPLY,
    TOP,
    seat_of,
    size_of,
)
from icetable.kernels.bits import lowest, without_lowest
from icetable.kernels.jit import clear, kernel, spread
from icetable.kernels.layout import ACTOR, SEATS, TURN, TURN_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable

    from icetable.extras.encoding import Bytes
    from icetable.games.icefrogs.compiled import CompiledIceFrogs
    from icetable.kernels.boards import HexBoard, Space
    from icetable.kernels.jit import Ints

SPACES = 37
SOURCES = SPACES + SIZES
ACTIONS = SOURCES * SPACES + 1
SIZE_WORDS = ("small", "medium", "large")
LEVELS = 4
"""Number of levels of a stack with their own planes, from the top down."""
MAX_TURNS = 100

# The planes of a seat.
DEEP = LEVELS
HOME = DEEP + SIZES
LEFT = HOME + 1
TO_MOVE = LEFT + SIZES
PLANES_PER_SEAT = TO_MOVE + 1
# The planes after those of all seats.
ON_BOARD = LEVELS * SIZES
PASSED = ON_BOARD + 1
TURNS_LEFT = PASSED + 1


def _place(board: HexBoard, space: Space) -> tuple[int, int]:
    """Row and column of a space, in axial coordinates."""
    columns = [(other.x - other.y) // 2 for other in board.spaces]
    return space.y, (space.x - space.y) // 2 - min(columns)


def _tables() -> tuple[Ints, Ints, Ints]:
    cells, numbers = np.full((2, 64), -1), np.full((2, 64), -1)
    squares = np.zeros((2, SPACES), np.int64)
    for index, board in enumerate(BOARDS.values()):
        for number, space in enumerate(board.spaces):
            row, column = _place(board, space)
            cells[index, space.square] = row * side_of(board) + column
            numbers[index, space.square], squares[index, number] = number, space.square
    return cells, numbers, squares


def side_of(board: HexBoard) -> int:
    """The height and width of the array for a board."""
    return len(board.row_lengths)


CELLS, NUMBERS, SQUARES = _tables()
"""The cells and the numbers of spaces by board and square, and their squares by board and number."""
STAR_MASK = BOARDS["star"].mask


def describe(game: CompiledIceFrogs) -> Encoding:
    """Describe the encoding."""
    board = BOARDS[game.options["board"]]
    each = [
        *(Plane(f"level {level}", f"owns the pyramid {level} levels below the top") for level in range(LEVELS)),
        *(Plane(f"deep {size}", f"{size} pyramids further down", COPIES) for size in SIZE_WORDS),
        Plane("start", "the start space"),
        *(Plane(f"{size} supply", "number still to enter", COPIES) for size in SIZE_WORDS),
        Plane("turn", "1 if this seat is to act"),
    ]
    levels = [
        Plane(f"{size} at level {level}", f"the pyramid {level} levels below the top is {size}")
        for level in range(LEVELS)
        for size in SIZE_WORDS
    ]
    common = [
        Plane("board", "1 on spaces, 0 on cells without one"),
        Plane("passes", "number of passes in a row", game.players),
        Plane("turns left", f"turns before the game is drawn, at most {MAX_TURNS}; 0 without a limit", MAX_TURNS),
    ]
    return Encoding(
        version=0,
        actions=ACTIONS,
        numbering=(
            (0, f"from space n // {SPACES} to space n % {SPACES}, numbered a1, b1, b2, … row by row"),
            (SPACES * SPACES, f"a small, medium or large pyramid enters and ends on space n % {SPACES}"),
            (ACTIONS - 1, "pass"),
        ),
        height=side_of(board),
        width=side_of(board),
        cells="row y, column (x - y) / 2, both from 0: neighbours along a row and in two of three directions",
        planes=(*for_each_seat(game.players, each), *levels, *common),
        symmetries=tuple(symmetries(game.players, board)),
    )


def symmetries(players: int, board: HexBoard) -> list[Symmetry]:
    """The rotation of each player's place to the next one's, if there is one; for two players also a reflection."""
    turns = {2: 3, 3: 2, 4: 3, 6: 1}
    found = []
    if players in turns:
        seats = tuple((seat + (2 if players == 4 else 1)) % players for seat in range(players))
        found.append(_symmetry("turn", board, seats, lambda x, y: _turned(x, y, turns[players])))
    if players == 2:
        sixths = 0 if board is BOARDS["star"] else 5  # keeps the start spaces in place
        found.append(_symmetry("mirror", board, (0, 1), lambda x, y: _turned(-x, y, sixths)))
    return found


def _turned(x: int, y: int, sixths: int) -> tuple[int, int]:
    """A place rotated counter-clockwise about the middle of the board, which has the coordinates 0, 0."""
    for _ in range(sixths):
        x, y = (x - 3 * y) // 2, (x + y) // 2
    return x, y


def _symmetry(
    name: str, board: HexBoard, seats: tuple[int, ...], image_of: Callable[[int, int], tuple[int, int]]
) -> Symmetry:
    """The symmetry that maps each space to its image, in coordinates from the middle of the board."""
    middle, side = len(board.row_lengths) // 2, side_of(board)
    by_place = {(space.x, space.y): number for number, space in enumerate(board.spaces)}
    spaces = np.zeros(SPACES, np.int64)
    cells = np.full(side * side, -1)
    for number, space in enumerate(board.spaces):
        x, y = image_of(space.x, space.y - middle)
        image = board.spaces[by_place[x, y + middle]]
        spaces[number] = by_place[image.x, image.y]
        cells[np.ravel_multi_index(_place(board, space), (side, side))] = np.ravel_multi_index(
            _place(board, image), (side, side)
        )
    unused = cells < 0
    cells[unused] = np.setdiff1d(np.arange(side * side), cells)
    sources = np.concatenate((spaces, np.arange(SPACES, SOURCES)))
    actions = np.append((sources[:, None] * SPACES + spaces).ravel(), ACTIONS - 1)
    return Symmetry(name, seats, cells, actions)


@kernel
def board_of(state: Ints) -> int:
    """0 for the star, 1 for the hexagon."""
    return int(state[BOARD] != STAR_MASK)


@kernel
def action_of(state: Ints, act: int) -> int:
    """The action of a kernel act."""
    if act == PASS:
        return ACTIONS - 1
    board, source = board_of(state), act >> 6
    start = source - ENTRY + SPACES if source >= ENTRY else NUMBERS[board, source]
    return int(start * SPACES + NUMBERS[board, act & 63])


@kernel
def act_of(state: Ints, action: int) -> int:
    """The kernel act of an action."""
    if action == ACTIONS - 1:
        return PASS
    board, start, end = board_of(state), action // SPACES, action % SPACES
    source = start - SPACES + ENTRY if start >= SPACES else SQUARES[board, start]
    return int(source << 6 | SQUARES[board, end])


@kernel
def observe(state: Ints, seat: int, planes: Bytes) -> None:
    """Write a seat's observation. Nothing is hidden in this game."""
    seats, board = state[SEATS], board_of(state)
    levels = seats * PLANES_PER_SEAT
    clear(planes[0])
    planes[0, levels + PASSED] = state[PASSES]
    if state[TURN_LIMIT]:
        planes[0, levels + TURNS_LEFT] = min(MAX_TURNS, state[TURN_LIMIT] - state[TURN])
    for after in range(seats):
        other = seat + after if seat + after < seats else seat + after - seats
        first = after * PLANES_PER_SEAT
        for size in range(SIZES):
            planes[0, first + LEFT + size] = state[SUPPLY + other * SIZES + size]
        planes[0, first + TO_MOVE] = state[ACTOR] == other
    spread(planes)
    for after in range(seats):
        other = seat + after if seat + after < seats else seat + after - seats
        planes[CELLS[board, state[START + other]], after * PLANES_PER_SEAT + HOME] = 1
    spaces = state[BOARD]
    while spaces:
        square = lowest(spaces)
        spaces = without_lowest(spaces)
        cell = CELLS[board, square]
        planes[cell, levels + ON_BOARD] = 1
        pyramid = state[TOP + square]
        level = 0
        while pyramid != NONE:
            after = seat_of(pyramid) - seat
            first = (after if after >= 0 else after + seats) * PLANES_PER_SEAT
            if level < LEVELS:
                planes[cell, first + level] = 1
                planes[cell, levels + level * SIZES + size_of(pyramid)] = 1
            else:
                planes[cell, first + DEEP + size_of(pyramid)] += 1
            level += 1
            pyramid = state[BELOW + pyramid]
