"""Lookups for requests: the server's tables, the game in the path, its levels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET, UnsetType
from starlette.exceptions import HTTPException

from icetable import games
from icetable.bots.levels import for_each_number, in_words
from icetable.core.errors import UnknownGame
from icetable.server import messages
from icetable.server.http.site import site_of
from icetable.server.table.errors import sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import HTTPConnection, Request

    from icetable.core.game import GameInfo
    from icetable.server.live.manager import TableManager


def manager_of(connection: HTTPConnection) -> TableManager:
    """The server's tables."""
    return site_of(connection).manager


def flag_of(request: Request, name: str, error: str) -> bool:
    """The value of a query parameter that is 0, by default, or 1. Raises BadMessage with the `error`."""
    value = request.query_params.get(name, "0")
    if value not in ("0", "1"):
        raise messages.BadMessage(error)
    return value == "1"


def info_of(request: Request) -> GameInfo:
    """The game in the request's path. Raises HTTPException."""
    try:
        return games.info(request.path_params["game"])
    except UnknownGame as error:
        raise HTTPException(404, sentence(error)) from None


def levels_of(connection: HTTPConnection, info: GameInfo) -> list[messages.Level]:
    """The levels of a game's bots, the weakest first."""
    levels = for_each_number(info, manager_of(connection).tables.bot_pool.factory.levels)
    return [messages.Level(level.name, level.title, in_words(abouts), differing(abouts)) for level, abouts in levels]


def differing(abouts: Mapping[int, str]) -> dict[str, str] | UnsetType:
    """A level's description for each number of players, if they differ."""
    return {str(number): about for number, about in abouts.items()} if len(set(abouts.values())) > 1 else UNSET
