"""The registry of games: the packages of this folder, each of which exports GAME, and external games.

External games are classes and files of the workshop: files loaded by path, files that the user lists in the variable
ICETABLE_GAMES (separated like folders in PATH), and the entry points `icetable.games` of installed packages.
"""

from __future__ import annotations

import functools
import os
import pkgutil
from collections.abc import Callable, Collection, Mapping
from importlib import import_module, metadata
from pathlib import Path

from icetable.core import record
from icetable.core.errors import BadRecord, UnknownGame
from icetable.core.game import Game, GameInfo, State, check_position, read_position
from icetable.core.options import short_repr, suggested
from icetable.core.record import Head
from icetable.workshop import files as workshop_files
from icetable.workshop.files import GAMES_VARIABLE as GAMES_VARIABLE

files = workshop_files.known_files


def list_games() -> tuple[GameInfo, ...]:
    """All games, sorted by name.

    >>> import icetable
    >>> [game.name for game in icetable.list_games()]
    ['highrise', 'icefrogs', 'icehouse', 'squad', 'wrecktangle']
    """
    return tuple(sorted((*_built_in(), *_external()), key=lambda game: game.name))


@functools.cache
def _built_in() -> tuple[GameInfo, ...]:
    names = sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)
    return tuple(import_module(f"icetable.games.{name}").GAME for name in names)


_LISTED: dict[str, GameInfo] = {}
"""The games of the files that the user lists, by path."""
_load_file: Callable[[str | Path], GameInfo] = workshop_files.load_file


def keep_files_apart(load: Callable[[str | Path], GameInfo]) -> None:
    """Let this process load files by `load` from now on, which runs their code in other processes, as a server does."""
    global _load_file
    _load_file = load


@functools.cache
def _installed() -> tuple[GameInfo, ...]:
    return tuple(_of_class(point.load()) for point in metadata.entry_points(group="icetable.games"))


def _external() -> tuple[GameInfo, ...]:
    """The external games. Several may have the same name."""
    loaded = []
    for path in map(str, files()):
        if path not in workshop_files.REGISTERED and path not in _LISTED:
            _LISTED[path] = _load_file(path)
        loaded.append(workshop_files.REGISTERED.get(path) or _LISTED[path])
    return (*_installed(), *loaded)


def check_names() -> None:
    """Raise UnknownGame if two games have one name. The pages and tables of a server tell games by their names."""
    by_name: dict[str, GameInfo] = {}
    for game in list_games():
        if by_name.setdefault(game.name, game) is not game:
            both = " and ".join(map(_origin, (by_name[game.name], game)))
            raise UnknownGame(f"two games are called {game.name!r}, {both}; give the class of one another name")


def _origin(game: GameInfo) -> str:
    """Where a game comes from, in words."""
    return str(getattr(game, "file", game.name)) if game.source else "a built-in one"


def register(path: str | Path, names: Collection[str] = ()) -> GameInfo:
    """Load the game in a file of the workshop, and register it under its path and its name.

    A file that is registered already is loaded again. `names`: the names that its game may have, if its users know it
    by name. Raises UnknownGame, and DesignError if the file has an error.
    """
    game = _load_file(path)
    if names and game.name not in names:
        raise UnknownGame(f"{Path(path).name} now has the game {game.name}")
    workshop_files.REGISTERED[str(Path(path).resolve())] = game
    return game


def _of_class(design: object) -> GameInfo:
    return workshop_files.info_of(design)


def info(name: object, source: object = None) -> GameInfo:
    """The game with a name. Reads no file, so untrusted names are safe. Raises UnknownGame.

    A name means the built-in game rather than an external one. If several external games have it, `source` chooses, the
    hash of the file that a record names.
    """
    named = [game for game in list_games() if isinstance(name, str) and game.name == name]
    if not named:
        known = ", ".join(dict.fromkeys(game.name for game in list_games()))
        meant = suggested(name, {word: game.name for game in list_games() for word in (game.name, game.title)})
        raise UnknownGame(f"there is no game {short_repr(name)}; there are {known}{meant}")
    chosen = [game for game in named if source and game.source == source] or [game for game in named if not game.source]
    if not chosen and len({game.identity for game in named}) > 1:
        raise UnknownGame(f"several games are called {name!r}: give the path of {' or '.join(map(_origin, named))}")
    return (chosen or named)[0]


def load(name: object, /, preset: str | None = None, **options: object) -> Game:
    """Load a game with options. Raises UnknownGame or BadOption, whose messages name what is allowed.

    >>> import icetable
    >>> icetable.load("highrise", values=[0, 1, 2, 3, 4, 5, 6, 7, 8]).options["memory"]
    'on'
    >>> icetable.load("icehouse", preset="friendly").options["crash"]
    'refuse'
    """
    return info_of(name).load(preset, **options)


def info_of(game: object) -> GameInfo:
    """The info of a game, of the game with a name, of a class of the workshop, or of the file at a path.

    Raises UnknownGame, and DesignError if a file has an error.
    """
    if isinstance(game, GameInfo):
        return game
    if isinstance(game, Game):
        return game.info
    if isinstance(game, type):
        return _of_class(game)
    if isinstance(game, Path) or (isinstance(game, str) and (game.endswith(".py") or os.sep in game)):
        return register(game)
    return info(game)


def with_options(game: object, /, **options: object) -> Game:
    """A copy of a game with changed options, or the named game with these options. Raises UnknownGame or BadOption."""
    if not isinstance(game, Game):
        return info_of(game).load(None, **options)
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
    """The state of any game saved by `to_json`. Raises BadRecord, UnknownGame or BadOption.

    >>> import icetable
    >>> state = icetable.load("squad", formation="exact").start().apply("C@a1")
    >>> icetable.from_json(state.to_json()) == state
    True
    """
    parts = check_position(read_position(text))
    return _stored_game(info(parts["game"]), parts["options"]).from_saved(parts)


def game_of(head: Head) -> Game:
    """The game of a record. Raises BadRecord, UnknownGame or BadOption."""
    return _stored_game(info(head.game, head.source), head.options)


def _stored_game(game: GameInfo, options: object) -> Game:
    """The game of a record or saved position. Raises BadRecord, UnknownGame or BadOption."""
    if not isinstance(options, Mapping) or not all(option.isidentifier() for option in options):
        raise BadRecord("options are values by name, and an option's name is a word")
    return game.load_stored(options)
