"""Validation of addresses from visitors that this server connects to: every address of the host must be public."""

from __future__ import annotations

import asyncio
import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from icetable.core.errors import GameError

HTTPS_PORT = 443
RESOLVE_SECONDS = 5.0
"""Timeout for resolving a name."""
NAT64 = IPv6Network("64:ff9b::/96")
"""In these addresses the last four bytes are an IPv4 address."""

NOT_PUBLIC_ERROR = "a push address begins with https:// and names a public host, without a port"


class NotPublic(GameError):
    """The server does not connect to an address. Never says why, so as not to reveal names of the internal network."""

    def __init__(self) -> None:
        super().__init__(NOT_PUBLIC_ERROR)


def host_of(url: str) -> str:
    """The host of an https address without a port or a user. Raises NotPublic."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise NotPublic from None
    if parts.scheme != "https" or not parts.hostname or port not in (None, HTTPS_PORT) or "@" in parts.netloc:
        raise NotPublic
    if not url.isascii() or any(letter.isspace() or not letter.isprintable() for letter in url):
        raise NotPublic
    return parts.hostname


async def public_addresses_of(host: str, port: int) -> list[tuple[str, int]]:
    """Resolve a host; each address with the port. Raises NotPublic unless all addresses are public."""
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(RESOLVE_SECONDS):
            resolved = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError, TimeoutError):
        raise NotPublic from None
    addresses = [str(entry[0]) for *_, entry in resolved]
    if not addresses or not all(map(is_public, addresses)):
        raise NotPublic
    return [(address, port) for address in addresses]


def is_public(text: str) -> bool:
    """Whether an address is a unicast address on the internet."""
    try:
        address = ip_address(text)
    except ValueError:
        return False
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped or address.sixtofour or address.teredo or address.is_site_local:
            return False
        if address in NAT64:
            return is_public(str(IPv4Address(address.packed[-4:])))
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)
