"""A client of the server: one socket, and the seats that its codes give access to."""

from __future__ import annotations

import statistics
import time
from collections import deque
from typing import TYPE_CHECKING

from icetable.server import messages
from icetable.server.rate_limits import TokenBucket
from icetable.server.table.seats import hash_code
from icetable.server.table.viewers import Viewer

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_NEW_CODES = 16
"""Maximum number of remembered codes that a client has chosen at its table: more than a table has seats."""
AIMS_PER_SECOND = 6
"""How often other clients are sent the position of a hand, apart from bursts."""
MAX_ROUND_TRIPS = 5
"""Number of round trips whose median is taken."""


class Client:
    """One socket, with its access rights at its table (`viewer`)."""

    def __init__(self, send_bytes: Callable[[bytes], None], browser: str | None = None) -> None:
        """`send_bytes` must not block; `browser` is the SHA-256 of the browser's cookie."""
        self.send_bytes = send_bytes
        self.viewer = Viewer()
        self.browser = browser
        self.reconnect: Callable[[str], None] = lambda _: None
        """Closes the socket with this reason, so that the client comes back and joins anew."""
        self._joined_with: frozenset[str] = frozenset()
        self._new_codes: deque[str] = deque(maxlen=MAX_NEW_CODES)
        self.aims = TokenBucket(2 * AIMS_PER_SECOND, AIMS_PER_SECOND)
        self._pings = 0
        self._pinged_at: float | None = None
        """When the unanswered ping was sent."""
        self._round_trips: deque[float] = deque(maxlen=MAX_ROUND_TRIPS)

    @property
    def code_hashes(self) -> frozenset[str]:
        """The SHA-256 hashes of the client's codes."""
        return self._joined_with.union(self._new_codes)

    def set_codes(self, codes: list[str], held: frozenset[str] = frozenset()) -> None:
        """Replace all codes, to join a table. `held`: hashes of the codes stored for the browser's cookie."""
        self._joined_with = held.union(map(hash_code, codes))
        self._new_codes.clear()

    def add_code(self, code: str) -> None:
        """Remember a code that the client has chosen for a seat."""
        self._new_codes.append(hash_code(code))

    def send(self, message: messages.ServerMessage) -> None:
        """Send a message to this client alone."""
        self.send_bytes(messages.write(message))

    # The round trip

    def ping(self) -> None:
        """Start measuring a round trip; an unanswered ping is abandoned."""
        self._pings += 1
        self._pinged_at = time.monotonic()
        self.send(messages.Ping(self._pings))

    def on_pong(self, number: int) -> None:
        """Handle the answer to ping `number`."""
        if number == self._pings and self._pinged_at is not None:
            self._round_trips.append(time.monotonic() - self._pinged_at)
            self._pinged_at = None

    @property
    def round_trip(self) -> int | None:
        """The round-trip time to the client in milliseconds, measured here; None if there is no measurement yet."""
        return round(1000 * statistics.median(self._round_trips)) if self._round_trips else None
