"""Players of games without turns: what a mind wants, done as people do it, with a pause to think and one hand.

Whoever runs such a player shows it what its seat sees and asks what comes `next`: an act and when, if nothing changes
until then. It asks again when the view has changed, when the act has been made, and when the moment has come for
another look. The player reads no clock and starts nothing; all times are seconds on the clock of the table.
"""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Any, NamedTuple

from icetable.bots.levels import RealTimeLevel, level_named
from icetable.core.errors import GameError
from icetable.core.realtime import Chance, RealTimeGame

if TYPE_CHECKING:
    from collections.abc import Mapping

    from icetable.core.game import Game
    from icetable.core.realtime import Mind, Plan

NEVER = math.inf
GLANCE = 1.5
"""How many seconds a player who waits lets pass before the next thorough look."""
OVERLOOKS = 12.0
"""After how many seconds, on average, something overlooked is noticed after all."""
GRAB = 0.4
"""How many seconds a hand is busy that seizes something on the way."""
TRIES = 3
"""How often a hand tries to put a piece where it does not want to stay."""
UNEVEN = 0.15
"""How much longer or shorter than usual anything takes, as a part of it."""


class Intention(NamedTuple):
    """What a player means to do: an act, or None for another look, at a time on the table's clock."""

    act: str | None
    at: float


class RealTimeBot:
    """A player of one game without turns at one level, at whatever seat the views are for.

    The same seed and the same views at the same times bring the same acts. `mind` is what it thinks with. Raises
    GameError for a game of turns, and BadOption for a level that there is not.
    """

    mind: Mind

    def __init__(self, game: Game, level: str, seed: int | None = None) -> None:
        if not isinstance(game, RealTimeGame):
            raise GameError(f"{game.info.title} is played in turns, by a Bot")
        chosen = level_named(game, level)
        assert isinstance(chosen, RealTimeLevel)
        self.game = game
        self.level = chosen
        self._random = random.Random(seed)  # noqa: S311 (play, not secrets)
        self.mind = game.mind(chosen.skill, self._random.getrandbits(32))
        self._noticed: dict[str, float] = {}
        """What is to be seized, by occasion, and when."""
        self._plan: Plan | None = None
        self._due = 0.0
        """When the hand makes its next step."""
        self._busy_until = 0.0
        """Until when the hand seizes something else."""
        self._look_at = 0.0
        """Until when it does not think about another plan."""
        self._lifted = -chosen.pace
        self._held = False
        self._gives_up = False
        self._alarmed = False
        self._failures = 0
        self._failed = False

    def next(self, view: Mapping[str, Any], now: float) -> Intention:
        """What the player means to do and when, never before `now`, if the view stays as it is.

        Takes a few milliseconds at most, most of it without the GIL. An act whose moment had come when the view changed
        is meant no longer: at least the time that it takes to see has to pass anew.
        """
        self.mind.see(view, now)
        if view["over"]:
            return Intention(None, NEVER)
        duty = self.mind.duty()
        chances = self.mind.chances() if duty is None else [Chance(duty, "duty", by_hand=True)]
        seized = self._seize(chances, now)
        handled = Intention(None, NEVER) if duty is not None else self._handle(now)
        return min(seized, handled, key=lambda intention: intention.at)

    def refused(self) -> None:
        """Tell the player that the rules have refused what it meant to do."""
        self._noticed.clear()
        self._failed = True

    def _about(self, seconds: float) -> float:
        return seconds * self._random.uniform(1 - UNEVEN, 1 + UNEVEN)

    def _seize(self, chances: list[Chance], now: float) -> Intention:
        """The chance to be seized first."""
        still = {occasion: at for occasion, at in self._noticed.items() if at > now}
        self._noticed = {
            chance.occasion: still.get(chance.occasion) or max(chance.since, now + self._notice()) for chance in chances
        }
        if not chances:
            return Intention(None, NEVER)
        first = min(chances, key=lambda chance: self._noticed[chance.occasion])
        at = self._noticed[first.occasion]
        if first.by_hand:
            self._busy_until = max(self._busy_until, at + GRAB)
        return Intention(first.act, at)

    def _notice(self) -> float:
        """How many seconds it takes to notice something."""
        overlooked = self._random.random() >= self.level.heed
        return self._about(self.level.reaction) + (self._random.expovariate(1 / OVERLOOKS) if overlooked else 0)

    def _handle(self, now: float) -> Intention:
        """What the hand does next."""
        self._feel(now)
        danger = self.mind.in_danger()
        unwanted = self._plan is not None and not self.mind.wants(self._plan)
        if unwanted or (danger and not self._alarmed):
            self._plan, self._gives_up = None, False
            self._look_at = now + self._about(self.level.reaction)
        self._alarmed = danger
        if self._plan is None and now >= self._look_at:
            self._think(now)
        at = max(self._due, self._busy_until, now)
        if self._plan is not None:
            return Intention(self.mind.put(self._plan) if self._held else self.mind.take(self._plan), at)
        if self._gives_up:
            return Intention(self.mind.drop(), at)
        return Intention(None, self._look_at if self.mind.may_want_more() else NEVER)

    def _think(self, now: float) -> None:
        """Make a plan, or leave it for later; what is in hand and of no use goes back."""
        self._plan = self.mind.plan(self.level.pace)
        self._gives_up = self._held and self._plan is None
        self._due = max(self._due, now + self._about(self.level.reaction))
        self._look_at = now + self._about(GLANCE)

    def _feel(self, now: float) -> None:
        """Notice what has become of the hand: it has taken something, let it go, or failed to."""
        if self._failed:
            self._failed = False
            self._failures += 1
            self._due = now + self._about(self.level.reaction)
            if self._failures == TRIES:
                self._plan, self._failures, self._look_at = None, 0, self._due
        if self.mind.holds == self._held:
            return
        self._held = self.mind.holds
        self._failures = 0
        if self._held:
            self._lifted = now
            self._due = now + self._about(self.level.carry)
        else:
            self._plan, self._gives_up = None, False
            self._due = self._look_at = max(now, self._lifted + self._about(self.level.pace))
