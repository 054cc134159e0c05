"""What a workshop game shows beside its board."""

from __future__ import annotations

from icetable.workshop.design import Game, names_in
from icetable.workshop.view import Beside

PAD_NAMES = {"pad", "keep", "spend", "capture"}
SEAT_NAMES = {"score", "gain", "out", "eliminate"}
"""The names in a game's code that imply pieces beside the board, and text about seats."""


def beside(design: Game) -> Beside:
    """The most that can be beside the board, by the names that the game's code uses."""
    if design.look.supplies:
        return "supplies"
    names = names_in(type(design))
    return "pieces" if PAD_NAMES & names else "points" if SEAT_NAMES & names or design.scores else "nothing"
