"""Origins: the schemes, hosts and ports of pages, compared as URLs are."""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

from icetable.core.options import short_repr

DEFAULT_PORTS = {"http": 80, "https": 443}
SECURE = {"ws": "http", "wss": "https"}
"""The schemes of pages whose sockets have these schemes."""
HOST = re.compile(r"[a-z0-9_.-]+")
LONGEST_HOST = 253

WHAT_IT_IS = "is the address of the pages, such as https://icetable.example.org"


class BadAddress(ValueError):
    """A text that is not the address of a server's pages. The message says what is wrong with it."""


class Origin(NamedTuple):
    """Where a page comes from. Hosts are in lower case; IPv6 addresses are in brackets."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        where = f"{self.scheme}://{self.host}"
        return where if self.port == DEFAULT_PORTS[self.scheme] else f"{where}:{self.port}"


def origin_at(scheme: str, authority: str) -> Origin | None:
    """The origin of a scheme and the header Host; None where they name none."""
    scheme = SECURE.get(scheme, scheme)
    if scheme not in DEFAULT_PORTS:
        return None
    try:
        parts = urlsplit(f"{scheme}://{authority}")
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.netloc != authority or "@" in authority or host is None:  # urlsplit drops some characters
        return None
    host = _written(host)
    return None if host is None else Origin(scheme, host, DEFAULT_PORTS[scheme] if port is None else port)


def origin_of(text: str) -> Origin | None:
    """The origin that the header Origin names; None where it names none, such as `null`."""
    scheme, mark, authority = text.partition("://")
    return origin_at(scheme.lower(), authority) if mark and scheme.lower() in DEFAULT_PORTS else None


def public_origin(url: str) -> Origin:
    """The origin of the address that an operator gives. Raises BadAddress."""
    scheme, mark, rest = url.strip().partition("://")
    if not mark or scheme.lower() not in DEFAULT_PORTS:
        raise BadAddress(f"{WHAT_IT_IS}, and begins with http:// or https://, which {short_repr(url)} does not")
    authority, slash, path = rest.partition("/")
    if (slash and path) or "?" in rest or "#" in rest:
        raise BadAddress(f"{WHAT_IT_IS}, without a path, which --prefix names, so not {short_repr(url)}")
    try:
        origin = origin_at(scheme.lower(), _in_ascii(authority))
    except UnicodeError:
        origin = None
    if origin is None:
        raise BadAddress(f"{WHAT_IT_IS}, a host with a port or without, which {short_repr(url)} is not")
    return origin


def _in_ascii(authority: str) -> str:
    """A host in the letters of a language, as browsers send it. Raises UnicodeError."""
    if authority.isascii():
        return authority
    import idna  # takes a while, and few need it

    host, colon, port = authority.partition(":")
    return idna.encode(host, uts46=True).decode() + colon + port


def _written(host: str) -> str | None:
    """A host in the one way of writing it; None where no host is written so. `example.org.` is `example.org`."""
    if ":" in host:
        try:
            return f"[{ip_address(host)}]"
        except ValueError:
            return None
    host = host.removesuffix(".")
    return host if len(host) <= LONGEST_HOST and HOST.fullmatch(host) else None
