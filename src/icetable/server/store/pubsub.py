"""The messages that server processes on one database send each other about a table. None is stored, none is secret."""

from __future__ import annotations

import msgspec


class Here(msgspec.Struct, frozen=True, tag="here"):
    """The seats whose players are connected to a process; with `asks` the other processes tell theirs.

    `lags`: their round-trip times in milliseconds, by seat, where they are known.
    """

    process: str
    seats: tuple[int, ...]
    asks: bool
    lags: dict[int, int] = {}


class Held(msgspec.Struct, frozen=True, tag="held"):
    """What a player connected to a process holds, at the table after this number of entries; None for nothing."""

    process: str
    entries: int
    seat: int
    what: str | None


class Aimed(msgspec.Struct, frozen=True, tag="aimed"):
    """Where over the board a player connected to a process has a hand; None for nowhere."""

    seat: int
    at: tuple[int, int] | None


class Spoken(msgspec.Struct, frozen=True, tag="spoken"):
    """A chat message was stored."""


PubSubMessage = Here | Held | Aimed | Spoken
_decoder: msgspec.json.Decoder[PubSubMessage] = msgspec.json.Decoder(PubSubMessage)


def write(message: PubSubMessage) -> str:
    """A message as a text."""
    return msgspec.json.encode(message).decode()


def read(text: str) -> PubSubMessage | None:
    """The message that a text holds; None where only another version understands it."""
    try:
        return _decoder.decode(text)
    except msgspec.DecodeError:
        return None
