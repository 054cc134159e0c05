"""What people see in a terminal."""

from __future__ import annotations

import pytest

from icetable.cli.screen import counted_from_one


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Coin: heads. Seat 0 is to roll.", "Coin: heads. Seat 1 is to roll."),
        ("> seat 1  supply 5 S  5 M  5 L", "> seat 2  supply 5 S  5 M  5 L"),
        ("\x1b[91m0P\x1b[0m [\x1b[94m1C3\x1b[0m]  .", "\x1b[91m1P\x1b[0m [\x1b[94m2C3\x1b[0m]  ."),
        ("swaps a1 b2 0Q 1P, turn 1", "swaps a1 b2 1Q 2P, turn 2"),
        ("out 2, wins 0, controls a1 1, scores a1 7", "out 3, wins 1, controls a1 2, scores a1 7"),
        ("Turns played: 0 of 400", "Turns played: 0 of 400"),
    ],
)
def test_seats_are_counted_from_one_for_people(text: str, told: str) -> None:
    assert counted_from_one(text) == told
