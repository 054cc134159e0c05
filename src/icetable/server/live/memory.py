"""Memory that nobody needs goes back to the system. glibc keeps what threads have freed: 20 MiB after long replays."""

from __future__ import annotations

import asyncio
import ctypes
import sys
from typing import TYPE_CHECKING

from icetable.server import stretches

if TYPE_CHECKING:
    from collections.abc import Callable

EVERY_SECONDS = 20.0
"""How many seconds lie between two times."""
M_ARENA_MAX = -8
HEAPS = 2
"""How many heaps all threads share. glibc would give each its own, and each keeps what it has freed."""


def find_trim() -> Callable[[int], object] | None:
    """What gives memory back; None where the system's allocator does that by itself."""
    return _of_allocator("malloc_trim")


def share_heaps() -> None:
    """Have the threads that begin from now on share few heaps."""
    if limit := _of_allocator("mallopt"):
        limit(M_ARENA_MAX, HEAPS)


def _of_allocator(name: str) -> Callable[..., object] | None:
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None


async def give_back() -> None:
    """Forget positions that nobody looks at, and give memory back, for as long as the server runs."""
    trim = find_trim()
    while True:
        await asyncio.sleep(EVERY_SECONDS)
        stretches.cache.drop_unused()
        if trim:
            await asyncio.to_thread(trim, 0)
