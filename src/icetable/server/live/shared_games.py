"""Games, shared by the tables that play them with the same options."""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING

from icetable import games
from icetable.core.options import completed
from icetable.server.apart import games as apart
from icetable.server.store.errors import StoreDamaged
from icetable.server.table.errors import TableNotFound

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from icetable.core.game import Game, GameInfo
    from icetable.server.table.setup import TableSetup

MAX_EARLIER = 3
"""Maximum number of earlier versions of a file's game."""
_earlier: dict[str, list[GameInfo]] = {}
MAX_GAMES = 32
"""Maximum number of cached games (with their options)."""


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


def keep_earlier(info: GameInfo) -> None:
    """Remember a game as it was before its file changed, for tables whose acts the new rules refuse."""
    _earlier[info.name] = [info, *earlier(info.name)][:MAX_EARLIER]


def earlier(name: str) -> Sequence[GameInfo]:
    """A game as it was before its file changed, the latest first."""
    return _earlier.get(name, ())


def forget() -> None:
    """Empty the cache, after the file of a game has changed."""
    _load.cache_clear()
