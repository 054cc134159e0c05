"""Proxies in front of the server: headers of trusted ones, the path prefix that they pass on, and their mistakes."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, cast

from starlette.responses import RedirectResponse
from starlette.websockets import WebSocketClose
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from icetable.core.options import short_repr
from icetable.server import messages
from icetable.server.http.responses import json_response

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.types import ASGIApp, Receive, Scope, Send

    from icetable.server.http.site import Site
    from icetable.server.logs import RareLog

ADDRESS = b"x-forwarded-for"
SCHEME = b"x-forwarded-proto"
ON_THIS_MACHINE = "127.0.0.1,::1"
HEALTH_PATHS = ("/healthz", "/readyz")
"""Paths that are also requested without the proxy."""
UNTRUSTED = "headers of an untrusted proxy are ignored; add its address to FORWARDED_ALLOW_IPS"
UNEXPECTED = "headers of a proxy are ignored without --proxy-headers; all its clients count as one"
NO_ADDRESS = "the proxy sends no client addresses; all its clients count as one"
NO_PREFIX = "requests for pages under a path; if the proxy serves icetable under a path, use --prefix"
NO_SCHEME = "the proxy does not send the scheme; requests from https pages are rejected"
PATH = re.compile(r"(/(?!\.{1,2}(/|$))[A-Za-z0-9._~-]+)+")
MOVED = 308
OUTSIDE = "Not found. The pages of icetable are under {prefix}/."
OUTSIDE_LOGGED = "requests outside the prefix get 404; the proxy must pass paths on unchanged, including the prefix"


class TrustedProxies:
    """An application that trusts the proxies in FORWARDED_ALLOW_IPS, by default those on this machine.

    Of several schemes from a chain of proxies it takes the first, which is the browser's.
    """

    def __init__(self, app: Starlette) -> None:
        self._names = os.environ.get("FORWARDED_ALLOW_IPS", ON_THIS_MACHINE)
        self._inner = ProxyHeadersMiddleware(cast("Any", app), self._names)
        self._site: Site = app.state.site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            if not scope.get("client"):  # a Unix socket, whose peer is on this machine
                scope = {**scope, "client": ("127.0.0.1", 0)}
            self._log_mistakes(scope, {name for name, _ in scope["headers"]})
            scope = {**scope, "headers": _with_one_scheme(scope["headers"])}
        await self._inner(scope, receive, send)  # type: ignore[arg-type]

    def _log_mistakes(self, scope: Scope, names: set[bytes]) -> None:
        """Log a request with missing or unexpected proxy headers."""
        log, prefix = self._site.rare_log, self._site.settings.prefix
        peer = peer_of(scope)
        if scope["path"].removeprefix(prefix) in HEALTH_PATHS:
            return
        if not prefix and len(scope["path"]) > 1 and scope["path"].endswith("/"):  # unlike any of our pages
            log.warn(NO_PREFIX, came=f"/{scope['path'].split('/')[1]}/", expected="/")
        if names & {ADDRESS, SCHEME} and peer not in self._inner.trusted_hosts:
            log.warn(UNTRUSTED, came=f"a request from {peer or 'nowhere'}", expected=f"one from {self._names}")
        elif ADDRESS not in names:
            log.warn(NO_ADDRESS, came=f"a request of {peer}", expected="X-Forwarded-For: its address")
        elif SCHEME not in names and self._site.public_origin is None:
            log.warn(NO_SCHEME, came="no X-Forwarded-Proto", expected="X-Forwarded-Proto: https, or http")


class NoProxy:
    """An application without a proxy in front of it."""

    def __init__(self, app: Starlette) -> None:
        self._app = app
        self._site: Site = app.state.site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if any(name in (ADDRESS, SCHEME) for name, _ in scope.get("headers", ())):
            self._site.rare_log.warn(UNEXPECTED, came=f"X-Forwarded headers of {peer_of(scope)}", expected="none")
        await self._app(scope, receive, send)


def peer_of(scope: Scope) -> str:
    """The address of a connection's peer: a proxy or a client."""
    return scope["client"][0] if scope.get("client") else ""


def _with_one_scheme(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    schemes = [value for name, value in headers if name == SCHEME]
    if not schemes:
        return headers
    first = schemes[0].partition(b",")[0].strip().lower()
    return [*(header for header in headers if header[0] != SCHEME), (SCHEME, first)]


class BadPrefix(ValueError):
    """An invalid path prefix. The message says what is wrong with it."""


def prefix_of(text: str) -> str:
    """Parse an operator's prefix, without the trailing slash; `/` is no prefix. Raises BadPrefix."""
    path = text.strip().removesuffix("/")
    if path and not PATH.fullmatch(path):
        raise BadPrefix(
            "is a path such as /pyramids: it begins with a slash, and between its slashes are letters, digits and any"
            f" of . _ ~ -, which {short_repr(text)} is not"
        )
    return path


def path_within(scope: Scope) -> str:
    """The path of a request without the prefix."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", ""))


class PrefixMiddleware:
    """Routes requests under the prefix, and health checks without it. Logs requests of proxies that strip it."""

    def __init__(self, app: ASGIApp, prefix: str, log: RareLog) -> None:
        self._app = app
        self._prefix = prefix
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or not self._prefix:
            await self._app(scope, receive, send)
        elif scope["path"].startswith(f"{self._prefix}/"):
            scope["root_path"] = self._prefix  # in place: MonitoringMiddleware reads the route from this scope
            await self._app(scope, receive, send)
        elif scope["path"] in HEALTH_PATHS:
            await self._app(scope, receive, send)
        elif scope["path"] == self._prefix and scope["type"] == "http":
            await RedirectResponse(f"{self._prefix}/", MOVED)(scope, receive, send)
        else:
            # What follows the first part may be a table's id, with which readers of the log could watch it.
            first = scope["path"].lstrip("/").partition("/")[0]
            self._log.warn(OUTSIDE_LOGGED, came=f"/{first}", expected=f"{self._prefix}/{first}")
            refusal = json_response(messages.ErrorBody(OUTSIDE.format(prefix=self._prefix)), 404)
            await (WebSocketClose() if scope["type"] == "websocket" else refusal)(scope, receive, send)
