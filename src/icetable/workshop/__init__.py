"""The workshop: a game with pyramids in one file of plain Python.

A game is a class. It defines how the table is set up, which acts are legal, what an act does, and when the game ends;
records, views, refusals, bots, the board in the browser and the lab follow from that. See docs/workshop.md.
"""

from icetable.core.errors import BadOption
from icetable.workshop.boards import (
    ALL_EIGHT,
    DIAGONALS,
    OPPOSITE,
    ORTHOGONALS,
    SIX,
    Board,
    graph,
    hexagons,
    ring,
    squares,
    star,
)
from icetable.workshop.design import Game, option
from icetable.workshop.equipment import Piece, Pyramid, Token, drawn
from icetable.workshop.files import info_of, load_file
from icetable.workshop.guard import DesignError
from icetable.workshop.look import (
    Account,
    ActSays,
    Apart,
    Face,
    Help,
    Look,
    Says,
    Shape,
    Shows,
    Tally,
    Threat,
    TurnPart,
)
from icetable.workshop.table import Table

__all__ = [
    "ALL_EIGHT",
    "DIAGONALS",
    "OPPOSITE",
    "ORTHOGONALS",
    "SIX",
    "Account",
    "ActSays",
    "Apart",
    "BadOption",
    "Board",
    "DesignError",
    "Face",
    "Game",
    "Help",
    "Look",
    "Piece",
    "Pyramid",
    "Says",
    "Shape",
    "Shows",
    "Table",
    "Tally",
    "Threat",
    "Token",
    "TurnPart",
    "drawn",
    "graph",
    "hexagons",
    "info_of",
    "load_file",
    "option",
    "ring",
    "squares",
    "star",
]
