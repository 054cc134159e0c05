"""Messages about a table between the server processes on one database, which are neither stored nor secret; how late
they are.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import msgspec

from icetable.server import metrics

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

MIN_INTERVAL_SECONDS = 10.0
"""Minimum time between two probes of the lag."""


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


class Lag:
    """The delay of messages: each process regularly sends itself a probe through the database. Not thread-safe."""

    def __init__(self, send: Callable[[], Future[None]]) -> None:
        """`send` sends a probe; its future holds an error if that failed."""
        self._send = send
        self._sent: Future[None] | None = None
        """The probe in flight."""
        self._sent_at = self._last = 0.0

    def begin(self) -> None:
        """Start measuring on a new connection; a probe in flight is lost."""
        self._sent, self._sent_at = None, time.monotonic() - MIN_INTERVAL_SECONDS

    def check(self) -> None:
        """Send a probe if one is due. A late probe counts before it is back."""
        now = time.monotonic()
        if self._sent is not None and self._sent.done() and self._sent.exception() is not None:
            self._sent = None  # it was never sent, and `metrics.DATABASE_UP` says so
        if self._sent is not None:
            metrics.LAG.set(max(self._last, now - self._sent_at))
        elif now >= self._sent_at + MIN_INTERVAL_SECONDS:
            self._sent, self._sent_at = self._send(), now

    def on_return(self) -> None:
        """Record the round trip of the probe that is back."""
        if self._sent is not None:
            self._sent, self._last = None, time.monotonic() - self._sent_at
            metrics.LAG.set(self._last)
