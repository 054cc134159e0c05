"""A client of the server: one socket, the seats that its codes give access to, and the line to its page.

The line says what the page has received, and how long it has not answered.
"""

from __future__ import annotations

import statistics
import time
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from icetable.server import messages
from icetable.server.rate_limits import TokenBucket
from icetable.server.table.seats import hash_code
from icetable.server.table.viewers import Viewer

if TYPE_CHECKING:
    from collections.abc import Callable

UNSEEN_MS = 1000
"""A player is taken to have seen an entry this long after the server has learned that the page has it."""
STALL_MS = 500
"""A line stands still if a ping has had no answer for longer."""
MEASURE_SECONDS = 4.5
"""How often the round trip is measured; pages ping every five seconds."""
MAX_ROUND_TRIPS = 5
"""Number of round trips whose median is taken."""

MAX_NEW_CODES = 16
"""Maximum number of remembered codes that a client has chosen at its table: more than a table has seats."""
AIMS_PER_SECOND = 6
"""How often other clients are sent the position of a hand, apart from bursts."""


class Ping(NamedTuple):
    """A ping under way."""

    number: int
    entry: int
    """The newest entry sent before it."""
    at: float
    """When it was sent, in seconds."""


class Standing(NamedTuple):
    """What is known of a line at one moment."""

    known: int
    """The newest entry that its page has."""
    silent_since: float
    """When its page was last heard, in seconds."""


class Line:
    """The line to one page. A ping follows the entries that are sent, at most one at a time, and its answer proves
    that they have arrived.
    """

    def __init__(self, send_ping: Callable[[int], None], clock: Callable[[], float]) -> None:
        """`clock` is in seconds."""
        self._send_ping = send_ping
        self._clock = clock
        self._number = 0
        self._under_way: Ping | None = None
        self._sent = 0
        """The newest entry sent."""
        self._known = 0
        """The newest entry that the page has had for UNSEEN_MS, as far as the server knows."""
        self._learned: deque[tuple[float, int]] = deque()
        """When it was learned that the page has an entry, if that was later."""
        self._heard: tuple[int, float] | None = None
        """The number of the last answered ping, and when its answer came."""
        self._silent_before: float | None = None
        """Since when the page's last line was silent, until it answers on this one."""
        self._round_trips: deque[float] = deque(maxlen=MAX_ROUND_TRIPS)
        self._measured_at: float | None = None

    def continues(self, before: Standing) -> None:
        """Continue a line that the same player had before."""
        self._known, self._silent_before = max(self._known, before.known), before.silent_since

    def standing(self) -> Standing:
        """What is known now, for the player's next line."""
        known = max(self._known, self._learned[-1][1]) if self._learned else self._known
        return Standing(known, self._silent_since() or self._clock())

    def sent(self, entry: int) -> None:
        """Note that everything up to an entry has been sent."""
        self._sent = max(self._sent, entry)
        self.ping()

    def ping(self) -> None:
        """Send a ping, unless one is under way."""
        if self._under_way is None:
            self._number += 1
            self._under_way = Ping(self._number, self._sent, self._clock())
            self._send_ping(self._number)

    def answered(self, number: int) -> bool:
        """Handle the answer to a ping; return whether it measured the round trip anew."""
        ping, now = self._under_way, self._clock()
        if ping is None or ping.number != number:
            return False
        self._under_way = self._silent_before = None
        self._heard = number, now
        self._learned.append((now, ping.entry))
        if self._sent > ping.entry:
            self.ping()
        if self._measured_at is not None and now < self._measured_at + MEASURE_SECONDS:
            return False
        self._measured_at = now
        self._round_trips.append(now - ping.at)
        return True

    @property
    def round_trip(self) -> int | None:
        """The usual round trip in milliseconds; None if there is no measurement yet. It says nothing of a stall."""
        return round(1000 * statistics.median(self._round_trips)) if self._round_trips else None

    @property
    def known(self) -> int:
        """The newest entry that the player is taken to have seen."""
        while self._learned and self._learned[0][0] <= self._clock() - UNSEEN_MS / 1000:
            self._known = max(self._known, self._learned.popleft()[1])
        return self._known

    @property
    def silence(self) -> int:
        """How long the line has been standing still, in milliseconds; 0 if it does not."""
        since = self._silent_since()
        silent = 0 if since is None else round(1000 * (self._clock() - since))
        return silent if silent > STALL_MS else 0

    def age(self, made: tuple[int, int]) -> int:
        """How much longer than the answer to the last ping an act was on its way, in milliseconds.

        `made`: the number of that ping, and the milliseconds from its answer to the act; for another ping it is 0.
        """
        if self._heard is None or made[0] != self._heard[0]:
            return 0
        return max(0, round(1000 * (self._clock() - self._heard[1])) - made[1])

    def _silent_since(self) -> float | None:
        if self._silent_before is not None:
            return self._silent_before
        return None if self._under_way is None else self._under_way.at


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
        self.line = Line(lambda number: send_bytes(messages.write(messages.Ping(number))), time.monotonic)

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
