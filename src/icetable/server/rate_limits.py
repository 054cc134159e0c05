"""How much one socket and one address may ask for."""

from __future__ import annotations

import math
import time
from ipaddress import AddressValueError, IPv6Address, ip_address

SOCKETS = 64
"""How many sockets an address may have at once, unless the server is told otherwise."""
OWN_SOCKETS = 10**9
"""And this machine itself."""
MESSAGES_A_SECOND = 4
REQUESTS_A_SECOND = 0.5
TABLES_A_MINUTE = 0.5
"""What an address may ask for, times the sockets that it may have: whole schools come from one address."""
AT_ONCE = 8
"""How many seconds' messages and requests may come at once; of tables it is a minute's."""
MANY = 4096
"""From so many addresses on those are forgotten that have nothing to wait for."""
MOST_REFUSED = 200
EXCESS_SECONDS = 3
CALM_SECONDS = 1
"""A client may be refused so often, and for so long, without a second in which it was not; then it floods."""
HELD_OFF_SECONDS = 10
"""How long an address that a flood came from gets no new socket."""
NETWORK = 4
"""How many groups of an IPv6 address name whom it is lent to; who that is chooses the others at will."""


class TokenBucket:
    """So many credits at once, and later so many a second."""

    def __init__(self, at_once: float, a_second: float) -> None:
        self._most = self._credits = max(1.0, at_once)
        self._a_second = a_second
        self._counted_at = time.monotonic()

    def take(self) -> bool:
        """Pay one credit, where there is one."""
        self._count()
        if self._credits < 1:
            return False
        self._credits -= 1
        return True

    def is_full(self) -> bool:
        """Whether nothing was taken lately."""
        self._count()
        return self._credits == self._most

    def seconds_to_wait(self) -> int:
        """How long it takes at the most until there is a credit."""
        return max(1, math.ceil((1 - self._credits) / self._a_second))

    def _count(self) -> None:
        now = time.monotonic()
        self._credits = min(self._credits + (now - self._counted_at) * self._a_second, self._most)
        self._counted_at = now


class FloodDetector:
    """How often, and for how long, a client was refused without a pause."""

    def __init__(self) -> None:
        self._began_at = self._refused_at = -math.inf
        self._refused = 0

    def grow(self) -> None:
        """The client is refused once more."""
        now = time.monotonic()
        if now - self._refused_at > CALM_SECONDS:
            self._began_at, self._refused = now, 0
        self._refused_at = now
        self._refused += 1

    def is_flood(self) -> bool:
        """Whether the client can't be taken for a hasty one any more."""
        return self._refused > MOST_REFUSED or self._refused_at - self._began_at > EXCESS_SECONDS


class ClientQuota:
    """What comes from one address, and what may still come."""

    def __init__(self, sockets: int) -> None:
        self.sockets_left = self._most = sockets
        self.messages = TokenBucket(sockets * MESSAGES_A_SECOND * AT_ONCE, sockets * MESSAGES_A_SECOND)
        self.requests = TokenBucket(sockets * REQUESTS_A_SECOND * AT_ONCE, sockets * REQUESTS_A_SECOND)
        self.tables = TokenBucket(sockets * TABLES_A_MINUTE, sockets * TABLES_A_MINUTE / 60)
        self._held_off_until = -math.inf

    def hold_off(self) -> None:
        """A flood came from here."""
        self._held_off_until = time.monotonic() + HELD_OFF_SECONDS

    def seconds_held_off(self) -> int:
        """How long it takes at the most until it may open a socket again."""
        return math.ceil(max(0, self._held_off_until - time.monotonic()))

    def is_idle(self) -> bool:
        """Whether to forget it would change nothing."""
        purses = (self.messages, self.requests, self.tables)
        is_free = self.sockets_left == self._most and not self.seconds_held_off()
        return is_free and all(bucket.is_full() for bucket in purses)


class ClientQuotas:
    """All addresses that something came from lately.

    Each may have so many `sockets`; if that is left open, this machine itself may have as many as it likes.
    """

    def __init__(self, sockets: int | None = None) -> None:
        self._sockets = sockets
        self._known: dict[str, ClientQuota] = {}
        self._too_many = MANY

    def at(self, address: str) -> ClientQuota:
        """The guest at an address."""
        key = neighbourhood(address)
        if key not in self._known:
            if len(self._known) >= self._too_many:
                self._known = {one: guest for one, guest in self._known.items() if not guest.is_idle()}
                self._too_many = max(MANY, 2 * len(self._known))
            self._known[key] = ClientQuota(self._sockets or (OWN_SOCKETS if is_own(key) else SOCKETS))
        return self._known[key]


def is_own(address: str) -> bool:
    """Whether an address is this machine's own."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def neighbourhood(address: str) -> str:
    """What counts as one address."""
    try:
        whole = IPv6Address(address.partition("%")[0])
    except AddressValueError:
        return address
    if whole.is_loopback:
        return str(whole)
    return str(whole.ipv4_mapped or ":".join(whole.exploded.split(":")[:NETWORK]))
