"""A player without a plan: defends anywhere at random, attacks what is nearest, and captures what it can."""

from __future__ import annotations

import numpy as np

from icetable.bots import RealTimeBot
from icetable.core.realtime import HandMove, Opportunity
from icetable.games.icehouse import placements, rules
from icetable.games.icehouse.game import Icehouse
from icetable.games.icehouse.policy import Policy
from icetable.kernels.jit import draw

DEFENDING = 40
"""How often a piece is placed to defend, of 100, where it may attack."""


class Greedy(Policy):
    """Sees and does what all players do, but thinks no further."""

    def opportunities(self) -> list[Opportunity]:
        return self._captures() if self.started is not None else []

    def plan(self, pace: float) -> HandMove | None:
        held = int(self.table[rules.HAND + self.seat]) - 1
        kind = held if held >= 0 else int(placements.random_kind(self.table, self.seat, self.rng))
        if kind == rules.NOTHING:
            return None
        place = placements.NO_ACT
        may_attack = rules.defenders(self.table, self.field, kind // rules.SIZES) >= rules.MIN_DEFENDERS
        if may_attack and draw(self.rng, 100) >= DEFENDING:
            place = self.attack(kind)
        if place == placements.NO_ACT:
            place = int(placements.propose_stand(self.table, self.field, kind, self.rng))
        return None if place == placements.NO_ACT else HandMove(kind, place)

    def attack(self, kind: int) -> int:
        """An attack on the defender nearest to one of its own, of those that there is room at."""
        field = self.field[: self.table[rules.COUNT]]
        standing, own = field[:, rules.STANDING] == 1, field[:, rules.COLOUR] == self.seat
        here = field[standing & own][:, [rules.X, rules.Y]]
        foes = np.flatnonzero(standing & ~own & (field[:, rules.COLOUR] != kind // rules.SIZES))
        there = field[foes][:, [rules.X, rules.Y]]
        if not len(here) or not len(there):
            return placements.NO_ACT
        ways = ((there[:, None] - here[None]) ** 2).sum(2).min(1)
        for row in foes[np.argsort(ways)]:
            place = int(placements.propose_point(self.table, self.field, kind, int(row), self.rng))
            if place != placements.NO_ACT:
                return place
        return placements.NO_ACT

    def wants(self, plan: HandMove) -> bool:
        held = int(self.table[rules.HAND + self.seat]) - 1
        if plan.kind != held if held >= 0 else self.table[rules.pad_of(self.seat) + plan.kind] == 0:
            return False
        return bool(rules.judge_placement(self.table, self.field, plan.place, plan.kind) == rules.FINE)


def greedy(game: Icehouse, level: str, seed: int) -> RealTimeBot:
    """Such a player, under the human limits of a level."""
    bot = RealTimeBot(game, level, seed)
    bot.mind = Greedy(game.start(), game.options, bot.level.skill, seed)
    return bot
