"""Origins: the scheme, host and port of a page."""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

from icetable.core.options import short_repr

DEFAULT_PORTS = {"http": 80, "https": 443}
PAGE_SCHEMES = {"ws": "http", "wss": "https"}
"""The scheme of the page for each WebSocket scheme."""
HOST = re.compile(r"[a-z0-9_.-]+")
MAX_HOST_LENGTH = 253

EXPECTED_URL = "is the address of the pages, such as https://icetable.example.org"


class BadAddress(ValueError):
    """An invalid address for a server's pages. The message says what is wrong with it."""


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
