"""The server's addresses, push notifications and errors."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from icetable.server.messages.fields import Codes

MAX_TRANSFER_BYTES = 250_000


class Network(msgspec.Struct, frozen=True):
    """An address of the server's machine in a network. `kind`: by what it is connected; `name`: the interface's, if it
    is known. `address`: that of the pages there; null while the server is not open to this network.
    """

    host: str
    kind: Literal["wifi", "cable", "network", "vpn", "virtual"]
    name: str
    address: str | None


class Addresses(msgspec.Struct, frozen=True):
    """The addresses of the pages for browsers on other machines, the likeliest first; empty if others can't open them.

    Pages on other machines than the server's get only a public address. `openable`: there is no address yet, and the
    page may open the server to one of the `networks`, the likeliest first; they are left out where it may not.
    """

    others: list[str]
    openable: bool = False
    networks: list[Network] | UnsetType = UNSET


class NetworkRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Opens the server to one of its machine's networks, by its `host`, or closes it again."""

    host: Annotated[str, Meta(max_length=100)]
    open: bool = True


class NoticesRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Subscribes a browser to push notifications about the seats of `codes`; unsubscribes it if `on` is false.

    The endpoint and the keys are those of the browser's `PushSubscription`.
    """

    codes: Codes
    endpoint: Annotated[str, Meta(max_length=1000)]
    p256dh: Annotated[str, Meta(max_length=100)]
    auth: Annotated[str, Meta(max_length=40)]
    on: bool


class Notices(msgspec.Struct, frozen=True):
    """Whether a browser is subscribed to notices about its seats."""

    on: bool


class PushKey(msgspec.Struct, frozen=True):
    """The key that browsers subscribe with, in base64url; null if this server sends no notices."""

    key: str | None


class ErrorBody(msgspec.Struct, frozen=True):
    """The reason why a request failed, in one sentence."""

    error: str


class TransferRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A transfer for another browser. `encrypted`: its content, encrypted by the sender, in base64.

    `transfer`: its id, which reveals nothing about the key.
    """

    transfer: Annotated[str, Meta(pattern="^[0-9a-f]{20}$", max_length=20)]
    encrypted: Annotated[bytes, Meta(min_length=1, max_length=MAX_TRANSFER_BYTES)]


class TransferLeft(msgspec.Struct, frozen=True):
    """The number of `seconds` for which a transfer is stored."""

    seconds: int


class Transfer(msgspec.Struct, frozen=True):
    """The content of a transfer, still `encrypted`, in base64."""

    encrypted: bytes
