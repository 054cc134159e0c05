"""Fair scheduling of parsing among connections, so that no client blocks the event loop."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

TURN_SECONDS = 0.0003
"""Time for parsing in one turn of the event loop. The last step may exceed it."""


class RoundRobin:
    """Gives connections their turns. There is one per event loop."""

    def __init__(self) -> None:
        self._queue: deque[Callable[[], bool]] = deque()
        self._seconds_left = 0.0
        self._next_turn: asyncio.Handle | None = None

    def add(self, step: Callable[[], bool]) -> None:
        """Call `step` until it returns False: now if this turn has time left, otherwise in later turns."""
        self._queue.append(step)
        if self._next_turn is None:
            self._begin()
        self._run()

    def _begin(self) -> None:
        self._seconds_left = TURN_SECONDS
        self._next_turn = asyncio.get_running_loop().call_soon(self._end)

    def _end(self) -> None:
        self._next_turn = None
        if self._queue:
            self._begin()
            self._run()

    def _run(self) -> None:
        while self._queue and self._seconds_left > 0:
            started_at = time.perf_counter()
            step = self._queue.popleft()
            if step():
                self._queue.append(step)
            self._seconds_left -= time.perf_counter() - started_at
