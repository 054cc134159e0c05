"""Reviews of games that are over."""

from __future__ import annotations

from typing import Any, NewType

import msgspec

from icetable.analysis.results import Review, Shares
from icetable.server.messages.tables import Frame


class ReviewProgress(msgspec.Struct, frozen=True):
    """How far a review is that is still worked out: `done` of its `of` positions; 0 of 0 before it has begun.

    `ahead`: how many reviews of other games come before it. `worths`: what each position is worth to all seats, null
    where that is not known yet; empty where the review tells of no worth.
    """

    done: int
    of: int
    ahead: int
    worths: list[Shares | None]


Told = NewType("Told", dict[str, Any])
"""What a review tells of a game without turns, in the game's own fields."""


class RealTimeReview(msgspec.Struct, frozen=True, tag="real-time"):
    """A game without turns that is over, as its rules and times alone tell of it."""

    told: Told


AnyReview = Review | RealTimeReview


class Retried(msgspec.Struct, frozen=True):
    """What another act would have been at a position of a game that is over, by the measure of the game's review.

    `is_right`: it is the best that is known, or as good. `worth`: what its seat can expect after it, in shares of the
    game, and `best` after the best act. `reply`: the play to expect after it, position by position. `answer`: the play
    to expect from the position on, which is the first. Positions are counted from there.
    """

    is_right: bool
    worth: float
    best: float
    reply: list[Frame]
    answer: list[Frame]
