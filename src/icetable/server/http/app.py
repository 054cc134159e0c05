"""The application: it wires the store, the tables, the limits and the routes together."""

from __future__ import annotations

import contextlib
import functools
import gc
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware

from icetable.server import metrics
from icetable.server.http.api.routes import routes
from icetable.server.http.monitoring import MonitoringMiddleware
from icetable.server.http.proxies import PrefixMiddleware
from icetable.server.http.responses import STATUSES, error_response
from icetable.server.http.security import BANNED, OwnNamesMiddleware, RateLimitMiddleware
from icetable.server.http.site import Site
from icetable.server.live.manager import TableManager
from icetable.server.live.settings import Settings
from icetable.version import version

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from icetable.server.live.bots import BotPool
    from icetable.server.store.store import Store

DEFAULT_SETTINGS = Settings()


def make_app(store: Store, bot_pool: BotPool, settings: Settings = DEFAULT_SETTINGS) -> Starlette:
    """Create the ASGI application over a store, which it closes at shutdown. Its state holds the `site`.

    Run it under `server.Server`, which adds timeouts for slow requests, security headers and direct WebSockets.
    """
    site = Site(store, settings)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        if settings.load_first:
            await bot_pool.kernels.load(settings.games)
            gc.freeze()  # the kernels live forever, so the collector need not traverse them
        manager = site.manager = TableManager(store, bot_pool, settings)
        manager.administration.on_blocked = functools.partial(close_blocked, site)
        metrics.BUILD.info({"version": version()})
        metrics.watch_queue("writes", store.database.queue_length)
        metrics.watch_queue("reviews", manager.study.reviews.queue_length)
        metrics.watch_queue("analyses", manager.study.analyses.queue_length)
        metrics.watch_queue("notices", manager.notices.queue_length)
        metrics.watch_queue("bots", bot_pool.queue_length)
        await manager.administration.poll()  # blocks and closed tables apply from the first request on
        manager.start()
        yield
        await manager.close()

    app = Starlette(
        routes=routes(),
        exception_handlers=dict.fromkeys((HTTPException, *STATUSES, Exception), error_response),
        middleware=[
            Middleware(MonitoringMiddleware, settings.access_log),
            Middleware(OwnNamesMiddleware),
            Middleware(PrefixMiddleware, settings.prefix, site.rare_log),
            Middleware(RateLimitMiddleware),
        ],
        lifespan=lifespan,
    )
    app.state.site = site
    return app


def close_blocked(site: Site) -> None:
    """Close the sockets of addresses blocked by the operator."""
    for connection, address in list(site.connections.items()):
        if site.manager.tables.policies.blocks(address):
            connection.cut_off(BANNED)
