"""The registry: the games of this folder, each a package that exports GAME, and those that are brought from outside.

From outside come classes and files of the workshop: those that were asked for by their path, those that the variable
ICETABLE_GAMES lists as PATH lists folders, so that processes which this one starts know them too, and those of
installed packages that name them under the entry points `icetable.games`.
"""

from __future__ import annotations

import functools
import os
import pkgutil
from collections.abc import Mapping
from importlib import import_module, metadata
from pathlib import Path

from icetable.core import record, saved
from icetable.core.errors import BadRecord, UnknownGame
from icetable.core.game import Game, GameInfo, State
from icetable.core.options import short_repr, suggested
from icetable.core.record import Head


def list_games() -> tuple[GameInfo, ...]:
    """All games, sorted by name.

    >>> import icetable
    >>> [game.name for game in icetable.list_games()]
    ['highrise', 'icefrogs', 'icehouse', 'squad', 'wrecktangle']
    """
    return tuple(sorted((*_built_in(), *_brought().values()), key=lambda game: game.name))


@functools.cache
def _built_in() -> tuple[GameInfo, ...]:
    names = sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)
    return tuple(import_module(f"icetable.games.{name}").GAME for name in names)


GAMES_VARIABLE = "ICETABLE_GAMES"
_FROM_FILES: dict[str, GameInfo] = {}
"""By path, the games of files that this process has read."""


@functools.cache
def _installed() -> tuple[GameInfo, ...]:
    """The games of installed packages."""
    return tuple(_of_class(point.load()) for point in metadata.entry_points(group="icetable.games"))


def _brought() -> dict[str, GameInfo]:
    """The games from outside, by name."""
    found = {game.name: game for game in _installed()}
    for path in map(str, files()):
        if path not in _FROM_FILES:
            from icetable.workshop.files import load_file

            _FROM_FILES[path] = load_file(path)
        found[_FROM_FILES[path].name] = _FROM_FILES[path]
    for name in found:
        if any(game.name == name for game in _built_in()):
            raise UnknownGame(f"{name!r} is the name of another game; give the class another one")
    return found


def files() -> list[Path]:
    """The files of games that were brought here by their path."""
    return [Path(path) for path in os.environ.get(GAMES_VARIABLE, "").split(os.pathsep) if path]


def bring(path: str | Path) -> GameInfo:
    """The game in a file of the workshop, which is listed from now on, here and in processes that this one starts.

    A file that was read before is read again. Raises UnknownGame, and DesignError where the file has a fault.
    """
    from icetable.workshop.files import load_file

    full = str(Path(path).resolve())
    game = _FROM_FILES[full] = load_file(full)
    paths = [one for one in map(str, files()) if one != full]
    os.environ[GAMES_VARIABLE] = os.pathsep.join([*paths, full])
    _brought()
    return game


def _of_class(design: object) -> GameInfo:
    from icetable.workshop.files import info_of

    return info_of(design)


def info(name: object) -> GameInfo:
    """The game with a name. No file is read for it, so a name may come from anybody. Raises UnknownGame."""
    for game in list_games():
        if isinstance(name, str) and game.name == name:
            return game
    known = ", ".join(game.name for game in list_games())
    meant = suggested(name, {word: game.name for game in list_games() for word in (game.name, game.title)})
    raise UnknownGame(f"there is no game {short_repr(name)}; there are {known}{meant}")


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

    Raises UnknownGame, and DesignError where a file has a fault.
    """
    if isinstance(game, Game):
        return game.info
    if isinstance(game, type):
        return _of_class(game)
    if isinstance(game, Path) or (isinstance(game, str) and (game.endswith(".py") or os.sep in game)):
        return bring(game)
    return info(game)


def with_options(game: object, /, **options: object) -> Game:
    """A game with some options changed, or the game with a name, loaded with them. Raises UnknownGame or BadOption."""
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
