"""The evaluation of High Rise: greedy play to the last pyramid, then the score of the stacks.

Like a player, the evaluation knows only the average and the variance of the numbers, which are dealt at the end. Points
are multiplied by `scale`, which makes the average a whole number. In games between searches this was stronger than
every estimate from the current stacks.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from icetable.games.highrise.rules import (
    DICE,
    KNOWN,
    LEFT,
    MAX_SQUARES,
    PIPS,
    PLAYERS,
    SIDES,
    SIZES,
    SQUARES,
    VALUES,
    place,
    size_of,
    square_of,
)
from icetable.kernels.jit import allocating, kernel
from icetable.kernels.layout import ACTOR, NOBODY, share

if TYPE_CHECKING:
    from icetable.kernels.jit import Floats, Ints

VARIANCE_PER_PIP = 16.0
"""The variance that each pip not yet placed adds to the lead after greedy play."""
ACT_MASK = 255
"""The bits of a placement; its gain is stored above them."""


@allocating
def evaluate(state: Ints, values: Floats) -> None:
    """Write each seat's expected share of the game, exact when it is over."""
    if state[ACTOR] == NOBODY:
        share(state, values)
        return
    squares, number = state[SQUARES], scaled_average(state)
    variance = squares * spread(state) + VARIANCE_PER_PIP * pips_left(state)
    final = state.copy()
    play_greedily(final, number)
    lead = 0
    for square in range(squares):
        own, other = final[PIPS + square * PLAYERS], final[PIPS + square * PLAYERS + 1]
        if own > other:
            lead += scale(state) * other + number
        elif own < other:
            lead -= scale(state) * own + number
    values[0] = win_probability(lead / scale(state), variance)
    values[1] = 1.0 - values[0]


@kernel
def win_probability(lead: float, variance: float) -> float:
    """The probability that a lead stays positive when a normally distributed amount is added to it."""
    if variance == 0.0:
        return 0.5 if lead == 0.0 else 1.0 if lead > 0.0 else 0.0
    return 0.5 * math.erfc(-lead / math.sqrt(2.0 * variance))


@kernel
def scale(state: Ints) -> int:
    """The factor of points: the number of squares because of known numbers, times 2 because of dice."""
    return 2 * state[SQUARES]


@kernel
def scaled_average(state: Ints) -> int:
    """The average of the numbers, multiplied by `scale`."""
    if state[DICE] != KNOWN:
        return (SIDES + 1) * state[SQUARES]
    total = 0
    for square in range(state[SQUARES]):
        total += state[VALUES + square]
    return 2 * total


@kernel
def spread(state: Ints) -> float:
    """The variance of a number."""
    if state[DICE] != KNOWN:
        return (SIDES * SIDES - 1) / 12
    squares = state[SQUARES]
    total, total_of_squares = 0.0, 0.0
    for square in range(squares):
        total += state[VALUES + square]
        total_of_squares += state[VALUES + square] * float(state[VALUES + square])
    return max(0.0, (total_of_squares - total * total / squares) / squares)


@kernel
def pips_left(state: Ints) -> int:
    """The pips in both stashes."""
    pips = 0
    for size in range(SIZES):
        pips += (size + 1) * (state[LEFT + size] + state[LEFT + SIZES + size])
    return pips


@allocating
def play_greedily(state: Ints, number: int) -> None:
    """Place all pyramids left, each with the greatest gain. `number` and the gains are scaled."""
    squares = state[SQUARES]
    gains = np.empty(PLAYERS * MAX_SQUARES, np.int64)
    for seat in range(PLAYERS):
        write_gains(state, seat, number, gains)
    while state[ACTOR] >= 0:
        seat = state[ACTOR]
        first = seat * MAX_SQUARES
        best = gains[first]
        for entry in range(first + 1, first + squares):
            best = max(best, gains[entry])
        act = best & ACT_MASK
        place(state, act)
        if state[LEFT + seat * SIZES + size_of(act)] == 0:
            write_gains(state, seat, number, gains)
        for other in range(PLAYERS):
            gains[other * MAX_SQUARES + square_of(act)] = best_placement(
                state, other, square_of(act), number, smallest(state, other), largest(state, other)
            )


@kernel
def write_gains(state: Ints, seat: int, number: int, gains: Ints) -> None:
    """Write the gains of a seat's best placements on all squares."""
    small, large = smallest(state, seat), largest(state, seat)
    for square in range(state[SQUARES]):
        gains[seat * MAX_SQUARES + square] = best_placement(state, seat, square, number, small, large)


@kernel
def best_placement(state: Ints, seat: int, square: int, number: int, small: int, large: int) -> int:
    """A seat's best placement on a square, with its gain in the scaled lead above its bits (HR-9).

    `small` and `large` are the sizes of the seat's smallest and largest pyramids left. The large one may take or tie a
    stack that the small one can't. If no stack can be won, the small one loses less.
    """
    own, other = state[PIPS + square * PLAYERS + seat], state[PIPS + square * PLAYERS + 1 - seat]
    behind = other - own
    gain, size = 0, small
    if behind == 0:
        gain, size = scale(state) * other + number, large
    elif behind > large + 1:
        gain = -scale(state) * (small + 1)
    elif behind == large + 1:
        gain, size = scale(state) * own + number, large
    elif behind > 0:
        gain, size = scale(state) * (own + other) + 2 * number, large
    return gain << 8 | size << 6 | square


@kernel
def smallest(state: Ints, seat: int) -> int:
    """The size of the smallest pyramid in a stash; large if the stash is empty."""
    stash = LEFT + seat * SIZES
    return 0 if state[stash] else 1 if state[stash + 1] else 2


@kernel
def largest(state: Ints, seat: int) -> int:
    """The size of the largest pyramid in a stash; small if the stash is empty."""
    stash = LEFT + seat * SIZES
    return 2 if state[stash + 2] else 1 if state[stash + 1] else 0
