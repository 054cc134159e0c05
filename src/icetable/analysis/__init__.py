"""What positions are worth, and what of a game's result was luck and what was play."""

from icetable.analysis.positions import Analysis, Outcome, analyse
from icetable.analysis.puzzling import puzzles
from icetable.analysis.reviewing import Cancelled, review
from icetable.analysis.reviews import ActReview, Review, SeatReview
from icetable.extras.puzzles import Puzzle

__all__ = [
    "ActReview",
    "Analysis",
    "Cancelled",
    "Outcome",
    "Puzzle",
    "Review",
    "SeatReview",
    "analyse",
    "puzzles",
    "review",
]
