"""Numbers as people give them: whole numbers, decimals in whole units, times in milliseconds."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal
from numbers import Integral
from typing import TypeGuard

from icetable.core.errors import GameError
from icetable.core.options import short_repr

LATEST_SECOND = 999_999_999
"""The last second that a record can write."""

EXACT = 2**40
NEAR_HALF = 0.001
"""Below EXACT the error of a product of floats is less than this, so only products near a half need decimals."""


def is_integer(value: object) -> TypeGuard[int]:
    """Whether the value is an integer of Python or numpy. A bool is none."""
    return type(value) is int or (isinstance(value, Integral) and not isinstance(value, bool))


def to_units(number: float, units: int) -> int:
    """A number from 0 up as a count of units, `units` of them in 1. Halves of its shortest decimal text round up.

    >>> to_units(0.0005, 1000)
    1
    """
    near = number * units
    if near < EXACT and abs(near % 1 - 0.5) > NEAR_HALF:
        return math.floor(near + 0.5)
    return int((Decimal(repr(float(number))) * units).to_integral_value(ROUND_HALF_UP))


def slices(count: int, parts: int) -> list[slice]:
    """`count` things in so many parts, each of things that follow one another, as large as the others give or take one.

    >>> slices(5, 2)
    [slice(0, 2, None), slice(2, 5, None)]
    """
    return [slice(count * part // parts, count * (part + 1) // parts) for part in range(parts)]


def milliseconds(at: object) -> int | None:
    """A time in seconds as whole milliseconds, halves rounded up; None for None. Raises GameError."""
    if at is None:
        return None
    if isinstance(at, bool) or not isinstance(at, int | float) or not 0 <= at <= LATEST_SECOND:
        raise GameError(f"a time is a number of seconds from 0 to {LATEST_SECOND}, not {short_repr(at)}")
    return to_units(at, 1000)


def check_whole(name: str, number: object, least: int) -> None:
    """Raise GameError for what is no whole number from `least` up."""
    if not is_integer(number) or number < least:
        raise GameError(f"{name} is a whole number from {least} up, not {short_repr(number)}")
