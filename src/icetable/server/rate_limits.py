"""Rate limits per socket and per address."""

from __future__ import annotations

import hashlib
import math
import time
from ipaddress import AddressValueError, IPv6Address, ip_address
from typing import NamedTuple

DEFAULT_SOCKETS = 64
"""Default maximum number of open sockets per address."""
LOOPBACK_SOCKETS = 10**9
"""The same for loopback addresses."""
MESSAGES_PER_SECOND = 4
REQUESTS_PER_SECOND = 0.5
TABLES_PER_MINUTE = 0.5
REVIEWS_PER_MINUTE = 0.1
ANALYSES_PER_MINUTE = 2
"""Rates per address, for each socket that it may open: whole schools share one address."""
SOCKETS_PER_LISTING = 16
"""Sockets that an address may open per table that the lobby lists of it."""
BURST_SECONDS = 8
"""Burst size of messages and requests, in seconds of their rate. That of tables, reviews and analyses is a minute."""
MIN_PRUNED_QUOTAS = 4096
"""Number of quotas from which idle ones are dropped."""
MAX_REJECTED = 200
FLOOD_SECONDS = 3
CALM_SECONDS = 1
"""A client floods if it is rejected more than MAX_REJECTED times or for longer than FLOOD_SECONDS, without a
break of CALM_SECONDS."""
BLOCK_SECONDS = 10
"""How long an address may open no socket after a flood."""
NETWORK_GROUPS = 4
"""Groups of an IPv6 address that identify its network; clients choose the others freely."""


CLIENT_BUCKET_BYTES = 2
"""Length of the hash of an address that is stored with what its clients leave. It separates clients without identifying
them: about 65,000 IPv4 addresses share each bucket."""


class TokenBucket:
    """A bucket of at most `burst` tokens that gains `rate` tokens per second."""

    def __init__(self, burst: float, rate: float) -> None:
        self._burst = self._tokens = max(1.0, burst)
        self._rate = rate
        self._refilled_at = time.monotonic()

    def take(self, cost: int = 1) -> bool:
        """Take tokens; False if the bucket is empty. A cost above the number of tokens leaves a debt."""
        self._refill()
        if self._tokens < 1:
            return False
        self._tokens -= cost
        return True

    def is_full(self) -> bool:
        """Whether every token has been refilled."""
        self._refill()
        return self._tokens == self._burst

    def seconds_to_wait(self) -> int:
        """The time until the next token, rounded up."""
        return max(1, math.ceil((1 - self._tokens) / self._rate))

    def _refill(self) -> None:
        now = time.monotonic()
        self._tokens = min(self._tokens + (now - self._refilled_at) * self._rate, self._burst)
        self._refilled_at = now


class FloodDetector:
    """Distinguishes a client that floods from one that is briefly too fast."""

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
    """The limits per address. Rates that are None follow from the number of sockets.

    `kept` is not per address: the maximum number of tables on the server, None for no limit.
    """

    sockets: int | None = None
    messages: float | None = None
    requests: float | None = None
    """Per second, as `messages`."""
    tables: float | None = None
    reviews: float | None = None
    analyses: float | None = None
    """Per minute, as `tables` and `reviews`."""
    kept: int | None = None

    @property
    def listed(self) -> int:
        """Maximum number of public tables per address in the lobby."""
        return max(1, (self.sockets or DEFAULT_SOCKETS) // SOCKETS_PER_LISTING)


DEFAULT_LIMITS = Limits()


class ClientQuota:
    """The remaining quota of the clients of one address."""

    def __init__(self, limits: Limits, sockets: int, address: str = "") -> None:
        """`sockets`: their maximum number unless `limits` sets one."""
        self.address = address
        self.sockets_left = self._sockets = sockets = limits.sockets or sockets
        messages = limits.messages or sockets * MESSAGES_PER_SECOND
        requests = limits.requests or sockets * REQUESTS_PER_SECOND
        self.messages = TokenBucket(messages * BURST_SECONDS, messages)
        self.requests = TokenBucket(requests * BURST_SECONDS, requests)
        self.tables, self.reviews, self.analyses = (
            TokenBucket(per_minute, per_minute / 60)
            for per_minute in (
                limits.tables or sockets * TABLES_PER_MINUTE,
                limits.reviews or sockets * REVIEWS_PER_MINUTE,
                limits.analyses or sockets * ANALYSES_PER_MINUTE,
            )
        )
        self._blocked_until = -math.inf

    def block(self) -> None:
        """Refuse new sockets for BLOCK_SECONDS."""
        self._blocked_until = time.monotonic() + BLOCK_SECONDS

    def seconds_blocked(self) -> int:
        """The time until a new socket is allowed, rounded up."""
        return math.ceil(max(0, self._blocked_until - time.monotonic()))

    def is_idle(self) -> bool:
        """Whether a fresh quota would be equal."""
        buckets = (self.messages, self.requests, self.tables, self.reviews, self.analyses)
        is_free = self.sockets_left == self._sockets and not self.seconds_blocked()
        return is_free and all(bucket.is_full() for bucket in buckets)


class ClientQuotas:
    """The quotas of all recently active addresses.

    By default loopback addresses are not limited. Behind a proxy they are, since clients have them whose address the
    proxy does not forward.
    """

    def __init__(self, limits: Limits = DEFAULT_LIMITS, *, behind_proxy: bool = False) -> None:
        self._limits = limits
        self._loopback_sockets = DEFAULT_SOCKETS if behind_proxy else LOOPBACK_SOCKETS
        self._known: dict[str, ClientQuota] = {}
        self._prune_at = MIN_PRUNED_QUOTAS

    def at(self, address: str) -> ClientQuota:
        key = network_of(address)
        if key not in self._known:
            if len(self._known) >= self._prune_at:
                self._known = {known: quota for known, quota in self._known.items() if not quota.is_idle()}
                self._prune_at = max(MIN_PRUNED_QUOTAS, 2 * len(self._known))
            usual = self._loopback_sockets if is_loopback(key) else DEFAULT_SOCKETS
            self._known[key] = ClientQuota(self._limits, usual, key)
        return self._known[key]


def is_loopback(address: str) -> bool:
    """Whether an address is a loopback address."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def network_of(address: str) -> str:
    """The unit that limits apply to: an IPv4 address, or a /64 network of IPv6."""
    try:
        whole = IPv6Address(address.partition("%")[0])
    except AddressValueError:
        return address
    if whole.is_loopback:
        return str(whole)
    return str(whole.ipv4_mapped or ":".join(whole.exploded.split(":")[:NETWORK_GROUPS]))


def client_bucket(address: str) -> int:
    """The bucket that a client's address belongs to."""
    return int.from_bytes(hashlib.sha256(address.encode()).digest()[:CLIENT_BUCKET_BYTES])
