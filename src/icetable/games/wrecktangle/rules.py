"""The kernel of WreckTangle: the rules over one int64 array.

A square is `file << 3 | rank`, both from 0, so that the lower square has the lower number (WT-8). A set of squares is
an int64 with a bit for each; the sign bit would be h8, which is no square of the board. A rectangle is the set of its
four corners.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icetable.kernels.bits import bit, lowest, members, nth, popcount, without_lowest
from icetable.kernels.jit import draw, kernel
from icetable.kernels.layout import ACTOR, CHANCE, COMMON, NOBODY, SEATS, TURN, TURN_LIMIT, Words, settle

if TYPE_CHECKING:
    from icetable.kernels.jit import Ints

PAWN, DRONE, QUEEN = 0, 1, 2
SIZES = 3
COPIES = 2
PYRAMIDS = SIZES * COPIES
MAX_SEATS = 4
LOST_WHEN_OUT = 3
MAX_FORMED = 2
"""Maximum number of rectangles of six pyramids that share a corner, including tilted ones."""
NONE = -1

AWAY, TOWARD, DIAG_AWAY, DIAG_TOWARD, SWAP, WILD = 0, 1, 2, 3, 4, 5
FACES = 6
HEADS, TAILS = 0, 1

WORDS = Words(COMMON)
HOMES = WORDS.add("homes", "The home rows of all players.")
PASSABLE = WORDS.add("passable", "The squares on which a normal move may pass over a pyramid.")
TILTS = WORDS.add("tilts", "1: only upright rectangles count. 2: tilted ones count too.")
STAYS = WORDS.add("stays", "1: the pyramids of a player who is out stay on the board.")
HOME_TURNS = WORDS.add("home_turns", "1: a rectangle with a corner in a home row turns the coin.")
SEAT = WORDS.add("seat", "The seat whose turn it is.")
DIE = WORDS.add("die", "The face that was rolled; NONE before the roll.")
OWED = WORDS.add("owed", "1 until the normal move is made.")
UNUSED = WORDS.add("unused", "1 until the die move is made.")
COIN = WORDS.add("coin", "HEADS or TAILS.")
FORWARD = WORDS.add("forward", "By seat: the direction that leads away from its home row.", MAX_SEATS)
LOST = WORDS.add("lost", "By seat: the number of its captured pyramids.", MAX_SEATS)
OWN = WORDS.add("own", "By seat: the squares of its pyramids.", MAX_SEATS)
KINDS = WORDS.add("kinds", "By size: the squares of the pyramids of that size.", SIZES)
LAST = WORDS.add("last", "By seat: the rectangles of its last capture, 0 for none.", MAX_SEATS * MAX_FORMED)

# An act is `verb << 12 | source << 6 | target`; a swap's source is the lower square, a roll's target the face.
MOVE, DIE_MOVE, DIE_SWAP, END, ROLL = 0, 1 << 12, 2 << 12, 3 << 12, 4 << 12
VERBS = ~0xFFF
MAX_FANS = 8 + 6 * MAX_SEATS
MAX_PYRAMIDS = PYRAMIDS * MAX_SEATS
MAX_ACTS = MAX_PYRAMIDS * (MAX_PYRAMIDS - 1) // 2 + 6 * MAX_PYRAMIDS + 8 * PYRAMIDS + 1

# WT-1
FILES, RANKS = "abcdefgh", "12345678"
CORNERS = ("a1", "a8", "h1", "h8")
SQUARES = {
    name: file << 3 | rank
    for file in range(8)
    for rank in range(8)
    if (name := FILES[file] + RANKS[rank]) not in CORNERS
}
NAMES = {square: name for name, square in SQUARES.items()}
BOARD = sum(1 << square for square in NAMES)

# Directions go clockwise from up the ranks; odd ones are diagonal. Opposite directions differ by 4.
UP, RIGHT, DOWN, LEFT = 0, 2, 4, 6
SHIFT = (1, 9, 8, 7, -1, -9, -8, -7)
LEFT_SHIFT = tuple(max(shift, 0) for shift in SHIFT)
RIGHT_SHIFT = tuple(max(-shift, 0) for shift in SHIFT)
LOWEST_RANK = sum(1 << square for square in NAMES if square & 7 == 0)
HIGHEST_RANK = sum(1 << square for square in NAMES if square & 7 == 7)
ENTERED = tuple(
    BOARD & ~(LOWEST_RANK if direction in (7, 0, 1) else HIGHEST_RANK if direction in (3, 4, 5) else 0)
    for direction in range(8)
)
"""By direction: the squares that a step can enter, without those that it would reach by wrapping around the board."""

# WT-7: by face, the directions in which a pyramid may move, relative to its home row, as bits.
TURNS = (0b00000001, 0b00010000, 0b10000010, 0b00101000, 0, 0b10111011)

# WT-3: by number of players, the direction that leads away from each home row; and the squares of the rows.
SEATING = {2: (UP, DOWN), 3: (UP, RIGHT, DOWN), 4: (UP, RIGHT, DOWN, LEFT)}
HOME_ROWS = {
    UP: tuple(f"{file}1" for file in FILES[1:-1]),
    RIGHT: tuple(f"a{rank}" for rank in RANKS[1:-1]),
    DOWN: tuple(f"{file}8" for file in FILES[1:-1]),
    LEFT: tuple(f"h{rank}" for rank in RANKS[1:-1]),
}
LINE_UP = (PAWN, DRONE, QUEEN, QUEEN, DRONE, PAWN)

# The four directions of lines, in pairs that cross at right angles: files and ranks, and the two diagonals.
AXES = (
    [square >> 3 for square in range(64)],
    [square & 7 for square in range(64)],
    [(square >> 3) + (square & 7) for square in range(64)],
    [(square >> 3) - (square & 7) for square in range(64)],
)
LINE = np.array(
    [[sum(1 << other for other in NAMES if axis[other] == axis[square]) for square in range(64)] for axis in AXES],
    np.int64,
)
"""By axis and square: the line through the square."""
BEFORE = np.array(
    [[sum(1 << other for other in NAMES if axis[other] < axis[square]) for square in range(64)] for axis in AXES],
    np.int64,
)
"""By axis and square: all squares on the lower side of that line."""


def start(players: int, leap: bool, rectangles: str, home_coin: str, fallen: str, turn_limit: int) -> Ints:
    """The position before the first act (WT-2 … WT-4)."""
    state = np.zeros(WORDS.length, np.int64)
    state[SEATS], state[TURN_LIMIT], state[ACTOR], state[DIE] = players, turn_limit, CHANCE, NONE
    state[PASSABLE] = BOARD if leap else 0
    state[TILTS] = 2 if rectangles == "tilted" else 1
    state[HOME_TURNS] = home_coin == "turns"
    state[STAYS] = fallen == "stay"
    state[OWED] = state[UNUSED] = 1
    for seat, forward in enumerate(SEATING[players]):
        state[FORWARD + seat] = forward
        for name, size in zip(HOME_ROWS[forward], LINE_UP, strict=True):
            state[HOMES] |= bit(SQUARES[name])
            put(state, seat, size, SQUARES[name])
    return state


def put(state: Ints, seat: int, size: int, square: int) -> None:
    """Set a pyramid on an empty square."""
    state[OWN + seat] |= bit(square)
    state[KINDS + size] |= bit(square)


def names_of(squares: int) -> tuple[str, ...]:
    """The names of a set of squares, the lower ones first."""
    return tuple(map(NAMES.__getitem__, members(squares)))


@kernel
def occupied(state: Ints) -> int:
    """The squares with pyramids."""
    return state[KINDS] | state[KINDS + 1] | state[KINDS + 2]


@kernel
def step(squares: int, direction: int) -> int:
    """The squares one step in a direction from some squares, without steps off the board (WT-1)."""
    return (squares << LEFT_SHIFT[direction]) >> RIGHT_SHIFT[direction] & ENTERED[direction]


@kernel
def normal_targets(state: Ints, seat: int, direction: int) -> int:
    """The targets of a seat's normal moves in a direction (WT-6)."""
    free = BOARD & ~occupied(state)
    idle = state[KINDS + PAWN] if direction & 1 else state[KINDS + DRONE]
    movers = state[OWN + seat] & ~idle
    return step(step(movers, direction) & (free | state[PASSABLE]), direction) & free


@kernel
def normal_is_possible(state: Ints) -> bool:
    """Whether there is a normal move, owed or not."""
    targets = 0
    for direction in range(8):
        targets |= normal_targets(state, state[SEAT], direction)
    return targets != 0


@kernel
def die_is_possible(state: Ints) -> bool:
    """Whether the roll allows a die move, even if the move has been made already (WT-7).

    A swap is always possible: a player in the game has at least four pyramids, so not all on the board are alike.
    """
    turns = TURNS[state[DIE]]
    if state[DIE] == SWAP or state[DIE] == WILD:
        return True
    free = BOARD & ~occupied(state)
    for seat in range(state[SEATS]):
        for turn in range(8):
            if (turns >> turn) & 1 and step(state[OWN + seat], (state[FORWARD + seat] + turn) & 7) & free:
                return True
    return False


@kernel
def normal_fans(state: Ints, acts: Ints, first: int) -> int:
    """Write the normal moves to `acts` from index `first`, as one pair of numbers for each direction (WT-6).

    The first number plus `target << 6 | target` is an act; the second is the set of targets. Returns the index after
    the last pair.
    """
    end = first
    if state[OWED]:
        for direction in range(8):
            targets = normal_targets(state, state[SEAT], direction)
            if targets:
                acts[end] = MOVE - (SHIFT[direction] << 7)
                acts[end + 1] = targets
                end += 2
    return end


@kernel
def die_fans(state: Ints, acts: Ints, first: int) -> int:
    """Like `normal_fans`, for the die moves of single pyramids, with a pair for each colour and direction (WT-7)."""
    end = first
    if state[UNUSED]:
        free = BOARD & ~occupied(state)
        for seat in range(state[SEATS]):
            turns = TURNS[state[DIE]]
            while turns:
                direction = (state[FORWARD + seat] + lowest(turns)) & 7
                turns = without_lowest(turns)
                targets = step(state[OWN + seat], direction) & free
                if targets:
                    acts[end] = DIE_MOVE - (SHIFT[direction] << 6)
                    acts[end + 1] = targets
                    end += 2
    return end


@kernel
def may_swap(state: Ints) -> bool:
    """Whether the die move may be a swap."""
    return state[UNUSED] == 1 and (state[DIE] == SWAP or state[DIE] == WILD)


@kernel
def twins(state: Ints, seat: int, size: int) -> int:
    """The squares of the pyramids of one colour and size."""
    return state[OWN + seat] & state[KINDS + size]


@kernel
def alike(state: Ints, first: int, second: int) -> bool:
    """Whether the pyramids on two squares have one colour and size, so that a swap would change nothing (WT-8)."""
    both = bit(first) | bit(second)
    for seat in range(state[SEATS]):
        for size in range(SIZES):
            if twins(state, seat, size) & both == both:
                return True
    return False


@kernel
def legal(state: Ints, acts: Ints) -> int:
    """Write the legal acts and return their number. The end of `acts` holds the fans until they are expanded."""
    if state[ACTOR] == CHANCE:
        for face in range(FACES):
            acts[face] = ROLL | face
        return FACES
    first = MAX_ACTS - 2 * MAX_FANS
    middle = normal_fans(state, acts, first)
    end = die_fans(state, acts, middle)
    count = 0
    for fan in range(first, end, 2):
        base = acts[fan]
        targets = acts[fan + 1]
        while targets:
            target = lowest(targets)
            acts[count] = base + (target << 6 | target)
            targets = without_lowest(targets)
            count += 1
    if may_swap(state):
        left = occupied(state)
        while left:
            square = lowest(left)
            left = without_lowest(left)
            others = left
            for seat in range(state[SEATS]):
                for size in range(SIZES):
                    if twins(state, seat, size) & bit(square):
                        others &= ~twins(state, seat, size)
            while others:
                acts[count] = DIE_SWAP | square << 6 | lowest(others)
                others = without_lowest(others)
                count += 1
    if middle == first:  # WT-9: no normal move is owed and possible
        acts[count] = END
        count += 1
    return count


@kernel
def pick(state: Ints, acts: Ints, rng: Ints) -> int:
    """Draw a uniformly random legal act. `acts` is a buffer."""
    if state[ACTOR] == CHANCE:
        return ROLL | draw(rng, FACES)
    middle = normal_fans(state, acts, 0)
    end = die_fans(state, acts, middle)
    moves = 0
    for fan in range(0, end, 2):
        moves += popcount(acts[fan + 1])
    swaps = count_swaps(state) if may_swap(state) else 0
    index = draw(rng, moves + swaps + (middle == 0))
    if index >= moves:
        return END if index == moves + swaps else pick_swap(state, rng)
    fan = 0
    size = popcount(acts[1])
    while index >= size:
        index -= size
        fan += 2
        size = popcount(acts[fan + 1])
    target = nth(acts[fan + 1], index)
    return acts[fan] + (target << 6 | target)


@kernel
def count_swaps(state: Ints) -> int:
    """The number of pairs of pyramids that can be swapped: all but those of one colour and size (WT-8)."""
    pyramids = popcount(occupied(state))
    swaps = pyramids * (pyramids - 1) >> 1
    for seat in range(state[SEATS]):
        for size in range(SIZES):
            swaps -= popcount(twins(state, seat, size)) >> 1
    return swaps


@kernel
def pick_swap(state: Ints, rng: Ints) -> int:
    """Draw a uniformly random swap by rejection sampling."""
    pyramids = occupied(state)
    count = popcount(pyramids)
    while True:
        first = nth(pyramids, draw(rng, count))
        second = nth(pyramids, draw(rng, count))
        if first < second and not alike(state, first, second):
            return DIE_SWAP | first << 6 | second


@kernel
def apply(state: Ints, act: int) -> None:
    """Play a legal act, in place."""
    verb = act & VERBS
    if verb == ROLL:
        state[DIE] = act & 63
        state[ACTOR] = state[SEAT]
    elif verb == END:
        pass_turn(state)
        return
    else:
        before = state[OWN + state[SEAT]]
        exchange(state, bit(act >> 6 & 63) | bit(act & 63))
        if verb == MOVE:
            state[OWED] = 0
        else:
            state[UNUSED] = 0
        arrival = state[OWN + state[SEAT]] & ~before
        if arrival:
            wreck(state, lowest(arrival))
        if state[ACTOR] == NOBODY:
            return
    if not may_act(state):
        pass_turn(state)


@kernel
def may_act(state: Ints) -> bool:
    """Whether a move is left in a turn after the roll (WT-9)."""
    return (state[OWED] == 1 and normal_is_possible(state)) or (state[UNUSED] == 1 and die_is_possible(state))


@kernel
def exchange(state: Ints, squares: int) -> None:
    """Exchange the contents of two squares, one of which may be empty."""
    for board in range(OWN, KINDS + SIZES):
        standing = state[board] & squares
        if standing and standing != squares:
            state[board] ^= squares


@kernel
def rectangle(state: Ints, square: int, index: int) -> int:
    """The corners of rectangle number `index`, from 0, of the seat whose turn it is, with a corner on `square`.

    0 if there is no such rectangle. Two corners share a line of either axis with the square, and the fourth is the
    intersection of the other lines through them (WT-10).
    """
    own = state[OWN + state[SEAT]]
    for tilt in range(state[TILTS]):
        along, across = tilt << 1, tilt << 1 | 1
        sides = own & LINE[along, square] & ~bit(square)
        while sides:
            along_corner = lowest(sides)
            sides = without_lowest(sides)
            others = own & LINE[across, square] & ~bit(square)
            while others:
                across_corner = lowest(others)
                others = without_lowest(others)
                opposite = own & LINE[across, along_corner] & LINE[along, across_corner]
                if opposite:
                    if index == 0:
                        return bit(square) | bit(along_corner) | bit(across_corner) | opposite
                    index -= 1
    return 0


@kernel
def counts(state: Ints, corners: int) -> bool:
    """Whether a rectangle of the seat whose turn it is gets resolved (WT-12, WT-13)."""
    last = LAST + state[SEAT] * MAX_FORMED
    return corners & state[HOMES] == 0 and corners != state[last] and corners != state[last + 1]


@kernel
def caught(corners: int, coin: int) -> int:
    """The squares where a rectangle captures: inside it for heads, on its sides for tails (WT-14)."""
    low, high = lowest(corners), nth(corners, 3)
    along = 0 if low >> 3 == nth(corners, 1) >> 3 else 2
    across = along + 1
    within = BEFORE[along, high] & ~(BEFORE[along, low] | LINE[along, low])
    amid = BEFORE[across, high] & ~(BEFORE[across, low] | LINE[across, low])
    if coin == HEADS:
        return within & amid
    return within & (LINE[across, low] | LINE[across, high]) | amid & (LINE[along, low] | LINE[along, high])


@kernel
def wreck(state: Ints, square: int) -> None:
    """Resolve the rectangles formed in this turn with the pyramid on a square (WT-11)."""
    others = occupied(state) & ~state[OWN + state[SEAT]]
    turns_coin = False
    prey, captor, other_captor = 0, 0, 0
    for index in range(MAX_FORMED):
        corners = rectangle(state, square, index)
        if corners == 0:
            break
        if corners & state[HOMES] and state[HOME_TURNS]:
            turns_coin = True  # WT-12
        if counts(state, corners):
            turns_coin = True
            found = caught(corners, state[COIN]) & others
            if found:
                other_captor = captor
                captor = corners
                prey |= found
    if turns_coin:
        state[COIN] ^= 1  # WT-14
    if prey:
        last = LAST + state[SEAT] * MAX_FORMED
        state[last], state[last + 1] = captor, other_captor  # WT-13
        capture(state, prey)


@kernel
def capture(state: Ints, prey: int) -> None:
    """Remove captured pyramids, then the players who have lost too many (WT-15 … WT-17)."""
    removed = prey
    left = 0
    for seat in range(state[SEATS]):
        state[LOST + seat] += popcount(state[OWN + seat] & prey)
        if is_in(state, seat):
            left += 1
        elif not state[STAYS]:
            removed |= state[OWN + seat]
    for board in range(OWN, KINDS + SIZES):
        state[board] &= ~removed
    if left == 1:
        settle(state, bit(state[SEAT]), 17)


@kernel
def is_in(state: Ints, seat: int) -> bool:
    """Whether a player is still in the game (WT-16)."""
    return state[LOST + seat] < LOST_WHEN_OUT


@kernel
def pass_turn(state: Ints) -> None:
    """Pass the turn to the next player in the game, who has to roll, or end the game at the limit (WT-9, WT-18)."""
    state[TURN] += 1
    state[ACTOR] = CHANCE
    state[DIE] = NONE
    state[OWED] = state[UNUSED] = 1
    seat = state[SEAT]
    while True:
        seat = seat + 1 if seat + 1 < state[SEATS] else 0
        if is_in(state, seat):
            break
    state[SEAT] = seat
    if state[TURN] == state[TURN_LIMIT]:
        winners = 0
        for seat in range(state[SEATS]):
            if is_in(state, seat):
                winners |= 1 << seat
        settle(state, winners, 18)
