"""How late the server processes on one database hear of each other: each sends itself a message now and then."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from icetable.server import metrics

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

EVERY_SECONDS = 10.0
"""How many seconds lie at least between two of these messages."""


class Lag:
    """Measures the way of a message through the database and back. One thread calls all of this."""

    def __init__(self, send: Callable[[], Future[None]]) -> None:
        """`send` sends a message; its future brings an error where that has failed."""
        self._send = send
        self._sent: Future[None] | None = None
        """The message that is under way."""
        self._sent_at = self._last = 0.0

    def begin(self) -> None:
        """The database is listened to from now on; what was under way before is lost."""
        self._sent, self._sent_at = None, time.monotonic() - EVERY_SECONDS

    def check(self) -> None:
        """Send a message if it is time. One that is late counts before it is back."""
        now = time.monotonic()
        if self._sent is not None and self._sent.done() and self._sent.exception() is not None:
            self._sent = None  # it never left, and `metrics.DATABASE_UP` says so
        if self._sent is not None:
            metrics.LAG.set(max(self._last, now - self._sent_at))
        elif now >= self._sent_at + EVERY_SECONDS:
            self._sent, self._sent_at = self._send(), now

    def on_return(self) -> None:
        """The message is back."""
        if self._sent is not None:
            self._sent, self._last = None, time.monotonic() - self._sent_at
            metrics.LAG.set(self._last)
