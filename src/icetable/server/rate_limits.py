"""How much one socket and one address may ask for."""

from __future__ import annotations

import math
import time
from ipaddress import AddressValueError, IPv6Address, ip_address
from typing import NamedTuple

SOCKETS = 64
"""The number of sockets that an address may have open, by default."""
LOOPBACK_SOCKETS = 10**9
"""The same for this machine's own addresses."""
MESSAGES_A_SECOND = 4
REQUESTS_A_SECOND = 0.5
TABLES_A_MINUTE = 0.5
REVIEWS_A_MINUTE = 0.1
ANALYSES_A_MINUTE = 2
"""What an address may ask for, for each socket that it may have: whole schools share one address."""
SOCKETS_FOR_A_LISTING = 16
"""The lobby lists one table of an address for so many sockets that it may have."""
BURST_SECONDS = 8
"""A burst of messages or requests may be as large as this number of seconds allows; one of tables,
reviews or analyses, as a minute does."""
MANY = 4096
"""From this number of addresses on, idle ones are forgotten."""
MAX_REJECTED = 200
FLOOD_SECONDS = 3
CALM_SECONDS = 1
"""A client floods when it is rejected more often than MAX_REJECTED or for longer than FLOOD_SECONDS, without
CALM_SECONDS between two rejections."""
BLOCK_SECONDS = 10
"""How long an address gets no new socket after a flood."""
NETWORK_GROUPS = 4
"""The groups of an IPv6 address that name its network; clients choose the others at will."""


class TokenBucket:
    """Holds at most `burst` tokens and gains `rate` tokens a second."""

    def __init__(self, burst: float, rate: float) -> None:
        self._burst = self._tokens = max(1.0, burst)
        self._rate = rate
        self._counted_at = time.monotonic()

    def take(self, price: int = 1) -> bool:
        """Take as many tokens; False if there is none. What costs more than there is leaves a debt."""
        self._refill()
        if self._tokens < 1:
            return False
        self._tokens -= price
        return True

    def is_full(self) -> bool:
        """Whether no token was taken lately."""
        self._refill()
        return self._tokens == self._burst

    def seconds_to_wait(self) -> int:
        """The time until there is a token, rounded up."""
        return max(1, math.ceil((1 - self._tokens) / self._rate))

    def _refill(self) -> None:
        now = time.monotonic()
        self._tokens = min(self._tokens + (now - self._counted_at) * self._rate, self._burst)
        self._counted_at = now


class FloodDetector:
    """Tells a client that floods from one that is too fast for a moment."""

    def __init__(self) -> None:
        self._began_at = self._rejected_at = -math.inf
        self._rejected = 0

    def count(self) -> None:
        """Count a rejection."""
        now = time.monotonic()
        if now - self._rejected_at > CALM_SECONDS:
            self._began_at, self._rejected = now, 0
        self._rejected_at = now
        self._rejected += 1

    def is_flood(self) -> bool:
        """Whether the client was rejected too often, or for too long."""
        return self._rejected > MAX_REJECTED or self._rejected_at - self._began_at > FLOOD_SECONDS


class Limits(NamedTuple):
    """What one address may ask for. What is not given follows from the number of its sockets.

    `kept` is no limit of an address: so many tables are kept at most, whoever opened them; None: as many as there are.
    """

    sockets: int | None = None
    messages: float | None = None
    """A second."""
    requests: float | None = None
    """A second."""
    tables: float | None = None
    """A minute."""
    reviews: float | None = None
    """A minute."""
    analyses: float | None = None
    """A minute."""
    kept: int | None = None

    @property
    def listed(self) -> int:
        """How many of its public tables the lobby lists at a time."""
        return max(1, (self.sockets or SOCKETS) // SOCKETS_FOR_A_LISTING)


UNCHANGED = Limits()


class ClientQuota:
    """What the clients of one address may still ask for."""

    def __init__(self, limits: Limits, sockets: int, address: str = "") -> None:
        """`sockets`: how many it may have where the limits do not say."""
        self.address = address
        self.sockets_left = self._sockets = sockets = limits.sockets or sockets
        messages = limits.messages or sockets * MESSAGES_A_SECOND
        requests = limits.requests or sockets * REQUESTS_A_SECOND
        self.messages = TokenBucket(messages * BURST_SECONDS, messages)
        self.requests = TokenBucket(requests * BURST_SECONDS, requests)
        self.tables, self.reviews, self.analyses = (
            TokenBucket(a_minute, a_minute / 60)
            for a_minute in (
                limits.tables or sockets * TABLES_A_MINUTE,
                limits.reviews or sockets * REVIEWS_A_MINUTE,
                limits.analyses or sockets * ANALYSES_A_MINUTE,
            )
        )
        self._blocked_until = -math.inf

    def block(self) -> None:
        """Allow no new socket for a while."""
        self._blocked_until = time.monotonic() + BLOCK_SECONDS

    def seconds_blocked(self) -> int:
        """The time until a new socket is allowed, rounded up."""
        return math.ceil(max(0, self._blocked_until - time.monotonic()))

    def is_idle(self) -> bool:
        """Whether a new quota would be the same."""
        buckets = (self.messages, self.requests, self.tables, self.reviews, self.analyses)
        is_free = self.sockets_left == self._sockets and not self.seconds_blocked()
        return is_free and all(bucket.is_full() for bucket in buckets)


class ClientQuotas:
    """The quotas of all addresses that were active lately.

    By default an address may have SOCKETS sockets, and this machine itself is not limited, but behind a proxy: there
    its address is that of clients of which the proxy does not tell.
    """

    def __init__(self, limits: Limits = UNCHANGED, *, behind_proxy: bool = False) -> None:
        self._limits = limits
        self._loopback_sockets = SOCKETS if behind_proxy else LOOPBACK_SOCKETS
        self._known: dict[str, ClientQuota] = {}
        self._too_many = MANY

    def at(self, address: str) -> ClientQuota:
        """The quota of an address."""
        key = network_of(address)
        if key not in self._known:
            if len(self._known) >= self._too_many:
                self._known = {one: quota for one, quota in self._known.items() if not quota.is_idle()}
                self._too_many = max(MANY, 2 * len(self._known))
            usual = self._loopback_sockets if is_loopback(key) else SOCKETS
            self._known[key] = ClientQuota(self._limits, usual, key)
        return self._known[key]


def is_loopback(address: str) -> bool:
    """Whether an address is this machine's own."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def network_of(address: str) -> str:
    """What counts as one address: an IPv4 address, or a /64 network of IPv6."""
    try:
        whole = IPv6Address(address.partition("%")[0])
    except AddressValueError:
        return address
    if whole.is_loopback:
        return str(whole)
    return str(whole.ipv4_mapped or ":".join(whole.exploded.split(":")[:NETWORK_GROUPS]))
