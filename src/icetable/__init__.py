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

from importlib import import_module

TYPE_CHECKING = False  # recognized by type checkers, without the slow import of typing

if TYPE_CHECKING:
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
    from icetable.core.turns import perft
    from icetable.games import from_json, list_games, load, replay

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
    "from_json",
    "list_games",
    "load",
    "perft",
    "replay",
]

_MODULES = "core.errors", "core.options", "core.game", "games", "core.turns"
_SUBPACKAGES = "analysis", "bots", "envs", "games", "lab", "workshop"


def __getattr__(name: str) -> object:
    """Import on first use, so that the command `icetable` starts fast and can be interrupted from the start."""
    if name in _SUBPACKAGES:
        return import_module(f"{__name__}.{name}")
    if name == "__version__":
        from icetable.version import version

        return globals().setdefault(name, version())
    if name in __all__:
        for place in _MODULES:
            if hasattr(module := import_module(f"{__name__}.{place}"), name):
                return globals().setdefault(name, getattr(module, name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_SUBPACKAGES, "__version__"})
