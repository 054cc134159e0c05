"""Web Push: notices to browsers that are closed, by the push services of their makers (RFC 8030, 8291 and 8292).

This needs the packages of `icetable[push]`.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import os
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

import http_ece
import httpcore
import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02, VapidException

from icetable.core.errors import GameError
from icetable.server.live.public_addresses import HTTPS_PORT, NotPublic, host_of, public_addresses_of

if TYPE_CHECKING:
    import ssl
    from collections.abc import Awaitable, Callable, Iterable, Mapping
    from pathlib import Path

    from icetable.server.store.subscriptions import Subscription

CURVE = ec.SECP256R1()
AUTH_BYTES = 16
PAYLOAD_BYTES = 256
"""How long each message is made, so that its length tells nothing."""
KEPT_SECONDS = 24 * 60 * 60
"""For how many seconds a push service keeps a notice for a browser that is not running."""
SENDING_SECONDS = 10.0
"""How many seconds a push service has for an answer."""
MAX_CONNECTIONS = 8
SMALLEST_ERROR = 400
SERVER_ERROR = 500
GONE = (404, 410)
TOO_MANY = 429

Answer = Literal["sent", "gone", "busy", "refused"]


class BadKeys(GameError):
    """A file with keys that can't be read or made, or a contact that is none."""


class PublicBackend(httpcore.AsyncNetworkBackend):
    """Connects to the very addresses that were found to be public: a name can't lead elsewhere in between."""

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
    """Sends notices, each encrypted for its browser and signed with this server's key."""

    def __init__(
        self,
        vapid: Vapid02,
        contact: str,
        resolve: Callable[[str, int], Awaitable[list[tuple[str, int]]]] = public_addresses_of,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        """`contact`: how the push services reach the operator, as mailto: or https:. Raises BadKeys."""
        self._vapid = vapid
        self._contact = contact
        self._resolve = resolve
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=ssl_context, max_connections=MAX_CONNECTIONS, network_backend=PublicBackend(resolve)
        )
        point = vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.key = base64.urlsafe_b64encode(point).rstrip(b"=").decode()
        """The public key, by which browsers subscribe."""
        try:
            self._headers("https://push.example.org")
        except VapidException:
            raise BadKeys(f"a contact is an address such as mailto:ann@example.org, not {contact}") from None

    async def check(self, one: Subscription) -> None:
        """Raises NotPublic, or GameError where the keys are none."""
        await self._resolve(host_of(one.endpoint), HTTPS_PORT)
        try:
            ec.EllipticCurvePublicKey.from_encoded_point(CURVE, _decoded(one.p256dh))
            is_key = len(_decoded(one.auth)) == AUTH_BYTES
        except ValueError:
            is_key = False
        if not is_key:
            raise GameError("the keys of a push address are those that a browser gives, in base64url")

    async def send(self, one: Subscription, topic: str, content: bytes) -> Answer:
        """Send a message, and tell what became of it. A later one on the same topic takes its place."""
        message = http_ece.encrypt(
            content.ljust(PAYLOAD_BYTES),
            private_key=ec.generate_private_key(CURVE),
            dh=_decoded(one.p256dh),
            auth_secret=_decoded(one.auth),
            version="aes128gcm",
        )
        try:
            host_of(one.endpoint)
            async with (
                asyncio.timeout(SENDING_SECONDS),
                self._pool.stream(
                    "POST", one.endpoint, headers=self._headers(one.endpoint, topic), content=message
                ) as answer,
            ):
                return _meaning(answer.status)  # of what else it says nothing is read, and no redirect is followed
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
            "TTL": f"{KEPT_SECONDS}",
            "Topic": topic,
            "Urgency": "normal",
        }


def keys_in(path: Path) -> Vapid02:
    """The keys in a file, which is made where it is not there, for its owner alone. Raises BadKeys."""
    try:
        if not path.exists():
            made = Vapid02()
            made.generate_keys()
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(made.private_pem())
        return Vapid02.from_pem(path.read_bytes())
    except OSError as error:
        raise BadKeys(f"the keys in {path} can't be read or made: {error.strerror}") from None
    except (ValueError, TypeError, VapidException):
        raise BadKeys(f"{path} holds no keys for notices; where it is not there, it is made") from None


def content_of(table: str, title: str, text: str) -> bytes:
    """What a notice says."""
    return msgspec.json.encode({"table": table, "title": title, "text": text})


def _decoded(text: str) -> bytes:
    """Raises ValueError."""
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except binascii.Error as error:
        raise ValueError from error


def _meaning(status: int) -> Answer:
    if status < SMALLEST_ERROR:
        return "sent" if status < 300 else "refused"
    if status in GONE:
        return "gone"
    return "busy" if status == TOO_MANY or status >= SERVER_ERROR else "refused"
