"""The encoding of actions and observations of WreckTangle for learning programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icetable.extras.encoding import Encoding, Plane, Symmetry, for_each_seat
from icetable.games.wrecktangle.rules import (
    BOARD,
    COIN,
    DIE,
    DIE_MOVE,
    DIE_SWAP,
    END,
    FACES,
    FORWARD,
    HEADS,
    HOME_ROWS,
    HOME_TURNS,
    KINDS,
    LAST,
    LOST,
    MAX_FORMED,
    MOVE,
    NAMES,
    OWED,
    OWN,
    PASSABLE,
    PYRAMIDS,
    ROLL,
    SEAT,
    SHIFT,
    SIZES,
    STAYS,
    TILTS,
    UNUSED,
    VERBS,
)
from icetable.games.wrecktangle.rules import SQUARES as SQUARES_BY_NAME
from icetable.kernels.bits import lowest, without_lowest
from icetable.kernels.jit import clear, kernel, spread
from icetable.kernels.layout import SEATS, TURN, TURN_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable

    from icetable.extras.encoding import Bytes
    from icetable.games.wrecktangle.compiled import CompiledWreckTangle
    from icetable.kernels.jit import Ints

SIDE = 8
SPACES = 60
DIRECTIONS = 8
FIRST_DIE_MOVE = SPACES * DIRECTIONS
FIRST_SWAP = 2 * FIRST_DIE_MOVE
LAST_ACTION = FIRST_SWAP + SPACES * (SPACES - 1) // 2
ACTIONS = LAST_ACTION + 1
SIZE_WORDS = ("pawn", "drone", "queen")
FACE_WORDS = ("away", "toward", "diagonally away", "diagonally toward", "swap", "wild")
MAX_TURNS = 100

# The planes of a seat.
HOME = SIZES
LAST_CAPTURE = HOME + 1
CAPTURED = LAST_CAPTURE + 1
TO_MOVE = CAPTURED + 1
PLANES_PER_SEAT = TO_MOVE + 1
# The planes after those of all seats.
ON_BOARD, LEAP, TILTED, HOME_COIN, FALLEN, HEADS_UP, ROLLED = range(7)
OWED_PLANE = ROLLED + FACES
UNUSED_PLANE = OWED_PLANE + 1
TURNS_LEFT = UNUSED_PLANE + 1


def _numbers() -> Ints:
    numbers = np.full(64, -1)
    for number, square in enumerate(sorted(NAMES)):
        numbers[square] = number
    return numbers


NUMBERS = _numbers()
"""The number of each square; -1 off the board."""
SPACES_IN_ORDER = np.array(sorted(NAMES))
"""The squares by number."""
SWAP_OFFSETS = np.array([FIRST_SWAP + lower * (2 * SPACES - lower - 1) // 2 - lower - 1 for lower in range(SPACES)])
"""By the number of a swap's lower square: its action is this offset plus the number of the higher square."""
LOWER_OF = np.array([lower for lower in range(SPACES) for _ in range(lower + 1, SPACES)])
"""The number of the lower square of each swap."""
HIGHER_OF = np.array([higher for lower in range(SPACES) for higher in range(lower + 1, SPACES)])
"""The number of the higher square of each swap."""
HOMES_BY_DIRECTION = np.array(
    [sum(1 << SQUARES_BY_NAME[name] for name in HOME_ROWS.get(direction, ())) for direction in range(DIRECTIONS)]
)
MAX_SHIFT = 2 * max(SHIFT)


def _directions() -> Ints:
    directions = np.full(2 * MAX_SHIFT + 1, -1)
    for direction, shift in enumerate(SHIFT):
        directions[[MAX_SHIFT + shift, MAX_SHIFT + 2 * shift]] = direction
    return directions


def _targets() -> Ints:
    """The target of each move, by its number of steps minus 1; its own square if it would leave the board."""
    targets = np.zeros((2, FIRST_DIE_MOVE), np.int64)
    for steps in (1, 2):
        for number, square in enumerate(sorted(NAMES)):
            for direction, shift in enumerate(SHIFT):
                target = square + steps * shift
                is_straight = abs((target & 7) - (square & 7)) in (0, steps)  # false if it wraps around an edge
                stays = target in NAMES and is_straight
                targets[steps - 1, number * DIRECTIONS + direction] = target if stays else square
    return targets


TARGETS = _targets()
DIRECTION = _directions()
"""The direction of one or two steps, by MAX_SHIFT plus the difference of the squares; -1 if there is none."""


def describe(game: CompiledWreckTangle) -> Encoding:
    """Describe the encoding."""
    each = [
        *(Plane(size, "stands here") for size in SIZE_WORDS),
        Plane("home", "the home row"),
        Plane("last capture", "the corners of the rectangles of its last capture"),
        Plane("lost", "number of its captured pyramids", PYRAMIDS),
        Plane("turn", "1 if it is this seat's turn"),
    ]
    common = [
        Plane("board", "1 on squares, 0 on the corners, which are not on the board"),
        Plane("leap", "1 if normal moves may pass over a pyramid"),
        Plane("tilted", "1 if tilted rectangles count"),
        Plane("home coin", "1 if a rectangle with a corner in a home row turns the coin"),
        Plane("fallen stay", "1 if the pyramids of a player who is out stay"),
        Plane("heads", "1 if the coin shows heads"),
        *(Plane(f"die {face}", "the face of the die") for face in FACE_WORDS),
        Plane("owed", "1 until the normal move is made"),
        Plane("unused", "1 until the die move is made"),
        Plane("turns left", f"turns before the game is drawn, at most {MAX_TURNS}; 0 without a limit", MAX_TURNS),
    ]
    steps = "from square n // 8, numbered a2 … a7, b1 … b8 and so on, in direction n % 8, clockwise from up the ranks"
    return Encoding(
        version=0,
        actions=ACTIONS,
        numbering=(
            (0, f"a normal move {steps}"),
            (FIRST_DIE_MOVE, f"a die move {steps}"),
            (FIRST_SWAP, "a swap, by the lower square and then by the higher one"),
            (LAST_ACTION, "end the turn"),
        ),
        height=SIDE,
        width=SIDE,
        cells="square a1, b1, … rank by rank",
        planes=(*for_each_seat(game.players, each), *common),
        symmetries=tuple(symmetries(game.players)),
    )


def symmetries(players: int) -> list[Symmetry]:
    """For two players a reflection, and a half turn that swaps the seats; for four a quarter turn, clockwise."""
    if players == 2:
        return [
            _symmetry("left and right", (0, 1), lambda x, y: (SIDE - 1 - x, y), lambda direction: -direction),
            _symmetry("half turn", (1, 0), lambda x, y: (SIDE - 1 - x, SIDE - 1 - y), lambda direction: direction + 4),
        ]
    if players == 4:
        return [
            _symmetry("quarter turn", (1, 2, 3, 0), lambda x, y: (y, SIDE - 1 - x), lambda direction: direction + 2)
        ]
    return []


def _symmetry(
    name: str,
    seats: tuple[int, ...],
    image_of: Callable[[int, int], tuple[int, int]],
    heading: Callable[[int], int],
) -> Symmetry:
    """The symmetry that maps files and ranks, and directions, to their images."""
    squares = np.zeros(SPACES, np.int64)
    cells = np.zeros(SIDE * SIDE, np.int64)
    for y in range(SIDE):
        for x in range(SIDE):
            file, rank = image_of(x, y)
            cells[y * SIDE + x] = rank * SIDE + file
            if (x << 3 | y) in NAMES:
                squares[NUMBERS[x << 3 | y]] = NUMBERS[file << 3 | rank]
    headings = np.array([heading(direction) % DIRECTIONS for direction in range(DIRECTIONS)])
    moves = (squares[:, None] * DIRECTIONS + headings).ravel()
    ends = np.sort(np.stack([squares[LOWER_OF], squares[HIGHER_OF]]), axis=0)
    swaps = SWAP_OFFSETS[ends[0]] + ends[1]
    return Symmetry(name, seats, cells, np.concatenate((moves, FIRST_DIE_MOVE + moves, swaps, [LAST_ACTION])))


@kernel
def action_of(state: Ints, act: int) -> int:
    """The action of a kernel act."""
    verb, source, target = act & VERBS, act >> 6 & 63, act & 63
    if verb == END:
        return LAST_ACTION
    if verb == ROLL:
        return -1
    if verb == DIE_SWAP:
        return int(SWAP_OFFSETS[NUMBERS[source]] + NUMBERS[target])
    direction = DIRECTION[MAX_SHIFT + target - source]
    if direction < 0:
        return -1
    return int((FIRST_DIE_MOVE if verb == DIE_MOVE else 0) + NUMBERS[source] * DIRECTIONS + direction)


@kernel
def act_of(state: Ints, action: int) -> int:
    """The kernel act of an action. A move that would leave the board goes to its own square, which is never legal."""
    if action == LAST_ACTION:
        return END
    if action >= FIRST_SWAP:
        lower = LOWER_OF[action - FIRST_SWAP]
        return int(DIE_SWAP | SPACES_IN_ORDER[lower] << 6 | SPACES_IN_ORDER[action - SWAP_OFFSETS[lower]])
    verb, steps = MOVE, 2
    if action >= FIRST_DIE_MOVE:
        verb, steps = DIE_MOVE, 1
        action -= FIRST_DIE_MOVE
    source = SPACES_IN_ORDER[action >> 3]
    return int(verb | source << 6 | TARGETS[steps - 1, action])


@kernel
def mark(squares: int, planes: Bytes, plane: int) -> None:
    """Set a plane to 1 on some squares."""
    while squares:
        square = lowest(squares)
        planes[(square & 7) << 3 | square >> 3, plane] = 1
        squares = without_lowest(squares)


@kernel
def observe(state: Ints, seat: int, planes: Bytes) -> None:
    """Write a seat's observation. Nothing is hidden in this game."""
    seats = state[SEATS]
    common = seats * PLANES_PER_SEAT
    clear(planes[0])
    planes[0, common + LEAP] = state[PASSABLE] != 0
    planes[0, common + TILTED] = state[TILTS] == 2
    planes[0, common + HOME_COIN] = state[HOME_TURNS]
    planes[0, common + FALLEN] = state[STAYS]
    planes[0, common + HEADS_UP] = state[COIN] == HEADS
    if state[DIE] >= 0:
        planes[0, common + ROLLED + state[DIE]] = 1
    planes[0, common + OWED_PLANE] = state[OWED]
    planes[0, common + UNUSED_PLANE] = state[UNUSED]
    if state[TURN_LIMIT]:
        planes[0, common + TURNS_LEFT] = min(MAX_TURNS, state[TURN_LIMIT] - state[TURN])
    for after in range(seats):
        other = seat + after if seat + after < seats else seat + after - seats
        planes[0, after * PLANES_PER_SEAT + CAPTURED] = state[LOST + other]
        planes[0, after * PLANES_PER_SEAT + TO_MOVE] = state[SEAT] == other
    spread(planes)
    mark(BOARD, planes, common + ON_BOARD)
    for after in range(seats):
        other = seat + after if seat + after < seats else seat + after - seats
        first = after * PLANES_PER_SEAT
        for size in range(SIZES):
            mark(state[OWN + other] & state[KINDS + size], planes, first + size)
        mark(HOMES_BY_DIRECTION[state[FORWARD + other]], planes, first + HOME)
        for number in range(MAX_FORMED):
            mark(state[LAST + other * MAX_FORMED + number], planes, first + LAST_CAPTURE)
