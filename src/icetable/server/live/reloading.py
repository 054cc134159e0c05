"""Games of files: when one is saved while the server runs, its open tables go on by the new rules.

This is for whoever designs the game: what was played stays, as far as it fits the rules as they are now.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from icetable import games
from icetable.core.errors import GameError, UnknownGame
from icetable.server import messages
from icetable.server.live import shared_games
from icetable.server.logs import about
from icetable.server.store.errors import StoreError
from icetable.server.table.errors import sentence
from icetable.workshop.files import WorkshopInfo

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection
    from pathlib import Path

    from icetable.server.live.table import LiveTable

LOOK_SECONDS = 1.0
"""How often the files are looked at."""

logger = logging.getLogger(__name__)


async def watch(reload: Callable[[Path], Awaitable[None]]) -> None:
    """Call `reload` with each file of a game that changes from now on."""
    seen = {file: _stamp(file) for file in games.files()}
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        for file in games.files():
            stamp = _stamp(file)
            if stamp is not None and stamp != seen.setdefault(file, stamp):
                await reload(file)
                seen[file] = stamp


def _stamp(file: Path) -> tuple[int, int] | None:
    """What changes with a file; None while there is none, as an editor may have it for a moment."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


async def reload(file: Path, tables: Collection[LiveTable]) -> None:
    """Read a file anew, and let the tables of its game go on by it. Where it has a fault they go on as before."""
    read = [info for info in games.list_games() if isinstance(info, WorkshopInfo) and info.file == file]
    names = {info.name for info in read}
    concerned = [table for table in tables if table.state.game.info.name in names]
    try:
        info = await asyncio.to_thread(games.register, file)
        if info.name not in names:
            raise UnknownGame(f"{file.name} now has the game {info.name}")
    except GameError as error:
        logger.warning("a game's file is not read anew", extra=about(sentence(error), file=file.name))
        for table in concerned:
            table.broadcast(messages.ErrorMessage(f"The game goes on by the rules as they were. {sentence(error)}"))
        return
    logger.info("a game's file was read anew", extra=about(file=file.name))
    shared_games.forget()
    for table in concerned:
        try:
            game = await asyncio.to_thread(info.load_stored, table.state.setup.options)
            await table.play_by(game)
        except (GameError, StoreError) as error:
            logger.warning("a table goes on by the rules as they were", extra=about(error, table=table.state.setup.id))
            why = sentence(error) if isinstance(error, GameError) else str(error)
            table.broadcast(messages.ErrorMessage(f"This table goes on by the rules as they were. {why}"))
