"""Protection from other sites, other clients and floods: headers, origins, cookies and rate limits."""

from __future__ import annotations

import re
import secrets
from ipaddress import ip_address
from typing import TYPE_CHECKING, NamedTuple, cast
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.websockets import WebSocketClose

from icetable.core.options import short_repr
from icetable.server import messages, metrics
from icetable.server.http.dependencies import manager_of
from icetable.server.http.proxies import path_within
from icetable.server.http.responses import error_response, json_response
from icetable.server.live.fair_scheduler import client_address
from icetable.server.rate_limits import ClientQuota, ClientQuotas, TokenBucket, is_loopback
from icetable.server.table.seats import hash_code

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

DEFAULT_PORTS = {"http": 80, "https": 443}
PAGE_SCHEMES = {"ws": "http", "wss": "https"}
"""The scheme of the page for each WebSocket scheme."""
HOST = re.compile(r"[a-z0-9_.-]+")
MAX_HOST_LENGTH = 253
EXPECTED_URL = "is the address of the pages, such as https://icetable.example.org"
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


class BadAddress(ValueError):
    """An invalid address for a server's pages. The message says what is wrong with it."""


# Hosts and origins


class OwnNamesMiddleware:
    """Rejects foreign host names if the server is for this machine or its local network only.

    Otherwise a page of another site could read local data by DNS rebinding.
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
        scope["app"].state.rare_log.warn(FOREIGN_HOST_LOGGED, came=host, expected=expected)
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
    if connection.app.state.behind_proxy:
        return False
    is_local = connection.client is not None and is_loopback(connection.client.host)
    return is_local and is_local_host(connection.headers.get("host", ""))


def public_origin_of(connection: HTTPConnection) -> Origin | None:
    """The public origin of the pages, if the operator has configured one."""
    return cast("Origin | None", connection.app.state.public_origin)


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
    connection.app.state.rare_log.warn(
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
        path, is_secure = f"{connection.app.state.prefix}/", is_encrypted(connection)
        response.set_cookie(name, secret, COOKIE_SECONDS, path=path, secure=is_secure, httponly=True, samesite="lax")


def cookie_name(connection: HTTPConnection) -> str:
    """Over TLS, a name with a prefix that stops other hosts of the same domain from setting the cookie.

    `__Host-` requires the path `/`, so a server under a path prefix, whose cookie other sites of the host must not get,
    uses `__Secure-`.
    """
    if not is_encrypted(connection):
        return COOKIE
    return f"__Secure-{COOKIE}" if connection.app.state.prefix else f"__Host-{COOKIE}"


def is_encrypted(connection: HTTPConnection) -> bool:
    """Whether the connection uses TLS, at least up to the proxy."""
    public = public_origin_of(connection)
    return connection.scope["scheme"] in ("https", "wss") or (
        public is not None and public.scheme == "https" and names_public_host(connection)
    )


# Rate limits


def quota_of(connection: HTTPConnection) -> ClientQuota:
    """The quota of a connection's client address."""
    quotas = cast("ClientQuotas", connection.app.state.quotas)
    return quotas.at(connection.client.host if connection.client else "")


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
    return manager_of(HTTPConnection(scope)).administration.blocks(scope["client"][0])


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


class Origin(NamedTuple):
    """The origin of a page. Hosts are in lower case; IPv6 addresses are in brackets."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        origin = f"{self.scheme}://{self.host}"
        return origin if self.port == DEFAULT_PORTS[self.scheme] else f"{origin}:{self.port}"


def origin_at(scheme: str, authority: str) -> Origin | None:
    """The origin given by a scheme and a Host header; None if they are invalid."""
    scheme = PAGE_SCHEMES.get(scheme, scheme)
    if scheme not in DEFAULT_PORTS:
        return None
    try:
        parts = urlsplit(f"{scheme}://{authority}")
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.netloc != authority or "@" in authority or host is None:  # urlsplit drops some characters
        return None
    host = _normalized(host)
    return None if host is None else Origin(scheme, host, DEFAULT_PORTS[scheme] if port is None else port)


def origin_of(text: str) -> Origin | None:
    """The origin in an Origin header; None if it has none, such as `null`."""
    scheme, mark, authority = text.partition("://")
    return origin_at(scheme.lower(), authority) if mark and scheme.lower() in DEFAULT_PORTS else None


def public_origin(url: str) -> Origin:
    """Parse an operator's public URL. Raises BadAddress."""
    scheme, mark, rest = url.strip().partition("://")
    if not mark or scheme.lower() not in DEFAULT_PORTS:
        raise BadAddress(f"{EXPECTED_URL}, and begins with http:// or https://, which {short_repr(url)} does not")
    authority, slash, path = rest.partition("/")
    if (slash and path) or "?" in rest or "#" in rest:
        raise BadAddress(f"{EXPECTED_URL}, without a path (use --prefix for one), so not {short_repr(url)}")
    try:
        origin = origin_at(scheme.lower(), _in_ascii(authority))
    except UnicodeError:
        origin = None
    if origin is None:
        raise BadAddress(f"{EXPECTED_URL}, a host with a port or without, which {short_repr(url)} is not")
    return origin


def _in_ascii(authority: str) -> str:
    """Encode an internationalized host name as browsers do. Raises UnicodeError."""
    if authority.isascii():
        return authority
    import idna  # a slow import that few need

    host, colon, port = authority.partition(":")
    return idna.encode(host, uts46=True).decode() + colon + port


def _normalized(host: str) -> str | None:
    """The canonical form of a host, `example.org` for `example.org.`; None if it is invalid."""
    if ":" in host:
        try:
            return f"[{ip_address(host)}]"
        except ValueError:
            return None
    host = host.removesuffix(".")
    return host if len(host) <= MAX_HOST_LENGTH and HOST.fullmatch(host) else None
