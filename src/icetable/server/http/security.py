"""What protects players from other sites, other clients and floods: headers, origins, cookies and rate limits."""

from __future__ import annotations

import re
import secrets
from ipaddress import ip_address
from typing import TYPE_CHECKING, cast

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.websockets import WebSocketClose

from icetable.server import messages, metrics
from icetable.server.http.lookups import manager_of
from icetable.server.http.origins import Origin, origin_at, origin_of
from icetable.server.http.prefix import path_within
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
        "default-src 'self'; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Sent with every answer."""

COOKIE = "icetable"
COOKIE_SECONDS = 400 * 24 * 60 * 60
FOREIGN_NAME = "This server answers only as localhost and under the addresses of its own machine."
"""Said under any other name."""
FOREIGN_NAME_LOGGED = "requests under a foreign name are refused; behind a proxy use --proxy-headers or --public-url"
FOREIGN_ORIGIN_LOGGED = "requests from pages of another origin are refused"
SECRET = re.compile(r"[0-9a-f]{32}")
"""The value of the cookie: 128 bits that only the browser knows, and no script of a page."""
BANNED = "The operator of this server has blocked your address."
NOT_OUR_PAGE = (
    "This server takes this page for one of another site, for which it opens no tables. If it is its own, its operator"
    " finds the cause in the log."
)


# Hosts and origins


class OwnNamesMiddleware:
    """Answers under no foreign name where the server is for this machine or its local network only.

    Such a name may lead here of a sudden, and a page of another site could then read what only this machine may.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or not scope["app"].state.has_own_names or is_own_name(HTTPConnection(scope)):
            await self._app(scope, receive, send)
            return
        metrics.REJECTED.labels("hosts").inc()
        host = HTTPConnection(scope).headers["host"]
        expected = "localhost or an address of this machine"
        scope["app"].state.rare_log.warn(FOREIGN_NAME_LOGGED, came=host, expected=expected)
        if scope["type"] == "websocket":
            await WebSocketClose()(scope, receive, send)
        else:
            await json_response(messages.ErrorBody(FOREIGN_NAME), 421)(scope, receive, send)


def is_own_name(connection: HTTPConnection) -> bool:
    """Whether the host that a request names is this machine's alone, or the public one. Browsers always name one."""
    host = connection.headers.get("host")
    return host is None or is_local_host(host) or names_its_address(connection) or names_public_host(connection)


def names_its_address(connection: HTTPConnection) -> bool:
    """Whether a request names the address at which it arrived. No name can lead elsewhere that is an address."""
    named = origin_at("http", connection.headers.get("host", ""))
    place = connection.scope.get("server")
    if named is None or not place:
        return False
    try:
        return ip_address(named.host.strip("[]")) == ip_address(place[0].partition("%")[0])
    except ValueError:
        return False


def is_local_host(host: str) -> bool:
    """Whether a host, with its port or without, can only be this machine. Any other name may lead elsewhere later."""
    named = origin_at("http", host)
    return named is not None and (named.host == "localhost" or is_loopback(named.host.strip("[]")))


def names_public_host(connection: HTTPConnection) -> bool:
    """Whether a request names the host of the public address."""
    public = public_origin_of(connection)
    named = origin_at("http", connection.headers.get("host", ""))
    return public is not None and named is not None and named.host == public.host


def is_at_this_machine(connection: HTTPConnection) -> bool:
    """Whether a client is on the server's own machine, and its page was opened under a name that only means that.

    Behind a proxy nobody is.
    """
    if connection.app.state.behind_proxy:
        return False
    is_near = connection.client is not None and is_loopback(connection.client.host)
    return is_near and is_local_host(connection.headers.get("host", ""))


def public_origin_of(connection: HTTPConnection) -> Origin | None:
    """The origin under which the operator says that others reach the pages; None where nothing is said."""
    return cast("Origin | None", connection.app.state.public_origin)


def same_origin(connection: HTTPConnection) -> bool:
    """Whether a request comes from one of the server's own pages, or from no page at all. Others are logged."""
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    host = connection.headers.get("host", "")
    asked = origin_at(connection.scope["scheme"], host)
    expected = [one for one in (asked, public_origin_of(connection)) if one is not None]
    page = origin_of(origin)
    if page in expected:
        return True
    metrics.REJECTED.labels("origin").inc()
    connection.app.state.rare_log.warn(
        FOREIGN_ORIGIN_LOGGED,
        came=origin,
        expected=" or ".join(map(str, expected)) or "a page of the host in the header Host, which names none",
        cause=why_foreign(page, asked),
    )
    return False


def why_foreign(page: Origin | None, asked: Origin | None) -> str:
    """What may be wrong where a page is not the server's own, though it may be meant to be."""
    if page is None or asked is None or page.host != asked.host:
        return "the page has another host: it is another site's, or a proxy does not pass on Host (see --public-url)"
    if page.scheme != asked.scheme:
        return "the scheme differs: the proxy must send X-Forwarded-Proto, and be trusted (--proxy-headers)"
    return "the port differs: the proxy must pass on Host with its port"


def require_same_origin(request: Request) -> None:
    """Raises HTTPException if the request comes from a page of another site."""
    if not same_origin(request):
        raise HTTPException(403, NOT_OUR_PAGE)


# Cookies


def browser_of(connection: HTTPConnection) -> str | None:
    """The SHA-256 of a browser's cookie; None if it has none."""
    cookie = connection.cookies.get(cookie_name(connection), "")
    return hash_code(cookie) if SECRET.fullmatch(cookie) else None


def set_browser_cookie(response: Response, connection: HTTPConnection) -> None:
    """Give a browser that has no cookie a new one."""
    if browser_of(connection) is None:
        name, secret = cookie_name(connection), secrets.token_hex(16)
        path, is_secure = f"{connection.app.state.prefix}/", is_encrypted(connection)
        response.set_cookie(name, secret, COOKIE_SECONDS, path=path, secure=is_secure, httponly=True, samesite="lax")


def cookie_name(connection: HTTPConnection) -> str:
    """Over TLS a name that browsers accept from this host only, not from other hosts of the same domain.

    Under a prefix other sites of this host shall not get it, and such a name can't have that path.
    """
    if not is_encrypted(connection):
        return COOKIE
    return f"__Secure-{COOKIE}" if connection.app.state.prefix else f"__Host-{COOKIE}"


def is_encrypted(connection: HTTPConnection) -> bool:
    """Whether the connection uses TLS, at least as far as the proxy."""
    public = public_origin_of(connection)
    return connection.scope["scheme"] in ("https", "wss") or (
        public is not None and public.scheme == "https" and names_public_host(connection)
    )


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


def is_blocked(scope: Scope) -> bool:
    """Whether a request for tables comes from an address that the operator has blocked."""
    if not scope.get("client") or not (scope["type"] == "websocket" or path_within(scope).startswith("/api/")):
        return False
    return manager_of(HTTPConnection(scope)).administration.blocks(scope["client"][0])


class RateLimitMiddleware:
    """Limits the requests of each address to the interface. Pages and their files are not limited."""

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
            visitor.set(quota.address)
            try:
                charge(quota.requests, "requests")
            except HTTPException as rejection:
                response = await error_response(Request(scope), rejection)
                await response(scope, receive, send)
                return
        await self._app(scope, receive, send)
