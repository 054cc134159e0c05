"""Reviews of finished games."""

from __future__ import annotations

from typing import Any, NewType

import msgspec

from icetable.analysis.results import Review, Shares
from icetable.server.messages.tables import Frame


class ReviewProgress(msgspec.Struct, frozen=True):
    """The progress of a review."""

    done: int
    """The number of positions that are done."""
    of: int
    """The number of all positions; 0 before the review has begun."""
    ahead: int
    """The number of reviews of other games before it in the queue."""
    worths: list[Shares | None]
    """The value of each position to all seats, null while unknown; empty if the review contains no values."""


ReviewParts = NewType("ReviewParts", dict[str, Any])
"""The review of a game without turns, in the game's own fields."""


class RealTimeReview(msgspec.Struct, frozen=True, tag="real-time"):
    """The review of a finished game without turns, from its rules and times alone."""

    parts: ReviewParts
    """What the review is made of."""


AnyReview = Review | RealTimeReview


class Retried(msgspec.Struct, frozen=True):
    """The verdict on another act at a position of a finished game, on the scale of the game's review."""

    is_right: bool
    """It is the best known act, or as good."""
    worth: float
    """Its seat's expected share of the game after it."""
    best: float
    """The same after the best act."""
    reply: list[Frame]
    """The expected play after it, position by position; `seq` is counted from the position on."""
    answer: list[Frame]
    """The expected play from the position on, which is the first; `seq` is counted from there."""
