"""What was asked for last, up to a size in all. The rest is forgotten: answers can be worked out again."""

from __future__ import annotations

from typing import Generic, TypeVar

K = TypeVar("K")
T = TypeVar("T")


class Recent(Generic[K, T]):
    """Values by their keys. The one asked for last stays however large it is."""

    def __init__(self, most: int) -> None:
        """`most`: the size of all values together."""
        self.most = most
        self._values: dict[K, tuple[T, int]] = {}
        self._size = 0

    def get(self, key: K) -> T | None:
        """The value of a key, if it is still here."""
        found = self._values.pop(key, None)
        if found is None:
            return None
        self._values[key] = found
        return found[0]

    def put(self, key: K, value: T, size: int = 1) -> None:
        """Keep a value in place of the one that the key may have."""
        self.drop(key)
        self._values[key] = value, size
        self._size += size
        while self._size > self.most and len(self._values) > 1:
            self.drop(next(iter(self._values)))

    def drop(self, key: K) -> None:
        """Forget a value, if it is still here."""
        _, size = self._values.pop(key, (None, 0))
        self._size -= size
