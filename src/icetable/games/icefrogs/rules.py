"""The kernel of IceFrogs: the rules over one int64 array.

A set of spaces is an int64 with a bit for each space (`boards`). A stack is a linked list from `TOP` down through
`BELOW`. A pyramid is a number: `seat << 5 | size << 3 | 0…4`. `WORDS` says what else a position holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icetable.kernels.bits import bit, lowest, nth, popcount, without_lowest
from icetable.kernels.boards import ROW_STRIDE, HexBoard
from icetable.kernels.jit import draw, kernel
from icetable.kernels.layout import ACTOR, COMMON, SEATS, TURN, TURN_LIMIT, Words, settle

if TYPE_CHECKING:
    from icetable.kernels.jit import Ints

SMALL, MEDIUM, LARGE = 0, 1, 2
SIZES = 3
COPIES = 5
MAX_SEATS = 6
NONE = -1

PYRAMIDS_PER_SEAT = 32

WORDS = Words(COMMON)
BOARD = WORDS.add("board", "The set of all spaces.")
GOALS = WORDS.add("goals", "The starting spaces of all players.")
PASSES = WORDS.add("passes", "The number of passes in a row.")
TOPS = WORDS.add("tops", "By size: the set of the spaces with a top of that size.", SIZES)
OWN = WORDS.add("own", "By seat: the set of the spaces with a top of its own.", MAX_SEATS)
START = WORDS.add("start", "By seat: its starting space.", MAX_SEATS)
SUPPLY = WORDS.add("supply", "By seat and size: the number of pyramids that have not entered.", MAX_SEATS * SIZES)
TOP = WORDS.add("top", "By space: the pyramid on top; NONE on an empty space.", 64)
BELOW = WORDS.add("below", "By pyramid: the next one down; NONE at the bottom.", MAX_SEATS * PYRAMIDS_PER_SEAT)

# An act is `source << 6 | last space`. A source is a space, or ENTRY + size for a new pyramid, or PASS.
ENTRY = 64
PASS = (ENTRY + SIZES) << 6
MAX_SOURCES = SIZES * COPIES  # a size that can still enter has a pyramid off the board

# After the acts come buffers that process all sources of moves in parallel, each source in a lane, numbered from 0. The
# compiler vectorizes loops over lanes if the offsets of the buffers are multiples of VECTOR.
VECTOR = 4
LANES = 20  # MAX_SOURCES, rounded up to whole vectors
SOURCE = MAX_SOURCES * 37
ORIGIN = SOURCE + LANES
LOWER = ORIGIN + LANES
LANDING = LOWER + LANES
LANDED = LANDING + LANES
TARGETS = LANDED + LANES
MAX_ACTS = TARGETS + LANES

BOARDS = {"star": HexBoard((1, 2, 7, 6, 5, 6, 7, 2, 1)), "hexagon": HexBoard((4, 5, 6, 7, 6, 5, 4))}
# IF-4: the points of the board, counter-clockwise from the bottom, and those of each number of players.
POINTS = {"star": ("a1", "c7", "g7", "i1", "g1", "c1"), "hexagon": ("a1", "a4", "d7", "g4", "g1", "d1")}
PLACES = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 5: (0, 1, 2, 3, 4), 6: (0, 1, 2, 3, 4, 5)}


def start(players: int, board: str, turn_limit: int) -> Ints:
    """The position before the first act (IF-1, IF-3 … IF-5)."""
    spaces = BOARDS[board]
    state = np.zeros(BELOW + players * PYRAMIDS_PER_SEAT, np.int64)
    state[SEATS], state[TURN_LIMIT], state[BOARD] = players, turn_limit, spaces.mask
    state[SUPPLY : SUPPLY + players * SIZES] = COPIES
    state[TOP:] = NONE
    for seat, place in enumerate(PLACES[players]):
        square = spaces.by_name[POINTS[board][place]].square
        state[START + seat] = square
        state[GOALS] |= bit(square)
    return state


@kernel
def pyramid_of(seat: int, size: int, copy: int) -> int:
    """The number of a pyramid."""
    return seat << 5 | size << 3 | copy


@kernel
def seat_of(pyramid: int) -> int:
    """The seat of a pyramid."""
    return pyramid >> 5


@kernel
def size_of(pyramid: int) -> int:
    """SMALL, MEDIUM or LARGE."""
    return (pyramid >> 3) & 3


@kernel
def around(spaces: int) -> int:
    """All neighbours of some spaces, with bits off the board (IF-2)."""
    return (
        spaces << 1
        | spaces >> 1
        | spaces << ROW_STRIDE
        | spaces >> ROW_STRIDE
        | spaces << (ROW_STRIDE - 1)
        | spaces >> (ROW_STRIDE - 1)
    )


@kernel
def beyond(spaces: int, over: int) -> int:
    """The landings of straight leaps from some spaces over one of the spaces `over`, with bits off the board (IF-9)."""
    return (
        (spaces << 1 & over) << 1
        | (spaces >> 1 & over) >> 1
        | (spaces << ROW_STRIDE & over) << ROW_STRIDE
        | (spaces >> ROW_STRIDE & over) >> ROW_STRIDE
        | (spaces << (ROW_STRIDE - 1) & over) << (ROW_STRIDE - 1)
        | (spaces >> (ROW_STRIDE - 1) & over) >> (ROW_STRIDE - 1)
    )


@kernel
def occupied(state: Ints) -> int:
    """The spaces with pyramids."""
    return state[TOPS] | state[TOPS + 1] | state[TOPS + 2]


@kernel
def tops_up_to(state: Ints, size: int) -> int:
    """The spaces with tops of at most a size."""
    tops = 0
    for other in range(size + 1):
        tops |= state[TOPS + other]
    return tops


@kernel
def tops_from(state: Ints, size: int) -> int:
    """The spaces with tops of at least a size."""
    tops = 0
    for other in range(size, SIZES):
        tops |= state[TOPS + other]
    return tops


@kernel
def ends(origin: int, landed: int, landing: int, resting: int, empty: int, home: int) -> int:
    """The possible ends of a move from `origin` whose jumps land on `landed`; it may continue from `resting` spaces."""
    step = around(origin) & landing  # IF-8
    last_step = around(landed & resting) & landing & ~empty  # IF-11
    return (step | landed | last_step) & ~(origin | home)  # IF-14, IF-13


@kernel
def reach(origin: int, lower: int, empty: int, higher: int, home: int, goals: int) -> int:
    """The spaces at which a move from one of the spaces `origin` may end.

    The pyramid may leap over `lower`, and land on `empty` (and continue) or on `higher` (and stay). The pyramid below
    it at its origin (IF-12) does not matter: each jump is two spaces long, so a chain may return to the origin but
    never leaps over it, and continuing from there reaches no new space.
    """
    landing = empty | higher
    resting = empty & ~goals  # IF-10, IF-16
    landed = 0
    leaping = origin if around(origin) & lower else 0
    while leaping:
        fresh = beyond(leaping, lower) & landing & ~landed  # IF-9
        landed |= fresh
        leaping = fresh & resting
    return ends(origin, landed, landing, resting, empty, home)


@kernel
def fill_lanes(state: Ints, acts: Ints) -> int:
    """Assign a lane to each source of a move, and return the number of sources (IF-6, IF-7)."""
    seat = state[ACTOR]
    sources = 0
    lower = 0
    landing = state[BOARD]
    for size in range(SIZES):
        tops = state[TOPS + size]
        lower |= tops
        acts[SOURCE + sources] = ENTRY + size
        acts[ORIGIN + sources] = bit(state[START + seat])
        acts[LOWER + sources] = lower
        acts[LANDING + sources] = landing
        sources += state[SUPPLY + seat * SIZES + size] > 0  # otherwise the next source overwrites the lane
        movers = state[OWN + seat] & tops
        while movers:
            acts[SOURCE + sources] = lowest(movers)
            acts[ORIGIN + sources] = bit(lowest(movers))
            acts[LOWER + sources] = lower
            acts[LANDING + sources] = landing
            sources += 1
            movers = without_lowest(movers)
        landing &= ~tops
    for lane in range(sources, sources + VECTOR - 1):
        acts[ORIGIN + lane] = 0
    return sources


@kernel
def find_moves(state: Ints, acts: Ints) -> int:
    """Write each source of a move to SOURCE and the spaces that it can `reach` to TARGETS; return the number of moves.

    This is `reach` for all lanes in parallel, until no lane has a further leap.
    """
    lanes = (fill_lanes(state, acts) + VECTOR - 1) & -VECTOR
    home = bit(state[START + state[ACTOR]])
    empty = state[BOARD] & ~(state[TOPS] | state[TOPS + 1] | state[TOPS + 2])  # a call here costs a tenth of a playout
    resting = empty & ~(state[GOALS] & ~home)  # IF-10, IF-16
    for lane in range(LANES):
        acts[LANDED + lane] = 0
    leaping = 1
    while leaping:
        leaping = 0
        for lane in range(lanes):
            before = landed = acts[LANDED + lane]
            for _ in range(2):  # two jumps per pass save memory traffic
                before = landed
                leapers = acts[ORIGIN + lane] | (landed & resting)
                landed |= beyond(leapers, acts[LOWER + lane]) & acts[LANDING + lane]  # IF-9
            acts[LANDED + lane] = landed
            leaping |= landed & ~before & resting
    moves = 0
    for lane in range(lanes):
        targets = ends(acts[ORIGIN + lane], acts[LANDED + lane], acts[LANDING + lane], resting, empty, home)
        acts[TARGETS + lane] = targets
        moves += popcount(targets)
    return moves


@kernel
def legal(state: Ints, acts: Ints) -> int:
    """Write the legal acts and return their number."""
    moves = find_moves(state, acts)
    if moves == 0:  # IF-17
        acts[0] = PASS
        return 1
    count = lane = 0
    while count < moves:
        source = acts[SOURCE + lane] << 6
        targets = acts[TARGETS + lane]
        while targets:
            acts[count] = source | lowest(targets)
            targets = without_lowest(targets)
            count += 1
        lane += 1
    return moves


@kernel
def pick(state: Ints, acts: Ints, rng: Ints) -> int:
    """Draw a uniformly random legal act. `acts` is a buffer."""
    moves = find_moves(state, acts)
    if moves == 0:
        return PASS
    index = draw(rng, moves)
    lane = 0
    while index >= popcount(acts[TARGETS + lane]):
        index -= popcount(acts[TARGETS + lane])
        lane += 1
    return acts[SOURCE + lane] << 6 | nth(acts[TARGETS + lane], index)


@kernel
def lift(state: Ints, square: int) -> int:
    """Take the top pyramid off a space."""
    pyramid = state[TOP + square]
    away = ~bit(square)
    state[OWN + seat_of(pyramid)] &= away
    state[TOPS + size_of(pyramid)] &= away
    beneath = state[BELOW + pyramid]
    state[TOP + square] = beneath
    if beneath != NONE:
        state[OWN + seat_of(beneath)] |= bit(square)
        state[TOPS + size_of(beneath)] |= bit(square)
    return pyramid


@kernel
def put(state: Ints, pyramid: int, square: int) -> None:
    """Set a pyramid on top of a space."""
    beneath = state[TOP + square]
    if beneath != NONE:
        state[OWN + seat_of(beneath)] &= ~bit(square)
        state[TOPS + size_of(beneath)] &= ~bit(square)
    state[BELOW + pyramid] = beneath
    state[TOP + square] = pyramid
    state[OWN + seat_of(pyramid)] |= bit(square)
    state[TOPS + size_of(pyramid)] |= bit(square)


@kernel
def take_from_supply(state: Ints, seat: int, size: int) -> int:
    """Take a pyramid from a seat's supply."""
    state[SUPPLY + seat * SIZES + size] -= 1
    return pyramid_of(seat, size, state[SUPPLY + seat * SIZES + size])


@kernel
def apply(state: Ints, act: int) -> None:
    """Play a legal act, in place."""
    state[TURN] += 1
    if act == PASS:
        state[PASSES] += 1
        find_end(state)
        return
    source, target = act >> 6, act & 63
    new = source >= ENTRY
    pyramid = take_from_supply(state, state[ACTOR], source - ENTRY) if new else lift(state, source)
    put(state, pyramid, target)
    state[PASSES] = 0
    find_end(state)


@kernel
def find_end(state: Ints) -> None:
    """End the game if the turn just played by ACTOR ends it, otherwise pass the turn (IF-5)."""
    seat, seats = state[ACTOR], state[SEATS]
    reached = state[GOALS] & (state[TOPS] | state[TOPS + 1] | state[TOPS + 2])
    if reached:
        settle(state, bit(seat), 16)
    elif state[PASSES] == seats:
        settle(state, bit(seats) - 1, 17)
    elif state[TURN] == state[TURN_LIMIT] and state[TURN] > 0:
        settle(state, bit(seats) - 1, 18)
    else:
        state[ACTOR] = seat + 1 if seat + 1 < seats else 0  # a division would cost more than everything else
