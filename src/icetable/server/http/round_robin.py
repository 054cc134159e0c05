"""What all connections bring is read a little at a time, so that no number of them holds up the others."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

TURN_SECONDS = 0.0003
"""For how long requests are read in one turn of the loop. The last step may take longer."""


class RoundRobin:
    """Gives connections their turns. One for each loop."""

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], bool]] = deque()
        self._left = 0.0
        self._next: asyncio.Handle | None = None

    def add(self, step: Callable[[], bool]) -> None:
        """Call `step` until it returns False: at once if there is time left in this turn, else in later ones."""
        self._waiting.append(step)
        if self._next is None:
            self._begin()
        self._take()

    def _begin(self) -> None:
        self._left = TURN_SECONDS
        self._next = asyncio.get_running_loop().call_soon(self._end)

    def _end(self) -> None:
        """The next turn of the loop has come."""
        self._next = None
        if self._waiting:
            self._begin()
            self._take()

    def _take(self) -> None:
        while self._waiting and self._left > 0:
            began = time.perf_counter()
            step = self._waiting.popleft()
            if step():
                self._waiting.append(step)
            self._left -= time.perf_counter() - began
