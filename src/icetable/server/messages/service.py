"""What a server says of itself: where it is, the notices that it sends, and why a request failed."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from icetable.server.messages.fields import Codes


class Addresses(msgspec.Struct, frozen=True):
    """Where browsers on other machines find the pages, the likeliest first. None: only this machine can open them.

    Pages that were not opened on the server's own machine get a public address only. `openable`: there is none yet, and
    the page may have the server listen in its local network.
    """

    others: list[str]
    openable: bool = False


class NoticesRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A browser to be told, though its pages are closed, of the seats that `codes` hold; or no more, if it is not `on`.

    The address of its push service and its keys are those of the browser's `PushSubscription`.
    """

    codes: Codes
    endpoint: Annotated[str, Meta(max_length=1000)]
    p256dh: Annotated[str, Meta(max_length=100)]
    auth: Annotated[str, Meta(max_length=40)]
    on: bool


class Notices(msgspec.Struct, frozen=True):
    """Whether a browser is told of its seats."""

    on: bool


class PushKey(msgspec.Struct, frozen=True):
    """The key by which browsers subscribe to the notices of this server, in base64url; null: it sends none."""

    key: str | None


class ErrorBody(msgspec.Struct, frozen=True):
    """Why a request failed, in one sentence."""

    error: str
