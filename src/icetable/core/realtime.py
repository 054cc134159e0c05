"""Games without turns, as players see them who have only eyes, a voice and one hand.

A game says what there is to do (`Mind`); when somebody gets round to doing it is up to whoever plays
(`bots.realtime`), and what becomes of it up to the rules. This module imports no numpy and no numba.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from icetable.core.game import Game


@dataclass(frozen=True)
class Skill:
    """How well somebody plays, however fast: 0 … 1 where nothing else is said.

    `breadth`: how many times a usual number of ways to use a piece are looked at. `foresight`: how much what others may
    still do counts. `patience`: how much a piece that is kept for later is worth, of what it could score. `slip`: how
    often anything at all that fits is played instead of the best. `wobble`: how far off the hand lets go, in
    thousandths of an inch, at the most half as much again; in tenths of a degree half of that.
    """

    breadth: int
    foresight: float
    patience: float
    slip: float
    wobble: int


class Chance(NamedTuple):
    """Something to be seized: the act, and what it answers (the same as long as nothing new has come up).

    `by_hand`: it takes the hand. `since`: until then it would be in vain.
    """

    act: str
    occasion: str
    by_hand: bool
    since: float = 0.0


class Plan(NamedTuple):
    """What the hand is to do: take something up, and put it somewhere (`kind` and `place` are the game's own codes)."""

    kind: int
    place: int


class Mind(Protocol):
    """What one player makes of what it sees. Nothing but views goes in; a seat is known by its view."""

    def see(self, view: Mapping[str, Any], now: float) -> None:
        """Look at the table, `now` seconds after it was opened. All else is about what was seen last."""

    @property
    def holds(self) -> bool:
        """Whether something is in hand."""

    def duty(self) -> str | None:
        """The act that comes before all others, if there is one: the game waits for it."""

    def chances(self) -> list[Chance]:
        """What should be seized at once."""

    def plan(self, pace: float) -> Plan | None:
        """What to do with the hand, or with what is in it; None for nothing better than to wait.

        `pace`: how many seconds the hand takes for each piece. Bounded in time: a few milliseconds.
        """

    def wants(self, plan: Plan) -> bool:
        """Whether a plan still is possible and does good."""

    def in_danger(self) -> bool:
        """Whether waiting could cost everything."""

    def may_want_more(self) -> bool:
        """Whether the mere passing of time may bring up a plan where there is none."""

    def take(self, plan: Plan) -> str:
        """The act that begins a plan."""

    def put(self, plan: Plan) -> str:
        """The act that ends a plan, as precise as the hand is: another one each time."""

    def drop(self) -> str:
        """The act that gives up a plan with something in hand."""


class RealTimeGame(Game):
    """A game in which anybody may act at any time."""

    @abstractmethod
    def mind(self, skill: Skill, seed: int) -> Mind:
        """A player's mind. The same seed and the same views bring the same thoughts."""
