"""Games, shared by the tables that play them with the same options, and reloaded when their file is saved.

Designers keep the acts of a running game, as far as they are legal in the new rules.
"""

from __future__ import annotations

import asyncio
import functools
import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from icetable import games
from icetable.core.errors import GameError
from icetable.core.options import completed
from icetable.server.apart import games as apart
from icetable.server.apart.games import ApartInfo
from icetable.server.errors import TableNotFound, sentence
from icetable.server.logs import about
from icetable.server.store.errors import StoreDamaged, StoreError
from icetable.workshop.files import WorkshopInfo, files_with_neighbours

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Mapping

    from icetable.core.game import Game, GameInfo
    from icetable.server.live.tables.table import LiveTable
    from icetable.server.table.setup import TableSetup

MAX_GAMES = 32
"""Maximum number of cached games (with their options)."""

POLL_SECONDS = 1.0
"""Interval between checks of the files."""
Stamp = tuple[int, int] | None
"""The version of a file; None if it does not exist."""

logger = logging.getLogger(__name__)


def with_game(table_setup: TableSetup | None) -> tuple[TableSetup, Game]:
    """Return the setup and its game. Raises TableNotFound, GameError or StoreDamaged."""
    if table_setup is None:
        raise TableNotFound("There is no such table.")
    game = load_shared(table_setup.game, completed(games.info(table_setup.game).options, table_setup.options))
    if len(table_setup.seats) != game.players:
        raise StoreDamaged
    return table_setup, game


async def load_in_thread(name: str, options: Mapping[str, object]) -> Game:
    """Like `load_shared`, in a thread."""
    return await apart.in_thread(games.info(name), load_shared, name, options)


def load_shared(name: str, options: Mapping[str, object]) -> Game:
    """Load the game with these options, or return the cached one. Raises GameError."""
    return _load(name, json.dumps(options, sort_keys=True))


def suggested_options(info: GameInfo, players: int) -> Mapping[str, object]:
    """The options that pages suggest to newcomers, for this number of players. Raises GameError."""
    suggested = {option.name: option.recommended for option in info.options if option.recommended is not None}
    return load_shared(info.name, {**suggested, "players": players}).options


@functools.lru_cache(MAX_GAMES)
def _load(name: str, options: str) -> Game:
    return games.info(name).load(**json.loads(options))


def forget() -> None:
    """Empty the cache, after the file of a game has changed."""
    _load.cache_clear()


class FileWatcher:
    """Finds the files of games that have changed, or whose neighbours have."""

    def __init__(self, reload: Callable[[Path], Awaitable[None]]) -> None:
        """`reload` is called with each changed file."""
        self._reload = reload
        self._watched = {file: Watched.of(file) for file in games.files()}

    async def check(self) -> None:
        """Reload the files that have changed since the last call."""
        watched = self._watched
        for file in games.files():
            if file not in watched:
                watched[file] = await asyncio.to_thread(Watched.of, file)
            elif watched[file].may_have_changed:
                before, watched[file] = watched[file], await asyncio.to_thread(Watched.of, file)
                if before.differs(watched[file]):
                    await self._reload(file)


class Watched(NamedTuple):
    """The versions of a file and of the neighbours that it imports, and of its folder: a neighbour may be added."""

    stamps: dict[Path, Stamp]
    folder: Path
    folder_stamp: Stamp

    @classmethod
    def of(cls, file: Path) -> Watched:
        """A file that is to be watched. Reads it and its neighbours."""
        folder = _stamp(file.parent)
        stamps = {one: _stamp(one) for one in (file, *files_with_neighbours(file))}
        return cls(stamps, file.parent, folder)

    @property
    def may_have_changed(self) -> bool:
        """Whether a file has changed, or one may have been added. Reads none."""
        return _stamp(self.folder) != self.folder_stamp or any(
            (stamp := _stamp(file)) is not None and stamp != before for file, before in self.stamps.items()
        )

    def differs(self, later: Watched) -> bool:
        """Whether a file has changed or been added; not if one is gone, as for a moment when an editor saves it."""
        return any(stamp is not None and stamp != self.stamps.get(file) for file, stamp in later.stamps.items())


def _stamp(file: Path) -> Stamp:
    """The version of a file; None if it does not exist, as for a moment when an editor saves it."""
    try:
        stat = file.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size


async def reload(file: Path, tables: Collection[LiveTable]) -> None:
    """Reload a file, and let the tables of its game continue with it. If it fails they say so and keep the old ones."""
    before = next((info for info in games.list_games() if file_of(info) == file), None)
    affected = [table for table in tables if file_of(table.state.game.info) == file]
    try:
        info = await asyncio.to_thread(games.register, file, {before.name} if before else ())
    except GameError as error:
        logger.warning("a game's file can't be reloaded", extra=about(sentence(error), file=file.name))
        for table in affected:
            table.notify(f"The game continues with the old rules: {error}")
        return
    logger.info("a game's file was reloaded", extra=about(file=file.name))
    forget()
    for table in affected:
        await offer(table, info)


async def offer(table: LiveTable, info: GameInfo) -> None:
    """Let a table continue with the game of a changed file, if that fits its acts."""
    try:
        game = await apart.in_thread(info, info.load_stored, table.state.setup.options)
        await table.play_by(game)
    except (GameError, StoreError) as error:
        logger.warning("a table continues with the old rules", extra=about(error, table=table.state.setup.id))
        table.notify(f"This table continues with the old rules: {error}")


def file_of(info: GameInfo) -> Path | None:
    """The file of a game; None for the server's own."""
    return info.file if isinstance(info, ApartInfo | WorkshopInfo) else None
