"""Matches without luck: what is taken out is nothing on average, and never leans on the game's own result."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from icetable.lab.luckless import Belief, Draws, draws_until, fit, luck, without_luck
from tests.analysis.material import end_of_a_game, toy

BELIEFS = st.builds(Belief, st.floats(-5, 5), st.floats(0, 5))


@pytest.mark.usefixtures("toys")
@settings(max_examples=20)
@given(belief=BELIEFS, lots=st.integers(1, 9), seat=st.integers(0, 1))
def test_luck_is_none_on_average(belief: Belief, lots: int, seat: int) -> None:
    """Over all that chance may do, whatever is believed, and however little the search sees of a heap of beans."""
    decided = (toy("fate", f"lot:{10 + lot}", heap=9, lots=lots, first=lots // 2) for lot in range(10))
    assert sum(luck(draws_until(state, seat, 1), belief) for state in decided) == pytest.approx(0, abs=1e-12)


def test_luck_of_a_whole_game_is_none_on_average() -> None:
    """Of each act of chance the outcomes' luck, by their odds, adds up to nothing; all of them are there."""
    draws = draws_until(end_of_a_game("wrecktangle", 2, 3, acts=40), 1, 3)
    rolls = draws.worths.reshape(-1, 6), draws.odds.reshape(-1, 6), draws.drawn.reshape(-1, 6)
    assert len(rolls[0]) > 5
    assert (rolls[2].sum(axis=1) == 1).all()
    assert np.ptp(rolls[0], axis=1).max() > 0
    for worths, odds, _ in zip(*rolls, strict=True):
        each = [luck(Draws(worths, odds, np.arange(6) == one), Belief(1, 2)) for one in range(6)]
        assert odds @ each == pytest.approx(0, abs=1e-12)


@pytest.mark.usefixtures("toys")
def test_what_is_luck_is_taken_out() -> None:
    """A guess is all luck, which leaves an equal share; of the beans, which the first seat wins, none is."""
    guesses = [toy("guess", "do:1", f"lot:1{lot}") for lot in (0, 1)]
    assert [luck(draws_until(state, 0, 1), Belief()) for state in guesses] == [0.5, -0.5]
    beans = toy("fate", "do:1", "do:2", "do:2", heap=5)
    assert luck(draws_until(beans, 0, 1), Belief()) == 0


# A match of blocks of two games, in which one die of three faces falls

ODDS = np.array([0.2, 0.3, 0.5])
WORTHS = np.array([[0.9, 0.3, 0.6], [0.2, 0.7, 1.0]])
"""What is believed of each face in each game of a block; no wiser than that."""
SHARES = np.array([[1.0, 0.0, 0.5], [0.0, 0.5, 1.0]])
"""What the first player gets with each face."""


def match(faces: tuple[int, ...]) -> tuple[np.ndarray, list[list[Draws]]]:
    """The shares and the draws of blocks by the face of each."""
    draws = [[Draws(worths, ODDS, np.arange(3) == face) for worths in WORTHS] for face in faces]
    return SHARES[:, list(faces)].T, draws


def test_a_share_without_luck_has_the_mean_of_the_share() -> None:
    """Over all that may fall in all blocks, though the fit depends on what falls."""
    plain = without = 0.0
    fitted = set()
    for faces in itertools.product(range(3), repeat=4):
        shares, draws = match(faces)
        odds = float(ODDS[list(faces)].prod())
        plain += odds * shares.mean()
        without += odds * without_luck(shares, draws).mean()
        fitted.add(fit(shares, draws))
    assert len(fitted) > 10
    assert without == pytest.approx(plain, abs=1e-12)


def test_a_block_has_no_say_in_what_is_taken_from_it() -> None:
    shares, draws = match((0, 1, 2, 2, 1, 0, 2, 0, 1, 1, 0, 2))
    other = shares.copy()
    other[3] = 1 - shares[3]
    taken, otherwise = (some - without_luck(some, draws) for some in (shares, other))
    assert (taken[3] == otherwise[3]).all()
    assert (taken[4] != otherwise[4]).all()


def test_less_variance_is_left() -> None:
    """Chance decides three of four games, so a quarter of the variance is left; of what it is not told, more."""
    rng = np.random.default_rng(1)
    luckily, skilfully, by_skill = rng.random((3, 400, 2)) < np.array([0.5, 0.7, 0.25])[:, None, None]
    shares = np.where(by_skill, skilfully, luckily).astype(float)
    told = [
        [Draws(np.array([0.9, 0.2]), np.array([0.5, 0.5]), np.array([won, not won])) for won in two] for two in luckily
    ]
    belief = fit(shares, told)
    left = without_luck(shares, told)
    assert left.mean() == pytest.approx(shares.mean(), abs=0.03)
    assert left.var() / shares.var() == pytest.approx(1 - 0.75**2, abs=0.06)
    blurred = [[one._replace(worths=np.array([0.6, 0.4])) for one in two] for two in told]
    assert without_luck(shares, blurred).var() == pytest.approx(left.var(), abs=0.01)
    assert fit(shares, blurred).exponent > 2 * belief.exponent
    assert fit(np.ones((4, 2)), told[:4]).part == 0


def test_few_blocks() -> None:
    """One block has no others to fit the worth to, and of two each has one, which has no variance."""
    for faces in ((0,), (0, 1)):
        shares, draws = match(faces)
        assert (without_luck(shares, draws) == shares).all()
