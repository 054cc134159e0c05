"""Sets that iterate in the same order in every process: those of Python follow the hashes of texts, which vary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any


def _sorted(items: Iterable[Any]) -> Iterator[Any]:
    """Numbers and texts in their order, others in that of their repr."""
    listed = list(items)
    kinds = set(map(type, listed))
    listed.sort(key=None if kinds == {int} or kinds == {str} else repr)
    return iter(listed)


class OrderedSet(set[Any]):
    """A set on a table."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Any]:
        return _sorted(set.__iter__(self))

    def pop(self) -> Any:
        """Remove the first item and return it."""
        for item in self:
            self.remove(item)
            return item
        raise KeyError("pop from an empty set")


class OrderedFrozenSet(frozenset[Any]):
    """A frozenset on a table."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Any]:
        return _sorted(frozenset.__iter__(self))


def in_order(value: Any) -> Any:
    """A copy of a set that iterates in a fixed order; any other value itself."""
    kind = type(value)
    if kind is set or kind is OrderedSet:
        return OrderedSet(value)
    return OrderedFrozenSet(value) if kind is frozenset else value


def _ordered(method: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args: in_order(method(*args))


for _operator in ("or", "and", "sub", "xor"):
    for _name in (f"__{_operator}__", f"__r{_operator}__"):
        setattr(OrderedSet, _name, _ordered(getattr(set, _name)))
        setattr(OrderedFrozenSet, _name, _ordered(getattr(frozenset, _name)))
for _name in ("copy", "union", "intersection", "difference", "symmetric_difference"):
    setattr(OrderedSet, _name, _ordered(getattr(set, _name)))
    setattr(OrderedFrozenSet, _name, _ordered(getattr(frozenset, _name)))
