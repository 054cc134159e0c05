"""Acts at random, as people might choose them who know the rules and have no plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.games.icehouse import placements, rules
from icetable.games.icehouse.rules import SIZES

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from icetable.games.icehouse.position import Position

QUICKEST, SLOWEST = 0.3, 3.0
"""Seconds from one try to the next, of any player."""
DEFENDING = 0.4
"""How often a piece is placed to defend, where it may attack."""
HEED = 0.3
"""How often a player sees at once that a call would find another one."""
MISTAKE = 0.003
"""How often a player calls who sees nothing."""
VAIN_TRIES = 30
"""After this many tries in vain for each player, one after another, no player finds room any more."""


class Tries:
    """The tries of all players, one after another: when each is made, and how many have been in vain.

    `now` is in seconds since the start.
    """

    def __init__(self, players: int, rng: np.random.Generator) -> None:
        self.now = 0.0
        self._rng = rng
        self._vain = 0
        self._most_vain = VAIN_TRIES * players

    def next_time(self) -> float:
        """When the next try is made, in seconds since the start."""
        self.now += self._rng.uniform(QUICKEST, SLOWEST)
        return self.now

    def count(self, act: str | None) -> None:
        """Take note of what a try came to; None: the player did nothing."""
        if act in (None, "return"):
            self._vain += 1
        elif not act.startswith("lift"):
            self._vain = 0

    @property
    def in_vain(self) -> bool:
        """Whether no player finds room any more."""
        return self._vain > self._most_vain


def choose(position: Position, listed: Sequence[str], seat: int, rng: np.random.Generator) -> str | None:
    """What a seat does next, None for nothing. `listed` are its legal acts but for placements."""
    urgent = [act for act in listed if act.startswith(("give", "capture"))]
    if urgent:
        return urgent[int(rng.integers(len(urgent)))]
    others = (other for other in range(len(position.colours)) if other != seat)
    found = any(rules.is_vulnerable(position.table, position.field, other) for other in others)
    if rng.random() < (HEED if found else MISTAKE):
        return "icehouse"
    if position.hand(seat) is not None:
        return place(position, seat, rng)
    lifts = [act for act in listed if act.startswith("lift")]
    return lifts[int(rng.integers(len(lifts)))] if lifts else None


def place(position: Position, seat: int, rng: np.random.Generator) -> str:
    """Where a seat puts the piece in its hand, or back on its pad."""
    kind = int(position.table[rules.HAND + seat]) - 1
    secure = rules.defenders(position.table, position.field, kind // SIZES) >= rules.DEFENDERS_FIRST
    if secure and rng.random() >= DEFENDING:
        attacks = placements.sample(position, seat, rng, 1, standing=False)
        if attacks:
            return attacks[0]
    return next(iter(placements.sample(position, seat, rng, 1, standing=True)), "return")
