"""What the results of a match come from: shares of which it is known, beside a slow way to work it out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from icetable.lab.matches import parts_of


@pytest.mark.parametrize(
    ("shares", "parts"),
    [
        ([[1, 1]] * 4, [1, 0, 0, 0]),  # the first player wins wherever it sits
        ([[1, 0]] * 4, [0, 1, 0, 0]),  # the first seat wins
        ([[1, 0], [0, 1]] * 3, [0, 0, 1, 0]),  # by turns one seat wins, whoever sits there
        ([[1, 1], [0, 0]] * 3, [0, 0, -1, 2]),
        ([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 2, [0, 0, 1, 0]),
        ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]),  # nothing goes with anything
        ([[0.5, 0.5]] * 4, [0, 0, 0, 0]),
    ],
)
def test_what_results_come_from(shares: list[list[float]], parts: list[float]) -> None:
    assert parts_of(np.array(shares, float)).tolist() == pytest.approx(parts)


games_of_shares = st.integers(2, 4).flatmap(
    lambda places: st.lists(st.lists(st.floats(0, 1), min_size=places, max_size=places), min_size=2, max_size=6)
)


@given(games_of_shares)
def test_what_results_come_from_beside_a_slow_way(shares: list[list[float]]) -> None:
    blocks, places = len(shares), len(shares[0])
    everything = [share for block in shares for share in block]
    total = sum((share - 1 / places) ** 2 for share in everything) / len(everything)
    assume(total > 1e-6)
    means = [sum(block[place] for block in shares) / blocks for place in range(places)]
    average = sum(means) / places
    pairs = [(one, other) for one in range(places) for other in range(places) if one != other]
    together = sum(
        (block[one] - means[one]) * (block[other] - means[other]) for block in shares for one, other in pairs
    ) / (blocks * len(pairs))
    skill, seat, draw, rest = parts_of(np.array(shares))
    assert skill == pytest.approx((average - 1 / places) ** 2 / total, abs=1e-6)
    assert seat == pytest.approx(sum((one - average) ** 2 for one in means) / places / total, abs=1e-6)
    assert draw == pytest.approx(-together * (places - 1) / total, abs=1e-6)
    assert skill + seat + draw + rest == pytest.approx(1)
