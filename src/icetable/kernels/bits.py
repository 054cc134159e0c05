"""Sets of squares as the bits of one int64."""

from __future__ import annotations

import functools

import numpy as np

from icetable.kernels.jit import kernel, lowest, popcount

__all__ = ["bit", "has", "lowest", "members", "nth", "popcount", "without_lowest"]


@functools.lru_cache(1 << 14)
def members(bits: int) -> tuple[int, ...]:
    """The squares of a set, the lowest first; for Python's own numbers, outside of kernels."""
    squares = []
    while bits > 0:
        low = bits & -bits
        squares.append(low.bit_length() - 1)
        bits ^= low
    return tuple(squares)


@kernel
def bit(square: int) -> int:
    """The set of one square: an int64 in plain mode too, so that shifts drop overflowing bits."""
    return np.int64(1) << square  # type: ignore[return-value]


@kernel
def has(bits: int, square: int) -> bool:
    """Whether a set has a square."""
    return (bits >> square) & 1 == 1


@kernel
def without_lowest(bits: int) -> int:
    """A set without its lowest square."""
    return bits & (bits - 1)


@kernel
def nth(bits: int, index: int) -> int:
    """The square with `index` lower squares in the set, which must have more than `index` squares."""
    for _ in range(index):
        bits &= bits - 1
    return lowest(bits)
