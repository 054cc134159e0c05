"""Decimal numbers as people write them, in whole parts."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal


def in_parts(number: float, parts: int) -> int:
    """A number from 0 up in whole `parts` of one, such as thousandths; halves of its shortest decimal text go up."""
    return int((Decimal(repr(float(number))) * parts).to_integral_value(ROUND_HALF_UP))
