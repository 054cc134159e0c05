"""Matches without luck: what is taken out is nothing on average, and never leans on the game's own result."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from icetable.core.game import CHANCE
from icetable.lab import Plan
from icetable.lab.blocks import ACTS, Row, play_block
from icetable.lab.luckless import Belief, Draws, draws_of, fit, luck, without_luck

BELIEFS = st.builds(Belief, st.floats(-5, 5), st.floats(0, 5))


def row(acts: Sequence[str], seats: Sequence[int], players: Sequence[int] = (0, 1)) -> Row:
    """A game, or the beginning of one."""
    return Row(0, 0, list(players), "", [], [], 0, "", list(seats), [0] * len(acts), [], ACTS.join(acts))


@pytest.mark.usefixtures("toys")
@settings(max_examples=20)
@given(belief=BELIEFS, lots=st.integers(1, 9), players=st.permutations([0, 1]))
def test_luck_is_none_on_average(belief: Belief, lots: int, players: list[int]) -> None:
    """Over all that chance may do, whatever is believed, and whoever plays."""
    plan = Plan("fate", seats=["greedy", "random"], options={"heap": 9, "lots": lots, "first": lots // 2})
    games = [row([f"lot:{10 + lot}"], [CHANCE], players) for lot in range(10)]
    lucks = [luck(draws_of(plan, game, 1), belief) for game in games]
    assert sum(lucks) == pytest.approx(0, abs=1e-12)
    assert max(lucks) > 0


def test_what_is_drawn_changes_nothing_of_what_it_is_compared_with() -> None:
    plan = Plan("wrecktangle", seats=["sims:2", "random"], options={"turn_limit": 6}, blocks=1)
    played = play_block(plan, 0)[1]
    last = max(at for at, seat in enumerate(played.seats) if seat == CHANCE)
    acts, seats = played.log.split(ACTS)[:last], played.seats[: last + 1]
    faces = [f"die:{face}" for face in ("away", "toward", "diag-away", "diag-toward", "swap", "wild")]
    one, *others = (draws_of(plan, row([*acts, face], seats, played.players), 3) for face in faces)
    assert len(one.worths) == 6 * seats.count(CHANCE) > 6
    assert all((other.worths == one.worths).all() and (other.odds == one.odds).all() for other in others)
    assert [draws.drawn[-6:].tolist() for draws in (one, *others)] == np.eye(6, dtype=bool).tolist()
    assert (one.drawn.reshape(-1, 6).sum(axis=1) == 1).all()
    assert np.ptp(one.worths.reshape(-1, 6), axis=1).max() > 0


@pytest.mark.usefixtures("toys")
def test_an_outcome_is_judged_by_what_its_player_makes_of_it() -> None:
    """Nine beans are won by who begins, but a random player keeps the win with one act of three."""
    acts = ["lot:19"]
    options = {"heap": 9, "lots": 1}
    wise, *wild = (
        draws_of(Plan("fate", seats=[name, "greedy"], options=options, seed=seed), row(acts, [CHANCE]), 1).worths[-1]
        for seed, name in enumerate(["greedy", *["random"] * 12])
    )
    assert wise == 1
    assert set(wild) == {0, 1}


@pytest.mark.usefixtures("toys")
def test_what_is_luck_is_taken_out() -> None:
    """A guess is all luck; of beans without lots none is."""
    guess = Plan("guess", seats=["greedy", "random"])
    games = [row(["do:1", f"lot:1{lot}"], [0, CHANCE]) for lot in (0, 1)]
    assert [luck(draws_of(guess, game, 1), Belief()) for game in games] == [0.5, -0.5]
    beans = Plan("fate", seats=["greedy", "random"], options={"heap": 5})
    assert luck(draws_of(beans, row(["do:1", "do:2", "do:2"], [0, 1, 0]), 1), Belief()) == 0


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
