"""What a game of the workshop has beside its board."""

from __future__ import annotations

from icetable.workshop.design import Game, names_in
from icetable.workshop.view import Beside

LIE = {"pad", "keep", "spend", "capture"}
COUNT = {"score", "gain", "out", "eliminate"}
"""The words for pieces before a seat, and for what is told of a seat in words."""


def beside(design: Game) -> Beside:
    """What there can be beside the board, by the words that the game's code uses."""
    names = names_in(type(design))
    return "pieces" if LIE & names else "points" if COUNT & names or design.scores else "nothing"
