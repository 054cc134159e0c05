"""Positions in memory: at most MOST_BYTES of all games together, by stretches of acts that were lately looked at."""

from __future__ import annotations

import sys
import threading
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from icetable.core.game import State

MOST_BYTES = 4 * 2**20
"""How many bytes of positions are in memory. What belongs to each, as the act before it, is half as much again."""


class Cache:
    """The stretches in memory, by the number of their game and their own. Those used last stay; any thread may ask."""

    def __init__(self, most: int) -> None:
        """`most`: how many bytes it holds. The stretch used last stays however large it is."""
        self.most = most
        self._stretches: dict[tuple[int, int], list[State]] = {}
        self._sizes: dict[tuple[int, int], int] = {}
        self._bytes = 0
        self._used = set[tuple[int, int]]()
        """The stretches that were used since the last `drop_unused`."""
        self._gone: deque[int] = deque()
        """The games whose stretches are of no use any more."""
        self._lock = threading.Lock()

    def get(self, game: int, number: int) -> list[State] | None:
        """The positions after each act of a stretch; None where they are not here."""
        with self._lock:
            states = self._stretches.pop((game, number), None)
            if states is not None:
                self._stretches[game, number] = states
                self._used.add((game, number))
            return states

    def put(self, game: int, number: int, states: list[State]) -> None:
        """Keep a stretch, in place of what is known of it."""
        with self._lock:
            self._drop(game, number)
            self._stretches[game, number] = states
            self._grow(game, number, sum(map(sys.getsizeof, states)))

    def add(self, game: int, number: int, state: State) -> None:
        """Add the next position to a stretch, if it is here."""
        with self._lock:
            if (game, number) in self._stretches:
                self._stretches[game, number].append(state)
                self._grow(game, number, sys.getsizeof(state))

    def drop(self, game: int, numbers: Iterable[int]) -> None:
        """Forget some stretches of a game."""
        with self._lock:
            for number in numbers:
                self._drop(game, number)

    def forget(self, game: int) -> None:
        """Forget a game, some time later. The garbage collector calls this, even in the midst of another call."""
        self._gone.append(game)

    def drop_unused(self) -> None:
        """Forget all stretches that were not used since the last time."""
        with self._lock:
            for key in self._stretches.keys() - self._used:
                self._drop(*key)
            self._used.clear()

    def _grow(self, game: int, number: int, size: int) -> None:
        self._used.add((game, number))
        self._sizes[game, number] = self._sizes.get((game, number), 0) + size
        self._bytes += size
        self._make_room()

    def _drop(self, game: int, number: int) -> None:
        if self._stretches.pop((game, number), None) is not None:
            self._bytes -= self._sizes.pop((game, number))

    def _make_room(self) -> None:
        while self._gone:
            gone = self._gone.popleft()
            for key in [key for key in self._stretches if key[0] == gone]:
                self._drop(*key)
        while self._bytes > self.most and len(self._stretches) > 1:
            self._drop(*next(iter(self._stretches)))

    @property
    def positions(self) -> int:
        """How many positions are here."""
        with self._lock:
            self._make_room()
            return sum(map(len, self._stretches.values()))


cache = Cache(MOST_BYTES)
"""That of this process."""
