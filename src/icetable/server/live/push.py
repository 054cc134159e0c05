"""Web Push: notices to closed browsers, through their vendors' push services (RFC 8030, 8291 and 8292).

Every address of a service's host must be public. Requires the packages of `icetable[push]`.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import os
import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

import http_ece
import httpcore
import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02, VapidException

from icetable.core.errors import GameError

if TYPE_CHECKING:
    import ssl
    from collections.abc import Awaitable, Callable, Iterable, Mapping
    from pathlib import Path

    from icetable.server.store.queries import Subscription

HTTPS_PORT = 443
RESOLVE_SECONDS = 5.0
"""Timeout for resolving a name."""
NAT64 = IPv6Network("64:ff9b::/96")
"""In these addresses the last four bytes are an IPv4 address."""

NOT_PUBLIC_ERROR = "a push address begins with https:// and names a public host, without a port"

CURVE = ec.SECP256R1()
AUTH_BYTES = 16
PAYLOAD_BYTES = 256
"""Length that every message is padded to, so that it reveals nothing."""
TTL_SECONDS = 24 * 60 * 60
"""How long a push service stores a notice for a browser that is not running."""
SEND_TIMEOUT_SECONDS = 10.0
"""Timeout of a push service's response."""
MAX_CONNECTIONS = 8
MIN_ERROR_STATUS = 400
MIN_SERVER_ERROR_STATUS = 500
GONE_STATUSES = (404, 410)
TOO_MANY_REQUESTS_STATUS = 429

Outcome = Literal["sent", "gone", "busy", "refused"]


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


class BadKeys(GameError):
    """The key file can't be read or created, or the contact is invalid."""


class PublicBackend(httpcore.AsyncNetworkBackend):
    """Connects to the addresses that were validated as public: a name can't resolve differently in between."""

    def __init__(self, resolve: Callable[[str, int], Awaitable[list[tuple[str, int]]]]) -> None:
        self._resolve = resolve
        self._backend = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        address, port = (await self._resolve(host, port))[0]
        return await self._backend.connect_tcp(address, port, timeout, local_address, socket_options)


class Push:
    """Sends notices, encrypted for their browsers and signed with this server's key."""

    def __init__(
        self,
        vapid: Vapid02,
        contact: str,
        resolve: Callable[[str, int], Awaitable[list[tuple[str, int]]]] = public_addresses_of,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        """`contact`: the operator's address for push services, a mailto: or https: URL. Raises BadKeys."""
        self._vapid = vapid
        self._contact = contact
        self._resolve = resolve
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=ssl_context, max_connections=MAX_CONNECTIONS, network_backend=PublicBackend(resolve)
        )
        point = vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.key = base64.urlsafe_b64encode(point).rstrip(b"=").decode()
        """The public key that browsers subscribe with."""
        try:
            self._headers("https://push.example.org")
        except VapidException:
            raise BadKeys(f"a contact is an address such as mailto:ann@example.org, not {contact}") from None

    async def check(self, subscription: Subscription) -> None:
        """Raise NotPublic, or GameError if the keys are invalid."""
        await self._resolve(host_of(subscription.endpoint), HTTPS_PORT)
        try:
            ec.EllipticCurvePublicKey.from_encoded_point(CURVE, _decode(subscription.p256dh))
            is_key = len(_decode(subscription.auth)) == AUTH_BYTES
        except ValueError:
            is_key = False
        if not is_key:
            raise GameError("the keys of a push address are those that a browser gives, in base64url")

    async def send(self, subscription: Subscription, topic: str, content: bytes) -> Outcome:
        """Send a message and return the outcome. A later message on the same topic replaces it."""
        message = http_ece.encrypt(
            content.ljust(PAYLOAD_BYTES),
            private_key=ec.generate_private_key(CURVE),
            dh=_decode(subscription.p256dh),
            auth_secret=_decode(subscription.auth),
            version="aes128gcm",
        )
        try:
            host_of(subscription.endpoint)
            async with (
                asyncio.timeout(SEND_TIMEOUT_SECONDS),
                self._pool.stream(
                    "POST", subscription.endpoint, headers=self._headers(subscription.endpoint, topic), content=message
                ) as answer,
            ):
                return _outcome(answer.status)  # the body is not read, and redirects are not followed
        except NotPublic:
            return "gone"
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException, OSError, TimeoutError):
            return "busy"

    async def close(self) -> None:
        """Close the connections."""
        await self._pool.aclose()

    def _headers(self, endpoint: str, topic: str = "") -> Mapping[bytes | str, bytes | str]:
        parts = urlsplit(endpoint)
        return {
            **self._vapid.sign({"sub": self._contact, "aud": f"https://{parts.hostname}"}),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": f"{TTL_SECONDS}",
            "Topic": topic,
            "Urgency": "normal",
        }


def load_keys(path: Path) -> Vapid02:
    """Load the keys from a file; if it does not exist, create it, readable by its owner only. Raises BadKeys."""
    try:
        if not path.exists():
            keys = Vapid02()
            keys.generate_keys()
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(keys.private_pem())
        return Vapid02.from_pem(path.read_bytes())
    except OSError as error:
        raise BadKeys(f"the keys in {path} can't be read or created: {error.strerror}") from None
    except (ValueError, TypeError, VapidException):
        raise BadKeys(f"{path} holds no keys for notices; if it does not exist, it is created") from None


def payload(table: str, title: str, text: str) -> bytes:
    return msgspec.json.encode({"table": table, "title": title, "text": text})


def _decode(text: str) -> bytes:
    """Raises ValueError."""
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except binascii.Error as error:
        raise ValueError from error


def _outcome(status: int) -> Outcome:
    if status < MIN_ERROR_STATUS:
        return "sent" if status < 300 else "refused"
    if status in GONE_STATUSES:
        return "gone"
    return "busy" if status == TOO_MANY_REQUESTS_STATUS or status >= MIN_SERVER_ERROR_STATUS else "refused"
