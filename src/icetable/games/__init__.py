"""The registry. A game is a package in this folder that exports GAME."""

from __future__ import annotations

import functools
import pkgutil
from collections.abc import Mapping
from importlib import import_module

from icetable.core import record, saved
from icetable.core.errors import BadRecord, UnknownGame
from icetable.core.game import Game, GameInfo, State
from icetable.core.options import short_repr, suggested
from icetable.core.record import Head


@functools.cache
def list_games() -> tuple[GameInfo, ...]:
    """All games, sorted by name.

    >>> import icetable
    >>> [game.name for game in icetable.list_games()]
    ['highrise', 'icefrogs', 'icehouse', 'squad', 'wrecktangle']
    """
    names = sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)
    return tuple(import_module(f"icetable.games.{name}").GAME for name in names)


def info(name: object) -> GameInfo:
    """The game with a name. Raises UnknownGame."""
    for game in list_games():
        if isinstance(name, str) and game.name == name:
            return game
    known = ", ".join(game.name for game in list_games())
    meant = suggested(name, {word: game.name for game in list_games() for word in (game.name, game.title)})
    raise UnknownGame(f"there is no game {short_repr(name)}; there are {known}{meant}")


def load(name: str, /, preset: str | None = None, **options: object) -> Game:
    """Load a game with options. Raises UnknownGame or BadOption, whose messages name what is allowed.

    >>> import icetable
    >>> icetable.load("highrise", values=[0, 1, 2, 3, 4, 5, 6, 7, 8]).options["memory"]
    'on'
    >>> icetable.load("icehouse", preset="friendly").options["crash"]
    'refuse'
    """
    return info(name).load(preset, **options)


def info_of(game: Game | str) -> GameInfo:
    """The info of a game, or of the game with a name. Raises UnknownGame."""
    return game.info if isinstance(game, Game) else info(game)


def with_options(game: Game | str, /, **options: object) -> Game:
    """A game with some options changed, or the game with a name, loaded with them. Raises UnknownGame or BadOption."""
    if not isinstance(game, Game):
        return info(game).load(None, **options)
    return game.info.load(None, **{**game.options, **options}) if options else game


def replay(text: str) -> State:
    """The last state of a record of any game. Raises BadRecord, UnknownGame or BadOption.

    >>> import icetable
    >>> state = icetable.load("squad").start().apply("C@a1")
    >>> icetable.replay(state.record()) == state
    True
    """
    return game_of(record.read_head(text)).replay(text)


def from_json(text: str) -> State:
    """The state of any game whose `to_json` is the text. Raises BadRecord, UnknownGame or BadOption.

    >>> import icetable
    >>> state = icetable.load("squad", formation="exact").start().apply("C@a1")
    >>> icetable.from_json(state.to_json()) == state
    True
    """
    parts = saved.checked(saved.decoded(text))
    return _kept(parts["game"], parts["options"]).from_saved(parts)


def game_of(head: Head) -> Game:
    """The game of a record. Raises BadRecord, UnknownGame or BadOption."""
    return _kept(head.game, head.options)


def _kept(name: object, options: object) -> Game:
    """The game of what was kept. Raises BadRecord, UnknownGame or BadOption."""
    if not isinstance(options, Mapping) or not all(option.isidentifier() for option in options):
        raise BadRecord("options have values by name, and an option's name is a word")
    return info(name).load_kept(options)
