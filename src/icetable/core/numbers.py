"""Checks and conversions of numbers: whole numbers, decimals to whole units, seconds to milliseconds."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal
from numbers import Integral
from typing import TypeGuard

from icetable.core.errors import GameError
from icetable.core.options import short_repr

MAX_SECONDS = 999_999_999
"""The latest time that a record can hold."""

MAX_PRECISE = 2**40
HALF_MARGIN = 0.001
"""Products of floats below MAX_PRECISE have a smaller error than this, so only those near a half need decimals."""


def is_integer(value: object) -> TypeGuard[int]:
    """Whether the value is an integer of Python or numpy, but not a bool."""
    return type(value) is int or (isinstance(value, Integral) and not isinstance(value, bool))


def to_units(number: float, units: int) -> int:
    """A non-negative number in whole units, with `units` of them in 1. Halves of its shortest decimal form round up.

    >>> to_units(0.0005, 1000)
    1
    """
    product = number * units
    if product < MAX_PRECISE and abs(product % 1 - 0.5) > HALF_MARGIN:
        return math.floor(product + 0.5)
    return int((Decimal(repr(float(number))) * units).to_integral_value(ROUND_HALF_UP))


def slices(count: int, parts: int) -> list[slice]:
    """Divide `count` items into contiguous slices whose lengths differ by at most one.

    >>> slices(5, 2)
    [slice(0, 2, None), slice(2, 5, None)]
    """
    return [slice(count * part // parts, count * (part + 1) // parts) for part in range(parts)]


def milliseconds(at: object) -> int | None:
    """A time in seconds as whole milliseconds, halves rounded up; None for None. Raises GameError."""
    if at is None:
        return None
    if isinstance(at, bool) or not isinstance(at, int | float) or not 0 <= at <= MAX_SECONDS:
        raise GameError(f"a time is a number of seconds from 0 to {MAX_SECONDS}, not {short_repr(at)}")
    return to_units(at, 1000)


def check_whole(name: str, number: object, least: int) -> None:
    """Raise GameError unless `number` is a whole number of at least `least`."""
    if not is_integer(number) or number < least:
        raise GameError(f"{name} is a whole number from {least} up, not {short_repr(number)}")
