"""An LRU cache of the positions of all games, in stretches of consecutive acts.

A request holds the stretches that it needs until it is answered, so that they aren't computed twice.
"""

from __future__ import annotations

import sys
import threading
import weakref
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from icetable.core.game import State

MAX_BYTES = 4 * 2**20
"""Maximum size of the positions in memory. Their acts and other parts take half as much again."""


class CachedStretch:
    """The positions after each act of a stretch, and their size."""

    __slots__ = ("__weakref__", "bytes", "is_used", "states")

    def __init__(self, states: list[State]) -> None:
        self.states = states
        self.bytes = sum(map(sys.getsizeof, states))
        self.is_used = True
        """Whether it was used since the last `drop_unused`."""


class Cache:
    """The stretches in memory, by the number of their game and their own. Thread-safe."""

    def __init__(self, max_bytes: int) -> None:
        """`max_bytes`: the capacity. The stretch used last stays however large it is."""
        self.max_bytes = max_bytes
        self._stretches: dict[tuple[int, int], CachedStretch] = {}
        """Least recently used first."""
        self._alive: weakref.WeakValueDictionary[tuple[int, int], CachedStretch] = weakref.WeakValueDictionary()
        """These, and evicted ones that are still referenced."""
        self._bytes = 0
        self._forgotten: deque[int] = deque()
        """The games whose stretches can be dropped."""
        self._lock = threading.Lock()

    def get(self, game: int, number: int) -> CachedStretch | None:
        """Return a stretch; None if it is neither cached nor referenced elsewhere."""
        with self._lock:
            return self._use((game, number))

    def put(self, game: int, number: int, states: list[State]) -> CachedStretch:
        """Cache a stretch, replacing any earlier version."""
        with self._lock:
            self._drop((game, number))
            stretch = self._stretches[game, number] = self._alive[game, number] = CachedStretch(states)
            self._bytes += stretch.bytes
            self._make_room()
            return stretch

    def add(self, game: int, number: int, state: State) -> None:
        """Add the next position to a stretch, if it is cached."""
        with self._lock:
            if (stretch := self._use((game, number))) is not None:
                size = sys.getsizeof(state)
                stretch.states.append(state)
                stretch.bytes += size
                self._bytes += size if (game, number) in self._stretches else 0
                self._make_room()

    def drop(self, game: int, numbers: Iterable[int]) -> None:
        with self._lock:
            for number in numbers:
                self._drop((game, number))
                self._alive.pop((game, number), None)

    def forget(self, game: int) -> None:
        """Drop a game at the next opportunity. The garbage collector calls this, even during another call."""
        self._forgotten.append(game)

    def drop_unused(self) -> None:
        """Drop the stretches that were not used since the last call."""
        with self._lock:
            for key, stretch in list(self._stretches.items()):
                if not stretch.is_used:
                    self._drop(key)
                stretch.is_used = False
            self._make_room()

    def _use(self, key: tuple[int, int]) -> CachedStretch | None:
        stretch = self._stretches.pop(key, None)
        if stretch is not None:
            self._stretches[key] = stretch
            stretch.is_used = True
        return stretch or self._alive.get(key)

    def _drop(self, key: tuple[int, int]) -> None:
        stretch = self._stretches.pop(key, None)
        if stretch is not None:
            self._bytes -= stretch.bytes

    def _make_room(self) -> None:
        while self._forgotten:
            gone = self._forgotten.popleft()
            for key in [key for key in self._stretches if key[0] == gone]:
                self._drop(key)
        while self._bytes > self.max_bytes and len(self._stretches) > 1:
            self._drop(next(iter(self._stretches)))

    @property
    def positions(self) -> int:
        """The number of cached positions."""
        with self._lock:
            self._make_room()
            return sum(len(stretch.states) for stretch in self._stretches.values())


cache = Cache(MAX_BYTES)
