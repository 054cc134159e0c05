"""Sets of squares as the bits of one int64, and what is done with them."""

from __future__ import annotations

import numpy as np

from icetable.core.jit import kernel, lowest, popcount

__all__ = ["bit", "has", "lowest", "nth", "popcount", "without_lowest"]


@kernel
def bit(square: int) -> int:
    """The set of one square: a 64-bit number in the plain gear too, so that shifts drop what leaves the board there."""
    return np.int64(1) << square  # type: ignore[return-value]


@kernel
def has(bits: int, square: int) -> bool:
    """Whether the set has the square."""
    return (bits >> square) & 1 == 1


@kernel
def without_lowest(bits: int) -> int:
    """The set less its lowest square."""
    return bits & (bits - 1)


@kernel
def nth(bits: int, index: int) -> int:
    """The square number `index`, counted from 0 and from the lowest, of a set that has so many."""
    for _ in range(index):
        bits &= bits - 1
    return lowest(bits)
