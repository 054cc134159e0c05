"""Games played with Looney pyramids: rules, tables, bots and a laboratory.

>>> import icetable
>>> game = icetable.load("icefrogs", players=3)
>>> state = game.start()
>>> state.to_act
frozenset({0})
>>> state.legal_actions()[:3]
['S@b1', 'S@b2', 'M@b1']
>>> state = state.apply("S@b2")
>>> state.to_act
frozenset({1})
"""

from icetable.core.errors import (
    BadNotation,
    BadOption,
    BadRecord,
    Fault,
    GameError,
    IllegalAction,
    UnknownGame,
)
from icetable.core.game import CHANCE, Action, Effect, Game, GameInfo, State
from icetable.core.options import Option
from icetable.core.perft import perft
from icetable.games import list_games, load, replay

__all__ = [
    "CHANCE",
    "Action",
    "BadNotation",
    "BadOption",
    "BadRecord",
    "Effect",
    "Fault",
    "Game",
    "GameError",
    "GameInfo",
    "IllegalAction",
    "Option",
    "State",
    "UnknownGame",
    "list_games",
    "load",
    "perft",
    "replay",
]
