"""Memory: caches with a total size, and freed memory that is returned to the system."""

from __future__ import annotations

import asyncio
import ctypes
import sys
from typing import TYPE_CHECKING, Generic, TypeVar

from icetable.server import position_cache

if TYPE_CHECKING:
    from collections.abc import Callable

INTERVAL_SECONDS = 20.0
"""Interval between trims."""
M_ARENA_MAX = -8
MAX_HEAPS = 2
"""Maximum number of heaps. By default glibc gives each thread its own, and each retains freed memory."""

K = TypeVar("K")
T = TypeVar("T")


def find_trim() -> Callable[[int], object] | None:
    """The allocator's function that returns memory; None if the allocator returns it by itself."""
    return _allocator_function("malloc_trim")


def limit_heaps() -> None:
    """Make new threads share MAX_HEAPS heaps."""
    if limit := _allocator_function("mallopt"):
        limit(M_ARENA_MAX, MAX_HEAPS)


def _allocator_function(name: str) -> Callable[..., object] | None:
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None


async def trim_memory() -> None:
    """Drop unused positions, and return memory: glibc retains what threads have freed, 20 MiB after long replays."""
    position_cache.cache.drop_unused()
    if trim := find_trim():
        await asyncio.to_thread(trim, 0)


class LRUCache(Generic[K, T]):
    """Values by key. The one used last stays however large it is."""

    def __init__(self, max_size: int) -> None:
        """`max_size`: the total size of all values."""
        self.max_size = max_size
        self._values: dict[K, tuple[T, int]] = {}
        self._size = 0

    def get(self, key: K) -> T | None:
        """The value of a key; None if it is not cached."""
        cached = self._values.pop(key, None)
        if cached is None:
            return None
        self._values[key] = cached
        return cached[0]

    def put(self, key: K, value: T, size: int = 1) -> None:
        """Cache a value, replacing any earlier one of the key."""
        self.drop(key)
        self._values[key] = value, size
        self._size += size
        while self._size > self.max_size and len(self._values) > 1:
            self.drop(next(iter(self._values)))

    def drop(self, key: K) -> None:
        _, size = self._values.pop(key, (None, 0))
        self._size -= size
