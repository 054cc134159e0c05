"""A game played at random, as people might play it who know the rules and have no plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.core.game import CHANCE
from icetable.games.icehouse import rules
from icetable.games.icehouse.rules import SIZES

if TYPE_CHECKING:
    import numpy as np

    from icetable.games.icehouse.game import IcehouseState

QUICKEST, SLOWEST = 0.3, 3.0
"""Seconds from one try to the next, whoever makes it."""
DEFENDING = 0.4
"""How often a piece is placed to defend, where it may attack."""
HEED = 0.3
"""How often somebody sees at once that a call would find somebody."""
MISTAKE = 0.003
"""How often somebody calls who sees nothing."""
VAIN_TRIES = 30
"""So many tries in vain for each player, one after another, and nobody finds room any more."""


def play(state: IcehouseState, timer: float | None, rng: np.random.Generator) -> IcehouseState:
    """Play from the start until the bell, which rings `timer` seconds after the last `ready`, or another end."""
    now, vain = 0.0, 0
    for seat in rng.permutation(state.game.players).tolist():
        now += rng.uniform(QUICKEST, SLOWEST)
        state = state.apply("ready", seat, now)
    bell = None if timer is None else now + timer
    while not state.is_terminal:
        now += rng.uniform(QUICKEST, SLOWEST)
        tired = vain > VAIN_TRIES * state.game.players
        if bell is not None and (now > bell or tired):
            return state.apply("bell", CHANCE, bell)
        if tired:
            break
        seat = int(rng.integers(state.game.players))
        act = choose(state, seat, rng)
        vain = vain + 1 if act in (None, "return") else vain if act.startswith("lift") else 0
        if act is not None:
            state = state.apply(act, seat, now)
    return state


def choose(state: IcehouseState, seat: int, rng: np.random.Generator) -> str | None:
    """What a seat does next, None for nothing."""
    listed = state.legal_actions(seat)
    urgent = [act for act in listed if act.startswith(("give", "capture"))]
    if urgent:
        return urgent[int(rng.integers(len(urgent)))]
    others = (other for other in range(state.game.players) if other != seat)
    found = any(rules.is_vulnerable(state.table, state.field, other) for other in others)
    if rng.random() < (HEED if found else MISTAKE):
        return "icehouse"
    if state.hand(seat) is not None:
        return place(state, seat, rng)
    lifts = [act for act in listed if act.startswith("lift")]
    return lifts[int(rng.integers(len(lifts)))] if lifts else None


def place(state: IcehouseState, seat: int, rng: np.random.Generator) -> str:
    """Where a seat puts the piece in its hand, or back on its pad."""
    kind = int(state.table[rules.HAND + seat]) - 1
    secure = rules.defenders(state.table, state.field, kind // SIZES) >= rules.DEFENDERS_FIRST
    if secure and rng.random() >= DEFENDING:
        attacks = state.sample_placements(seat, rng, 1, standing=False)
        if attacks:
            return attacks[0]
    return next(iter(state.sample_placements(seat, rng, 1, standing=True)), "return")
