"""Luck: its parts of a result, and matches without it, where nothing is taken out on average."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import icetable
from icetable import GameError
from icetable.bots import search
from icetable.bots.search import INFORMED, new_scratch
from icetable.bots.trees import new_tree, rank
from icetable.core.game import CHANCE
from icetable.core.turns import TurnGame, TurnState
from icetable.kernels import jit
from icetable.kernels.layout import ACTOR, NOBODY
from icetable.lab import Plan, luck
from icetable.lab.intervals import Estimate
from icetable.lab.luck import (
    CHANCES,
    CHOICES,
    SEAT,
    TOTAL,
    TURNS_PER_OUTCOME,
    Calibration,
    Draws,
    Luck,
    draws_of,
    fit,
    luck_in,
    luck_of_seats,
    play_and_split,
    split_luck,
    without_luck,
)
from icetable.lab.plan import ACT_SEPARATOR, Row, openings, play_block
from icetable.lab.players import player
from tests.lab.toys import FATE, GUESS

SEEDS = jit.seeds(1, 40)


def load(**options: object) -> TurnGame:
    game = FATE.load(**options)
    assert isinstance(game, TurnGame)
    return game


def covers(estimate: Estimate, truth: float) -> bool:
    """Whether the truth lies in the interval, or off it only by the error of a float."""
    return estimate.low - 1e-9 <= truth <= estimate.high + 1e-9


def is_exactly(found: Luck, seat: float, choices: float, chance: float) -> bool:
    """Whether no part is off by more than the error of a float."""
    values = [estimate.value for estimate in found]
    return np.allclose(values, [seat, choices, chance, seat + choices + chance], atol=1e-9)


@pytest.mark.usefixtures("toys")
def test_a_coin_is_all_chance() -> None:
    found = split_luck(load(lots=10, first=5), 60, playouts=24)
    assert covers(found.chance, 1)
    assert found.chance.value == pytest.approx(1, abs=0.05)
    assert found.choices.value == 0
    assert found.seat.value == pytest.approx(0, abs=0.05)


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize("heap", [5, 8])
def test_perfect_play_is_all_seat(heap: int) -> None:
    assert is_exactly(split_luck(load(heap=heap), 4, slip=0, playouts=2), 1, 0, 0)


@pytest.mark.usefixtures("toys")
def test_diluted() -> None:
    """Eight of ten lots decide, else the first seat takes the only bean: before the lots it has 0.6 of the game."""
    found = split_luck(load(heap=1, lots=8, first=4), 5000, slip=1, playouts=3, seed=5)
    seat = 4 * (0.6 - 0.5) ** 2
    assert found.chance.value == pytest.approx(1 - seat, abs=0.02)
    assert found.seat.value == pytest.approx(seat, abs=0.02)
    assert found.choices.value == 0
    assert found.adds_up.value == pytest.approx(1, abs=0.01)
    assert all(covers(estimate, truth) for estimate, truth in zip(found, (seat, 0, 1 - seat, 1), strict=True))


def branches(game: TurnGame, position: Any, slip: float) -> Iterator[tuple[float, Any]]:
    """The positions that can follow, each with its probability: a seat plays the act of most worth, or slips."""
    acts = np.empty(game.rules.MAX_ACTS, np.int64)
    legal = acts[: game.rules.legal(position, acts)].tolist()
    odds = dict.fromkeys(legal, 1 / len(legal))
    after = {act: position.copy() for act in legal}
    for act, then in after.items():
        game.rules.apply(then, act)
    seat = position[ACTOR]
    if seat != CHANCE:
        worth = {act: worths(game, then)[seat] for act, then in after.items()}
        odds = {act: slip * each for act, each in odds.items()}
        odds[max(legal, key=lambda act: worth[act])] += 1 - slip
    yield from ((odds[act], then) for act, then in after.items())


def worths(game: TurnGame, position: Any) -> list[float]:
    values = np.empty(game.players)
    game.evaluation.evaluate(position, values)
    return list(map(float, values))


def value_of(game: TurnGame, position: Any, slip: float) -> Any:
    """The shares to expect, from all games there are."""
    if position[ACTOR] == NOBODY:
        return np.array(worths(game, position))
    return sum(odds * value_of(game, then, slip) for odds, then in branches(game, position, slip))


def split_exactly(game: TurnGame, position: Any, slip: float) -> Any:
    """The parts of the variance after a position, from all games there are."""
    parts = np.zeros(TOTAL)
    if position[ACTOR] != NOBODY:
        here = value_of(game, position, slip)
        source = CHANCES if position[ACTOR] == CHANCE else CHOICES
        for odds, then in branches(game, position, slip):
            parts += odds * split_exactly(game, then, slip)
            parts[source] += odds * ((value_of(game, then, slip) - here) ** 2).sum()
    return parts


@pytest.mark.usefixtures("toys")
def test_no_bias() -> None:
    """With a single playout for each half the mean is right all the same."""
    game, slip = load(heap=4, lots=3, first=1), 0.5
    first = game.first_position()
    exact = split_exactly(game, first, slip)
    exact[SEAT] = ((value_of(game, first, slip) - 1 / 2) ** 2).sum()
    assert exact.sum() == pytest.approx(1 / 2)  # of a game that somebody wins
    assert exact.min() > 0.01
    parts = play_and_split(game, jit.seeds(2, 1500), 1, slip, 1)
    errors = parts[:, :TOTAL].std(axis=0) / math.sqrt(len(parts))
    assert (np.abs(parts[:, :TOTAL].mean(axis=0) - exact) < 3 * errors).all()
    assert (parts[:, TOTAL] == 1 / 2).all()
    assert errors.max() < 0.03


@pytest.mark.usefixtures("toys")
def test_nobody_foresees_chance() -> None:
    """A search that drew what chance will draw would guess the coin each time."""
    game = GUESS.load()
    assert isinstance(game, TurnGame)
    found = split_luck(game, 30, simulations=4, slip=0, playouts=6)
    assert covers(found.chance, 1)
    assert found.chance.value == pytest.approx(1, abs=0.1)
    assert found.seat.value == pytest.approx(0, abs=0.1)


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize("simulations", [1, 3, 30])
def test_threads_do_not_matter(simulations: int) -> None:
    game = load(heap=3, lots=4, first=1)
    one = play_and_split(game, SEEDS[:5], simulations, 0.2, 2)
    for jobs in (2, 3, 8):
        assert np.array_equal(play_and_split(game, SEEDS[:5], simulations, 0.2, 2, jobs), one)
    assert not np.array_equal(play_and_split(game, SEEDS[5:10], simulations, 0.2, 2), one)


@pytest.mark.usefixtures("toys")
def test_a_game_is_the_same_among_others() -> None:
    game = load(heap=3, lots=4, first=1)
    all_of_them = play_and_split(game, SEEDS[:6], 2, 0.2, 2)
    assert np.array_equal(play_and_split(game, SEEDS[4:6], 2, 0.2, 2), all_of_them[4:])


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize("simulations", [1, 2, 4, 8, 40])
def test_acts_of_search(simulations: int) -> None:
    """Also where all acts are lost, and where one wins at once."""
    for heap in range(2, 14):
        game = load(heap=heap)
        state = game.start()
        run_search = jit.bind(search.run, "fate", **search.modules_of(game))
        choose = jit.bind(luck.choose, "fate", rules=game.rules, run_search=run_search)
        buffers = luck.new_buffers(game)
        (best, *_) = search.search(state, INFORMED, simulations=simulations, seed=3)
        act = choose(state.array, buffers, simulations, 0)
        assert game.notations[act] == best.action, heap


@pytest.mark.parametrize("simulations", [1, 2, 7, 30])
def test_best_of_real_trees(simulations: int) -> None:
    """The act is that of `search.search` at the same seed, in positions of a game with chance and of one without."""
    for name in ("squad", "wrecktangle"):
        game = icetable.games.load(name)
        assert isinstance(game, TurnGame)
        rng = np.random.default_rng(4)
        for state in list(game.random_game(rng).history())[:-1:5]:
            assert isinstance(state, TurnState)
            if state.actor == CHANCE:
                continue
            run_search = jit.bind(search.run, name, **search.modules_of(game))
            tree, scratch = new_tree(game), new_scratch(game, int(jit.seeds(9, 1)[0]))
            run_search(tree, scratch, state.array, simulations, INFORMED)
            (best, *_) = search.search(state, INFORMED, simulations=simulations, seed=9)
            assert rank(state, [tree])[0] == best
            assert game.notations[luck.best_of(tree, state.actor)] == best.action


@pytest.mark.parametrize("name", ["icefrogs", "squad"])
def test_no_chance(name: str) -> None:
    game = icetable.load(name)
    assert isinstance(game, TurnGame)
    found = split_luck(game, 2, playouts=1)
    assert (found.chance.value, found.chance.low, found.chance.high) == (0, 0, 0)


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize(
    "wrong",
    [{"games": 1}, {"games": 2.5}, {"simulations": 0}, {"playouts": 0}, {"jobs": 0}, {"slip": -0.1}, {"slip": 1.1}],
    ids=repr,
)
def test_bad_numbers(wrong: dict[str, Any]) -> None:
    given = {"games": 2, **wrong}
    (name,) = wrong
    with pytest.raises(GameError, match=f"^{name} is a "):
        split_luck(load(), **given)


NUMBERS = st.floats(-2, 2)


@given(parts=st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=3, max_size=3))
def test_parts_are_told_as_shares(parts: list[tuple[float, float, float]]) -> None:
    """Between 0 and 1, within their intervals, and adding up, however far off few games were."""
    estimates = [Estimate(value, min(low, high), max(low, high), "anytime", 9) for value, low, high in parts]
    seat, choices, chance = estimates
    shares = Luck(seat, choices, chance, Estimate(1, 1, 1, "exact", 9)).shares
    if any(value > 1e-9 for value, *_ in parts):
        assert sum(part.value for part in shares[:3]) == pytest.approx(1)
        assert all(0 <= part.low <= part.value <= part.high <= 1 for part in shares[:3])


@pytest.mark.parametrize("lead", [0.5, 0.7, 1.0])
def test_without_chance_results_tell_the_seats_part(lead: float) -> None:
    first = np.random.default_rng(3).random(2000) < lead
    parts = luck_of_seats(np.stack((first, ~first), axis=1).astype(float))
    assert parts.seat.low <= (2 * lead - 1) ** 2 <= parts.seat.high
    assert parts.seat.value + parts.choices.value == pytest.approx(1)
    assert parts.is_known
    assert not luck_of_seats(np.ones((2, 1)) * [1.0, 0.0]).is_known


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


def test_a_roll_does_not_change_the_simulated_turns_that_it_is_compared_with() -> None:
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
def test_luck_is_taken_out() -> None:
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
"""The believed value of each face in each game of a block."""
SHARES = np.array([[1.0, 0.0, 0.5], [0.0, 0.5, 1.0]])
"""The first player's share with each face."""


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
