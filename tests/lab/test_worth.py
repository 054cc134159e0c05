"""Measures of the worth of positions, on games whose worth is written down, beside slow ways to work it out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import median
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from icetable.core.game import CHANCE
from icetable.lab import Plan, run
from icetable.lab.measures import (
    EvaluatedGames,
    Games,
    brier,
    calibrated,
    comebacks,
    course,
    dead_time,
    drama,
    evaluate,
    evaluations_of,
    fit,
    functions_for,
    kingmaking,
    lead_changes,
    leader_wins,
    most_dramatic,
    real_choice,
    reliability,
    surprise,
    suspense,
    uncertainty,
    worth_measures,
)
from icetable.lab.plan import ACT_SEPARATOR, Row
from tests.lab.here import Here

EVEN, AHEAD, BEHIND = [0.5, 0.5], [0.8, 0.2], [0.2, 0.8]
WON, LOST, DRAWN = [1.0, 0.0], [0.0, 1.0], [0.5, 0.5]


def judged(*games: Sequence[Sequence[float]], seats: Sequence[int] = ()) -> EvaluatedGames:
    """Games given by the worth of their positions; the last one of each is how it ended."""
    players = len(games[0][0])
    plan = Plan("squad", players, blocks=len(games))
    rows = []
    for number, worth in enumerate(games):
        acts = len(worth) - 1
        by = list(seats) or [act % players for act in range(acts)]
        order = list(range(players))
        rows.append(Row(number, 0, order, "", list(worth[-1]), [0] * players, acts, "SQ-13", by, [2] * acts, [], ""))
    return EvaluatedGames(Games(plan, rows), [np.array(worth, float) for worth in games], 1.0)


def value(figures: Any, of: str = "") -> float:
    return float(figures[of].value)


@pytest.mark.parametrize(
    ("measure", "worths", "expected"),
    [
        (lead_changes, [EVEN, AHEAD, BEHIND, AHEAD, WON], 2),
        (lead_changes, [EVEN, EVEN, WON], 0),
        (lead_changes, [AHEAD, [0.49, 0.51], AHEAD, WON], 0),  # a lead of less than 0.05 is none
        (lead_changes, [AHEAD, [0.475, 0.525], WON], 2),
        (drama, [AHEAD, AHEAD, WON], 0),
        (drama, [BEHIND, BEHIND, BEHIND, WON], 0.45),  # three of four positions, each 0.6 behind
        (dead_time, [EVEN, EVEN, EVEN, EVEN, WON], 0),
        (dead_time, [[0.95, 0.05], [0.92, 0.08], WON], 1),
        (dead_time, [EVEN, [0.95, 0.05], EVEN, [0.9, 0.1], WON], 0.25),
        (comebacks, [EVEN, EVEN, [0.25, 0.75], WON], 1),
        (comebacks, [[0.1, 0.9], EVEN, EVEN, EVEN, WON], 0),  # it was behind in the first half only
        (comebacks, [EVEN, EVEN, [0.26, 0.74], WON], 0),
        (uncertainty, [EVEN, EVEN, DRAWN], 1),
        (uncertainty, [WON, WON, WON], 0),
        (brier, [EVEN, EVEN, WON], 0.25),
        (brier, [WON, WON, WON], 0),
        (brier, [LOST, WON], 1),
    ],
)
def test_known_answers(measure: Callable[[EvaluatedGames], Any], worths: list[list[float]], expected: float) -> None:
    found = measure(judged(worths, worths))
    assert value(found) == pytest.approx(expected, abs=1e-6)
    assert found[""].blocks == 2


@pytest.mark.parametrize("measure", [drama, comebacks, dead_time])
def test_games_that_nobody_wins_alone_have_no_winner(measure: Callable[[EvaluatedGames], Any]) -> None:
    one = [BEHIND, BEHIND, EVEN, WON]
    assert value(measure(judged(one, [AHEAD, EVEN, DRAWN]))) == value(measure(judged(one)))
    assert math.isnan(value(measure(judged([AHEAD, EVEN, DRAWN]))))


def test_leaders_at_quarters() -> None:
    game = [EVEN, BEHIND, AHEAD, BEHIND, WON]
    found = leader_wins(judged(game))
    assert [value(found, part) for part in ("a quarter", "half", "three quarters")] == [0, 1, 0]


def test_leaders_share_the_lead() -> None:
    """Where all are worth the same, no seat leads more than another."""
    found = leader_wins(judged([EVEN, EVEN, EVEN, EVEN, WON]))
    assert {value(found, part) for part in found} == {0.5}


def test_reliability() -> None:
    """Positions worth 0.8 to a seat: it wins three of four games. The seat that is worth 0.2 gets the rest."""
    found = reliability(judged(*([[AHEAD, WON]] * 3), [AHEAD, LOST]))
    assert {of: figure.value for of, figure in found.items()} == {"0.2 to 0.3": 0.25, "0.8 to 0.9": 0.75}
    assert reliability(judged([WON, WON])).keys() == {"0.0 to 0.1", "0.9 to 1.0"}


def test_kings_are_made_by_those_who_have_lost() -> None:
    lost = [[0.55, 0.43, 0.02], [0.3, 0.68, 0.02], [0.3, 0.68, 0.02], [0.0, 1.0, 0.0]]
    assert value(kingmaking(judged(lost, seats=[2, 0, 1]))) == pytest.approx(1 / 3)
    assert value(kingmaking(judged(lost, seats=[0, 2, 2]))) == 0  # it may still win, or changes nothing
    little = [[0.5, 0.48, 0.02], [0.4, 0.58, 0.02], [0.0, 1.0, 0.0]]
    assert value(kingmaking(judged(little, seats=[2, 0]))) == 0
    assert value(kingmaking(judged(lost, seats=[-1, 2, 2]))) == 0  # chance makes no kings
    assert kingmaking(judged(lost, seats=[0, 1, 0])) == {}  # nobody who acts has lost


def test_the_course_of_a_winner() -> None:
    """Of five positions before the end each lasts two tenths; a game that is shared has no winner."""
    found = course(judged([EVEN, BEHIND, BEHIND, AHEAD, AHEAD, WON], [EVEN, AHEAD, EVEN, AHEAD, AHEAD, DRAWN]))
    assert list(found) == [str(tenth) for tenth in range(1, 11)]
    assert [figure.value for figure in found.values()] == [0.5, 0.5, 0.2, 0.2, 0.2, 0.2, 0.8, 0.8, 0.8, 0.8]


def test_surprise_by_its_source() -> None:
    """The first act moves the worth by 0.3, the throw by 0.6, the last act by 0.8."""
    found = surprise(judged([EVEN, AHEAD, BEHIND, WON], seats=[0, -1, 1]))
    assert {of: figure.value for of, figure in found.items()} == pytest.approx({"acts": 0.55, "chance": 0.6})
    assert surprise(judged([EVEN, AHEAD, WON])).keys() == {"acts"}


def played_at_squad() -> Games:
    plan = Plan("squad", 3, seats=["greedy"], blocks=3, opening=0)
    return Games(plan, run(plan, executor=Here()).rows)


def test_real_choice_beside_the_evaluation_of_each_successor() -> None:
    played = played_at_squad()
    good, behind = [], []
    for row in played.rows:
        state: Any = played.plan.game.start()
        figures = []
        for act in row.log.split(ACT_SEPARATOR):
            worth = []
            for other in state.legal_actions():
                values = np.empty(3)
                state.game.evaluation.evaluate(state.apply(other).array, values)
                worth.append(values[state.actor])
            if len(worth) > 1:
                lost = [max(worth) - one for one in worth]
                figures.append((sum(one <= 0.05 for one in lost), median(lost)))
            state = state.apply(act)
        good.append(sum(figure[0] for figure in figures) / len(figures))
        behind.append(sum(figure[1] for figure in figures) / len(figures))
    found = real_choice(played)
    assert value(found, "good") == pytest.approx(sum(good) / len(good))
    assert value(found, "median behind") == pytest.approx(sum(behind) / len(behind))


@pytest.mark.usefixtures("toys")
def test_suspense_of_a_coin() -> None:
    """It decides; and where chance draws nothing there is none."""
    plan = Plan("guess", seats=["random"], blocks=4)
    assert value(suspense(Games(plan, run(plan, executor=Here()).rows))) == pytest.approx(0.5)
    assert suspense(played_at_squad()) == {}


def test_suspense_beside_a_slow_way() -> None:
    plan = Plan("wrecktangle", 2, seats=["greedy"], blocks=2)
    played = Games(plan, run(plan, executor=Here()).rows)
    expected = []
    for row in played.rows:
        state: Any = plan.game.start()
        found = []
        for act in row.log.split(ACT_SEPARATOR):
            if state.actor == CHANCE:
                worth = []
                for face, odds in state.chance_outcomes():
                    assert odds == pytest.approx(1 / 6)
                    values = np.empty(2)
                    state.game.evaluation.evaluate(state.apply(face).array, values)
                    worth.append(values[0])
                found.append((sum((one - sum(worth) / 6) ** 2 for one in worth) / 6) ** 0.5)
            state = state.apply(act)
        expected.append(sum(found) / len(found))
    assert value(suspense(played)) == pytest.approx(sum(expected) / 2)


worths = st.lists(st.integers(0, 100), min_size=2, max_size=12).map(lambda some: [[x / 100, 1 - x / 100] for x in some])
games_of_two = st.lists(
    st.tuples(worths, st.sampled_from([WON, LOST])).map(lambda game: [*game[0], game[1]]), min_size=2, max_size=5
)


@given(games_of_two)
def test_slow_ways(games: list[list[list[float]]]) -> None:
    told = judged(*games)
    assert value(drama(told)) == pytest.approx(slow_mean(slow_drama, games))
    assert value(dead_time(told)) == pytest.approx(slow_mean(slow_dead_time, games))
    assert value(comebacks(told)) == pytest.approx(slow_mean(slow_comeback, games))
    assert value(lead_changes(told)) == pytest.approx(slow_mean(slow_lead_changes, games))
    assert value(brier(told)) == pytest.approx(slow_mean(slow_brier, games))
    assert value(uncertainty(told)) == pytest.approx(slow_mean(slow_uncertainty, games), abs=1e-6)


def slow_mean(figure: Callable[[list[list[float]]], float], games: list[list[list[float]]]) -> float:
    return sum(figure(game) for game in games) / len(games)


def slow_drama(game: list[list[float]]) -> float:
    winner = game[-1].index(1)
    return sum(max(worth) - worth[winner] for worth in game) / len(game)


def slow_dead_time(game: list[list[float]]) -> float:
    winner = game[-1].index(1)
    length = len(game) - 1
    return next(
        (length - start) / length for start in range(len(game)) if all(worth[winner] >= 0.9 for worth in game[start:])
    )


def slow_comeback(game: list[list[float]]) -> float:
    winner = game[-1].index(1)
    return float(any(worth[winner] <= 0.25 for number, worth in enumerate(game) if number >= len(game) // 2))


def slow_lead_changes(game: list[list[float]]) -> float:
    leaders = [worth.index(max(worth)) for worth in game if max(worth) - min(worth) >= 0.05]
    return sum(one != other for one, other in pairwise(leaders))


def slow_brier(game: list[list[float]]) -> float:
    return sum((worth[0] - game[-1][0]) ** 2 for worth in game[:-1]) / (len(game) - 1)


def slow_uncertainty(game: list[list[float]]) -> float:
    def bits(part: float) -> float:
        return -part * math.log2(part) if part > 0 else 0.0

    return sum(bits(worth[0]) + bits(worth[1]) for worth in game) / len(game)


@pytest.mark.parametrize(("worth", "exponent"), [(0.6, 1.0), (0.6, 2.0), (0.8, 0.5)])
def test_the_exponent_fits_how_games_end(worth: float, exponent: float) -> None:
    """Where a worth is right once it is raised to a power, that power is found."""
    right = worth**exponent / (worth**exponent + (1 - worth) ** exponent)
    raw = [np.array([[worth, 1 - worth], WON]), np.array([[worth, 1 - worth], LOST])]
    wins = round(right * 1000)
    games = [raw[0]] * wins + [raw[1]] * (1000 - wins)
    shares = [WON] * wins + [LOST] * (1000 - wins)
    assert fit(games, shares) == pytest.approx(exponent, abs=0.01)
    assert calibrated(raw[0], exponent)[0] == pytest.approx([right, 1 - right])
    assert calibrated(raw[0], exponent)[1].tolist() == WON


def test_the_most_dramatic_game() -> None:
    """The winner's distance from the leader counts on average; games that nobody wins alone have no drama."""
    steady, dramatic, drawn = [EVEN, AHEAD, WON], [EVEN, BEHIND, WON], [EVEN, BEHIND, DRAWN]
    games = judged(steady, drawn, dramatic)
    assert most_dramatic(games) is games.games.rows[2]
    assert most_dramatic(judged(drawn, drawn)).block == 0


def test_real_games() -> None:
    """The worth of every position adds up to 1, is exact at the end, and each measure that makes sense is told."""
    plan = Plan("squad", 3, seats=["random"], blocks=6, seed=2)
    games = Games(plan, run(plan, executor=Here()).rows)
    for row, worth in zip(games.rows, evaluate(games).evaluations, strict=True):
        assert len(worth) == len(row.log.split(ACT_SEPARATOR)) + 1
        assert worth.sum(axis=1) == pytest.approx(1)
        assert worth[-1].tolist() == pytest.approx(row.shares)
        assert evaluations_of(plan.game, row).shape == worth.shape  # type: ignore[arg-type]
    told = worth_measures(evaluate(games))
    assert list(told) == [one.__name__ for one in functions_for(plan.game) if one is not kingmaking]
    assert functions_for(Plan("squad", 1).game) == ()
    assert functions_for(Plan("icehouse", 2, seats=["beginner"]).game) == ()
