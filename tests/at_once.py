"""Calls that race."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Answer = TypeVar("Answer")


def at_once(*calls: Callable[[], Answer]) -> list[Answer]:
    """Make all calls at the same moment, each in a thread of its own; the answers."""
    start = threading.Barrier(len(calls))

    def make(call: Callable[[], Answer]) -> Answer:
        start.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(make, calls))
