"""The kernel of High Rise: the rules over one int64 array.

Squares are numbered in the order of a deal: a1, b1, … row by row. Only each seat's pips on each square (`PIPS`) matter
for the score. The `LOG` of placements records the pyramids, for views. If larger pyramids hide others, `SIGHT` counts
those in sight. Before the deal at the end the position holds only those numbers that all players know: the `VALUES`
that were rolled openly or given as a list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icetable.kernels.jit import draw, kernel
from icetable.kernels.layout import ACTOR, CHANCE, COMMON, SEATS, TURN, Words, settle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from icetable.kernels.jit import Ints

SIZES = 3
PLAYERS = 2
MAX_SQUARES = 64
SQUARES_PER_STASH = 5
COLOURS_PER_STASH = 5
MAX_STASHES = -(-MAX_SQUARES // SQUARES_PER_STASH)
SIDES = 6

WORDS = Words(COMMON)
SQUARES = WORDS.add("squares", "The number of squares.")
PYRAMIDS = WORDS.add("pyramids", "The number of pyramids in both stashes at the start.")
LUCK = WORDS.add("luck", "The state of the random generator during the roll and the deal; else 0.")
DICE = WORDS.add("dice", "KNOWN: they are `values`. OPEN: to be rolled openly. UNSEEN: rolled as they are dealt.")
HIDES = WORDS.add("hides", "1: pyramids below a larger one are hidden (HR-7).")
LEFT = WORDS.add("left", "By seat and size: the number of pyramids left in its stashes.", PLAYERS * SIZES)
SCORES = WORDS.add("scores", "By seat: its score, once the numbers are dealt.", PLAYERS)
PIPS = WORDS.add("pips", "By square and seat: the pips there.", PLAYERS * MAX_SQUARES)
SIGHT = WORDS.add("sight", "With `hides`, by square: those in sight, 8 bits per size and seat, and all.", MAX_SQUARES)
NUMBERS = WORDS.add("numbers", "By square: the number dealt to it; 0 before the deal.", MAX_SQUARES)
VALUES = WORDS.add("values", "The numbers that are known, in ascending order or as they were given.", MAX_SQUARES)
LOG = WORDS.add("log", "The placements, one after another.", PLAYERS * SIZES * COLOURS_PER_STASH * MAX_STASHES)

KNOWN, UNSEEN, OPEN = range(3)

# A placement is `colour << 8 | size << 6 | square`, with colour 0 if none is named; the log adds `seat << 12`. Rolls
# and deals have too many outcomes to number: they are ROLL or DEAL + a seed of `draw` that determines the numbers.
ROLL = 1 << 61
DEAL = 1 << 62
SEAT_BITS = 8
SIZE_BITS = PLAYERS * SEAT_BITS
TOWER = SIZES * SIZE_BITS
"""In a word of `SIGHT`: the bits per seat, the bits per size, and the offset of the number of all pyramids."""
MAX_ACTS = SIZES * MAX_SQUARES


def stashes(squares: int) -> int:
    """The number of stashes of each player (HR-3)."""
    return -(-squares // SQUARES_PER_STASH)


def copies(squares: int, size: int) -> int:
    """The number of pyramids of a size and colour per player, without the small one that is the reminder (HR-3)."""
    return stashes(squares) - (size == 0)


def start(squares: int, values: Sequence[int] | None, seen: bool, hides: bool) -> Ints:
    """The position before the first act. Without `values` dice are rolled, openly if `seen` (HR-1 … HR-4)."""
    stash = [COLOURS_PER_STASH * copies(squares, size) for size in range(SIZES)]
    state = np.zeros(LOG + PLAYERS * sum(stash), np.int64)
    state[SEATS], state[SQUARES], state[PYRAMIDS] = PLAYERS, squares, PLAYERS * sum(stash)
    state[LEFT : LEFT + PLAYERS * SIZES] = stash * PLAYERS
    state[HIDES] = hides
    if values is not None:
        state[VALUES : VALUES + squares] = values
    elif seen:
        state[DICE], state[ACTOR] = OPEN, CHANCE
    else:
        state[DICE] = UNSEEN
    return state


@kernel
def square_of(act: int) -> int:
    """The square of a placement."""
    return act & 63


@kernel
def size_of(act: int) -> int:
    """The size of the pyramid that is placed: 0 small, 1 medium, 2 large."""
    return (act >> 6) & 3


@kernel
def colour_of(act: int) -> int:
    """The colour that a placement names, counted from 1; 0 for none."""
    return (act >> 8) & 15


@kernel
def seat_of(entry: int) -> int:
    """The seat of an entry of the log."""
    return entry >> 12


@kernel
def legal(state: Ints, acts: Ints) -> int:
    """Write the legal placements without colours and return their number. Acts of chance are not listed."""
    if state[ACTOR] == CHANCE:
        return 0
    stash = LEFT + state[ACTOR] * SIZES
    count = 0
    for size in range(SIZES):
        if state[stash + size]:  # HR-5
            for square in range(state[SQUARES]):
                acts[count] = size << 6 | square
                count += 1
    return count


@kernel
def pick(state: Ints, _acts: Ints, rng: Ints) -> int:
    """Draw a uniformly random placement, or a roll or deal with the probabilities of dice or of a shuffle."""
    if state[ACTOR] == CHANCE:
        seed = (draw(rng, 1 << 30) << 30 | draw(rng, 1 << 30)) + 1
        return (ROLL if state[DICE] == OPEN else DEAL) + seed
    stash, squares = LEFT + state[ACTOR] * SIZES, state[SQUARES]
    # Sums of comparisons: a mispredicted branch would cost more than everything else.
    no_small, no_medium = int(state[stash] == 0), int(state[stash + 1] == 0)
    kinds = SIZES - no_small - no_medium - int(state[stash + 2] == 0)
    index = draw(rng, kinds * squares)
    kind = int(index >= squares) + int(index >= 2 * squares)
    size = kind + no_small
    size += no_medium & int(size == 1)
    return size << 6 | (index - kind * squares)


@kernel
def apply(state: Ints, act: int) -> None:
    """Play a legal act, in place."""
    if act >= DEAL:
        draw_numbers(state, act - DEAL)
        show_numbers(state)
    elif act >= ROLL:
        roll(state, act - ROLL)
    else:
        place(state, act)


@kernel
def place(state: Ints, act: int) -> None:
    """Place a pyramid and pass the turn, to chance when both stashes are empty (HR-5, HR-8)."""
    seat, turn = state[ACTOR], state[TURN]
    state[LEFT + seat * SIZES + size_of(act)] -= 1
    state[PIPS + square_of(act) * PLAYERS + seat] += size_of(act) + 1
    state[LOG + turn] = seat << 12 | act
    if state[HIDES]:
        bring_in_sight(state, seat, act)
    state[TURN] = turn + 1
    state[ACTOR] = 1 - seat if turn + 1 < state[PYRAMIDS] else CHANCE


@kernel
def bring_in_sight(state: Ints, seat: int, act: int) -> None:
    """Count a placed pyramid as in sight, and no longer the smaller ones that it hides (HR-7)."""
    word, bits = SIGHT + square_of(act), size_of(act) * SIZE_BITS
    left = state[word] & -1 << bits
    state[word] = left + (1 << bits + seat * SEAT_BITS) + (1 << TOWER)


@kernel
def roll(state: Ints, seed: int) -> None:
    """Roll a die for each square openly, and sort the numbers, smallest first (HR-2)."""
    state[LUCK] = seed
    luck = state[LUCK : LUCK + 1]
    for rolled in range(state[SQUARES]):
        number, word = draw(luck, SIDES) + 1, VALUES + rolled
        while word > VALUES and state[word - 1] > number:
            state[word] = state[word - 1]
            word -= 1
        state[word] = number
    state[LUCK] = 0
    begin(state)


@kernel
def begin(state: Ints) -> None:
    """Let seat 0 begin, once the numbers are known (HR-4)."""
    state[DICE], state[ACTOR] = KNOWN, 0


@kernel
def draw_numbers(state: Ints, seed: int) -> None:
    """Draw the numbers of the squares: the values in random order, or unseen dice (HR-2)."""
    squares = state[SQUARES]
    state[LUCK] = seed
    luck = state[LUCK : LUCK + 1]
    for square in range(squares):
        state[NUMBERS + square] = state[VALUES + square] if state[DICE] == KNOWN else draw(luck, SIDES) + 1
    if state[DICE] == KNOWN:
        for square in range(squares - 1, 0, -1):
            other = draw(luck, square + 1)
            number = state[NUMBERS + square]
            state[NUMBERS + square] = state[NUMBERS + other]
            state[NUMBERS + other] = number
    state[LUCK] = 0


@kernel
def owner(state: Ints, square: int) -> int:
    """The seat that controls a stack; -1 for a tie (HR-9)."""
    first, second = state[PIPS + square * PLAYERS], state[PIPS + square * PLAYERS + 1]
    if first == second:
        return -1
    return 0 if first > second else 1


@kernel
def points(state: Ints, square: int, seat: int) -> int:
    """The points of a stack for the seat that controls it: the other seat's pips and the number (HR-9)."""
    return state[PIPS + square * PLAYERS + 1 - seat] + state[NUMBERS + square]


@kernel
def show_numbers(state: Ints) -> None:
    """Score the stacks by the dealt numbers, and end the game (HR-8 … HR-10)."""
    for square in range(state[SQUARES]):
        seat = owner(state, square)
        if seat >= 0:
            state[SCORES + seat] += points(state, square, seat)
    lead = state[SCORES] - state[SCORES + 1]
    settle(state, 3 if lead == 0 else 1 if lead > 0 else 2, 8)
