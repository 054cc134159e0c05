"""Decimal numbers in whole parts."""

from __future__ import annotations

import numpy as np
import pytest

from icetable.core.numbers import to_units


@pytest.mark.parametrize(
    ("number", "parts", "expected"),
    [
        (0, 1000, 0),
        (1.5, 1000, 1500),
        (1.0005, 1000, 1001),
        (1.0015, 1000, 1002),
        (1.0025, 1000, 1003),
        (1.00049999, 1000, 1000),
        (0.0005, 1000, 1),
        (2.675, 100, 268),
        (0.03, 1_000_000, 30_000),
        (1e-7, 1000, 0),
        (86_400, 1000, 86_400_000),
        (np.float64(2.0005), 1000, 2001),
    ],
)
def test_halves_of_the_decimal_text_go_up(number: float, parts: int, expected: int) -> None:
    assert to_units(number, parts) == expected
    assert type(to_units(number, parts)) is int
