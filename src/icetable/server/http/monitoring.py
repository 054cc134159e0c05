"""What an operator watches: metrics of requests, the access log, the request ids that link its lines, and readiness."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import secrets
import time
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException

from icetable.server import logs, metrics
from icetable.server.http.responses import RESTART_NOTICE
from icetable.server.store.errors import NOT_RESPONDING, Conflict, StoreError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from icetable.server.store.store import Store

HEADER = b"x-request-id"
PROXY_ID = re.compile(rb"[A-Za-z0-9._-]{8,64}")
PAGES_ROUTE = "pages"
"""The label of pages and files."""
CACHE_SECONDS = 1.0
PROBE_TIMEOUT_SECONDS = 1.5

access = logging.getLogger("icetable.access")


class MonitoringMiddleware:
    """Counts requests by route and status, times them, gives each an id, and logs them if the access log is on.

    Routes are logged as patterns: anybody who reads the id of a table could watch it.
    """

    def __init__(self, app: ASGIApp, has_access_log: bool) -> None:
        self._app = app
        self._has_access_log = has_access_log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        request_id = id_of(scope)
        logs.request_id.set(request_id)
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        started_at, status = time.perf_counter(), 500

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), (HEADER, request_id.encode())]
            await send(message)

        try:
            await self._app(scope, receive, send_with_id)
        finally:
            self._count(scope, status, time.perf_counter() - started_at)

    def _count(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "") or PAGES_ROUTE
        metrics.REQUESTS.labels(route, status).inc()
        metrics.REQUEST_SECONDS.labels(route).observe(seconds)
        if self._has_access_log:
            address = scope["client"][0] if scope.get("client") else ""
            fields = {"method": scope["method"], "route": route, "status": status, "seconds": round(seconds, 4)}
            access.info("request", extra=logs.about(**fields, address=address))


def id_of(scope: Scope) -> str:
    """The request id from a proxy, or a new one."""
    request_id = next((value for name, value in scope["headers"] if name == HEADER), b"")
    return request_id.decode() if PROXY_ID.fullmatch(request_id) else secrets.token_hex(8)


class Readiness:
    """Probes the store at most once every CACHE_SECONDS, and with one probe at a time."""

    def __init__(self, store: Store) -> None:
        self.is_shutting_down = asyncio.Event()
        self._store = store
        self._probe: asyncio.Task[StoreError | None] | None = None
        self._answered_at = 0.0

    async def check(self) -> None:
        """Raise StoreError or HTTPException if a load balancer should send no requests here."""
        if self.is_shutting_down.is_set():
            raise HTTPException(503, RESTART_NOTICE)
        clock = asyncio.get_running_loop().time
        if self._probe is None or (self._probe.done() and clock() - self._answered_at > CACHE_SECONDS):
            self._probe = asyncio.create_task(self._run_probe())
        probe = self._probe
        await asyncio.wait([probe], timeout=PROBE_TIMEOUT_SECONDS)
        if not probe.done():
            raise StoreError(NOT_RESPONDING)
        if error := probe.result():
            raise StoreError(str(error))

    async def _run_probe(self) -> StoreError | None:
        """Attempt a write; return its error."""
        try:
            for done in self._store.database.probe():
                with contextlib.suppress(Conflict):
                    await asyncio.wrap_future(done)
        except StoreError as error:
            return error
        finally:
            self._answered_at = asyncio.get_running_loop().time()
        return None
