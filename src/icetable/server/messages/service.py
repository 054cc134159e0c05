"""The server's addresses, push notifications and errors."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from icetable.server.messages.fields import Codes

MAX_TRANSFER_BYTES = 250_000


class Network(msgspec.Struct, frozen=True):
    """An address of the server's machine in a network."""

    host: str
    """The address, as a number."""
    kind: Literal["wifi", "cable", "network", "vpn", "virtual"]
    """What the machine is connected by."""
    name: str
    """The name of the interface; empty if it is not known."""
    address: str | None
    """The address of the pages there; null while the server is not open to this network."""


class Addresses(msgspec.Struct, frozen=True):
    """The addresses of the pages for browsers on other machines.

    Pages on other machines than the server's get only a public address.
    """

    others: list[str]
    """The addresses, the likeliest first; empty if others can't open them."""
    openable: bool = False
    """There is no address yet, and the page may open the server to one of the networks."""
    networks: list[Network] | UnsetType = UNSET
    """The networks of the server's machine, the likeliest first; left out where the page may not open the server."""


class NetworkRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Opens the server to one of its machine's networks, or closes it again."""

    host: Annotated[str, Meta(max_length=100)]
    """The `host` of the network."""
    open: bool = True
    """The server is to be open to it."""


class NoticesRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Subscribes a browser to push notifications about seats, or unsubscribes it."""

    codes: Codes
    """The codes of the seats."""
    endpoint: Annotated[str, Meta(max_length=1000)]
    """That of the browser's `PushSubscription`."""
    p256dh: Annotated[str, Meta(max_length=100)]
    """The key of this name of the `PushSubscription`."""
    auth: Annotated[str, Meta(max_length=40)]
    """The key of this name of the `PushSubscription`."""
    on: bool
    """The browser is to be subscribed."""


class Notices(msgspec.Struct, frozen=True):
    """The state of a browser's subscription to notices about its seats."""

    on: bool
    """It is subscribed."""


class PushKey(msgspec.Struct, frozen=True):
    """The key that browsers subscribe with."""

    key: str | None
    """The key in base64url; null if this server sends no notices."""


class ErrorBody(msgspec.Struct, frozen=True):
    """A request failed."""

    error: str
    """The reason, in one sentence."""


class TransferRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A transfer for another browser."""

    transfer: Annotated[str, Meta(pattern="^[0-9a-f]{20}$", max_length=20)]
    """Its id, which reveals nothing about the key."""
    encrypted: Annotated[bytes, Meta(min_length=1, max_length=MAX_TRANSFER_BYTES)]
    """Its content, encrypted by the sender, in base64."""


class TransferLeft(msgspec.Struct, frozen=True):
    """How long a transfer is stored."""

    seconds: int
    """The number of seconds left."""


class Transfer(msgspec.Struct, frozen=True):
    """A transfer."""

    encrypted: bytes
    """Its content, still encrypted, in base64."""
