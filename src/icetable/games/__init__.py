"""Which games there are. A game is a package in this folder that exports GAME."""

from __future__ import annotations

import functools
import pkgutil
from importlib import import_module

from icetable.core import record
from icetable.core.errors import BadRecord, UnknownGame
from icetable.core.game import Game, GameInfo, State
from icetable.core.options import short_repr


@functools.cache
def list_games() -> tuple[GameInfo, ...]:
    """All games, by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)
    return tuple(import_module(f"icetable.games.{name}").GAME for name in names)


def info(name: object) -> GameInfo:
    """What there is to know of a game. Raises UnknownGame."""
    for game in list_games():
        if isinstance(name, str) and game.name == name:
            return game
    raise UnknownGame(f"there is no game {short_repr(name)}; there are {', '.join(game.name for game in list_games())}")


def load(name: str, /, preset: str | None = None, **options: object) -> Game:
    """A game under options. Raises UnknownGame or BadOption, which name what is allowed."""
    return info(name).load(preset, **options)


def replay(text: str) -> State:
    """The last state of a record of any game. Raises BadRecord, UnknownGame or BadOption."""
    head = record.read_head(text)
    if not all(option.isidentifier() for option in head.options):
        raise BadRecord("an option's name is a word")
    return load(head.game, **head.options).replay(text)
