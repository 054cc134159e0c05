"""Pauses for worker threads, so that they do not starve the event loop.

Compiled kernels release the GIL at every call and take it back immediately: no other thread is quick enough to get it
in between, so without pauses the loop would stall while a thread replays a game.
"""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

INTERVAL_SECONDS = 0.001
PAUSE_SECONDS = 0.0001

_thread = threading.local()


@contextmanager
def yielding() -> Iterator[None]:
    """Let `yield_gil` take effect in this thread for the duration."""
    _thread.paused_at = time.perf_counter()
    try:
        yield
    finally:
        del _thread.paused_at


def yield_gil() -> None:
    """Let other threads run if this one has worked for INTERVAL_SECONDS. A no-op in a thread without pauses."""
    paused_at = getattr(_thread, "paused_at", None)
    if paused_at is not None and time.perf_counter() - paused_at >= INTERVAL_SECONDS:
        time.sleep(PAUSE_SECONDS)
        _thread.paused_at = time.perf_counter()
