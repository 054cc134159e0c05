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
    """A legal act, as far as it was searched."""

    act: str
    """Its notation."""
    worth: Shares
    """The expected share of the game of each seat after it. They add up to 1."""
    visits: int
    """The number of simulations that tried it."""
    exact: bool
    """Whether the worth is proven for best play."""
    line: tuple[str, ...]
    """Its principal variation, from this act on."""


class AnalysedOutcome(msgspec.Struct, frozen=True):
    """An outcome of chance."""

    act: str
    """Its notation."""
    odds: float
    """Its probability."""
    worth: Shares
    """The expected share of the game of each seat after it. They add up to 1."""
    exact: bool
    """Whether the worth is proven for best play."""


class ReviewedPosition(msgspec.Struct, frozen=True):
    """The worth of a position."""

    worth: Shares
    """The expected share of the game of each seat. They add up to 1."""


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
    """A review of a finished game: its positions, its acts, and an account for each seat."""

    simulations: int
    """The number of simulations of each search."""
    seed: int
    """The seed of the searches."""
    positions: tuple[ReviewedPosition, ...]
    """Those of the game, one more than the acts."""
    acts: tuple[ReviewedAct, ...]
    """Those of the game, of chance too."""
    seats: tuple[ReviewedSeat, ...]
    """The account of each seat."""
    costliest: tuple[int, ...]
    """The indices of the acts with regret, the costliest first."""
    ended: Reason | None
    """What ended the game; None if a rule did."""

    @property
    def worths(self) -> tuple[Shares, ...]:
        """The worth of each position."""
        return tuple(position.worth for position in self.positions)

    def costliest_of(self, seat: int) -> list[int]:
        """The acts of one seat among the costliest."""
        return [index for index in self.costliest if self.acts[index].seat == seat]


class Analysis(msgspec.Struct, frozen=True):
    """The evaluation of a position."""

    seat: int | None
    """The seat to act, or CHANCE; None if the game is over."""
    worth: Shares
    """The expected share of the game of each seat. They add up to 1."""
    exact: bool
    """Whether the game is over or solved, so that the worth is proven for best play."""
    candidates: tuple[AnalysedAct, ...] = ()
    """The legal acts of the seat, best first, each with its principal variation."""
    outcomes: tuple[AnalysedOutcome, ...] = ()
    """Those of chance, if they can be listed."""
