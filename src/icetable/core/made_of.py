"""What the games of one kind are played by: its rules, whatever they import, and its players."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from icetable.core.sources import sources_of, sources_of_file

if TYPE_CHECKING:
    from icetable.core.game import GameInfo
    from icetable.core.sources import Sources

PLAYED = ("", ".game", ".levels", ".solve", ".view")
"""The modules of a game's package that play begins with."""


def made_of(info: GameInfo, *players: str) -> Sources:
    """The sources of a game, with the modules that play it: its games may change where these do, and only there."""
    package = info.package or f"icetable.games.{info.name}"
    modules = sources_of(*(f"{package}{part}" for part in PLAYED), *players)
    if info.source:
        return modules | {info.name: info.source}
    with resources.as_file(info.folder / "weights.npz") as weights:
        return modules | sources_of_file(weights)
