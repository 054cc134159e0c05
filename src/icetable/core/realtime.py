"""Games without turns, for players with eyes, a voice and one hand.

A `Mind` decides what a player wants to do, `bots.realtime` decides when, and the rules decide the result. This module
imports neither numpy nor numba.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from icetable.core.game import Game, Paint, State, no_paint

if TYPE_CHECKING:
    from icetable.core.record import Ended


STANDSTILL_MS = 1000
"""Duration of a pause in play (`RealTimeGame.stops_play`)."""
HAND_MS = 500
"""The time that a hand needs for a piece, in the long run (`RealTimeGame.is_placing`)."""
HAND_BURST = 3
"""The number of pieces that may arrive at once: lines are uneven."""


@dataclass(frozen=True)
class Skill:
    """How well a player plays, at any speed. Values are 0 … 1 unless stated otherwise."""

    breadth: int
    """The number of placements to consider, as a multiple of the usual number."""
    foresight: float
    """The weight of opponents' possible acts."""
    confidence: float
    """The expected probability of finishing a plan that takes several pieces."""
    discount: float
    """The value of a piece saved for later, as a fraction of what it could score now."""
    discount_start: float
    """The number of equal shares of its time, 0 or more, after which that value decreases."""
    hand_error: int
    """The usual error of the hand in thousandths of an inch, at most 1.5 times as much; in tenths of a degree half of
    it."""
    choice: int | None = None
    """The number of kinds of pieces to choose among, the smallest first; None for all."""


class Opportunity(NamedTuple):
    """An act to make immediately."""

    act: str
    """The act."""
    occasion: str
    """The reason for it, which stays the same until something new happens."""
    by_hand: bool
    """Whether it needs the hand."""
    since: float = 0.0
    """The time before which it has no effect, in seconds."""


class HandMove(NamedTuple):
    """A plan to lift a piece and place it."""

    kind: int
    """The game's code of the piece."""
    place: int
    """The game's code of the place."""


class Overtaken(NamedTuple):
    """Another player acted first."""

    by: State
    """The state after the last act of that player."""
    rule: str
    """The id of the rule."""
    where: tuple[str, ...]
    """The pieces concerned."""


class Mind(Protocol):
    """The policy of one player, based only on the views of its seat."""

    def see(self, view: Mapping[str, Any], now: float) -> None:
        """Observe a view, `now` seconds after the table was opened. The other methods use the last view."""

    @property
    def holds(self) -> bool:
        """Whether the hand holds a piece."""

    def duty(self) -> str | None:
        """The act that the game waits for; None if there is none."""

    def opportunities(self) -> list[Opportunity]:
        """The acts to make immediately."""

    def plan(self, pace: float) -> HandMove | None:
        """Plan the next move of the hand, or of the piece in it; None to wait. Takes at most a few milliseconds.

        `pace`: the seconds that the hand takes per piece.
        """

    def wants(self, plan: HandMove) -> bool:
        """Whether a plan is still possible and useful."""

    def in_danger(self) -> bool:
        """Whether waiting may lose the game."""

    def lead(self) -> int:
        """How many pieces the player has played more than the one who has played the fewest."""

    def may_want_more(self) -> bool:
        """Whether a new plan may become possible without a change of the view."""

    def take(self, plan: HandMove) -> str:
        """The act that begins a plan."""

    def put(self, plan: HandMove) -> str:
        """The act that ends a plan, with a newly drawn error of the hand."""

    def drop(self) -> str:
        """The act that abandons a plan and puts the piece in hand back."""


class RealTimeGame(Game):
    """A game in which every seat may act at any time."""

    @abstractmethod
    def mind(self, skill: Skill, seed: int) -> Mind:
        """The policy of a player. The same seed and the same views give the same decisions."""

    def overtaken(self, state: State, action: str, seat: int, unseen: Sequence[State]) -> Overtaken | None:
        """Whether an act would be penalized or refused only because of what others did in the last positions, `unseen`.
        A host may refuse such an act, which leaves no trace. Raises BadNotation.
        """
        return None

    def is_placing(self, action: str) -> bool:
        """Whether an act places a piece, for which a hand needs HAND_MS. A host may refuse a hand that is quicker."""
        return False

    def stops_play(self, state: State) -> bool:
        """Whether the act that led to a state draws everybody's attention. A host may then pause play for
        STANDSTILL_MS, which the rules know nothing about.
        """
        return False

    @abstractmethod
    def review(self, state: State, ended: Ended | None = None) -> Mapping[str, Any]:
        """Review a finished game from its states, without a search: JSON-able.

        `ended`: how it ended, if its rules did not end it. Raises GameError for a state of another game, and for a game
        that is not over or had not begun.
        """

    @abstractmethod
    def review_page(self, review: Mapping[str, Any]) -> Mapping[str, Any]:
        """What the game's own page shows of a review: JSON-able."""

    @abstractmethod
    def review_lines(self, review: Mapping[str, Any], paint: Paint = no_paint) -> list[str]:
        """A review of a game under these options as text for a terminal, line by line."""
