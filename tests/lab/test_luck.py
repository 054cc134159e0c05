"""Luck by its sources: on games of which it is known, and against all games of a toy one by one."""

from __future__ import annotations

import math
from collections.abc import Iterator
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
from icetable.lab import luck
from icetable.lab.intervals import Estimate
from icetable.lab.luck import CHANCES, CHOICES, SEAT, TOTAL, Luck, luck_of_seats, play_and_split, split_luck
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
    """What can follow on a position, each with its probability: a seat plays the act of most worth, or slips."""
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
