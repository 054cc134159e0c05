"""An immutable dictionary."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Fixed(dict[K, V]):
    """A dictionary that refuses changes. It is equal to a plain one with the same items, and JSON-able.

    >>> choices = Fixed(board="star")
    >>> choices["board"] = "hexagon"
    Traceback (most recent call last):
    TypeError: this can't be changed; dict(...) makes a copy that can
    """

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("this can't be changed; dict(...) makes a copy that can")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __copy__(self) -> Fixed[K, V]:
        return self

    def __deepcopy__(self, _memo: object) -> Fixed[K, V]:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Fixed, (dict(self),)
