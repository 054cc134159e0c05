"""What requests ask for: the server's tables, the game that a path names, and its levels."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from msgspec import UNSET, UnsetType
from starlette.exceptions import HTTPException

from icetable import games
from icetable.bots.levels import for_each_number, in_words
from icetable.core.errors import UnknownGame
from icetable.server import messages
from icetable.server.table.errors import sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import HTTPConnection, Request

    from icetable.core.game import GameInfo
    from icetable.server.live.manager import TableManager


def manager_of(connection: HTTPConnection) -> TableManager:
    """The tables of the server that a request came to."""
    return cast("TableManager", connection.app.state.manager)


def is_wanted(request: Request, name: str, choice: str) -> bool:
    """Whether a parameter is 1; 0 unless it is there. Raises BadMessage, which names the `choice`."""
    wanted = request.query_params.get(name, "0")
    if wanted not in ("0", "1"):
        raise messages.BadMessage(choice)
    return wanted == "1"


def info_of(request: Request) -> GameInfo:
    """The game that a path names. Raises HTTPException."""
    try:
        return games.info(request.path_params["game"])
    except UnknownGame as error:
        raise HTTPException(404, sentence(error)) from None


def levels_of(connection: HTTPConnection, info: GameInfo) -> list[messages.Level]:
    """The levels of a game's bots, the weakest first."""
    found = for_each_number(info, manager_of(connection).bot_pool.factory.levels)
    return [messages.Level(level.name, level.title, in_words(abouts), differing(abouts)) for level, abouts in found]


def differing(abouts: Mapping[int, str]) -> dict[str, str] | UnsetType:
    """What a level does with each number of players, where that differs."""
    return {str(number): about for number, about in abouts.items()} if len(set(abouts.values())) > 1 else UNSET
