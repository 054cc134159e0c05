"""An LRU cache of the positions of all games, in segments of consecutive acts.

A request holds the segments that it needs until it is answered, so that they aren't computed twice.
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


class CachedSegment:
    """The positions after each act of a segment, and their size."""

    __slots__ = ("__weakref__", "bytes", "is_used", "states")

    def __init__(self, states: list[State]) -> None:
        self.states = states
        self.bytes = sum(map(sys.getsizeof, states))
        self.is_used = True
        """Whether it was used since the last `drop_unused`."""


class Cache:
    """The segments in memory, by the number of their game and their own. Thread-safe."""

    def __init__(self, max_bytes: int) -> None:
        """`max_bytes`: the capacity. The segment used last stays however large it is."""
        self.max_bytes = max_bytes
        self._segments: dict[tuple[int, int], CachedSegment] = {}
        """Least recently used first."""
        self._alive: weakref.WeakValueDictionary[tuple[int, int], CachedSegment] = weakref.WeakValueDictionary()
        """These, and evicted ones that are still referenced."""
        self._bytes = 0
        self._forgotten: deque[int] = deque()
        """The games whose segments can be dropped."""
        self._lock = threading.Lock()

    def get(self, game: int, number: int) -> CachedSegment | None:
        """Return a segment; None if it is neither cached nor referenced elsewhere."""
        with self._lock:
            return self._use((game, number))

    def put(self, game: int, number: int, states: list[State]) -> CachedSegment:
        """Cache a segment, replacing any earlier version."""
        with self._lock:
            self._drop((game, number))
            segment = self._segments[game, number] = self._alive[game, number] = CachedSegment(states)
            self._bytes += segment.bytes
            self._make_room()
            return segment

    def add(self, game: int, number: int, state: State) -> None:
        """Add the next position to a segment, if it is cached."""
        with self._lock:
            if (segment := self._use((game, number))) is not None:
                size = sys.getsizeof(state)
                segment.states.append(state)
                segment.bytes += size
                self._bytes += size if (game, number) in self._segments else 0
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
        """Drop the segments that were not used since the last call."""
        with self._lock:
            for key, segment in list(self._segments.items()):
                if not segment.is_used:
                    self._drop(key)
                segment.is_used = False
            self._make_room()

    def _use(self, key: tuple[int, int]) -> CachedSegment | None:
        segment = self._segments.pop(key, None)
        if segment is not None:
            self._segments[key] = segment
            segment.is_used = True
        return segment or self._alive.get(key)

    def _drop(self, key: tuple[int, int]) -> None:
        segment = self._segments.pop(key, None)
        if segment is not None:
            self._bytes -= segment.bytes

    def _make_room(self) -> None:
        while self._forgotten:
            gone = self._forgotten.popleft()
            for key in [key for key in self._segments if key[0] == gone]:
                self._drop(key)
        while self._bytes > self.max_bytes and len(self._segments) > 1:
            self._drop(next(iter(self._segments)))

    @property
    def positions(self) -> int:
        """The number of cached positions."""
        with self._lock:
            self._make_room()
            return sum(len(segment.states) for segment in self._segments.values())


cache = Cache(MAX_BYTES)
