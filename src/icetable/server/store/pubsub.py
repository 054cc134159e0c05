"""Messages about a table between the server processes on one database. They are neither stored nor secret."""

from __future__ import annotations

import msgspec


class Here(msgspec.Struct, frozen=True, tag="here"):
    """The seats whose players are connected to a process; `asks` requests the same from the other processes.

    `lags`: known round-trip times in milliseconds, by seat.
    """

    process: str
    seats: tuple[int, ...]
    asks: bool
    lags: dict[int, int] = {}


class Held(msgspec.Struct, frozen=True, tag="held"):
    """The piece that a player connected to a process holds, after this number of entries; None for nothing."""

    process: str
    entries: int
    seat: int
    what: str | None


class Aimed(msgspec.Struct, frozen=True, tag="aimed"):
    """The point of the board under a player's hand; None if it is nowhere over the board."""

    seat: int
    at: tuple[int, int] | None


class Spoken(msgspec.Struct, frozen=True, tag="spoken"):
    """A chat message was stored."""


PubSubMessage = Here | Held | Aimed | Spoken
_decoder: msgspec.json.Decoder[PubSubMessage] = msgspec.json.Decoder(PubSubMessage)


def write(message: PubSubMessage) -> str:
    """Encode a message."""
    return msgspec.json.encode(message).decode()


def read(text: str) -> PubSubMessage | None:
    """Decode a message; None if it is another version's."""
    try:
        return _decoder.decode(text)
    except msgspec.DecodeError:
        return None
