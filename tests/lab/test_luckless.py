"""Matches without luck: what is taken out is nothing on average, and never leans on the game's own result."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from icetable.core.game import CHANCE
from icetable.core.turns import TurnState
from icetable.kernels.layout import NOBODY
from icetable.lab import Plan
from icetable.lab.luck import TURNS_PER_OUTCOME, Calibration, Draws, draws_of, fit, luck_in, without_luck
from icetable.lab.plan import ACT_SEPARATOR, Row, openings, play_block
from icetable.lab.players import player

BELIEFS = st.builds(Calibration, st.floats(-5, 5), st.floats(0, 5))


def game_of(plan: Plan, acts: Sequence[str], players: Sequence[int] = (0, 1), seed: int = 1) -> Row:
    """The beginning of a game: these acts, and what the player who is to act then does in its turn."""
    state, seats, played = plan.game.start(), [], list(acts)
    assert isinstance(state, TurnState)
    for act in acts:
        seats.append(state.actor)
        state = state.apply(act)
    mover = state.actor
    while state.actor == mover and mover not in (CHANCE, NOBODY):
        act = player(plan.game, plan.seats[players[mover]]).choose(state, seed)
        played.append(act)
        seats.append(mover)
        state = state.apply(act)
    return Row(0, 0, list(players), "", [], [], 0, "", seats, [0] * len(seats), [], ACT_SEPARATOR.join(played))


@functools.cache
def draws_of_all(lots: int, first: int) -> list[Draws]:
    """Of a game for each lot that may fall first."""
    seats, options = ["greedy", "greedy/without=do:1"], {"heap": 10, "lots": lots, "first": lots // 2}
    plan = Plan("fate", seats=seats, options=options)
    return [draws_of(plan, game_of(plan, [f"lot:{10 + lot}"], (first, 1 - first)), 1) for lot in range(10)]


@pytest.mark.usefixtures("toys")
@given(belief=BELIEFS, lots=st.sampled_from([1, 4, 9]), first=st.integers(0, 1))
def test_luck_is_none_on_average(belief: Calibration, lots: int, first: int) -> None:
    """Over all that chance may do, whatever is believed, and whatever the player always makes of it."""
    lucks = [luck_in(draws, belief) for draws in draws_of_all(lots, first)]
    assert sum(lucks) == pytest.approx(0, abs=1e-12)
    assert max(lucks) > 0


def test_what_happened_changes_nothing_of_what_it_is_compared_with() -> None:
    plan = Plan("wrecktangle", seats=["sims:2", "random"], options={"turn_limit": 3}, blocks=1)
    played = play_block(plan, 0)[1]
    *rolls, _ = (at for at, seat in enumerate(played.seats) if seat == CHANCE)
    acts = played.log.split(ACT_SEPARATOR)[: rolls[-1]]
    faces = [f"die:{face}" for face in ("away", "diag-toward", "wild")]
    one, *others = (draws_of(plan, game_of(plan, [*acts, face], played.players), 3) for face in faces)
    assert len(one.values) == 6 * TURNS_PER_OUTCOME * len(rolls) > len(one.reached) == len(rolls) > 1
    assert all((other.values == one.values).all() and (other.odds == one.odds).all() for other in others)
    assert all((other.reached[:-1] == one.reached[:-1]).all() for other in others)
    assert np.ptp([draws.reached[-1] for draws in (one, *others)]) > 0


@pytest.mark.usefixtures("toys")
def test_a_position_is_judged_by_what_its_player_makes_of_it() -> None:
    """Nine beans are won by who begins, but a random player keeps the win with one act of three: that is luck too."""
    seats, options = ["random", "greedy"], {"heap": 9, "lots": 1}
    plans = [Plan("fate", seats=seats, options=options, seed=seed) for seed in range(12)]
    assert {tuple(draws_of(plan, game_of(plan, ["lot:19"]), 1).values[-2:]) for plan in plans} >= {(0, 1), (1, 0)}
    games = [game_of(plans[0], ["lot:19"], seed=1 + seed) for seed in range(12)]
    assert {tuple(draws_of(plans[0], game, 1).reached) for game in games} == {(0,), (1,)}
    wise = Plan("fate", seats=["greedy", "random"], options=options)
    draws = draws_of(wise, game_of(wise, ["lot:19"]), 1)
    assert (draws.reached[-1], draws.values[-1]) == (1, 1)


@pytest.mark.usefixtures("toys")
def test_what_is_luck_is_taken_out() -> None:
    """A guess is all luck; of beans without lots none is."""
    guess = Plan("guess", seats=["greedy", "random"])
    games = [game_of(guess, ["do:1", f"lot:1{lot}"]) for lot in (0, 1)]
    assert [luck_in(draws_of(guess, game, 1), Calibration()) for game in games] == [0.5, -0.5]
    beans = Plan("fate", seats=["greedy", "random"], options={"heap": 5})
    assert luck_in(draws_of(beans, game_of(beans, ["do:1", "do:2"]), 1), Calibration()) == 0


def test_a_random_opening_is_no_luck() -> None:
    """Its acts are not the players' own, so nothing can be said of what they would have made of another roll."""
    plan = Plan("wrecktangle", seats=["greedy", "random"], options={"turn_limit": 4}, blocks=1, opening=2)
    played = play_block(plan, 0)[0]
    opened = len(openings(plan, plan.game).of(0))
    rolls = [at for at, seat in enumerate(played.seats) if seat == CHANCE]
    assert rolls[0] < opened
    assert len(draws_of(plan, played, 1).reached) == sum(at >= opened for at in rolls) > 0


# A match of blocks of two games, in which one die of three faces falls

ODDS = np.array([0.2, 0.3, 0.5])
WORTHS = np.array([[0.9, 0.3, 0.6], [0.2, 0.7, 1.0]])
"""What is believed of each face in each game of a block; no wiser than that."""
SHARES = np.array([[1.0, 0.0, 0.5], [0.0, 0.5, 1.0]])
"""What the first player gets with each face."""


def match(faces: tuple[int, ...]) -> tuple[np.ndarray, list[list[Draws]]]:
    """The shares and the draws of blocks by the face of each."""
    draws = [[Draws(worths[[face]], worths, ODDS) for worths in WORTHS] for face in faces]
    return SHARES[:, list(faces)].T, draws


def test_a_share_without_luck_has_the_mean_of_the_share() -> None:
    """Over all that may fall in all blocks, though the fit depends on what falls."""
    plain = without = 0.0
    fitted = set()
    for faces in itertools.product(range(3), repeat=3):
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
    assert taken[3] == pytest.approx(otherwise[3], abs=1e-12)
    assert (np.abs(taken[4] - otherwise[4]) > 1e-6).all()


def test_less_variance_is_left() -> None:
    """Chance decides three of four games, so a quarter of the variance is left; of what it is not told, more."""
    rng = np.random.default_rng(1)
    luckily, skilfully, by_skill = rng.random((3, 200, 2)) < np.array([0.5, 0.7, 0.25])[:, None, None]
    shares = np.where(by_skill, skilfully, luckily).astype(float)
    told = [
        [Draws(np.array([0.9 if won else 0.2]), np.array([0.9, 0.2]), np.array([0.5, 0.5])) for won in two]
        for two in luckily
    ]
    belief = fit(shares, told)
    left = without_luck(shares, told)
    assert left.mean() == pytest.approx(shares.mean(), abs=0.03)
    assert left.var() / shares.var() == pytest.approx(1 - 0.75**2, abs=0.06)
    blurred = [
        [Draws(np.where(one.reached > 0.5, 0.6, 0.4), np.array([0.6, 0.4]), one.odds) for one in two] for two in told
    ]
    assert without_luck(shares, blurred).var() == pytest.approx(left.var(), abs=0.01)
    assert fit(shares, blurred).exponent > 2 * belief.exponent
    assert fit(np.ones((4, 2)), told[:4]).part == 0


def test_few_blocks() -> None:
    """One block has no others to fit the worth to, and of two each has one, which has no variance."""
    for faces in ((0,), (0, 1)):
        shares, draws = match(faces)
        assert (without_luck(shares, draws) == shares).all()
