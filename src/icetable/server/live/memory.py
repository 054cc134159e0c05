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


def find_trim() -> Callable[[int], object] | None:
    """What gives memory back; None where the system's allocator does that by itself."""
    return getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None


async def give_back() -> None:
    """Forget positions that nobody looks at, and give memory back, for as long as the server runs."""
    trim = find_trim()
    while True:
        await asyncio.sleep(EVERY_SECONDS)
        stretches.cache.drop_unused()
        if trim:
            await asyncio.to_thread(trim, 0)
