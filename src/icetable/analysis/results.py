"""What an analysis and a review tell, as they are kept and sent. This needs no search, so it is loaded in no time."""

from __future__ import annotations

from typing import Literal

import msgspec

ActKind = Literal["decision", "forced", "chance"]
ActLabel = Literal["inaccuracy", "mistake", "blunder"]
Reason = Literal["draw", "time", "resign", "record"]
"""What ended a game that no rule ended; "record": the record that a table shows goes no further."""

Shares = tuple[float, ...]
"""A number for each seat, in shares of the game."""


class AnalysedAct(msgspec.Struct, frozen=True):
    """A legal act: what it is `worth` to each seat, after how many `visits`, and the acts that are expected from it on.

    `exact`: the worth is solved, that is, proven to be that of best play.
    """

    act: str
    worth: Shares
    visits: int
    exact: bool
    line: tuple[str, ...]


class AnalysedOutcome(msgspec.Struct, frozen=True):
    """What chance may do: its probability, and what the position is `worth` to each seat after it.

    `exact`: that is solved.
    """

    act: str
    odds: float
    worth: Shares
    exact: bool


class ReviewedPosition(msgspec.Struct, frozen=True):
    """What a position is worth: the share of the game that each seat can expect. They add up to 1."""

    worth: Shares


class ReviewedAct(msgspec.Struct, frozen=True, kw_only=True):
    """What an act did. `kind`: whether its seat, -1 for chance, could choose. Of chance, `best` is null.

    `best` is what the search would have played, and `line` the acts that it expected then. `regret`: what the act cost
    its own seat; `stake`: what a choice at random would have cost it on average; `gifts`: what it brought to the
    others; `luck`: what chance brought to each seat; `drift`: by how much the search changed its mind. `label`: a word
    for an act that cost much.
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

    `start`: what the first position was worth to it. `end`: what it won or lost as the game was ended before its rules
    did; else 0. `unforced` of its `decisions` had an alternative. `luck_adjusted`: the share without luck.
    `error_rate`: the regret of an unforced decision, in thousandths of a share. `accuracy`: how much it kept of what
    was at stake, from 0, where no act was better than one at random, to 1; null where too few choices mattered, or
    where no study has found that the search can be believed.
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
    """A game that is over, act by act: its `positions`, one more than its `acts`, and the account of each seat.

    `costliest`: the indices of the acts that cost their seats something, the costliest first. `ended`: what ended the
    game, if no rule did. Searches of that many `simulations` found all of it, with a `seed`.
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
        """What each position is worth."""
        return tuple(position.worth for position in self.positions)

    def costliest_of(self, seat: int) -> list[int]:
        """The acts of one seat among the costliest."""
        return [index for index in self.costliest if self.acts[index].seat == seat]
