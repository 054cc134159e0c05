"""Pauses of threads that work beside the event loop.

Compiled kernels give Python's lock away at every call and take it back at once: no other thread is quick enough to get
it in between, so that without pauses the loop would stand still while a thread replays a game.
"""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

EVERY_SECONDS = 0.001
SECONDS = 0.0001

_thread = threading.local()


@contextmanager
def with_pauses() -> Iterator[None]:
    """Meanwhile this thread rests wherever `pause` finds that it is time to."""
    _thread.rested = time.perf_counter()
    try:
        yield
    finally:
        del _thread.rested


def pause() -> None:
    """Let other threads run, if this one has worked for a while; it does nothing in a thread without pauses."""
    rested = getattr(_thread, "rested", None)
    if rested is not None and time.perf_counter() - rested >= EVERY_SECONDS:
        time.sleep(SECONDS)
        _thread.rested = time.perf_counter()
