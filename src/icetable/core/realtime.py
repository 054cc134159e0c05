"""Games without turns, for players that have eyes, a voice and one hand.

A `Mind` says what a player wants to do. `bots.realtime` decides when the player does it, and the rules decide what
comes of it. This module imports neither numpy nor numba.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from icetable.core.drawing import Paint, no_paint
from icetable.core.game import Game, State

if TYPE_CHECKING:
    from icetable.core.record import Ended


STANDSTILL = 1000
"""For how many milliseconds play stands still where it does (`RealTimeGame.stops_play`)."""


@dataclass(frozen=True)
class Skill:
    """How well a player plays, at any speed. Values are 0 … 1 unless stated otherwise.

    `breadth`: the number of placements to consider, as a multiple of the usual number. `foresight`: the weight of what
    opponents may still do. `resolve`: how surely the player counts on ending what takes several pieces. `patience`: the
    worth of a piece that is kept for later, as a part of what it could score now. `calm`: how many times the player
    lets an equal share of its time pass, 0 or more, before patience begins to end. `wobble`: the usual error of the
    hand in thousandths of an inch, at most 1.5 times as much; in tenths of a degree the error is half as large.
    `choice`: among how many kinds of its pieces the player chooses, the smallest first; None is all of them.
    """

    breadth: int
    foresight: float
    resolve: float
    patience: float
    calm: float
    wobble: int
    choice: int | None = None


class Opportunity(NamedTuple):
    """An act worth making at once, and its occasion, which stays the same until something new comes up.

    `by_hand`: the act needs the hand. `since`: the act has no effect before this time, in seconds.
    """

    act: str
    occasion: str
    by_hand: bool
    since: float = 0.0


class HandMove(NamedTuple):
    """What the hand should do: lift a piece and place it. `kind` and `place` are codes of the game's own."""

    kind: int
    place: int


class Overtaken(NamedTuple):
    """Another player was first, by the act of the position `by`. `where`: the pieces concerned. `rule`: its id."""

    by: State
    rule: str
    where: tuple[str, ...]


class Mind(Protocol):
    """The policy of one player. It gets nothing but the views of its seat."""

    def see(self, view: Mapping[str, Any], now: float) -> None:
        """Take in a view, `now` seconds after the table was opened. The other methods are about the last view."""

    @property
    def holds(self) -> bool:
        """Whether the hand holds a piece."""

    def duty(self) -> str | None:
        """The act that the game waits for; None where there is no such act."""

    def opportunities(self) -> list[Opportunity]:
        """The acts that are worth making at once."""

    def plan(self, pace: float) -> HandMove | None:
        """What to do next with the hand or with the piece in it; None for waiting.

        `pace`: the seconds that the hand takes for each piece. Takes at most a few milliseconds.
        """

    def wants(self, plan: HandMove) -> bool:
        """Whether a plan is still possible and useful."""

    def in_danger(self) -> bool:
        """Whether waiting may lose the game."""

    def may_want_more(self) -> bool:
        """Whether a plan may turn up without any change of the view."""

    def take(self, plan: HandMove) -> str:
        """The act that begins a plan."""

    def put(self, plan: HandMove) -> str:
        """The act that ends a plan, with the error of the hand, which is drawn anew each time."""

    def drop(self) -> str:
        """The act that gives up a plan and puts the piece in hand back."""


class RealTimeGame(Game):
    """A game in which every seat may act at any time."""

    @abstractmethod
    def mind(self, skill: Skill, seed: int) -> Mind:
        """The policy of a player. The same seed and the same views give the same decisions."""

    def overtaken(self, state: State, action: str, seat: int, unseen: Sequence[State]) -> Overtaken | None:
        """Whether an act at a state would be penalized or refused only because of what others did in the last positions
        before it, `unseen`. A host may refuse it then, which leaves no trace. Raises BadNotation.
        """
        return None

    def stops_play(self, state: State) -> bool:
        """Whether all look up at the act that led to a state. A host may let play stand still then, for STANDSTILL; the
        rules know nothing of that.
        """
        return False

    @abstractmethod
    def review(self, state: State, ended: Ended | None = None) -> Mapping[str, Any]:
        """How a game went, from the states that led to its end, without any search: JSON-able.

        `ended`: how it ended, if its rules did not end it. Raises GameError for a state of another game, and for a game
        that is not over or had not begun.
        """

    @abstractmethod
    def review_lines(self, review: Mapping[str, Any], paint: Paint = no_paint) -> list[str]:
        """A review of a game under these options as text for a terminal, line by line."""
