"""Positions in memory: at most MAX_BYTES of all games together, by stretches of acts that were lately looked at.

A request holds the stretches that it needs until it is answered, so that they aren't worked out twice.
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
"""How many bytes of positions are in memory. What belongs to each, as the act before it, is half as much again."""


class CachedStretch:
    """The positions after each act of a stretch, and their size in bytes."""

    __slots__ = ("__weakref__", "bytes", "is_used", "states")

    def __init__(self, states: list[State]) -> None:
        self.states = states
        self.bytes = sum(map(sys.getsizeof, states))
        self.is_used = True
        """Whether it was used since the last `drop_unused`."""


class Cache:
    """The stretches in memory, by the number of their game and their own. Those used last stay; any thread may ask."""

    def __init__(self, most: int) -> None:
        """`most`: how many bytes it holds. The stretch used last stays however large it is."""
        self.most = most
        self._stretches: dict[tuple[int, int], CachedStretch] = {}
        """In the order in which they were last used."""
        self._alive: weakref.WeakValueDictionary[tuple[int, int], CachedStretch] = weakref.WeakValueDictionary()
        """These, and those that had to go while somebody holds them."""
        self._bytes = 0
        self._gone: deque[int] = deque()
        """The games whose stretches are of no use any more."""
        self._lock = threading.Lock()

    def get(self, game: int, number: int) -> CachedStretch | None:
        """A stretch, which is found here for as long as somebody holds it; None where it is not here."""
        with self._lock:
            return self._use((game, number))

    def put(self, game: int, number: int, states: list[State]) -> CachedStretch:
        """Keep a stretch, in place of what is known of it."""
        with self._lock:
            self._drop((game, number))
            stretch = self._stretches[game, number] = self._alive[game, number] = CachedStretch(states)
            self._bytes += stretch.bytes
            self._make_room()
            return stretch

    def add(self, game: int, number: int, state: State) -> None:
        """Add the next position to a stretch, if it is here."""
        with self._lock:
            if (stretch := self._use((game, number))) is not None:
                size = sys.getsizeof(state)
                stretch.states.append(state)
                stretch.bytes += size
                self._bytes += size if (game, number) in self._stretches else 0
                self._make_room()

    def drop(self, game: int, numbers: Iterable[int]) -> None:
        """Forget some stretches of a game."""
        with self._lock:
            for number in numbers:
                self._drop((game, number))
                self._alive.pop((game, number), None)

    def forget(self, game: int) -> None:
        """Forget a game, some time later. The garbage collector calls this, even in the midst of another call."""
        self._gone.append(game)

    def drop_unused(self) -> None:
        """Forget all stretches that were not used since the last time."""
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
        while self._gone:
            gone = self._gone.popleft()
            for key in [key for key in self._stretches if key[0] == gone]:
                self._drop(key)
        while self._bytes > self.most and len(self._stretches) > 1:
            self._drop(next(iter(self._stretches)))

    @property
    def positions(self) -> int:
        """How many positions are here."""
        with self._lock:
            self._make_room()
            return sum(len(stretch.states) for stretch in self._stretches.values())


cache = Cache(MAX_BYTES)
"""That of this process."""
