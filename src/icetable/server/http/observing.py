"""What is seen of requests: how many, how long they took, and an id by which a request is found in the log."""

from __future__ import annotations

import logging
import re
import secrets
import time
from typing import TYPE_CHECKING

from icetable.server import logs, metrics

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = b"x-request-id"
GIVEN = re.compile(rb"[A-Za-z0-9._-]{8,64}")
"""What a proxy may give a request as its id."""
PAGES = "pages"
"""What stands for the route of a page or a file."""

access = logging.getLogger("icetable.access")


class ObservingMiddleware:
    """Counts requests by route and status, times them, gives each an id, and logs them where that is asked for.

    A route is told by its pattern: with the id of a table others could watch it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        request_id = id_of(scope)
        logs.request_id.set(request_id)
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        begun_at, status = time.perf_counter(), 500

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), (HEADER, request_id.encode())]
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        finally:
            self._count(scope, status, time.perf_counter() - begun_at)

    def _count(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "") or PAGES
        metrics.REQUESTS.labels(route, status).inc()
        metrics.REQUEST_SECONDS.labels(route).observe(seconds)
        if scope["app"].state.access_log:
            address = scope["client"][0] if scope.get("client") else ""
            facts = {"method": scope["method"], "route": route, "status": status, "seconds": round(seconds, 4)}
            access.info("request", extra=logs.about(**facts, address=address))


def id_of(scope: Scope) -> str:
    """The id that a proxy gave a request, or a new one."""
    given = next((value for name, value in scope["headers"] if name == HEADER), b"")
    return given.decode() if GIVEN.fullmatch(given) else secrets.token_hex(8)
