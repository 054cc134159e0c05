"""The games of tables. Tables of the same game share it."""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING

from icetable import games
from icetable.core.options import completed
from icetable.server.store.errors import StoreDamaged
from icetable.server.table.errors import TableNotFound

if TYPE_CHECKING:
    from collections.abc import Mapping

    from icetable.core.game import Game, GameInfo
    from icetable.server.table.setup import TableSetup

GAMES_KEPT = 32
"""How many games (each with its options) are kept for tables to share."""


def with_game(settled: TableSetup | None) -> tuple[TableSetup, Game]:
    """Raises TableNotFound, GameError or StoreDamaged."""
    if settled is None:
        raise TableNotFound("There is no such table.")
    game = load_shared(settled.game, completed(games.info(settled.game).options, settled.options))
    if len(settled.seats) != game.players:
        raise StoreDamaged
    return settled, game


def load_shared(name: str, options: Mapping[str, object]) -> Game:
    """The game with these options; tables of the same game share it. Raises GameError."""
    return _load(name, json.dumps(options, sort_keys=True))


def usual_options(info: GameInfo, players: int) -> Mapping[str, object]:
    """The options that pages suggest to newcomers, for so many players. Raises GameError."""
    suggested = {one.name: one.recommended for one in info.options if one.recommended is not None}
    return load_shared(info.name, {**suggested, "players": players}).options


@functools.lru_cache(GAMES_KEPT)
def _load(name: str, options: str) -> Game:
    return games.info(name).load(**json.loads(options))


def forget() -> None:
    """Load games anew: a file of one has changed."""
    _load.cache_clear()
