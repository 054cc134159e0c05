"""What positions are worth, and what of a game's result was luck and what was play."""

from importlib import import_module

TYPE_CHECKING = False  # as type checkers know it, without the time that importing it takes

if TYPE_CHECKING:
    from icetable.analysis.positions import Analysis, analyse
    from icetable.analysis.puzzling import puzzles
    from icetable.analysis.results import (
        AnalysedAct,
        AnalysedOutcome,
        Review,
        ReviewedAct,
        ReviewedPosition,
        ReviewedSeat,
    )
    from icetable.analysis.reviewing import Cancelled, review
    from icetable.extras.puzzles import Puzzle
    from icetable.extras.solving import regrets

__all__ = [
    "AnalysedAct",
    "AnalysedOutcome",
    "Analysis",
    "Cancelled",
    "Puzzle",
    "Review",
    "ReviewedAct",
    "ReviewedPosition",
    "ReviewedSeat",
    "analyse",
    "puzzles",
    "regrets",
    "review",
]

_PLACES = "analysis.results", "analysis.positions", "analysis.reviewing", "analysis.puzzling", "extras.solving"


def __getattr__(name: str) -> object:
    """Imported when it is first asked for: a server sends results, and has no time for searches when it begins."""
    if name in __all__:
        for place in _PLACES:
            if hasattr(module := import_module(f"icetable.{place}"), name):
                return globals().setdefault(name, getattr(module, name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
