"""Random acts, like those of people who know the rules and have no plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.games.icehouse import placements, rules
from icetable.games.icehouse.rules import SIZES

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from icetable.games.icehouse.position import Position

MIN_SECONDS, MAX_SECONDS = 0.3, 3.0
"""The time between two tries of any players."""
DEFEND_PROBABILITY = 0.4
"""The probability that a piece that may attack is placed to defend."""
CALL_PROBABILITY = 0.3
"""The probability of a call at a try if it would find another player."""
FALSE_CALL_PROBABILITY = 0.003
"""The probability of a call at a try if it would find nobody."""
MAX_FAILURES_PER_PLAYER = 30
"""After this many consecutive failures per player there is taken to be no room left."""


class Tries:
    """The times and failures of the players' tries. `now` is in seconds since the start."""

    def __init__(self, players: int, rng: np.random.Generator) -> None:
        self.now = 0.0
        self._rng = rng
        self._failures = 0
        self._max_failures = MAX_FAILURES_PER_PLAYER * players

    def next_time(self) -> float:
        """The time of the next try, in seconds since the start."""
        self.now += self._rng.uniform(MIN_SECONDS, MAX_SECONDS)
        return self.now

    def count(self, act: str | None) -> None:
        """Count the result of a try; None: the player did nothing."""
        if act in (None, "return"):
            self._failures += 1
        elif not act.startswith("lift"):
            self._failures = 0

    @property
    def no_room(self) -> bool:
        """Whether there is taken to be no room left."""
        return self._failures > self._max_failures


def choose(position: Position, listed: Sequence[str], seat: int, rng: np.random.Generator) -> str | None:
    """The next act of a seat; None for nothing. `listed` are its legal acts other than placements."""
    urgent = [act for act in listed if act.startswith(("give", "capture"))]
    if urgent:
        return urgent[int(rng.integers(len(urgent)))]
    others = (other for other in range(len(position.colours)) if other != seat)
    found = any(rules.is_vulnerable(position.table, position.field, other) for other in others)
    if rng.random() < (CALL_PROBABILITY if found else FALSE_CALL_PROBABILITY):
        return "icehouse"
    if position.hand(seat) is not None:
        return place(position, seat, rng)
    lifts = [act for act in listed if act.startswith("lift")]
    return lifts[int(rng.integers(len(lifts)))] if lifts else None


def place(position: Position, seat: int, rng: np.random.Generator) -> str:
    """A placement of the piece in a seat's hand, or its return to the pad."""
    kind = int(position.table[rules.HAND + seat]) - 1
    secure = rules.defenders(position.table, position.field, kind // SIZES) >= rules.MIN_DEFENDERS
    if secure and rng.random() >= DEFEND_PROBABILITY:
        attacks = placements.sample(position, seat, rng, 1, standing=False)
        if attacks:
            return attacks[0]
    return next(iter(placements.sample(position, seat, rng, 1, standing=True)), "return")
