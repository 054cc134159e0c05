"""Reviews of finished games."""

from __future__ import annotations

from typing import Any, NewType

import msgspec

from icetable.analysis.results import Review, Shares
from icetable.server.messages.tables import Frame


class ReviewProgress(msgspec.Struct, frozen=True):
    """The progress of a review: `done` of its `of` positions; 0 of 0 before it has begun.

    `ahead`: the number of reviews of other games before it in the queue. `worths`: the value of each position to all
    seats, null while unknown; empty if the review contains no values.
    """

    done: int
    of: int
    ahead: int
    worths: list[Shares | None]


ReviewParts = NewType("ReviewParts", dict[str, Any])
"""The review of a game without turns, in the game's own fields."""


class RealTimeReview(msgspec.Struct, frozen=True, tag="real-time"):
    """The review of a finished game without turns, from its rules and times alone."""

    parts: ReviewParts


AnyReview = Review | RealTimeReview


class Retried(msgspec.Struct, frozen=True):
    """The verdict on another act at a position of a finished game, on the scale of the game's review.

    `is_right`: it is the best known act, or as good. `worth`: its seat's expected share of the game after it, and
    `best`: the same after the best act. `reply`: the expected play after it, position by position. `answer`: the
    expected play from the position on, which is the first. `seq` is counted from there.
    """

    is_right: bool
    worth: float
    best: float
    reply: list[Frame]
    answer: list[Frame]
