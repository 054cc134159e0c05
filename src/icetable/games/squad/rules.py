"""The kernel of Who's On The Squad?: the rules over one int64 array.

A set of squares is an int64 with a bit for each square (`boards`). A kind is a size, or CAPTAIN_KIND.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icetable.kernels.bits import bit, lowest, nth, popcount, without_lowest
from icetable.kernels.boards import ROW_STRIDE, SquareBoard
from icetable.kernels.jit import draw, kernel
from icetable.kernels.layout import ACTOR, COMMON, SEATS, TURN, Words, settle

if TYPE_CHECKING:
    from icetable.kernels.jit import Ints

FRESHMAN, SOPHOMORE, JUNIOR = 0, 1, 2
SIZES = 3
CAPTAIN_KIND = 3
KINDS = 4
MAX_SEATS = 4
JUNIOR_POINTS = 5

WORDS = Words(COMMON)
BOARD = WORDS.add("board", "All squares.")
SITES = WORDS.add("sites", "The squares on which captains may be placed.")
UP_TO = WORDS.add("up_to", "1: a friend needs 1 neighbour to as many as its size says. 0: exactly as many (SQ-7).")
OWN_ONLY = WORDS.add("own_only", "1: only the seat's own pyramids are friends. 0: all are (SQ-6).")
ANYONE_STUCK = WORDS.add("anyone_stuck", "1: the game ends as soon as anyone is stuck. 0: when the mover is (SQ-13).")
ALL_IN_TIES = WORDS.add("all_in_ties", "1: in a tie all players win. 0: those who are tied (SQ-15).")
CORNERS = WORDS.add(
    "corners", "The first captain on one of these squares lets its seat begin; empty if seat 0 always begins."
)
FIRST = WORDS.add("first", "The seat that begins; 0 until all captains are placed.")
FRIENDS = WORDS.add("friends", "The squares of all pyramids and captains.")
OPEN = WORDS.add("open", "By kind: where the seat to act may place one. Computed once per turn.", KINDS)
OF_SIZE = WORDS.add("of_size", "By size: the squares of the pyramids of that size.", SIZES)
PYRAMIDS = WORDS.add("pyramids", "By seat: the squares of its pyramids.", MAX_SEATS)
CAPTAIN = WORDS.add("captain", "By seat: the square of its captain, as a set; empty before it is placed.", MAX_SEATS)
FACE = WORDS.add("face", "By seat: the face that its captain shows.", MAX_SEATS)
SUPPLY = WORDS.add("supply", "By seat and size: the friends that are left to place.", MAX_SEATS * SIZES)

# An act is `kind << 6 | square`. On the largest board of 36 squares, with `up-to`, a square may take all three sizes.
MAX_ACTS = 3 * 36

BOARDS = {4: SquareBoard(4, 4), 6: SquareBoard(6, 6)}


def on_edges(board: int, edges: int) -> int:
    """The squares on at least `edges` edges of the board: the rim for 1, the corners for 2."""
    last = board - 1
    return sum(
        1 << space.square for space in BOARDS[board].spaces if (space.x in (0, last)) + (space.y in (0, last)) >= edges
    )


def sites(players: int, board: int) -> int:
    """The squares on which captains may be placed: the corners, or with three players the whole rim (SQ-4)."""
    return on_edges(board, 1 if players == 3 else 2)


def start(
    players: int,
    board: int,
    trios: int,
    captain_start: int,
    begins: str,
    friends: str,
    formation: str,
    stuck: str,
    tie: str,
) -> Ints:
    """The position before the first act (SQ-1 … SQ-4)."""
    state = np.zeros(WORDS.length, np.int64)
    state[SEATS] = players
    state[BOARD] = BOARDS[board].mask
    state[SITES] = state[OPEN + CAPTAIN_KIND] = sites(players, board)
    state[UP_TO] = formation == "up-to"
    state[OWN_ONLY] = friends == "own"
    state[ANYONE_STUCK] = stuck == "anyone"
    state[ALL_IN_TIES] = tie == "all"
    if players == 3 and begins == "corner":  # otherwise seat 0 has the first captain in a corner anyway
        state[CORNERS] = on_edges(board, 2)
    state[FACE : FACE + players] = captain_start
    state[SUPPLY : SUPPLY + players * SIZES] = trios
    return state


@kernel
def around(squares: int) -> int:
    """All neighbours of some squares, with bits off the board (SQ-1)."""
    return squares << 1 | squares >> 1 | squares << ROW_STRIDE | squares >> ROW_STRIDE


@kernel
def across(origin: int, over: int) -> int:
    """The landing of a straight leap from a square over the square `over`, possibly a bit off the board (SQ-8).

    Empty if the two squares are not neighbours.
    """
    return (
        (origin << 1 & over) << 1
        | (origin >> 1 & over) >> 1
        | (origin << ROW_STRIDE & over) << ROW_STRIDE
        | (origin >> ROW_STRIDE & over) >> ROW_STRIDE
    )


# The number of friends beside a square, for all squares at once: the four shifted sets are added bitwise. `odd`, `twos`
# and `fours` are the digits of the sum.


@kernel
def odd(friends: int) -> int:
    """The squares with one or three friends around."""
    return friends << 1 ^ friends >> 1 ^ friends << ROW_STRIDE ^ friends >> ROW_STRIDE


@kernel
def twos(friends: int) -> int:
    """The squares with two or three friends around."""
    left, right, below, above = friends << 1, friends >> 1, friends << ROW_STRIDE, friends >> ROW_STRIDE
    return (left & right) ^ (below & above) ^ ((left ^ right) & (below ^ above))


@kernel
def fours(friends: int) -> int:
    """The squares with friends on all four sides."""
    return friends << 1 & friends >> 1 & friends << ROW_STRIDE & friends >> ROW_STRIDE


@kernel
def friends_of(state: Ints, seat: int) -> int:
    """The friends of the pyramids and the captain of a seat (SQ-6)."""
    return state[PYRAMIDS + seat] | state[CAPTAIN + seat] if state[OWN_ONLY] else state[FRIENDS]


@kernel
def too_popular(state: Ints, friends: int) -> int:
    """The pyramids of any colour that are adjacent to more of the `friends` than their size allows (SQ-11)."""
    one_or_three, two_or_three, four = odd(friends), twos(friends), fours(friends)
    return (
        state[OF_SIZE + FRESHMAN] & (two_or_three | four)
        | state[OF_SIZE + SOPHOMORE] & (one_or_three & two_or_three | four)
        | state[OF_SIZE + JUNIOR] & four
    )


@kernel
def find_open(state: Ints, seat: int) -> int:
    """Find the squares where a seat may place each kind (SQ-4, SQ-6, SQ-7), and return their union."""
    if state[CAPTAIN + seat] == 0:
        state[OPEN + CAPTAIN_KIND] = state[SITES] & ~state[FRIENDS]
        return state[OPEN + CAPTAIN_KIND]
    friends = friends_of(state, seat)
    empty = state[BOARD] & ~state[FRIENDS]
    one_or_three, two_or_three = odd(friends), twos(friends)
    one = one_or_three & ~two_or_three & empty
    two = two_or_three & ~one_or_three & empty
    three = one_or_three & two_or_three & empty
    if state[UP_TO]:
        two |= one
        three |= two
    supply = SUPPLY + seat * SIZES
    state[OPEN + FRESHMAN] = one if state[supply + FRESHMAN] else 0
    state[OPEN + SOPHOMORE] = two if state[supply + SOPHOMORE] else 0
    state[OPEN + JUNIOR] = three if state[supply + JUNIOR] else 0
    state[OPEN + CAPTAIN_KIND] = 0
    return state[OPEN + FRESHMAN] | state[OPEN + SOPHOMORE] | state[OPEN + JUNIOR]


@kernel
def legal(state: Ints, acts: Ints) -> int:
    """Write the legal acts and return their number."""
    count = 0
    for kind in range(KINDS):
        squares = state[OPEN + kind]
        while squares:
            acts[count] = kind << 6 | lowest(squares)
            squares = without_lowest(squares)
            count += 1
    return count


@kernel
def pick(state: Ints, acts: Ints, rng: Ints) -> int:
    """Draw a uniformly random legal act."""
    total = 0
    for kind in range(KINDS):
        total += popcount(state[OPEN + kind])
    index = draw(rng, total)
    kind = 0
    size = popcount(state[OPEN])
    while index >= size:
        index -= size
        kind += 1
        size = popcount(state[OPEN + kind])
    return kind << 6 | nth(state[OPEN + kind], index)


@kernel
def apply(state: Ints, act: int) -> None:
    """Play a legal act, in place."""
    seat, kind, square = state[ACTOR], act >> 6, bit(act & 63)
    if kind == CAPTAIN_KIND:
        state[CAPTAIN + seat] = square
        state[FRIENDS] |= square
        if seat + 1 == state[SEATS]:
            state[FIRST] = starting_seat(state)
            state[ACTOR] = (state[FIRST] or state[SEATS]) - 1  # pass_turn moves on to the next seat
    else:
        state[TURN] += 1
        state[SUPPLY + seat * SIZES + kind] -= 1
        state[OF_SIZE + kind] |= square
        state[PYRAMIDS + seat] |= square
        state[FRIENDS] |= square
        landed = stunt(state, square)
        if landed:
            turn_dice(state, landed)
            fall(state, landed)
    pass_turn(state)


@kernel
def stunt(state: Ints, over: int) -> int:
    """Let each captain that can leap over the new friend do so (SQ-8), and return the landings.

    A captain blocked by another one finds its landing taken, which implements SQ-9.
    """
    empty = state[BOARD] & ~state[FRIENDS]
    landed = 0
    for seat in range(state[SEATS]):
        target = across(state[CAPTAIN + seat], over) & empty
        if target:
            landed |= target
            state[FRIENDS] ^= state[CAPTAIN + seat] | target
            state[CAPTAIN + seat] = target
    return landed


@kernel
def turn_dice(state: Ints, landed: int) -> None:
    """Set the dice of the captains that have landed to the number of friends around them (SQ-10)."""
    for seat in range(state[SEATS]):
        if state[CAPTAIN + seat] & landed:
            state[FACE + seat] = popcount(around(state[CAPTAIN + seat]) & friends_of(state, seat))


@kernel
def fall(state: Ints, landed: int) -> None:
    """Remove the friends that fall beside the captains that have landed (SQ-11), and no others (SQ-11a)."""
    if state[OWN_ONLY]:
        falling = 0
        for seat in range(state[SEATS]):
            falling |= state[PYRAMIDS + seat] & too_popular(state, friends_of(state, seat))
    else:
        falling = too_popular(state, state[FRIENDS])
    falling &= around(landed)
    if falling:
        state[FRIENDS] &= ~falling
        for size in range(SIZES):
            state[OF_SIZE + size] &= ~falling
        for seat in range(state[SEATS]):
            state[PYRAMIDS + seat] &= ~falling


@kernel
def pass_turn(state: Ints) -> None:
    """Pass the turn (SQ-5), or end the game if the last friend is placed or a seat can place none (SQ-13)."""
    seat = state[ACTOR]
    supply = SUPPLY + seat * SIZES
    following = seat + 1 if seat + 1 < state[SEATS] else 0
    state[ACTOR] = following
    used_up = state[supply + FRESHMAN] + state[supply + SOPHOMORE] + state[supply + JUNIOR] == 0
    if used_up or is_stuck(state, following):
        for kind in range(KINDS):
            state[OPEN + kind] = 0
        settle(state, winners(state), 13)


@kernel
def starting_seat(state: Ints) -> int:
    """The seat that begins after all captains are placed (SQ-4)."""
    for seat in range(state[SEATS]):
        if state[CAPTAIN + seat] & state[CORNERS]:
            return seat
    return 0


@kernel
def is_stuck(state: Ints, following: int) -> bool:
    """Whether the seat to move can place no friend, or with ANYONE_STUCK any other seat can't (SQ-13).

    Leaves OPEN with the squares of the seat to move.
    """
    others_are_stuck = False
    if state[ANYONE_STUCK] and state[CAPTAIN + following]:
        for seat in range(state[SEATS]):
            others_are_stuck |= find_open(state, seat) == 0
    return find_open(state, following) == 0 or others_are_stuck


@kernel
def score(state: Ints, seat: int) -> int:
    """The points of a seat in a position (SQ-14)."""
    return JUNIOR_POINTS * popcount(state[PYRAMIDS + seat] & state[OF_SIZE + JUNIOR]) + state[FACE + seat]


@kernel
def winners(state: Ints) -> int:
    """The seats with the highest score, as bits; their friends break ties (SQ-15)."""
    best, leading = -1, 0
    for seat in range(state[SEATS]):
        points = score(state, seat)
        if points > best:
            best, leading = points, 0
        if points == best:
            leading |= 1 << seat
    if popcount(leading) == 1:
        return leading
    most, winning = -1, 0
    for seat in range(state[SEATS]):
        if leading >> seat & 1 or state[ALL_IN_TIES]:
            friends = popcount(state[PYRAMIDS + seat])
            if friends > most:
                most, winning = friends, 0
            if friends == most:
                winning |= 1 << seat
    return winning
