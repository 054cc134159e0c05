"""Players of games without turns: they do what a `Mind` wants as people do, with a pause to think and one hand.

The caller gives a player the view of its seat and asks for its `next` intention: an act, and the time at which to make
it if nothing changes until then. The caller asks again when the view has changed, when the act was made, and at the
time of an intention without an act. A player reads no clock and starts no thread; times are seconds on the table's
clock.
"""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Any, NamedTuple

from icetable import games
from icetable.bots.levels import RealTimeLevel, level_named
from icetable.core.errors import GameError
from icetable.core.realtime import Opportunity, RealTimeGame

if TYPE_CHECKING:
    from collections.abc import Mapping

    from icetable.core.game import Game
    from icetable.core.realtime import HandMove, Mind

NEVER = math.inf
GLANCE = 1.5
"""The seconds that a waiting player lets pass before it looks for another plan."""
OVERLOOKS = 12.0
"""The average number of seconds after which a player notices what it has overlooked."""
GRAB = 0.4
"""The seconds that the hand needs for an opportunity."""
DUTY = "duty"
"""The occasion of an act that the game waits for."""
TRIES = 3
"""The number of attempts to place a piece that the rules refuse."""
UNEVEN = 0.15
"""The greatest deviation from a usual duration, as a part of it."""


class Intention(NamedTuple):
    """What a player intends to do at a time on the table's clock: an act, or None for another look."""

    act: str | None
    at: float


class RealTimeBot:
    """A player of one game without turns at one level, given by its name or as one. The views decide its seat.

    The same seed and the same views at the same times give the same acts. Raises GameError for a game of turns, and
    BadOption for an unknown level.
    """

    mind: Mind

    def __init__(self, game: Game | str | type, level: str | RealTimeLevel, seed: int | None = None) -> None:
        game = games.with_options(game)
        if not isinstance(game, RealTimeGame):
            raise GameError(f"{game.info.title} is played in turns, by a Bot")
        chosen = level_named(game, level) if isinstance(level, str) else level
        assert isinstance(chosen, RealTimeLevel)
        self.game = game
        self.level = chosen
        self._random = random.Random(seed)  # noqa: S311 (play, not secrets)
        self.mind = game.mind(chosen.skill, self._random.getrandbits(32))
        self._noticed: dict[str, float] = {}
        """When the player answers each occasion that it has noticed."""
        self._plan: HandMove | None = None
        self._due = 0.0
        """When the hand makes its next step."""
        self._busy_until = 0.0
        """Until when the hand is busy with an opportunity."""
        self._look_at = 0.0
        """Until when the player looks for no other plan."""
        self._lifted = -chosen.pace
        self._held = False
        self._gives_up = False
        self._alarmed = False
        self._failures = 0
        self._failed = False

    def next(self, view: Mapping[str, Any], now: float) -> Intention:
        """What the player intends to do if the view does not change, and when: not before `now`.

        Takes a few milliseconds at most, most of it without the GIL. A changed view cancels an act that is due: the
        player has to react to the new view first.
        """
        self.mind.see(view, now)
        if view["over"]:
            return Intention(None, NEVER)
        duty = self.mind.duty()
        opportunities = self.mind.opportunities() if duty is None else [Opportunity(duty, DUTY, by_hand=True)]
        seized = self._seize(opportunities, now)
        handled = Intention(None, NEVER) if duty is not None else self._handle(now)
        return min(seized, handled, key=lambda intention: intention.at)

    def refused(self) -> None:
        """Tell the player that the rules have refused its act."""
        self._noticed.clear()
        self._failed = True

    def _about(self, seconds: float) -> float:
        return seconds * self._random.uniform(1 - UNEVEN, 1 + UNEVEN)

    def _seize(self, opportunities: list[Opportunity], now: float) -> Intention:
        """The opportunity to seize first. What the game waits for is not put off by what others do meanwhile."""
        still = {occasion: max(at, now) for occasion, at in self._noticed.items() if at > now or occasion == DUTY}
        self._noticed = {
            one.occasion: still[one.occasion] if one.occasion in still else max(one.since, now + self._notice(one))
            for one in opportunities
        }
        if not opportunities:
            return Intention(None, NEVER)
        first = min(opportunities, key=lambda one: self._noticed[one.occasion])
        at = self._noticed[first.occasion]
        if first.by_hand:
            self._busy_until = max(self._busy_until, at + GRAB)
        return Intention(first.act, at)

    def _notice(self, one: Opportunity) -> float:
        """The seconds that it takes to notice something. What the game waits for is never overlooked."""
        overlooked = one.occasion != DUTY and self._random.random() >= self.level.notices
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
        """Make a plan, or none for now. Without a plan the piece in hand goes back."""
        self._plan = self.mind.plan(self.level.pace)
        self._gives_up = self._held and self._plan is None
        self._due = max(self._due, now + self._about(self.level.reaction))
        self._look_at = now + self._about(GLANCE)

    def _feel(self, now: float) -> None:
        """Notice that the hand has lifted a piece, has put it down, or has failed to."""
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
