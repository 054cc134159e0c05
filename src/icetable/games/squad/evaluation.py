"""The evaluation of Who's On The Squad?: the scores, and the juniors still to be placed.

The weights were fitted to the results of games of two, three and four searching players.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.games.squad.rules import (
    FACE,
    JUNIOR,
    JUNIOR_POINTS,
    OF_SIZE,
    OPEN,
    PYRAMIDS,
    SIZES,
    SUPPLY,
    score,
)
from icetable.kernels.bits import popcount
from icetable.kernels.jit import kernel
from icetable.kernels.layout import ACTOR, NOBODY, SEATS, TURN, share, share_by_strength

if TYPE_CHECKING:
    from icetable.kernels.jit import Floats, Ints

HIGHEST_FACE = 4


@kernel
def evaluate(state: Ints, values: Floats) -> None:
    """Write each seat's expected share of the game, exact when it is over; for one player the score as 0 … 1."""
    if state[SEATS] == 1:
        values[0] = score(state, 0) / max_score(state)
        return
    if state[ACTOR] == NOBODY:
        share(state, values)
        return
    remaining = fraction_remaining(state)
    for seat in range(state[SEATS]):
        values[seat] = strength(state, seat, remaining)
    share_by_strength(state, values)


@kernel
def left(state: Ints) -> int:
    """The number of friends still to be placed, of all seats together."""
    friends = 0
    for entry in range(SUPPLY, SUPPLY + state[SEATS] * SIZES):
        friends += state[entry]
    return friends


@kernel
def max_score(state: Ints) -> int:
    """The score of one player with all juniors on the board and the captain among four friends."""
    trios = (left(state) + state[TURN]) // SIZES
    return JUNIOR_POINTS * trios + HIGHEST_FACE


@kernel
def fraction_remaining(state: Ints) -> float:
    """The fraction of the game that remains: 1 at the start, 0 when all friends are placed."""
    return left(state) / (left(state) + state[TURN])


@kernel
def strength(state: Ints, seat: int, remaining: float) -> float:
    """The strength of a seat, in log-odds."""
    standing = state[PYRAMIDS + seat]
    juniors_left = state[SUPPLY + seat * SIZES + JUNIOR]
    value = (
        (1.0 - remaining) * state[FACE + seat]
        + (2.7 - remaining) * popcount(standing & state[OF_SIZE + JUNIOR])
        + (0.6 + 0.8 * remaining) * juniors_left
        + 0.3 * popcount(standing)
    )
    if seat == state[ACTOR] and state[OPEN + JUNIOR]:
        value += 1.2 * (1.0 - remaining)
    return value
