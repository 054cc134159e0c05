"""Evaluation of positions, and reviews that separate luck and play in a game's result."""

from importlib import import_module

TYPE_CHECKING = False  # type checkers know this name, and importing it would take time

if TYPE_CHECKING:
    from icetable.analysis.positions import analyse
    from icetable.analysis.puzzle_search import puzzles
    from icetable.analysis.results import (
        AnalysedAct,
        AnalysedOutcome,
        Analysis,
        Review,
        ReviewedAct,
        ReviewedPosition,
        ReviewedSeat,
    )
    from icetable.analysis.reviews import Cancelled, review
    from icetable.extras.exercises import Puzzle
    from icetable.extras.strength import regrets

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

_MODULES = (
    *("analysis.results", "analysis.positions", "analysis.reviews", "analysis.puzzle_search"),
    "extras.strength",
)


def __getattr__(name: str) -> object:
    """Import on first use: a server needs the results at startup, but not the searches."""
    if name in __all__:
        for module_name in _MODULES:
            if hasattr(module := import_module(f"icetable.{module_name}"), name):
                return globals().setdefault(name, getattr(module, name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
