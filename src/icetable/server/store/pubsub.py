"""What the server processes of one log tell each other about a table and do not keep. Nothing secret is said."""

from __future__ import annotations

import msgspec


class Here(msgspec.Struct, frozen=True, tag="here"):
    """The seats whose people are at the table by way of a process, which `asks` the others for theirs."""

    process: str
    seats: tuple[int, ...]
    asks: bool


class Held(msgspec.Struct, frozen=True, tag="held"):
    """What somebody at a process has in hand who sees the table after so many entries; None for nothing."""

    process: str
    entries: int
    seat: int
    what: str | None


class Spoken(msgspec.Struct, frozen=True, tag="spoken"):
    """Somebody has said something, which is kept."""


PubSubMessage = Here | Held | Spoken
_whisper: msgspec.json.Decoder[PubSubMessage] = msgspec.json.Decoder(PubSubMessage)


def write(whisper: PubSubMessage) -> str:
    """A whisper as a text."""
    return msgspec.json.encode(whisper).decode()


def read(text: str) -> PubSubMessage | None:
    """What was whispered; None where only a process of another version understands it."""
    try:
        return _whisper.decode(text)
    except msgspec.DecodeError:
        return None
