"""Returns freed memory to the system. glibc retains what threads have freed: 20 MiB after long replays."""

from __future__ import annotations

import asyncio
import ctypes
import sys
from typing import TYPE_CHECKING

from icetable.server import position_cache

if TYPE_CHECKING:
    from collections.abc import Callable

INTERVAL_SECONDS = 20.0
"""Interval between trims."""
M_ARENA_MAX = -8
MAX_HEAPS = 2
"""Maximum number of heaps. By default glibc gives each thread its own, and each retains freed memory."""


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
    """Drop unused positions and return memory, periodically."""
    trim = find_trim()
    while True:
        await asyncio.sleep(INTERVAL_SECONDS)
        position_cache.cache.drop_unused()
        if trim:
            await asyncio.to_thread(trim, 0)
