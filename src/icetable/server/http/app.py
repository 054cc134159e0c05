"""The application: it wires the store, the tables, the limits and the routes together."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware

from icetable.server import metrics
from icetable.server.apart.process import end_idle
from icetable.server.http.api.connection import Connection
from icetable.server.http.api.routes import routes
from icetable.server.http.monitoring import ObservingMiddleware, Readiness
from icetable.server.http.proxies import PrefixMiddleware
from icetable.server.http.responses import STATUSES, error_response
from icetable.server.http.security import BANNED, OwnNamesMiddleware, RateLimitMiddleware
from icetable.server.live import memory, reloading
from icetable.server.live.manager import TableManager
from icetable.server.logs import RareLog
from icetable.server.rate_limits import DEFAULT_LIMITS, ClientQuotas, Limits
from icetable.version import version

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection
    from concurrent.futures import Executor

    from icetable.core.game import GameInfo
    from icetable.server.http.security import Origin
    from icetable.server.live.bot_pool import BotPool
    from icetable.server.live.push import Push
    from icetable.server.store.store import Store

logger = logging.getLogger(__name__)

NO_LINKS: Mapping[str, str] = {}


def make_app(
    store: Store,
    bot_pool: BotPool,
    limits: Limits = DEFAULT_LIMITS,
    games: Collection[GameInfo] = (),
    cluster: Executor | None = None,
    public_origin: Origin | None = None,
    keep_days: int | None = None,
    links: Mapping[str, str] = NO_LINKS,
    access_log: bool = False,
    prefix: str = "",
    push: Push | None = None,
) -> Starlette:
    """Create the ASGI application over a store, which it closes at shutdown.

    At startup it loads the cached kernels of `games`. Workers of a `cluster`, or else a few local processes, search for
    reviews and analyses. `public_origin`: the origin of the pages, if requests don't reveal it. `keep_days`: the
    retention time of tables. `links`: URLs of the operator's imprint and privacy notice, by these names. `access_log`:
    whether requests are logged. `prefix`: the path in front of all routes. `push`: the sender of push notifications.
    Run it under `server.Server`, which adds timeouts for slow requests, security headers and direct WebSockets.
    """

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        if games:
            await bot_pool.kernels.load(games)
            gc.freeze()  # the kernels live forever, so the collector need not traverse them
        manager = app.state.manager = TableManager(store, bot_pool, cluster, keep_days)
        manager.notices.push = push
        manager.lobby.max_listed_per_address = limits.listed
        manager.administration.max_tables = limits.kept
        manager.lobby.exempts_loopback = not app.state.behind_proxy
        app.state.quotas = ClientQuotas(limits, behind_proxy=app.state.behind_proxy)
        app.state.readiness = Readiness(store)
        app.state.connections = dict[Connection, str]()  # with their addresses
        manager.administration.on_blocked = functools.partial(close_blocked, app)
        metrics.BUILD.info({"version": version()})
        metrics.watch_queue("writes", store.database.queue_length)
        metrics.watch_queue("reviews", manager.reviews.queue_length)
        metrics.watch_queue("analyses", manager.analyses.queue_length)
        metrics.watch_queue("notices", manager.notices.queue_length)
        metrics.watch_queue("bots", bot_pool.queue_length)
        await manager.administration.poll()  # blocks and closed tables apply from the first request on
        manager.resume()
        services = memory.trim_memory(), reloading.watch(manager.reload), end_idle()
        background = [asyncio.create_task(service) for service in services]
        yield
        for task in background:
            task.cancel()
        await manager.close()

    app = Starlette(
        routes=routes(),
        exception_handlers=dict.fromkeys((HTTPException, *STATUSES, Exception), error_response),
        middleware=[
            Middleware(ObservingMiddleware),
            Middleware(OwnNamesMiddleware),
            Middleware(PrefixMiddleware, prefix),
            Middleware(RateLimitMiddleware),
        ],
        lifespan=lifespan,
    )
    app.state.public_origin = public_origin
    app.state.prefix = prefix
    app.state.links = links
    app.state.access_log = access_log
    app.state.rare_log = RareLog(logger)
    app.state.behind_proxy = False
    app.state.has_own_names = False
    """Whether the server is for this machine or its local network only, without a proxy in front."""
    app.state.addresses_for_others = list
    """Returns the addresses for browsers on other machines, the likeliest first."""
    app.state.network = None
    """Opens the server to the local network; None if players may not do that."""
    return app


def close_blocked(app: Starlette) -> None:
    """Close the sockets of addresses blocked by the operator."""
    connections: dict[Connection, str] = app.state.connections
    for connection, address in list(connections.items()):
        if app.state.manager.administration.blocks(address):
            connection.cut_off(BANNED)
