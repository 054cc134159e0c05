"""Decimal numbers as people write them, in whole parts."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal

EXACT = 2**40
NEAR_HALF = 0.001
"""Below EXACT a product of floats is less than this off, so that only about halves decimals have to decide."""


def in_parts(number: float, parts: int) -> int:
    """A number from 0 up in whole `parts` of one, such as thousandths; halves of its shortest decimal text go up."""
    near = number * parts
    if near < EXACT and abs(near % 1 - 0.5) > NEAR_HALF:
        return math.floor(near + 0.5)
    return int((Decimal(repr(float(number))) * parts).to_integral_value(ROUND_HALF_UP))
