"""What all requests to a server share."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from icetable.server.http.addresses import public_origin
from icetable.server.http.monitoring import Readiness
from icetable.server.logs import RareLog
from icetable.server.rate_limits import ClientQuotas

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

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
