"""What all requests to a server share, and what is looked up for many: the tables, the game in the path, its levels."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, UnsetType
from starlette.exceptions import HTTPException

from icetable import games
from icetable.bots.levels import for_each_number, in_words
from icetable.core.errors import UnknownGame
from icetable.server import messages
from icetable.server.errors import sentence
from icetable.server.http.addresses import public_origin
from icetable.server.http.monitoring import Readiness
from icetable.server.logs import RareLog
from icetable.server.rate_limits import ClientQuotas

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starlette.requests import HTTPConnection, Request

    from icetable.core.game import GameInfo
    from icetable.server.http.addresses import LocalNetwork
    from icetable.server.http.api.connection import Connection
    from icetable.server.live.manager import TableManager
    from icetable.server.live.settings import Settings
    from icetable.server.store.store import Store


class Site:
    """A server's settings, and what its requests need. Kept as `site` in the state of the application."""

    manager: TableManager
    """The tables; created at the start, as they need a running loop."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.settings = settings
        self.public_origin = None if settings.public_url is None else public_origin(settings.public_url)
        """The origin of the pages, if requests don't reveal it."""
        self.quotas = ClientQuotas(settings.limits, behind_proxy=settings.behind_proxy)
        self.readiness = Readiness(store)
        self.connections: dict[Connection, str] = {}
        """The open sockets, with their addresses."""
        self.rare_log = RareLog(logging.getLogger(__name__))
        """Logs what clients and proxies do wrong."""
        self.has_own_names = False
        """Whether the server is for this machine or its local network only, without a proxy in front."""
        self.addresses_for_others: Callable[[], list[str]] = list
        """Returns the addresses for browsers on other machines, the likeliest first."""
        self.network: LocalNetwork | None = None
        """Opens the server to the local network; None if players may not do that."""


def site_of(scope: Mapping[str, Any]) -> Site:
    """The site of a request: of its scope, or of its connection."""
    site: Site = scope["app"].state.site
    return site


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
