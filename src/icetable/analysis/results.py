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
    """The effect of an act."""

    seat: int
    """The seat that acted, -1 for chance."""
    act: str
    """In the game's notation."""
    kind: ActKind
    """Whether its seat had a choice."""
    best: str | None
    """The act that the search prefers; null for chance."""
    line: tuple[str, ...]
    """The principal variation of `best`."""
    regret: float
    """What the act cost its own seat."""
    stake: float
    """What a random choice would have cost it on average."""
    gifts: Shares
    """What it gave to the other seats."""
    luck: Shares
    """What chance gave to each seat."""
    drift: Shares
    """The change in the search's own opinion."""
    label: ActLabel | None
    """A word for a costly act."""


class ReviewedSeat(msgspec.Struct, frozen=True, kw_only=True):
    """Where a seat's share of a game came from: share = start + luck + gifts - regret + drift + end."""

    share: float
    """The seat's share of the finished game."""
    start: float
    """Its worth in the first position."""
    luck: float
    """The sum over all acts, as in `ReviewedAct`."""
    gifts: float
    """What other seats gave to it."""
    regret: float
    """What its own acts cost it."""
    drift: float
    """The sum over all acts."""
    end: float
    """What it won or lost if the game ended before its rules did, or 0."""
    decisions: int
    """The number of its acts."""
    unforced: int
    """The number of its acts with an alternative."""
    luck_adjusted: float
    """The share without luck."""
    error_rate: float
    """The mean regret of an unforced decision, in thousandths of a share."""
    accuracy: float | None
    """The part of the stakes that it kept, from 0 (as at random) to 1; null if too few choices mattered, or if no study
    has found the search to be reliable.
    """


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
