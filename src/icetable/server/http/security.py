"""What protects players from other sites, other clients and floods: headers, origins, cookies and rate limits."""

from __future__ import annotations

import re
import secrets
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.websockets import WebSocketClose

from icetable.server import messages, metrics
from icetable.server.http.responses import error_response, json_response
from icetable.server.live.turns import visitor
from icetable.server.rate_limits import ClientQuota, ClientQuotas, TokenBucket, is_loopback
from icetable.server.table.seats import hash_code

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

HEADERS = {
    # Svelte sets styles by CSSOM, which 'self' allows; nothing on the pages is inline.
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Sent with every answer."""

COOKIE = "icetable"
COOKIE_SECONDS = 400 * 24 * 60 * 60
FOREIGN_NAME = "This server is for this machine only: it answers as localhost, 127.0.0.1 and [::1]."
"""Said under any other name."""
SECRET = re.compile(r"[0-9a-f]{32}")
"""The value of the cookie: 128 bits that only the browser knows, and no script of a page."""


# Hosts and origins


class OwnNamesMiddleware:
    """Answers under no foreign name where the server is for this machine only.

    Such a name may lead here of a sudden, and a page of another site could then read what only this machine may.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or not scope["app"].state.is_local or is_own_name(HTTPConnection(scope)):
            await self._app(scope, receive, send)
            return
        metrics.REJECTED.labels("hosts").inc()
        if scope["type"] == "websocket":
            await WebSocketClose()(scope, receive, send)
        else:
            await json_response(messages.ErrorBody(FOREIGN_NAME), 421)(scope, receive, send)


def is_own_name(connection: HTTPConnection) -> bool:
    """Whether the host that a request names can only be this machine. Browsers always name one."""
    host = connection.headers.get("host")
    return host is None or is_local_host(host)


def is_local_host(host: str) -> bool:
    """Whether a host, with its port or without, can only be this machine. Any other name may lead elsewhere later."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    return name == "localhost" or is_loopback(name)


def same_origin(connection: HTTPConnection) -> bool:
    """Whether a request comes from one of the server's own pages, or from no page at all."""
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    scheme = connection.scope["scheme"]
    scheme = {"ws": "http", "wss": "https"}.get(scheme, scheme)
    return origin == f"{scheme}://{connection.headers.get('host')}"


def require_same_origin(request: Request) -> None:
    """Raises HTTPException if the request comes from a page of another site."""
    if not same_origin(request):
        raise HTTPException(403, "Tables are opened from the server's own pages.")


# Cookies


def browser_of(connection: HTTPConnection) -> str | None:
    """The SHA-256 of a browser's cookie; None if it has none."""
    cookie = connection.cookies.get(cookie_name(connection), "")
    return hash_code(cookie) if SECRET.fullmatch(cookie) else None


def set_browser_cookie(response: Response, connection: HTTPConnection) -> None:
    """Give a browser that has no cookie a new one."""
    if browser_of(connection) is None:
        name, secret = cookie_name(connection), secrets.token_hex(16)
        is_secure = is_encrypted(connection)
        response.set_cookie(name, secret, COOKIE_SECONDS, secure=is_secure, httponly=True, samesite="lax")


def cookie_name(connection: HTTPConnection) -> str:
    """Over TLS a name that browsers accept from this host only, not from other hosts of the same domain."""
    return f"__Host-{COOKIE}" if is_encrypted(connection) else COOKIE


def is_encrypted(connection: HTTPConnection) -> bool:
    """Whether the connection uses TLS, at least as far as the proxy."""
    return connection.scope["scheme"] in ("https", "wss")


# Rate limits


def quota_of(connection: HTTPConnection) -> ClientQuota:
    """The quota of the address that a connection comes from."""
    quotas = cast("ClientQuotas", connection.app.state.quotas)
    return quotas.at(connection.client.host if connection.client else "")


def charge(bucket: TokenBucket, reason: str, price: int = 1) -> None:
    """Take as many tokens. Raises HTTPException 429 if there is none."""
    if not bucket.take(price):
        metrics.REJECTED.labels(reason).inc()
        seconds = bucket.seconds_to_wait()
        text = f"Too many {reason} are coming from your address; please wait {seconds} s."
        raise HTTPException(429, text, {"Retry-After": str(seconds)})


class RateLimitMiddleware:
    """Limits the requests of each address to the interface. Pages and their files are not limited."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith("/api/"):
            quota = quota_of(HTTPConnection(scope))
            visitor.set(quota.address)
            try:
                charge(quota.requests, "requests")
            except HTTPException as rejection:
                response = await error_response(Request(scope), rejection)
                await response(scope, receive, send)
                return
        await self._app(scope, receive, send)
