"""The evaluation of IceFrogs: the turns that each seat needs to an opponent's start if the others do not move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.games.icefrogs.rules import (
    BOARD,
    GOALS,
    OWN,
    SIZES,
    START,
    SUPPLY,
    TOPS,
    occupied,
    reach,
    tops_from,
    tops_up_to,
)
from icetable.kernels.bits import bit
from icetable.kernels.jit import kernel
from icetable.kernels.layout import ACTOR, NOBODY, SEATS, share, share_by_strength

if TYPE_CHECKING:
    from icetable.kernels.jit import Floats, Ints

FAR = 8
"""The number of turns from which a way counts as endless."""
STEEPNESS = 1.3
"""The worth of a lead of one turn, as a logarithm of odds."""
TEMPO = 0.7
"""The worth of having the move, in turns."""
RESERVE = 0.12
"""The weight of the ways of the other two sizes."""


@kernel
def turns_to_goal(state: Ints, seat: int, size: int) -> int:
    """The turns in which a seat can bring a pyramid of a size to an opponent's start if no other moves, at most FAR."""
    home = bit(state[START + seat])
    goals = state[GOALS] & ~home
    empty = state[BOARD] & ~occupied(state)
    lower, higher = tops_up_to(state, size), tops_from(state, size)
    places = state[OWN + seat] & state[TOPS + size]
    if state[SUPPLY + seat * SIZES + size]:
        places |= home
    for turn in range(1, FAR):
        further = reach(places, lower, empty, higher, home, goals) & ~places
        if further & goals:
            return turn
        if further == 0:
            return FAR
        places |= further
    return FAR


@kernel
def evaluate(state: Ints, values: Floats) -> None:
    """Write each seat's expected share of the game, exact when it is over."""
    if state[ACTOR] == NOBODY:
        share(state, values)
        return
    for seat in range(state[SEATS]):
        nearest, others = FAR, 0
        for size in range(SIZES):
            turns = turns_to_goal(state, seat, size)
            others += turns
            nearest = min(nearest, turns)
        way = nearest + RESERVE * (others - nearest)
        if seat == state[ACTOR]:
            if nearest == 1:
                for other in range(state[SEATS]):
                    values[other] = 0.0
                values[seat] = 1.0
                return
            way -= TEMPO
        values[seat] = -STEEPNESS * way
    share_by_strength(state, values)
