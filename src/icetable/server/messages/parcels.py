"""What a browser moves to another one."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

LONGEST_PARCEL = 250_000
"""The greatest length of a parcel (in bytes)."""


class ParcelRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A parcel that waits for another browser. `sealed`: what is in it, encrypted there, in base64.

    `parcel`: its id, which tells nothing of the key.
    """

    parcel: Annotated[str, Meta(pattern="^[0-9a-f]{20}$")]
    sealed: Annotated[bytes, Meta(min_length=1, max_length=LONGEST_PARCEL)]


class ParcelLeft(msgspec.Struct, frozen=True):
    """For how many `seconds` a parcel waits."""

    seconds: int


class Parcel(msgspec.Struct, frozen=True):
    """What was in a parcel, still `sealed`, in base64."""

    sealed: bytes
