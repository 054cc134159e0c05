"""Protection from other sites, other clients and floods: headers, origins, cookies and rate limits."""

from __future__ import annotations

import re
import secrets
from ipaddress import ip_address
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.websockets import WebSocketClose

from icetable.server import messages, metrics
from icetable.server.http.addresses import Origin, origin_at, origin_of
from icetable.server.http.proxies import path_within
from icetable.server.http.responses import error_response, json_response
from icetable.server.http.site import manager_of, site_of
from icetable.server.live.fair_queue import client_address
from icetable.server.rate_limits import ClientQuota, TokenBucket, is_loopback
from icetable.server.table.seats import hash_code

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

HEADERS = {
    # Svelte sets styles by CSSOM, which 'self' allows; nothing on the pages is inline.
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Headers of every response."""
COOKIE = "icetable"
COOKIE_SECONDS = 400 * 24 * 60 * 60
FOREIGN_HOST_ERROR = "This server answers only as localhost and under the addresses of its own machine."
FOREIGN_HOST_LOGGED = "requests for a foreign host name are refused; behind a proxy use --proxy-headers or --public-url"
FOREIGN_ORIGIN_LOGGED = "requests from pages of another origin are refused"
SECRET = re.compile(r"[0-9a-f]{32}")
"""The value of the cookie: 128 bits that scripts of the page can't read."""
BANNED = "The operator of this server has blocked your address."
NOT_OUR_PAGE = (
    "This server takes this page for one of another site, for which it opens no tables. If the page is its own, the"
    " operator finds the cause in the log."
)


# Hosts and origins


class OwnNamesMiddleware:
    """Rejects foreign host names if the server is for this machine or its local network only.

    Otherwise a page of another site could read local data by DNS rebinding.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or not site_of(scope).has_own_names or is_own_name(HTTPConnection(scope)):
            await self._app(scope, receive, send)
            return
        metrics.REJECTED.labels("hosts").inc()
        host = HTTPConnection(scope).headers["host"]
        expected = "localhost or an address of this machine"
        site_of(scope).rare_log.warn(FOREIGN_HOST_LOGGED, came=host, expected=expected)
        if scope["type"] == "websocket":
            await WebSocketClose()(scope, receive, send)
        else:
            await json_response(messages.ErrorBody(FOREIGN_HOST_ERROR), 421)(scope, receive, send)


def is_own_name(connection: HTTPConnection) -> bool:
    """Whether the Host header is a name of this machine alone, or the public one. Browsers always send it."""
    host = connection.headers.get("host")
    return host is None or is_local_host(host) or names_its_address(connection) or names_public_host(connection)


def names_its_address(connection: HTTPConnection) -> bool:
    """Whether the Host header is the IP address at which the request arrived, which no DNS server can change."""
    named = origin_at("http", connection.headers.get("host", ""))
    server = connection.scope.get("server")
    if named is None or not server:
        return False
    try:
        return ip_address(named.host.strip("[]")) == ip_address(server[0].partition("%")[0])
    except ValueError:
        return False


def is_local_host(host: str) -> bool:
    """Whether a host, with or without a port, can only be this machine. Other names may resolve differently later."""
    named = origin_at("http", host)
    return named is not None and (named.host == "localhost" or is_loopback(named.host.strip("[]")))


def names_public_host(connection: HTTPConnection) -> bool:
    """Whether the Host header is the host of the public address."""
    public = public_origin_of(connection)
    named = origin_at("http", connection.headers.get("host", ""))
    return public is not None and named is not None and named.host == public.host


def is_at_this_machine(connection: HTTPConnection) -> bool:
    """Whether a client is on the server's own machine, with a page that was opened under a name of that machine alone.

    Always False behind a proxy.
    """
    if site_of(connection).settings.behind_proxy:
        return False
    is_local = connection.client is not None and is_loopback(connection.client.host)
    return is_local and is_local_host(connection.headers.get("host", ""))


def public_origin_of(connection: HTTPConnection) -> Origin | None:
    """The public origin of the pages, if the operator has configured one."""
    return site_of(connection).public_origin


def same_origin(connection: HTTPConnection) -> bool:
    """Whether a request comes from one of the server's own pages, or from no page at all. Others are logged."""
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    host = connection.headers.get("host", "")
    own = origin_at(connection.scope["scheme"], host)
    expected = [one for one in (own, public_origin_of(connection)) if one is not None]
    page = origin_of(origin)
    if page in expected:
        return True
    metrics.REJECTED.labels("origin").inc()
    site_of(connection).rare_log.warn(
        FOREIGN_ORIGIN_LOGGED,
        came=origin,
        expected=" or ".join(map(str, expected)) or "a page of the host in the header Host, which names none",
        cause=mismatch_cause(page, own),
    )
    return False


def mismatch_cause(page: Origin | None, own: Origin | None) -> str:
    """The likely cause, as advice to the operator, if a page's origin is not the server's own."""
    if page is None or own is None or page.host != own.host:
        return "the page has another host: it is another site's, or a proxy does not pass on Host (see --public-url)"
    if page.scheme != own.scheme:
        return "the scheme differs: the proxy must send X-Forwarded-Proto, and be trusted (--proxy-headers)"
    return "the port differs: the proxy must pass on Host with its port"


def require_same_origin(request: Request) -> None:
    """Raise HTTPException if the request comes from a page of another site."""
    if not same_origin(request):
        raise HTTPException(403, NOT_OUR_PAGE)


# Cookies


def browser_of(connection: HTTPConnection) -> str | None:
    """The SHA-256 of a browser's cookie; None if it has none."""
    cookie = connection.cookies.get(cookie_name(connection), "")
    return hash_code(cookie) if SECRET.fullmatch(cookie) else None


def set_browser_cookie(response: Response, connection: HTTPConnection) -> None:
    """Set a new cookie in a browser that has none."""
    if browser_of(connection) is None:
        name, secret = cookie_name(connection), secrets.token_hex(16)
        path, is_secure = f"{site_of(connection).settings.prefix}/", is_encrypted(connection)
        response.set_cookie(name, secret, COOKIE_SECONDS, path=path, secure=is_secure, httponly=True, samesite="lax")


def cookie_name(connection: HTTPConnection) -> str:
    """Over TLS, a name with a prefix that stops other hosts of the same domain from setting the cookie.

    `__Host-` requires the path `/`, so a server under a path prefix, whose cookie other sites of the host must not get,
    uses `__Secure-`.
    """
    if not is_encrypted(connection):
        return COOKIE
    return f"__Secure-{COOKIE}" if site_of(connection).settings.prefix else f"__Host-{COOKIE}"


def is_encrypted(connection: HTTPConnection) -> bool:
    """Whether the connection uses TLS, at least up to the proxy."""
    public = public_origin_of(connection)
    return connection.scope["scheme"] in ("https", "wss") or (
        public is not None and public.scheme == "https" and names_public_host(connection)
    )


# Rate limits


def quota_of(connection: HTTPConnection) -> ClientQuota:
    """The quota of a connection's client address."""
    return site_of(connection).quotas.at(connection.client.host if connection.client else "")


def charge(bucket: TokenBucket, reason: str, price: int = 1) -> None:
    """Take `price` tokens. Raises HTTPException 429 if the bucket is empty."""
    if not bucket.take(price):
        metrics.REJECTED.labels(reason).inc()
        seconds = bucket.seconds_to_wait()
        text = f"Too many {reason} are coming from your address; please wait {seconds} s."
        raise HTTPException(429, text, {"Retry-After": str(seconds)})


def is_blocked(scope: Scope) -> bool:
    """Whether a request to the interface comes from an address blocked by the operator."""
    if not scope.get("client") or not (scope["type"] == "websocket" or path_within(scope).startswith("/api/")):
        return False
    return manager_of(HTTPConnection(scope)).tables.policies.blocks(scope["client"][0])


class RateLimitMiddleware:
    """Limits requests to the interface per address. Pages and their files are not limited."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if is_blocked(scope):
            metrics.REJECTED.labels("banned").inc()
            refusal = json_response(messages.ErrorBody(BANNED), 403)
            await (WebSocketClose() if scope["type"] == "websocket" else refusal)(scope, receive, send)
            return
        if scope["type"] == "http" and path_within(scope).startswith("/api/"):
            quota = quota_of(HTTPConnection(scope))
            client_address.set(quota.address)
            try:
                charge(quota.requests, "requests")
            except HTTPException as rejection:
                response = await error_response(Request(scope), rejection)
                await response(scope, receive, send)
                return
        await self._app(scope, receive, send)
