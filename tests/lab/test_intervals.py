"""Estimates: against formulas written anew, at their limits, against a slow oracle, and how often they cover."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy  # loads `stats` only where it is used
from hypothesis import given
from hypothesis import strategies as st

from icetable.lab.intervals import (
    BETS,
    Estimate,
    anytime,
    anytime_quantile,
    false_discoveries,
    holm,
    mean,
    p_of_mean,
    part,
    percent,
    proportion,
    quantile,
    squared,
    statistic,
)

Z = 1.959963984540054
SHARES = (0.0, 0.5, 1.0)


# Proportions


@pytest.mark.parametrize(("hits", "of"), [(1, 2), (1, 10), (9, 10), (3, 50), (25, 50), (1, 10**6), (999, 1000)])
def test_wilson(hits: int, of: int) -> None:
    """The roots of (p - mean)^2 = z^2 mean (1 - mean) / n."""
    found = proportion(hits, of)
    for edge in (found.low, found.high):
        assert (hits / of - edge) ** 2 == pytest.approx(Z**2 * edge * (1 - edge) / of)
    assert found.low < found.value == hits / of < found.high
    assert (found.method, found.blocks) == ("wilson", of)


@pytest.mark.parametrize("of", [1, 2, 20, 1000, 10**6])
def test_none_and_all_are_exact(of: int) -> None:
    """Values outside would give such a result in less than 2.5 of 100 runs."""
    none, every = proportion(0, of), proportion(of, of)
    assert (none.low, every.high) == (0, 1)
    assert (1 - none.high) ** of == pytest.approx(0.025)
    assert every.low**of == pytest.approx(0.025)
    assert none.high == pytest.approx(scipy.stats.beta.ppf(0.975, 1, of))


def test_no_trials() -> None:
    found = proportion(0, 0)
    assert (found.low, found.high, found.blocks) == (0, 1, 0)
    assert math.isnan(found.value)
    assert found.described()["value"] is None


# Means


def test_no_blocks_and_one() -> None:
    none, one = mean([], 0, 1), mean([0.25], 0, 1)
    assert math.isnan(none.value)
    assert (none.low, none.high, none.blocks) == (0, 1, 0)
    assert (one.value, one.low, one.high, one.blocks) == (0.25, 0, 1, 1)
    endless = mean([3.0])
    assert (endless.low, endless.high) == (-math.inf, math.inf)
    assert endless.described() == {
        "value": 3.0,
        "low": None,
        "high": None,
        "method": "none",
        "blocks": 1,
        "unit": "",
    }


@pytest.mark.parametrize(("least", "most"), [(0, 1), (-1, 1), (-3, 5)])
def test_values_at_the_limits_are_trials(least: float, most: float) -> None:
    found, trials = mean([least] * 18 + [most] * 42, least, most), proportion(42, 60)
    scale = most - least
    assert found.low == pytest.approx(least + scale * trials.low)
    assert found.high == pytest.approx(least + scale * trials.high)
    assert found.value == pytest.approx(least + scale * 0.7)
    for value, edge in ((least, "low"), (most, "high")):
        assert getattr(mean([value] * 50, least, most), edge) == value


def test_two_values_without_limits_are_trials() -> None:
    values, trials = [2.0] * 54 + [7.0] * 6, proportion(6, 60)
    for found in (mean(values), mean(values, 0)):
        assert bounds(found) == pytest.approx([2 + 5 * trials.low, 2 + 5 * trials.high])
    assert mean(values, 0, 10).method == "skewed t"  # others may yet lie beyond


def test_equal_values() -> None:
    """Some blocks may yet be otherwise; without limits nobody knows how much."""
    unseen = 1 - 0.025 ** (1 / 60)
    within, half, endless = mean([0.5] * 60, 0, 1), mean([2.0] * 60, 0), mean([2.0] * 60)
    assert within.low == pytest.approx(0.5 - 0.5 * unseen)
    assert within.high == pytest.approx(0.5 + 0.5 * unseen)
    assert bounds(half) == pytest.approx([2 - 2 * unseen, math.inf])
    assert (endless.low, endless.high, endless.method) == (-math.inf, math.inf, "equal")


def naive_hall(values: list[float]) -> tuple[float, float]:
    """The means at which Hall's transformed statistic is Student's quantile, by halving."""
    n = len(values)
    middle = sum(values) / n
    second, third, fourth = (sum((value - middle) ** power for value in values) / n for power in (2, 3, 4))
    skew, error = third / second**1.5 / 3, math.sqrt(second * n / (n - 1))
    freedom = min(n - 1, 1.5 * n / (fourth / second**2 - 1))
    bound = scipy.stats.t.ppf(0.975, freedom) / math.sqrt(n)

    def bent(guess: float) -> float:
        w = (middle - guess) / error
        return float(w + skew * w**2 / 3 + skew**2 * w**3 / 27 + skew / (6 * n))

    edges = []
    for wanted in (bound, -bound):
        low, high = middle - 1000 * error, middle + 1000 * error
        for _ in range(200):
            guess = (low + high) / 2
            low, high = (guess, high) if bent(guess) > wanted else (low, guess)
        edges.append(low)
    return edges[0], edges[1]


@pytest.mark.parametrize(
    "values",
    [[1.3**power for power in range(20)], [3, 9, *range(27, 57)], [0] * 15 + [1] * 5 + [9], [*range(50)]],
    ids=len,
)
@pytest.mark.parametrize("power", [1, 2, 5])
def test_means_take_skewness_and_kurtosis_into_account(values: list[float], power: int) -> None:
    some = [float(value) ** power for value in values]
    found = mean(some, min_blocks=20)
    assert bounds(found) == pytest.approx(naive_hall(some))
    assert found.value == pytest.approx(sum(some) / len(some))
    assert found.method == "skewed t"
    mirrored = mean([-value for value in some], min_blocks=20)
    assert mirrored.low == pytest.approx(-found.high)
    assert mirrored.high == pytest.approx(-found.low)


def test_without_skewness_and_kurtosis_it_is_students() -> None:
    values = [float(value) for value in range(21)]
    width = scipy.stats.t.ppf(0.975, 20) * math.sqrt(38.5 / 21)
    found = mean(values, min_blocks=20)
    assert found.low == pytest.approx(10 - width)
    assert found.high == pytest.approx(10 + width)


def test_shares_in_words() -> None:
    assert percent(mean([0.0, 1.0] * 25, 0, 1)) == "50% (37 to 63)"
    assert percent(mean([0.0, 1.0], 0, 1)) == "50% (too few games)"
    assert percent(statistic([0.5], np.mean)) == "an unknown share (too few games)"


@pytest.mark.parametrize("blocks", [2, 5, 20, 49])
def test_nothing_is_told_of_few_blocks(blocks: int) -> None:
    """One that is far off the others may not be among them."""
    for value in (0.0, 0.25, 0.5):
        assert bounds(mean([value] * blocks, 0, 1)) == [0, 1]
    values = [one / blocks for one in range(blocks)]
    assert bounds(mean(values, 0)) == [0, math.inf]
    assert mean(values).method == "none"
    assert mean([*range(50)], 0).method == "skewed t"
    assert mean([*range(50)], 0, min_blocks=51).method == "none"


def test_an_interval_stays_within_the_limits() -> None:
    values = [0.0] * 60 + [0.5, 1.0]
    assert mean(values).low < -0.001 == mean(values, -0.001, 1).low
    assert mean([1 - value for value in values], 0, 1.001).high == 1.001


def test_an_interval_moves_and_grows_with_its_values() -> None:
    rng = np.random.default_rng(2)
    for values in (rng.exponential(3, 60), rng.choice([0.0, 0.0, 0.0, 1.0, 0.5], 60)):
        one, other = mean(values), mean(5 + 2 * values)
        assert bounds(other) == pytest.approx([5 + 2 * one.low, 5 + 2 * one.high])
        assert one.low <= one.value <= one.high


def test_values_that_are_almost_equal() -> None:
    values = [0.1 + 0.2, 0.3] * 25
    found = mean(values, 0, 1)
    assert 0 <= found.low <= found.high <= 1
    assert found.high - found.low < 1e-6


# Figures of any kind


def test_a_statistic_of_rows() -> None:
    rows = np.random.default_rng(3).normal(loc=(1, 2), size=(80, 2))
    found = statistic(rows, lambda some: float(some[:, 1].mean() - some[:, 0].mean()), "points")
    plain = mean(rows[:, 1] - rows[:, 0])
    assert found.value == pytest.approx(plain.value)
    assert found.low == pytest.approx(plain.low, abs=0.05)
    assert found.high == pytest.approx(plain.high, abs=0.05)
    assert (found.unit, found.blocks) == ("points", 80)
    assert found == statistic(rows, lambda some: float(some[:, 1].mean() - some[:, 0].mean()), "points")


def test_a_statistic_of_one_block() -> None:
    found = statistic([4.0], np.median)
    assert (found.value, found.low, found.high) == (4, -math.inf, math.inf)


@pytest.mark.parametrize("blocks", [2, 3, 49])
def test_no_interval_is_told_of_a_statistic_of_few_blocks(blocks: int) -> None:
    values = np.random.default_rng(1).random(blocks)
    assert bounds(statistic(values, np.median)) == [-math.inf, math.inf]
    assert bounds(part(values.reshape(-1, 1), lambda some: float(some.mean()))) == [-math.inf, math.inf]


def test_a_part_counts_with_a_block_that_was_not_seen() -> None:
    """Of 100 blocks none is all 1; there may yet be some."""
    rows = np.array([[0.0, 1.0], [1.0, 0.0]] * 50)
    found = part(rows, lambda some: float((some.min(axis=1) == 1).mean()))
    assert (found.value, found.low) == (0, 0)
    assert found.high > 1 / 201


def naive_jackknife(blocks: list[list[float]], unseen: list[float] | None, of: Callable[[Any], float]) -> list[float]:
    """Student's interval by what a figure is without each block, each of which counts twice beside the unseen one."""
    rest = [] if unseen is None else [unseen]
    everything = of(np.array(blocks * 2 + rest))
    others = [of(np.array((blocks[:left] + blocks[left + 1 :]) * 2 + rest)) for left in range(len(blocks))]
    others += [of(np.array(blocks))] * len(rest)
    n, middle = len(others), sum(others) / len(others)
    error = math.sqrt((n - 1) / n * sum((other - middle) ** 2 for other in others))
    return [everything + sign * float(scipy.stats.t.ppf(0.975, n - 1)) * error for sign in (-1, 1)]


def test_parts_beside_a_slow_way() -> None:
    rng = np.random.default_rng(5)
    blocks = rng.choice(SHARES, (100, 2), p=[0.2, 0.2, 0.6]).tolist()
    share = lambda some: float((some[:, 0] * some[:, 1]).mean() / some.mean())  # noqa: E731
    unseen = [None, [0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]
    lows, highs = zip(*(naive_jackknife(blocks, one, share) for one in unseen), strict=True)
    assert bounds(part(np.array(blocks), share)) == pytest.approx([min(lows), max(highs)])


def test_a_square_has_the_squared_bounds_of_its_root() -> None:
    rows = np.random.default_rng(6).choice(SHARES, (120, 2), p=[0.1, 0.2, 0.7])
    more = squared(rows, lambda some: float(some.mean()) - 0.5)
    less = squared(1 - rows, lambda some: float(some.mean()) - 0.5)
    root = part(rows, lambda some: float(some.mean()) - 0.5)
    assert bounds(more) == pytest.approx([root.low**2, root.high**2])
    assert bounds(less) == pytest.approx(bounds(more))
    assert more.value == pytest.approx(less.value) == pytest.approx(root.value**2)
    around = squared(rows, lambda some: float(some.mean() - rows.mean()))
    assert (around.value, around.low) == (0, 0)
    assert around.high > 0
    min_blocks = squared(rows[:99], lambda some: float(some.mean()))
    assert (min_blocks.method, *bounds(min_blocks)) == ("none", -math.inf, math.inf)


# Quantiles


@pytest.mark.parametrize("blocks", [10, 57, 1000])
@pytest.mark.parametrize("part", [0.05, 0.25, 0.5, 0.95])
def test_the_bounds_of_a_quantile_lie_between_exact_ranks(blocks: int, part: float) -> None:
    """The true value is below a rank as often as fewer blocks than the rank lie below it."""
    ranks = list(range(1, blocks + 1))
    found = quantile(ranks[::-1], part)
    assert found.value == pytest.approx(np.quantile(ranks, part))
    assert found.low <= found.value <= found.high
    first = max((rank for rank in ranks if scipy.stats.binom.cdf(rank - 1, blocks, part) <= 0.025), default=-math.inf)
    last = min((rank for rank in ranks if scipy.stats.binom.sf(rank - 1, blocks, part) <= 0.025), default=math.inf)
    assert first <= found.low <= first + 1
    assert last - 1 <= found.high <= last or found.high == last


def test_ranks_are_counted_in_blocks() -> None:
    """Blocks of three alike tell no more than blocks of one."""
    values = np.random.default_rng(3).gamma(2, 1, 40)
    one, three = quantile(values, 0.3), quantile(np.repeat(values[:, np.newaxis], 3, axis=1), 0.3)
    ranked = np.sort(values)
    for edge, other in zip(bounds(one), bounds(three), strict=True):
        assert abs(np.searchsorted(ranked, edge) - np.searchsorted(ranked, other)) <= 1
    assert three.blocks == 40


def test_the_bounds_of_a_quantile_of_whole_numbers_are_such() -> None:
    """Nothing lies between two numbers that occur again; in a straight line between them 9 would be left out."""
    for eights in range(10, 20):
        found = quantile([8.0] * eights + [9.0] * (20 - eights), 0.75)
        assert found.low in (8, 9)
        assert found.high in (8, 9)
    assert bounds(quantile([8.0] * 17 + [9.0] * 3, 0.75)) == [8, 9]


def test_values_of_games_that_went_on() -> None:
    found = quantile(np.array([[1.0, 2.0], [3.0, math.inf]] * 20), 0.5, value=3.0)
    assert (found.value, found.method) == (3.0, "ranks")
    assert found.low < 3 <= found.high
    assert quantile(np.array([[1.0], [math.inf]] * 20), 0.75, value=math.inf).high == math.inf


def test_a_quantile_of_few_blocks() -> None:
    none, one = quantile([], 0.5), quantile([3.0], 0.5)
    assert math.isnan(none.value)
    assert (none.low, none.high) == (-math.inf, math.inf)
    assert (one.value, one.low, one.high) == (3, -math.inf, math.inf)
    same = quantile([4.0] * 30, 0.5)
    assert (same.low, same.high) == (4, 4)
    extreme = quantile(list(range(20)), 0.99)
    assert (extreme.low > 0, extreme.high) == (True, math.inf)


# At all times


@pytest.mark.parametrize(
    ("total", "count"), [(0, 1), (1, 1), (0.5, 1), (0, 30), (30, 30), (13.5, 30), (1, 400), (250.5, 500), (7000, 10000)]
)
def refused(values: Any, mean: float, bets: Any, error: float) -> Any:
    """Whether those who bet on more than a mean have refuted it, after each of the values of each run."""
    owned = np.cumsum(np.log(np.maximum(1 + bets * (values[..., np.newaxis] / mean - 1), 1e-300)), axis=-2)
    return np.exp(owned).mean(axis=-1) >= 1 / error


@pytest.mark.parametrize("values", [[0.0, 1.0, 1.0], [0.5, 0.75, 0.5, 1.0, 0.0] * 20, [1.0] * 30], ids=len)
@pytest.mark.parametrize("level", [0.95, 0.99])
def test_anytime_bounds_are_where_too_much_is_won(values: list[float], level: float) -> None:
    found, drawn, error = anytime(values, level), np.array(values), (1 - level) / 2
    for at in np.linspace(0.01, 0.99, 99):
        is_out = refused(drawn, at, BETS, error)[-1] or refused(1 - drawn, 1 - at, BETS, error)[-1]
        if abs(at - found.low) > 1e-6 and abs(at - found.high) > 1e-6:
            assert (found.low <= at <= found.high) == (not is_out)


def test_anytime_limits() -> None:
    none = anytime([])
    assert (none.low, none.high, none.blocks) == (0, 1, 0)
    assert math.isnan(none.value)
    assert anytime([0.0] * 50).low == 0
    assert anytime([1.0] * 50).high == 1
    one = anytime([0.0, 1.0, 0.5])
    assert (one.value, one.blocks, one.method) == (0.5, 3, "anytime")
    assert one.low == pytest.approx(1 - one.high)
    wide = anytime([-1.0, 1.0, 0.0], least=-1, most=1)
    assert (wide.low, wide.high) == pytest.approx((2 * one.low - 1, 2 * one.high - 1))


def test_an_anytime_interval_is_wider_and_narrows() -> None:
    widths = []
    for blocks in (50, 500, 5000, 50_000):
        values = [0.0, 1.0, 0.5, 0.5, 1.0] * (blocks // 5)
        always, once = anytime(values), mean(values, 0, 1)
        assert always.low < once.low < once.high < always.high
        widths.append(always.high - always.low)
    assert widths == sorted(widths, reverse=True)


def test_values_that_vary_little_are_known_sooner() -> None:
    calm, wild = anytime([0.5, 0.55] * 50), anytime([0.0, 1.0] * 50)
    assert 4 * (calm.high - calm.low) < wild.high - wild.low


@pytest.mark.parametrize("chances", [(0.5, 0.0, 0.5), (0.1, 0.0, 0.9), (0.05, 0.8, 0.15), (0.98, 0.0, 0.02)], ids=str)
def test_anytime_errs_in_few_runs_however_often_one_looks(chances: tuple[float, ...]) -> None:
    """300 runs with a look after each of 1,000 blocks. True: at most 5%."""
    drawn, error = np.random.default_rng(4).choice(SHARES, (300, 1000), p=chances), 0.025
    true = float(np.dot(SHARES, chances))
    missed = refused(drawn, true, BETS, error) | refused(1 - drawn, 1 - true, BETS, error)
    assert missed.any(axis=1).mean() <= 0.05


def test_without_limits_it_errs_in_few_runs_however_often_one_looks() -> None:
    """200 runs of skewed values with looks after 100 to 1,000 blocks."""
    drawn = np.random.default_rng(5).exponential(size=(200, 1000))
    missed = [
        any(not (one := anytime(run[:count], least=-math.inf, most=math.inf)).low <= 1 <= one.high for count in looks)
        for looks in [range(100, 1001, 50)]
        for run in drawn
    ]
    assert np.mean(missed) <= 0.05
    assert anytime([1.0] * 99, least=-math.inf, most=math.inf).high == math.inf


def test_anytime_quantiles() -> None:
    """100 runs with looks: the median of whole numbers lies outside in few."""
    drawn = np.random.default_rng(6).integers(10, 31, (100, 160, 2)).astype(float)
    missed = 0
    for run in drawn:
        several = [anytime_quantile(run[:count]) for count in (10, 20, 40, 80, 160)]
        missed += any(not one.low <= 20 <= one.high for one in several)
    assert missed / 100 <= 0.05
    assert several[-1].high - several[-1].low < 14
    assert anytime_quantile(np.empty((0, 2))).blocks == 0
    assert anytime_quantile(np.array([[5.0], [5.0]])).high == math.inf


@pytest.mark.parametrize("part", [0.25, 0.5, 0.9])
def test_anytime_quantiles_end_where_too_few_or_too_many_lie_below(part: float) -> None:
    blocks = np.random.default_rng(7).integers(1, 30, (120, 2)).astype(float)
    found = anytime_quantile(blocks, part)
    values = np.unique(blocks)
    assert found.low == next(at for at in values if anytime((blocks <= at).mean(axis=1)).high >= part)
    assert found.high == max(at for at in values if anytime((blocks < at).mean(axis=1)).low <= part)


# Many questions


def naive_holm(p_values: list[float]) -> list[float]:
    """The least level at which the stepwise procedure refuses a hypothesis."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    found = [0.0] * len(p_values)
    for rank, one in enumerate(order):
        found[one] = min(1.0, max((len(order) - step) * p_values[order[step]] for step in range(rank + 1)))
    return found


def naive_discoveries(p_values: list[float]) -> list[float]:
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    found = [0.0] * len(p_values)
    for rank, one in enumerate(order):
        found[one] = min(1.0, *(len(order) / (step + 1) * p_values[order[step]] for step in range(rank, len(order))))
    return found


@pytest.mark.parametrize(("adjust", "naive"), [(holm, naive_holm), (false_discoveries, naive_discoveries)])
def test_adjusted_p_values(
    adjust: Callable[[list[float]], list[float]], naive: Callable[[list[float]], list[float]]
) -> None:
    rng = np.random.default_rng(1)
    cases: list[list[float]] = [[], [0.03], [1.0, 1.0], [0.0, 0.0, 0.5], [0.01, 0.04, 0.03, 0.005, 0.04]]
    cases += [rng.random(size).round(2).tolist() for size in range(2, 30)]
    for p_values in cases:
        found = adjust(p_values)
        assert found == pytest.approx(naive(p_values))
        assert all(before <= after <= 1 for before, after in zip(p_values, found, strict=True))


def test_known_adjusted_p_values() -> None:
    p_values = [0.01, 0.04, 0.03, 0.005]
    assert holm(p_values) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert false_discoveries(p_values) == pytest.approx([0.02, 0.04, 0.04, 0.02])


def test_p_of_a_mean() -> None:
    assert p_of_mean([]) == p_of_mean([0.0, 0.0]) == p_of_mean([2.0, 2.0], expected=2.0) == 1
    assert p_of_mean([1.0] * 6 + [0.0] * 50) == pytest.approx(2 * 0.5**6)
    assert p_of_mean([0.5, 0.5, -0.5, 0.0]) == pytest.approx(2 * scipy.stats.binom.sf(1, 3, 0.5))
    values = np.random.default_rng(1).normal(0.5, 1, 40)
    statistic_t = values.mean() / (values.std(ddof=1) / math.sqrt(40))
    assert p_of_mean(values) == pytest.approx(2 * scipy.stats.t.sf(abs(statistic_t), 39))
    assert p_of_mean(values + 3, expected=3.0) == pytest.approx(p_of_mean(values))


# How often they cover: a small version of `benchmarks/intervals.py`

RUNS = 400
KINDS: dict[str, tuple[Callable[[np.random.Generator, int], Any], float, tuple[float, float]]] = {
    "shares": (lambda rng, size: rng.choice(SHARES, size, p=[0.3, 0.3, 0.4]), 0.55, (0, 1)),
    "lengths": (lambda rng, size: rng.gamma(2, 20, size), 40, (0, math.inf)),
    "differences": (lambda rng, size: rng.choice([1, -1, 0.5, 0], size, p=[0.06, 0.05, 0.04, 0.85]), 0.03, (-1, 1)),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("blocks", [50, 200])
def test_means_are_covered(kind: str, blocks: int) -> None:
    draw, true, limits = KINDS[kind]
    rng = np.random.default_rng(blocks)
    covered = sum(covers(mean(draw(rng, blocks), *limits), true) for _ in range(RUNS))
    assert 0.91 <= covered / RUNS <= 0.985


@pytest.mark.parametrize("blocks", [50, 200])
def test_proportions_are_covered(blocks: int) -> None:
    rng = np.random.default_rng(blocks)
    true = rng.uniform(0.05, 0.95, RUNS)
    covered = sum(covers(proportion(int(rng.binomial(blocks, p)), blocks), p) for p in true)
    assert 0.91 <= covered / RUNS <= 0.985


@pytest.mark.parametrize("part", [0.25, 0.5, 0.95])
def test_quantiles_are_covered(part: float) -> None:
    rng, true = np.random.default_rng(9), scipy.stats.gamma.ppf(part, 2)
    covered = sum(covers(quantile(rng.gamma(2, 1, 200), part), true) for _ in range(RUNS))
    assert 0.91 <= covered / RUNS <= 0.985


def test_medians_are_covered(few_resamples: None) -> None:
    rng = np.random.default_rng(9)
    covered = sum(covers(statistic(rng.exponential(1, 50), np.median), math.log(2)) for _ in range(40))
    assert 0.85 <= covered / 40 <= 1


def bounds(found: Estimate) -> list[float]:
    return [found.low, found.high]


def covers(found: Estimate, true: float) -> bool:
    return found.low <= true <= found.high


@given(st.lists(st.integers(-9, 9) | st.just(math.inf), min_size=1, max_size=40))
def test_an_interval_contains_its_value(values: list[float]) -> None:
    """Also of values beyond the limits, and of games that were broken off."""
    finite = [value for value in values if value < math.inf] or [0.0]
    estimates = [anytime_quantile(np.array(values, float)[:, np.newaxis], part) for part in (0.05, 0.5, 0.95)]
    for one in (*estimates, anytime(finite), anytime(finite, least=-1.0)):
        assert one.low <= one.value <= one.high
