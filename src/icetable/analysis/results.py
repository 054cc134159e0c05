"""The results of analyses and reviews, as they are stored and sent. Imports no searches, so it loads fast."""

from __future__ import annotations

from typing import Literal

import msgspec

ActKind = Literal["decision", "forced", "chance"]
ActLabel = Literal["inaccuracy", "mistake", "blunder"]
Reason = Literal["draw", "time", "resign", "record"]
"""What ended a game before its rules did; "record": a table shows a record that ends here."""

Shares = tuple[float, ...]
"""A number for each seat, in shares of the game."""


class AnalysedAct(msgspec.Struct, frozen=True):
    """A legal act: its `worth` for each seat after a number of `visits`, and `line`, its principal variation.

    `exact`: the worth is proven for best play.
    """

    act: str
    worth: Shares
    visits: int
    exact: bool
    line: tuple[str, ...]


class AnalysedOutcome(msgspec.Struct, frozen=True):
    """An outcome of chance: its probability, and the `worth` of the position after it for each seat.

    `exact`: the worth is proven for best play.
    """

    act: str
    odds: float
    worth: Shares
    exact: bool


class ReviewedPosition(msgspec.Struct, frozen=True):
    """The worth of a position: the expected share of the game for each seat. They add up to 1."""

    worth: Shares


class ReviewedAct(msgspec.Struct, frozen=True, kw_only=True):
    """The effect of an act. `kind`: whether its seat, -1 for chance, had a choice.

    `best` is the act that the search prefers, null for chance, and `line` its principal variation. `regret`: what the
    act cost its own seat; `stake`: what a random choice would have cost it on average; `gifts`: what it gave to the
    other seats; `luck`: what chance gave to each seat; `drift`: the change in the search's own opinion. `label`: a word
    for a costly act.
    """

    seat: int
    act: str
    kind: ActKind
    best: str | None
    line: tuple[str, ...]
    regret: float
    stake: float
    gifts: Shares
    luck: Shares
    drift: Shares
    label: ActLabel | None


class ReviewedSeat(msgspec.Struct, frozen=True, kw_only=True):
    """Where a seat's share of a game came from: share = start + luck + gifts - regret + drift + end.

    `start`: its worth in the first position. `end`: what it won or lost if the game ended before its rules did, or 0.
    `unforced` of its `decisions` had an alternative. `luck_adjusted`: the share without luck. `error_rate`: the mean
    regret of an unforced decision, in thousandths of a share. `accuracy`: the part of the stakes that it kept, from 0
    (as at random) to 1; null if too few choices mattered, or if no study has found the search to be reliable.
    """

    share: float
    start: float
    luck: float
    gifts: float
    regret: float
    drift: float
    end: float
    decisions: int
    unforced: int
    luck_adjusted: float
    error_rate: float
    accuracy: float | None


class Review(msgspec.Struct, frozen=True, kw_only=True, tag="turns"):
    """A review of a finished game: its `positions`, one more than its `acts`, and an account for each seat.

    `costliest`: the indices of the acts with regret, the costliest first. `ended`: what ended the game, if no rule did.
    `simulations` and `seed` are those of the searches.
    """

    simulations: int
    seed: int
    positions: tuple[ReviewedPosition, ...]
    acts: tuple[ReviewedAct, ...]
    seats: tuple[ReviewedSeat, ...]
    costliest: tuple[int, ...]
    ended: Reason | None

    @property
    def worths(self) -> tuple[Shares, ...]:
        """The worth of each position."""
        return tuple(position.worth for position in self.positions)

    def costliest_of(self, seat: int) -> list[int]:
        """The acts of one seat among the costliest."""
        return [index for index in self.costliest if self.acts[index].seat == seat]


class Analysis(msgspec.Struct, frozen=True):
    """The evaluation of a position: `worth`, the expected share of the game for each seat; they add up to 1.

    `seat` is the one to act, or CHANCE; None if the game is over. `exact`: the game is over or solved, so that the
    worth is proven for best play. `candidates` are the legal acts of the seat, best first, each with its principal
    variation. `outcomes` are those of chance, if they can be listed.
    """

    seat: int | None
    worth: Shares
    exact: bool
    candidates: tuple[AnalysedAct, ...] = ()
    outcomes: tuple[AnalysedOutcome, ...] = ()
