"""Players of real-time games, and games between them on a simulated clock.

They execute the plans of a `Mind` like people, with a reaction time and one hand.

The caller passes the view of a player's seat to `next`, which returns its intention: an act, and the time to play it if
nothing changes until then. The caller calls `next` again when the view has changed, after the act, and at the time of
an intention without an act. A player reads no clock and starts no thread; times are seconds on the table's clock.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from icetable import games
from icetable.bots.levels import RealTimeLevel, level_named
from icetable.core.errors import GameError, IllegalAction
from icetable.core.game import CHANCE
from icetable.core.realtime import Opportunity, RealTimeGame

if TYPE_CHECKING:
    from icetable.core.game import Game, State
    from icetable.core.realtime import HandMove, Mind


NEVER = math.inf
REPLAN_SECONDS = 1.5
"""The interval at which a waiting player looks for another plan."""
OVERSIGHT_SECONDS = 12.0
"""The average delay until a player notices an opportunity that it has overlooked."""
GRAB_SECONDS = 0.4
"""The time that the hand needs for an opportunity."""
DUTY = "duty"
"""The occasion of an act that the game waits for."""
MAX_ATTEMPTS = 3
"""Maximum number of refused attempts to place a piece before the plan is dropped."""
WAITING_LEAD = 2
"""The number of pieces by which a player who waits for others is ahead of them."""
MAX_DEVIATION = 0.15
"""Maximum deviation from an average duration, as a fraction of it."""


class Intention(NamedTuple):
    """What a player intends."""

    act: str | None
    """The act; None to be called again."""
    at: float
    """The time, in seconds on the table's clock."""


class RealTimeBot:
    """A player of a real-time game at one level, given by name or as a RealTimeLevel. The views determine its seat.

    The same seed and the same views at the same times give the same acts. Raises GameError for a turn-based game, and
    BadOption for an unknown level.
    """

    mind: Mind
    """The game's part of the player, which sees views and proposes acts."""

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
        """The time of the response to each noticed occasion."""
        self._plan: HandMove | None = None
        self._due = 0.0
        """The time of the hand's next step."""
        self._busy_until = 0.0
        """The time until which the hand is busy with an opportunity."""
        self._replan_at = 0.0
        """The earliest time to look for another plan."""
        self._lifted = -chosen.pace
        self._held = False
        self._gives_up = False
        self._alarmed = False
        self._failures = 0
        self._failed = False

    def next(self, view: Mapping[str, Any], now: float) -> Intention:
        """The player's intention if the view does not change, at `now` or later.

        Takes a few milliseconds at most, most of it without the GIL. A changed view cancels a pending act, because the
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
        """Notify the player that the rules have refused its act."""
        self._noticed.clear()
        self._failed = True

    def _vary(self, seconds: float) -> float:
        return seconds * self._random.uniform(1 - MAX_DEVIATION, 1 + MAX_DEVIATION)

    def _seize(self, opportunities: list[Opportunity], now: float) -> Intention:
        """The opportunity to seize first. Acts of others don't delay a duty."""
        pending = {occasion: max(at, now) for occasion, at in self._noticed.items() if at > now or occasion == DUTY}
        self._noticed = {
            one.occasion: pending[one.occasion] if one.occasion in pending else max(one.since, now + self._delay(one))
            for one in opportunities
        }
        if not opportunities:
            return Intention(None, NEVER)
        first = min(opportunities, key=lambda one: self._noticed[one.occasion])
        at = self._noticed[first.occasion]
        if first.by_hand:
            self._busy_until = max(self._busy_until, at + GRAB_SECONDS)
        return Intention(first.act, at)

    def _delay(self, opportunity: Opportunity) -> float:
        """The seconds until the player notices an opportunity. A duty is never overlooked."""
        overlooked = opportunity.occasion != DUTY and self._random.random() >= self.level.attention
        return self._vary(self.level.reaction) + (self._random.expovariate(1 / OVERSIGHT_SECONDS) if overlooked else 0)

    def _handle(self, now: float) -> Intention:
        """The hand's next intention."""
        self._update_hand(now)
        danger = self.mind.in_danger()
        unwanted = self._plan is not None and not self.mind.wants(self._plan)
        if unwanted or (danger and not self._alarmed):
            self._plan, self._gives_up = None, False
            self._replan_at = now + self._vary(self.level.reaction)
        self._alarmed = danger
        if self._plan is None and now >= self._replan_at:
            self._think(now)
        at = max(self._due, self._busy_until, now)
        if self._plan is not None:
            return Intention(self.mind.put(self._plan) if self._held else self.mind.take(self._plan), at)
        if self._gives_up:
            return Intention(self.mind.drop(), at)
        return Intention(None, self._replan_at if self.mind.may_want_more() else NEVER)

    def _think(self, now: float) -> None:
        """Look for a plan. Without one the piece in hand is returned."""
        self._plan = self.mind.plan(self.level.pace)
        self._gives_up = self._held and self._plan is None
        self._due = max(self._due, now + self._vary(self.level.reaction))
        self._replan_at = now + self._vary(REPLAN_SECONDS)

    def _update_hand(self, now: float) -> None:
        """React to a piece that was lifted or put down, or to a refused act."""
        if self._failed:
            self._failed = False
            self._failures += 1
            self._due = now + self._vary(self.level.reaction)
            if self._failures == MAX_ATTEMPTS:
                self._plan, self._failures, self._replan_at = None, 0, self._due
        if self.mind.holds == self._held:
            return
        self._held = self.mind.holds
        self._failures = 0
        if self._held:
            self._lifted = now
            self._due = now + self._vary(self.level.carry)
        else:
            self._plan, self._gives_up = None, False
            pace = self.level.pace * (self.level.slowdown if self.mind.lead() >= WAITING_LEAD else 1)
            self._due = self._replan_at = max(now, self._lifted + self._vary(pace))


class RealTimePlayer(Protocol):
    """A player, such as a `bots.RealTimeBot`."""

    def next(self, view: Mapping[str, Any], now: float, /) -> Intention: ...
    def refused(self) -> None: ...


Maker = Callable[[int], RealTimePlayer]
"""Creates a player from a seed."""


def play(game: RealTimeGame, players: Sequence[RealTimePlayer], bell: float | None) -> State:
    """Play a game and return its last state. Each player gets the views of its seat.

    Chance ends the game `bell` seconds after the last player is ready. If `bell` is None, the game may also stop before
    its end, when no player intends to act.
    """
    assert len(players) == game.players
    state, now, end = game.start(), 0.0, math.inf
    intentions = [player.next(state.view(seat), now) for seat, player in enumerate(players)]
    while not state.is_terminal:
        seat = min(range(len(players)), key=lambda one: intentions[one].at)
        act, at = intentions[seat]
        if min(at, end) == math.inf:
            break
        if end <= at:
            return state.apply(*end_of(state), end)
        now = max(now, at)
        affected: Sequence[int] = [seat]
        if act is not None:
            try:
                state = state.apply(act, seat, now)
                affected = range(len(players))
            except IllegalAction:
                players[seat].refused()
            if bell is not None and end == math.inf and CHANCE in state.to_act:
                end = now + bell
        for one in affected:
            intentions[one] = players[one].next(state.view(one), now)
    return state


def end_of(state: State) -> tuple[str, int]:
    """The act of chance that ends a game, and the seat of chance."""
    (act,) = state.legal_actions(CHANCE)
    return act, CHANCE
