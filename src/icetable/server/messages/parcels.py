"""Parcels: data that one browser moves to another."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

MAX_PARCEL_BYTES = 250_000


class ParcelRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A parcel for another browser. `sealed`: its content, encrypted by the sender, in base64.

    `parcel`: its id, which reveals nothing about the key.
    """

    parcel: Annotated[str, Meta(pattern="^[0-9a-f]{20}$", max_length=20)]
    sealed: Annotated[bytes, Meta(min_length=1, max_length=MAX_PARCEL_BYTES)]


class ParcelLeft(msgspec.Struct, frozen=True):
    """The number of `seconds` for which a parcel is stored."""

    seconds: int


class Parcel(msgspec.Struct, frozen=True):
    """The content of a parcel, still `sealed`, in base64."""

    sealed: bytes
