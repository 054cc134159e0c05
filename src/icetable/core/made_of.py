"""The source files that decide how a game is played: its rules, everything they import, and its players."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from icetable.core.sources import sources_of, sources_of_file

if TYPE_CHECKING:
    from icetable.core.game import GameInfo
    from icetable.core.sources import Sources

ENTRY_MODULES = ("", ".compiled", ".game", ".levels", ".solve", ".view")
"""The modules of a game's package whose imports are followed."""


def game_sources(info: GameInfo, *players: str) -> Sources:
    """The sources of a game and of the modules that play it. Games can change only if one of these changes."""
    package = info.package or f"icetable.games.{info.name}"
    modules = sources_of(*(f"{package}{part}" for part in ENTRY_MODULES), *players)
    if info.source:
        return modules | {info.name: info.source}
    with resources.as_file(info.folder / "weights.npz") as weights:
        return modules | sources_of_file(weights)
