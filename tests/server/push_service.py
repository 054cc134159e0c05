"""A push service of the tests' own, with a certificate that it made itself, and a browser that reads its messages."""

from __future__ import annotations

import asyncio
import base64
import datetime as dt
import json
import os
import ssl
from typing import TYPE_CHECKING, Any, NamedTuple

import http_ece
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.x509.oid import NameOID
from py_vapid import Vapid02

from icetable.server.live.push import Push

if TYPE_CHECKING:
    from pathlib import Path

HOST = "push.example.org"
CURVE = ec.SECP256R1()


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Browser:
    """A browser with its subscription."""

    def __init__(self, name: str) -> None:
        self.endpoint = f"https://{HOST}/{name}"
        self._key = ec.generate_private_key(CURVE)
        self._auth = os.urandom(16)
        self.p256dh = base64url(self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))
        self.auth = base64url(self._auth)

    def read(self, message: bytes) -> Any:
        return json.loads(http_ece.decrypt(message, private_key=self._key, auth_secret=self._auth))


class Received(NamedTuple):
    """A request that came to the service."""

    path: str
    headers: dict[str, str]
    body: bytes


class PushService:
    """Answers with `status`, and remembers what came."""

    def __init__(self, folder: Path) -> None:
        self.received: list[Received] = []
        self.status = 201
        self.more_headers = ""
        key = ec.generate_private_key(CURVE)
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
        now = dt.datetime.now(dt.UTC)
        certificate = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(1)
            .not_valid_before(now - dt.timedelta(days=1))
            .not_valid_after(now + dt.timedelta(days=30))
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
            .sign(key, hashes.SHA256())
        )
        self._chain = folder / "push.pem"
        secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        self._chain.write_bytes(secret + certificate.public_bytes(Encoding.PEM))
        self.certificate = certificate.public_bytes(Encoding.PEM).decode()

    async def __aenter__(self) -> PushService:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self._chain)
        self._server = await asyncio.start_server(self._answer, "127.0.0.1", 0, ssl=context)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    def trusting(self) -> ssl.SSLContext:
        return ssl.create_default_context(cadata=self.certificate)

    def push(self) -> Push:
        """A sender that reaches this service by any host name."""
        vapid = Vapid02()
        vapid.generate_keys()

        async def resolve(_host: str, _port: int) -> list[tuple[str, int]]:
            return [("127.0.0.1", self.port)]

        return Push(vapid, "mailto:ann@example.org", resolve, self.trusting())

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        first, *lines = head.strip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body = await reader.readexactly(int(headers["content-length"]))
        self.received.append(Received(first.split()[1], headers, body))
        writer.write(f"HTTP/1.1 {self.status} Told\r\nContent-Length: 0\r\n{self.more_headers}\r\n".encode())
        await writer.drain()
        writer.close()
