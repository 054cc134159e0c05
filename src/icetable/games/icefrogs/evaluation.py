"""The evaluation of IceFrogs: the turns that each seat needs to reach an opponent's start if no other seat moves."""

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

MAX_TURNS_TO_GOAL = 8
"""Longer ways are not distinguished."""
LOG_ODDS_PER_TURN = 1.3
"""The value of a lead of one turn."""
TEMPO_TURNS = 0.7
"""The value of having the move."""
OTHER_SIZES_WEIGHT = 0.12
"""The weight of the ways of the two slower sizes."""


@kernel
def turns_to_goal(state: Ints, seat: int, size: int) -> int:
    """The turns a seat needs to bring a pyramid of a size to an opponent's start if nothing else moves."""
    home = bit(state[START + seat])
    goals = state[GOALS] & ~home
    empty = state[BOARD] & ~occupied(state)
    lower, higher = tops_up_to(state, size), tops_from(state, size)
    places = state[OWN + seat] & state[TOPS + size]
    if state[SUPPLY + seat * SIZES + size]:
        places |= home
    for turn in range(1, MAX_TURNS_TO_GOAL):
        further = reach(places, lower, empty, higher, home, goals) & ~places
        if further & goals:
            return turn
        if further == 0:
            return MAX_TURNS_TO_GOAL
        places |= further
    return MAX_TURNS_TO_GOAL


@kernel
def evaluate(state: Ints, values: Floats) -> None:
    """Write each seat's expected share of the game, exact when it is over."""
    if state[ACTOR] == NOBODY:
        share(state, values)
        return
    for seat in range(state[SEATS]):
        nearest, others = MAX_TURNS_TO_GOAL, 0
        for size in range(SIZES):
            turns = turns_to_goal(state, seat, size)
            others += turns
            nearest = min(nearest, turns)
        way = nearest + OTHER_SIZES_WEIGHT * (others - nearest)
        if seat == state[ACTOR]:
            if nearest == 1:
                for other in range(state[SEATS]):
                    values[other] = 0.0
                values[seat] = 1.0
                return
            way -= TEMPO_TURNS
        values[seat] = -LOG_ODDS_PER_TURN * way
    share_by_strength(state, values)
