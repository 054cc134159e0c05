"""The sources of a match's results: shares of which they are known, beside a slow way to work them out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from icetable.lab.intervals import squared
from icetable.lab.matches import parts_of, root_of_seat, root_of_skill


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
def test_sources_of_known_results(shares: list[list[float]], parts: list[float]) -> None:
    assert parts_of(np.array(shares, float)).tolist() == pytest.approx(parts)


games_of_shares = st.integers(2, 4).flatmap(
    lambda places: st.lists(st.lists(st.floats(0, 1), min_size=places, max_size=places), min_size=2, max_size=6)
)


@given(games_of_shares)
def test_sources_beside_a_slow_way(shares: list[list[float]]) -> None:
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
    assert root_of_skill(np.array(shares)) ** 2 == pytest.approx(skill, abs=1e-6)
    if places == 2:
        assert root_of_seat(np.array(shares)) ** 2 == pytest.approx(seat, abs=1e-6)


def test_the_roots_of_parts_have_a_sign() -> None:
    assert root_of_skill(np.array([[1, 1], [1, 0]])) == 0.5
    assert root_of_skill(np.array([[0, 0], [1, 0]])) == -0.5
    assert root_of_seat(np.array([[1, 0], [1, 1]])) == 0.5
    assert root_of_seat(np.array([[0, 1], [1, 1]])) == -0.5


@pytest.mark.parametrize("chances", [(0.7, 0.4), (0.5, 0.5)])
def test_a_small_part_of_skill_is_covered(chances: tuple[float, float]) -> None:
    """By its square alone it was held in 88 to 92 of 100 matches, and one of 0 in all."""
    rng = np.random.default_rng(7)
    true = ((sum(chances) - 1) / 2) ** 2 / 0.25
    found = [squared((rng.random((100, 2)) < chances).astype(float), root_of_skill) for _ in range(300)]
    held = sum(one.low <= true <= one.high for one in found)
    assert 0.93 <= held / 300 <= 0.985
