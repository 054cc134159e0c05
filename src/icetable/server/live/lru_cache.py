"""An LRU cache with a total size. Values that it drops can be computed again."""

from __future__ import annotations

from typing import Generic, TypeVar

K = TypeVar("K")
T = TypeVar("T")


class LRUCache(Generic[K, T]):
    """Values by key. The one used last stays however large it is."""

    def __init__(self, max_size: int) -> None:
        """`max_size`: the total size of all values."""
        self.max_size = max_size
        self._values: dict[K, tuple[T, int]] = {}
        self._size = 0

    def get(self, key: K) -> T | None:
        """The value of a key; None if it is not cached."""
        cached = self._values.pop(key, None)
        if cached is None:
            return None
        self._values[key] = cached
        return cached[0]

    def put(self, key: K, value: T, size: int = 1) -> None:
        """Cache a value, replacing any earlier one of the key."""
        self.drop(key)
        self._values[key] = value, size
        self._size += size
        while self._size > self.max_size and len(self._values) > 1:
            self.drop(next(iter(self._values)))

    def drop(self, key: K) -> None:
        _, size = self._values.pop(key, (None, 0))
        self._size -= size
