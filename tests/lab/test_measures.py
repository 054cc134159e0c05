"""Measures: against a slow oracle that is written from the definitions, and on games of known truth."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from statistics import mean, median, quantiles, variance

import numpy as np
import pytest
import scipy  # loads `stats` only where it is used

from icetable.core.game import CHANCE
from icetable.lab import Plan, measures, run
from icetable.lab.intervals import MIN_BLOCKS
from icetable.lab.measures import Games, measured, measures_for, p_of_equal_seats
from icetable.lab.plan import Row
from tests.lab.here import Here

BLOCKS = 5
PERCENTS = (5, 25, 50, 75, 95)
Oracle = Callable[[Plan, Sequence[Row]], dict[str, float]]

PLANS: dict[str, Callable[[], Plan]] = {
    "equal": lambda: Plan("march", 2, {"turn_limit": 9}, blocks=BLOCKS),
    "pair": lambda: Plan("march", 2, seats=["random", "greedy"], blocks=BLOCKS),
    "one against two": lambda: Plan("march", 3, seats=["greedy", "random", "random"], blocks=BLOCKS),
    "three": lambda: Plan("march", 3, seats=["sims:3", "random", "greedy"], blocks=BLOCKS),
    "alone": lambda: Plan("march", 1, blocks=BLOCKS),
    "in real time": lambda: Plan("icehouse", 2, seats=["beginner", "expert"], blocks=BLOCKS),
}
each_plan = pytest.mark.parametrize("name", PLANS)
pytestmark = pytest.mark.usefixtures("toys", "few_resamples")


def odd_games(plan: Plan, seed: int = 0) -> Games:
    """Games that no rules would give: several winners or one, chance in between, games of a single act or many."""
    rng, players = random.Random(seed), plan.game.players
    rows = []
    for block in range(plan.blocks):
        for number, order in enumerate(plan.orders):
            winners = rng.sample(range(players), rng.randint(1, players))
            shares = [(seat in winners) / len(winners) for seat in range(players)]
            acts = rng.choice([1, 1, 2, 3, 9, 10, 11, 37])
            seats, choices = [rng.randrange(players)], [rng.choice([1, 5])]
            for _ in range(acts - 1):
                seats.append(rng.choice([CHANCE, *range(players)]))
                choices.append(0 if seats[-1] == CHANCE else rng.choice([1, 1, 2, 7, 80]))
            times = [] if plan.game.info.turns else sorted(rng.randrange(600_000) for _ in seats)
            points = [rng.randint(-5, 40) for _ in range(players)]
            ended_by, log = rng.choice(["TY-3", "TY-3", "TY-6"]), rng.choice("abcdefgh")
            turns = rng.randint(1, acts)
            row = (block, number, list(order), "", shares, points, turns, ended_by, seats, choices, times, log)
            rows.append(Row(*row))
    return Games(plan, rows)


def spread(values: Sequence[float]) -> dict[str, float]:
    """The mean and the quantiles, between neighbours in proportion."""
    cuts = quantiles(values, n=100, method="inclusive")
    return {"mean": mean(values)} | {f"{percent} %": cuts[percent - 1] for percent in PERCENTS}


def of_seats(value: Callable[[Row, int], float]) -> Oracle:
    def oracle(plan: Plan, rows: Sequence[Row]) -> dict[str, float]:
        return {f"seat {seat + 1}": mean(value(row, seat) for row in rows) for seat in range(plan.game.players)}

    return oracle


def player_share(plan: Plan, rows: Sequence[Row]) -> dict[str, float]:
    got: dict[str, list[float]] = {}
    for row in rows:
        for seat, number in enumerate(row.players):
            got.setdefault(plan.seats[number], []).append(row.shares[seat])
    return {name: mean(shares) for name, shares in got.items()} if len(got) > 1 else {}


def unfairness(plan: Plan, rows: Sequence[Row]) -> dict[str, float]:
    squared = 0.0
    for seat in range(plan.game.players):
        blocks = [mean(row.shares[seat] for row in rows if row.block == block) for block in range(plan.blocks)]
        squared += (mean(blocks) - 1 / plan.game.players) ** 2 - variance(blocks) / len(blocks)
    return {"": math.sqrt(max(squared, 0))}


def endings(plan: Plan, rows: Sequence[Row]) -> dict[str, float]:
    return {rule: mean(row.ended_by == rule for row in rows) for rule in {row.ended_by for row in rows}}


def cut_short(plan: Plan, rows: Sequence[Row]) -> dict[str, float]:
    return {"": mean(row.ended_by == "TY-6" for row in rows)}


def lasting(plan: Plan, rows: Sequence[Row], values: Sequence[float]) -> dict[str, float]:
    """The mean, and the lengths at which as few games go on: of those that were not cut short before, a part ends."""
    limited = plan.game.info.turns
    games = list(zip(values, (limited and row.ended_by == "TY-6" for row in rows), strict=True))
    if not any(cut for _, cut in games):
        return spread(values)
    found = {"mean": mean(values)}
    for percent in PERCENTS:
        going_on, reached = Fraction(1), math.inf
        for length in sorted({value for value, _ in games}):
            at_risk = sum(value >= length for value, _ in games)
            ending = sum(value == length and not cut for value, cut in games)
            going_on *= 1 - Fraction(ending, at_risk)
            if ending and 1 - going_on >= Fraction(percent, 100):
                reached = length
                break
        found[f"{percent} %"] = reached
    return found


def minutes(plan: Plan, rows: Sequence[Row]) -> dict[str, float]:
    if plan.game.info.turns:
        turns = lasting(plan, rows, [row.turns for row in rows])["50 %"]
        return {f"at {seconds} s a turn": turns * seconds / 60 for seconds in (10, 20)}
    return spread([row.times[-1] / 60_000 for row in rows])


def waiting(plan: Plan, rows: Sequence[Row]) -> dict[str, float]:
    def of(row: Row) -> float:
        players = [seat for seat in row.seats if seat != CHANCE]
        waits = []
        for first, seat in enumerate(players):
            again = next((later for later in range(first + 1, len(players)) if players[later] == seat), first + 1)
            if again > first + 1:
                waits.append(again - first - 1)
        return mean(waits) if waits else 0

    return {"": mean(map(of, rows))}


def own(row: Row) -> list[int]:
    return [number for seat, number in zip(row.seats, row.choices, strict=True) if seat != CHANCE]


def choice(plan: Plan, rows: Sequence[Row]) -> dict[str, float]:
    several = (own(row) if len(own(row)) > 1 else own(row) * 2 for row in rows)
    cuts = [quantiles(numbers, n=100, method="inclusive") for numbers in several]
    return {
        "mean": mean(mean(map(float, own(row))) for row in rows),
        "median": mean(float(median(own(row))) for row in rows),
        "95 %": mean(cut[94] for cut in cuts),
    }


def choice_by_tenth(plan: Plan, rows: Sequence[Row]) -> dict[str, float]:
    def of(numbers: list[int], tenth: int) -> float:
        total, begin, end = Fraction(), Fraction(tenth, 10), Fraction(tenth + 1, 10)
        for place, number in enumerate(numbers):
            least, most = Fraction(place, len(numbers)), Fraction(place + 1, len(numbers))
            total += number * max(Fraction(0), min(end, most) - max(begin, least))
        return float(total * 10)

    return {str(tenth + 1): mean(of(own(row), tenth) for row in rows) for tenth in range(10)}


ORACLES: dict[str, Oracle] = {
    "seat_share": of_seats(lambda row, seat: row.shares[seat]),
    "player_share": player_share,
    "unfairness": unfairness,
    "precision": lambda plan, rows: {},
    "endings": endings,
    "draws": lambda plan, rows: {"": mean(1.0 not in row.shares for row in rows)},
    "cut_short": cut_short,
    "turns": lambda plan, rows: lasting(plan, rows, [row.turns for row in rows]),
    "acts": lambda plan, rows: lasting(plan, rows, [len(own(row)) for row in rows]),
    "minutes": minutes,
    "waiting": waiting,
    "choice": choice,
    "forced": lambda plan, rows: {"": mean(own(row).count(1) / len(own(row)) for row in rows)},
    "choice_by_tenth": choice_by_tenth,
    "tree": lambda plan, rows: {"": mean(math.log10(math.prod(own(row))) for row in rows)},
    "distinct": lambda plan, rows: {"": len({row.log for row in rows}) / len(rows)},
    "openings": lambda plan, rows: {},
    "points": of_seats(lambda row, seat: row.points[seat]),
    "points_alone": lambda plan, rows: spread([row.points[0] for row in rows]),
}
SHARES = ("seat_share", "player_share", "endings", "draws", "cut_short", "forced")


@each_plan
def test_against_the_oracle(name: str) -> None:
    games = odd_games(PLANS[name]())
    found = measured(games)
    assert list(found) == [measure.name for measure in measures_for(games.plan.game)]
    for measure, figures in found.items():
        expected = ORACLES[measure](*games)
        assert {of: figure.value for of, figure in figures.items()} == pytest.approx(expected), measure
        for of, figure in figures.items():
            assert figure.low <= figure.value <= figure.high, (measure, of)
            assert figure.blocks == BLOCKS
            assert measure not in SHARES or 0 <= figure.low <= figure.high <= 1


def test_precision() -> None:
    """Of half of the blocks, and of all of them: of fewer than 50 it is not told."""
    games = odd_games(Plan("march", 2, seats=["random", "greedy"], blocks=100))
    found = measures.precision(games)
    assert list(found) == ["100", "200"]
    for name, known in found.items():
        share = measures.seat_share(Games(games.plan, games.rows[: int(name)]))["seat 1"]
        assert known.value == pytest.approx((share.high - share.low) / 2)


def test_which_measures() -> None:
    """All are in use, each is defined by a sentence, and none is asked of games that have no such thing."""
    plans = [make() for make in PLANS.values()]
    asked = {measure.name: measure.about for plan in plans for measure in measures_for(plan.game)}
    assert asked.keys() == ORACLES.keys()
    assert all(about[0].isupper() and about.endswith(".") and "\n" not in about for about in asked.values())
    in_real_time = {measure.name for measure in measures_for(plans[-1].game)}
    assert in_real_time.isdisjoint({"turns", "choice", "choice_by_tenth", "forced", "tree", "cut_short", "waiting"})
    alone = {measure.name for measure in measures_for(plans[-2].game)}
    assert alone.isdisjoint({"seat_share", "player_share", "unfairness", "draws", "waiting", "points"})


def test_one_figure_one_value() -> None:
    """Turns, and the minutes that are worked out from them, tell of the same game in the middle."""
    games = odd_games(PLANS["three"](), seed=3)
    found = measured(games)
    assert found["minutes"]["at 20 s a turn"].value == pytest.approx(found["turns"]["50 %"].value / 3)
    assert found["minutes"]["at 20 s a turn"].high == pytest.approx(found["turns"]["50 %"].high / 3)


def test_intervals_are_over_blocks() -> None:
    """A block is one observation, however many games it has, and nothing is told by one block alone."""
    plan = Plan("march", 2, seats=["random", "greedy"], blocks=4)
    games = odd_games(plan)
    half = [row._replace(shares=[1.0, 0.0] if row.game else [0.0, 1.0]) for row in games.rows]
    share = measures.seat_share(Games(plan, half))["seat 1"]
    assert (share.value, share.blocks) == (0.5, 4)
    assert share.low < 0.5 < share.high  # four equal pairs prove nothing of those to come
    one = odd_games(Plan("march", 2, seats=["random", "greedy"], blocks=1))
    alone = measures.seat_share(one)["seat 1"]
    assert (alone.low, alone.high) == (0, 1)


def play(game: str, blocks: int = 30, players: int = 2, seats: Sequence[str] = ("random",), **options: int) -> Games:
    plan = Plan(game, players, options, seats, blocks, opening=0)
    return Games(plan, run(plan, executor=Here()).rows)


@pytest.mark.parametrize(("players", "length", "width"), [(2, 4, 3), (3, 5, 2), (3, 6, 1)])
def test_known_length_and_choice(players: int, length: int, width: int) -> None:
    found = measured(play("march", 12, players, length=length, width=width))
    for name, known in {"turns": length, "acts": length, "choice": width}.items():
        assert {figure.value for figure in found[name].values()} == {known}
    assert found["tree"][""].value == pytest.approx(length * math.log10(width))
    assert found["forced"][""].value == (width == 1)
    assert found["waiting"][""].value == players - 1
    assert {figure.value for figure in found["choice_by_tenth"].values()} == {width}
    assert {rule: figure.value for rule, figure in found["endings"].items()} == {"TY-3": 1}
    assert found["cut_short"][""].value == 0
    assert found["cut_short"][""].high > 0
    assert found["draws"][""].value == 0


def test_cut_short() -> None:
    found = measured(play("march", 12, length=4, turn_limit=3))
    assert found["cut_short"][""].value == found["draws"][""].value == 1
    assert found["turns"]["mean"].value == 3
    assert {found["turns"][f"{percent} %"].value for percent in PERCENTS} == {math.inf}
    assert found["minutes"]["at 10 s a turn"].value == math.inf
    assert found["seat_share"]["seat 2"].value == 0.5


@pytest.mark.parametrize("seed", range(5))
def test_games_that_were_cut_short_are_longer_than_that(seed: int) -> None:
    """Quantiles are those of scipy's estimate of the survival function."""
    rng = np.random.default_rng(seed)
    lengths, limits = rng.geometric(0.05, 200), rng.integers(5, 60, 200)
    cut = lengths > limits
    seen = np.minimum(lengths, limits)
    function = scipy.stats.ecdf(scipy.stats.CensoredData.right_censored(seen, cut)).cdf
    both = np.stack((seen, cut), axis=-1).astype(float).reshape(100, 2, 2)
    for percent in PERCENTS:
        reached = function.quantiles[function.probabilities >= percent / 100 - 1e-9]
        expected = reached[0] if len(reached) else math.inf
        assert measures.quantile_of(both, percent) == expected


def test_quantiles_without_games_cut_short() -> None:
    values = np.arange(20.0).reshape(10, 2)
    both = np.stack((values, np.zeros_like(values)), axis=-1)
    assert [measures.quantile_of(both, percent) for percent in PERCENTS] == list(np.percentile(values, PERCENTS))


def test_games_that_differ_only_in_the_deal_at_the_end_are_not_distinct() -> None:
    """Without openings equal players of High Rise play one game, and only the numbers differ."""
    plan = Plan("highrise", 2, {"numbers": "unseen"}, ["greedy"], 2, opening=0)
    games = Games(plan, run(plan, executor=Here()).rows)
    assert len({row.log for row in games.rows}) == 2
    assert measures.distinct(games)[""].value == 1 / 2


@pytest.mark.parametrize(("heap", "winner"), [(7, 0), (8, 1)])
def test_perfect_play(heap: int, winner: int) -> None:
    """Each game is the same, and the figures say that it was one."""
    games = play("fate", 12, seats=["greedy"], heap=heap)
    found = measured(games)
    assert [share.value for share in found["seat_share"].values()] == [1 - winner, winner]
    assert found["seat_share"]["seat 1"].high - found["seat_share"]["seat 1"].low > 0.05
    assert found["distinct"][""].value == 1 / 12
    assert found["unfairness"][""].value == pytest.approx(math.sqrt(0.5))


def test_openings() -> None:
    """Of six beans who takes two wins; who takes one or three leaves the other a win."""
    plan = Plan("fate", 2, {"heap": 6}, ["greedy"], 240, opening=1)
    games = Games(plan, run(plan, executor=Here()).rows)
    found = measured(games)["openings"]
    assert {act: share.value for act, share in found.items()} == {"do:1": 0, "do:2": 1, "do:3": 0}
    assert sum(share.blocks for share in found.values()) == 240
    known = measures.p_of_openings(games)
    assert known.keys() == found.keys()
    assert all(p < 0.001 for p in known.values())
    few = Games(plan, games.rows[:120])
    assert all(share.blocks >= MIN_BLOCKS for share in measures.openings(few).values())
    assert len(measures.openings(few)) < 3


def test_openings_that_decide_nothing() -> None:
    games = play("fate", 200, lots=10, first=5, heap=6)
    assert min(measures.p_of_openings(games).values(), default=1.0) > 0.05


def test_rigged() -> None:
    """The first seat wins by seven of ten lots."""
    games = play("fate", 200, lots=10, first=7)
    share = measures.seat_share(games)["seat 1"]
    assert share.low <= 0.7 <= share.high
    assert share.high - share.low < 0.15
    assert p_of_equal_seats(games) < 1e-4
    assert measures.unfairness(games)[""].value == pytest.approx(math.sqrt(2) * 0.2, abs=0.1)


def test_fair() -> None:
    games = play("fate", 200, lots=10, first=5)
    assert p_of_equal_seats(games) > 0.05
    assert measures.unfairness(games)[""].low == 0
