"""Estimates with honest intervals: all of them at 95 %, all of them over blocks, which alone are independent.

Needs SciPy: `pip install 'icetable[lab]'`.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Reals = npt.NDArray[np.float64]

LEVEL = 0.95
RESAMPLES = 1000
FEW = 50
"""The least number of blocks from which an interval is given. Of fewer those of plain shares already hold too seldom or
too often, and none may be far off where one in ten is.
"""
FEW_FOR_PARTS = 100
"""The same for parts of what results come from, where half a block that was not seen would change much."""
HEAVY = 1.5
"""The degrees of freedom of a spread whose values have a kurtosis of 2, by block. It would be 2 if that were known
well; a sample shows less than there is."""
BENT = 1 / 3
"""How much of a sample's skewness counts: it strays far where a few values decide it."""
STRAIGHT = 1e-6
"""A skewness below this bends nothing."""
BETS = 0.5 ** np.arange(10)
"""The parts of what they have that those who bet against a mean put at stake."""
MIN_STAKE = 1e-300
"""Stands for nothing, of which there is no logarithm."""
NARROWEST = 0.05
"""Without limits intervals that hold at all times are narrowest, for their blocks, after some 10 by this."""
MIN_VARIANCE = 1e-12
"""Stands for a variance of 0, of which every part is 0."""


@dataclass(frozen=True)
class Estimate:
    """A figure with the interval that covers the true one in 95 of 100 runs. `blocks`: how many it is made from.

    Where there are too few blocks to tell, the interval is as wide as the figure can be.
    """

    value: float
    low: float
    high: float
    method: str
    blocks: int
    unit: str = ""

    def described(self) -> dict[str, Any]:
        """The estimate as JSON can hold it: what is not finite is null."""
        content = {"value": self.value, "low": self.low, "high": self.high}
        finite = {name: value if math.isfinite(value) else None for name, value in content.items()}
        return {**finite, "method": self.method, "blocks": self.blocks, "unit": self.unit}


def proportion(hits: int, of: int, unit: str = "") -> Estimate:
    """How often something happens, from independent trials: Wilson's interval; at none and all the exact one."""
    from scipy.stats import binomtest

    if of == 0:
        return Estimate(math.nan, 0.0, 1.0, "none", 0, unit)
    method = "exact" if hits in (0, of) else "wilson"
    found = binomtest(hits, of).proportion_ci(LEVEL, method=method)
    return Estimate(hits / of, float(found.low), float(found.high), method, of, unit)


def mean(
    blocks: Sequence[float] | Reals,
    least: float = -math.inf,
    most: float = math.inf,
    unit: str = "",
    few: int = FEW,
) -> Estimate:
    """The mean of a figure that lies between `least` and `most`, from one value a block. From fewer blocks than `few`
    no interval can be told.

    Where the values are two, `least` and `most` or any of a figure without such limits, they are counted as trials
    (`proportion`). Where all are equal, it is the interval that values off by all of the range in as many blocks as
    could go unseen would give; on a side without a limit there is no bound then. Else it is Student's, with as many
    degrees of freedom as the values' kurtosis leaves (Satterthwaite, 1946), transformed for skewness (Hall, 1992).
    """
    values = np.asarray(blocks, float)
    count = len(values)
    bounded = math.isfinite(least) and math.isfinite(most) and least < most
    if count < few:
        return Estimate(float(values.mean()) if count else math.nan, least, most, "none", count, unit)
    first, last = (least, most) if bounded else (float(values.min()), float(values.max()))
    if first < last and np.isin(values, (first, last)).all():
        found = proportion(int((values == last).sum()), count)
        low, high = first + (last - first) * found.low, first + (last - first) * found.high
        return Estimate(float(values.mean()), low, high, found.method, count, unit)
    if np.ptp(values) == 0:
        return _of_equal_values(float(values[0]), count, least, most, unit)
    low, high = _by_moments(values)
    return Estimate(float(values.mean()), max(low, least), min(high, most), "skewed t", count, unit)


def _by_moments(values: Reals) -> tuple[float, float]:
    """Student's interval, made wider for kurtosis, and bent by Hall's cubic transformation for skewness."""
    from scipy.stats import t

    count, middle = len(values), float(values.mean())
    apart = (values - middle) / values.std()
    skewness, kurtosis = BENT * float((apart**3).mean()), float((apart**4).mean())
    freedom = min(count - 1, HEAVY * count / max(kurtosis - 1, HEAVY))
    bound = float(t.ppf((1 + LEVEL) / 2, freedom)) / math.sqrt(count)

    def back(value: float) -> float:
        bent = value - skewness / (6 * count)
        return 3 / skewness * (math.cbrt(1 + skewness * bent) - 1) if abs(skewness) > STRAIGHT else bent

    error = float(values.std(ddof=1))
    return middle - error * back(bound), middle - error * back(-bound)


def _of_equal_values(value: float, count: int, least: float, most: float, unit: str) -> Estimate:
    """The mean of blocks that are all the same: of the others there are at most as many as could go unseen."""
    unseen = proportion(0, count).high
    low, high = value - (value - least) * unseen, value + (most - value) * unseen
    return Estimate(value, low, high, "exact" if math.isfinite(high - low) else "equal", count, unit)


def quantile(blocks: Sequence[float] | Reals, part: float, unit: str = "", value: float | None = None) -> Estimate:
    """The value below which a part (more than 0, less than 1) of all values lie, from one value a block, or from a row
    of as many values for each. `value` is the figure where it is not that of the values themselves.

    The bounds are values by rank, between two ranks in a straight line (Beran and Hall, 1993): by the exact chance that
    the wanted value lies below the one with a rank. Between values that occur again, as whole numbers do, there are no
    others, so the bound is the outer one. Ranks are counted in blocks, as if all values of a block were alike
    (Woodruff, 1952). Where there are too few blocks for a bound, there is none.
    """
    from scipy.special import betainc

    given = np.asarray(blocks, float)
    count, values = len(given), np.sort(given, axis=None)
    if count == 0:
        return Estimate(math.nan, -math.inf, math.inf, "none", 0, unit)
    each = len(values) / count

    def recurs(value: float) -> bool:
        return bool(np.searchsorted(values, value, "right") - np.searchsorted(values, value) > 1)

    def value_at(chance: float) -> float:
        rank = _edge(lambda rank: bool(betainc(rank, count + 1 - rank, part) >= chance), 0.0, count + 1.0)
        if not 1 <= rank <= count:
            return math.inf if rank > 1 else -math.inf
        place = (rank - 0.5) * each - 0.5
        below, above = float(values[math.floor(place)]), float(values[math.ceil(place)])
        if above == math.inf or recurs(below) or recurs(above):
            return above if chance < LEVEL / 2 else below
        return below + (place % 1) * (above - below)

    low, high = value_at((1 + LEVEL) / 2), value_at((1 - LEVEL) / 2)
    usual = float(np.quantile(values, part)) if value is None else value
    return Estimate(usual, min(low, usual), max(high, usual), "ranks", count, unit)


def statistic(blocks: Sequence[Any] | Reals, of: Callable[..., Any], unit: str = "") -> Estimate:
    """Any figure of the values of blocks (a row each): `of(values)`, with the bootstrap's percentiles over blocks.

    From fewer blocks than FEW no interval can be told.
    """
    values = np.asarray(blocks, float)
    value = float(of(values))
    if len(values) < FEW:
        return Estimate(value, -math.inf, math.inf, "none", len(values), unit)
    rng = np.random.default_rng(0)
    again = [float(of(values[rng.integers(len(values), size=len(values))])) for _ in range(RESAMPLES)]
    method: Literal["linear", "inverted_cdf"] = "linear" if np.isfinite(again).all() else "inverted_cdf"
    low, high = np.nanquantile(again, ((1 - LEVEL) / 2, (1 + LEVEL) / 2), method=method)
    return Estimate(value, float(low), float(high), "bootstrap", len(values), unit)


def part(blocks: Reals, of: Callable[[Reals], float], most: float = 1.0) -> Estimate:
    """A share of something, from 0 to `most`, from a row of values from 0 to 1 a block: `of(values)`, which itself may
    lie outside.

    Its interval is that of the jackknife, made as wide as half a block more of any extreme kind could make it: what is
    rare and decisive may not have been seen. From fewer blocks than FEW_FOR_PARTS none can be told, nor from blocks
    that are all alike.
    """
    low, high = _ends(blocks, of)
    is_told = math.isfinite(high - low)
    low, high = (min(max(end, 0.0), most) for end in (low, high)) if is_told else (low, high)
    value = min(max(float(of(blocks)), 0.0), most)
    return Estimate(value, low, high, "jackknife" if is_told else "none", len(blocks))


def squared(blocks: Reals, root: Callable[[Reals], float]) -> Estimate:
    """A `part` that is the square of a figure of either sign. The root's interval is squared: near 0, that of a square
    would be told by how its values lie on one side of it.
    """
    low, high = _ends(blocks, root)
    is_told = math.isfinite(high - low)
    ends = sorted((low**2, high**2))
    low, high = (0.0 if low <= 0 <= high else ends[0], min(ends[1], 1.0)) if is_told else (low, high)
    return Estimate(float(root(blocks)) ** 2, low, high, "jackknife" if is_told else "none", len(blocks))


def _ends(blocks: Reals, of: Callable[[Reals], float]) -> tuple[float, float]:
    """The bounds of the jackknife, with half a block of any extreme kind and without."""
    if len(blocks) < FEW_FOR_PARTS or not np.ptp(blocks, axis=0).any():
        return -math.inf, math.inf
    places = blocks.shape[1]
    extreme = np.vstack((np.zeros(places), np.ones(places), np.eye(places)))
    lows, highs = zip(*(_jackknife(blocks, of, some) for some in (extreme[:0], *extreme[:, np.newaxis])), strict=True)
    return min(lows), max(highs)


def _jackknife(blocks: Reals, of: Callable[[Reals], float], unseen: Reals) -> tuple[float, float]:
    """Student's interval for a figure, by what it is without each of the blocks. As those that were seen count twice, a
    row of `unseen` counts as half a block.
    """
    from scipy.stats import t

    twice = np.vstack((np.repeat(blocks, 2, axis=0), unseen))
    _, firsts, times = np.unique(blocks, axis=0, return_index=True, return_counts=True)
    without = np.repeat([of(np.delete(twice, (2 * first, 2 * first + 1), axis=0)) for first in firsts], times)
    others = np.append(without, [of(blocks)] * len(unseen))
    error = math.sqrt((len(others) - 1) / len(others) * float(((others - others.mean()) ** 2).sum()))
    width = float(t.ppf((1 + LEVEL) / 2, len(others) - 1)) * error
    return of(twice) - width, of(twice) + width


def anytime(
    blocks: Sequence[float] | Reals, level: float = LEVEL, least: float = 0.0, most: float = 1.0, unit: str = ""
) -> Estimate:
    """The mean of a figure between `least` and `most`, in an interval that holds at all times together.

    However often somebody looks, and whenever they stop: the intervals of a run miss the true mean at any time in at
    most 5 of 100 runs. A mean is refused once those who bet against it at fair odds, each with another part of what
    they have, own too much together (Waudby-Smith and Ramdas, 2024). That holds for all values within the limits, and
    is the narrower the less they vary. Without limits it is the normal mixture's (Waudby-Smith and others, 2024), which
    is told from FEW_FOR_PARTS blocks on.
    """
    values = np.asarray(blocks, float)
    if not math.isfinite(most - least):
        return _by_mixture(values, level, unit)
    scaled, error = np.clip((values - least) / (most - least), 0.0, 1.0), (1 - level) / 2
    low, high = _least_mean(scaled, error), 1 - _least_mean(1 - scaled, error)
    value = float(values.mean()) if len(values) else math.nan
    return Estimate(value, least + (most - least) * low, least + (most - least) * high, "anytime", len(values), unit)


def _least_mean(values: Reals, error: float) -> float:
    """The smallest mean of values between 0 and 1 that those who bet on a greater one have not refuted."""
    is_within = _within(values, error)
    return _edge(is_within, float(values.mean()), 0.0) if values.any() else 0.0


def _within(values: Reals, error: float) -> Callable[[float], bool]:
    """What tells of a mean of values between 0 and 1 whether those who bet on a greater one have not refuted it."""
    different, times = np.unique(values, return_counts=True)

    def is_within(mean: float) -> bool:
        if mean <= 0:
            return False
        owned = np.log(np.maximum(1 + BETS[:, np.newaxis] * (different / mean - 1), MIN_STAKE)) @ times
        return float(np.logaddexp.reduce(owned)) < math.log(len(BETS) / error)

    return is_within


def _by_mixture(values: Reals, level: float, unit: str) -> Estimate:
    count, value = len(values), float(values.mean()) if len(values) else math.nan
    if count < FEW_FOR_PARTS:
        return Estimate(value, -math.inf, math.inf, "none", count, unit)
    grown = count * NARROWEST + 1
    half = math.sqrt(2 * grown / (count**2 * NARROWEST) * math.log(math.sqrt(grown) / (1 - level)))
    half *= float(values.std(ddof=1))
    return Estimate(value, value - half, value + half, "anytime", count, unit)


def anytime_quantile(blocks: Reals, part: float = 0.5, level: float = LEVEL, unit: str = "") -> Estimate:
    """The value below which a part of all values lie, from a row of values a block, in an interval that holds at all
    times together: of values outside, too many surely lie below, or too few at them and below.
    """
    if not len(blocks):
        return Estimate(math.nan, -math.inf, math.inf, "none", 0, unit)
    known, error = [-math.inf, *map(float, np.unique(blocks)), math.inf], (1 - level) / 2
    low = bisect.bisect_left(known, True, key=lambda at: _within((blocks > at).mean(axis=1), error)(1 - part))
    high = bisect.bisect_left(known, True, key=lambda at: not _within((blocks < at).mean(axis=1), error)(part))
    value = float(np.quantile(blocks, part, method="inverted_cdf"))
    return Estimate(value, known[low], known[min(high, len(known)) - 1], "anytime", len(blocks), unit)


def _edge(is_within: Callable[[float], bool], inside: float, outside: float) -> float:
    """Where an interval ends, by halving."""
    if is_within(outside):
        return outside
    for _ in range(50):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if is_within(middle) else (inside, middle)
    return inside


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values of planned questions, adjusted so that any of them is wrong in at most 5 of 100 studies."""
    order = np.argsort(p_values)
    adjusted = np.empty(len(p_values))
    highest = 0.0
    for rank, index in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted.tolist()


def false_discoveries(p_values: Sequence[float]) -> list[float]:
    """The p-values of a table, adjusted so that of those below 0.05 about 5 of 100 are wrong (Benjamini-Hochberg)."""
    from scipy.stats import false_discovery_control

    return list(map(float, false_discovery_control(p_values))) if len(p_values) else []


def p_of_mean(blocks: Sequence[float] | Reals, expected: float = 0.0) -> float:
    """The p-value of the hypothesis that a figure has this mean: by signs where it takes two values, else by t."""
    from scipy.stats import binomtest, ttest_1samp

    differences = np.asarray(blocks, float) - expected
    other = differences[differences != 0]
    if len(other) == 0:
        return 1.0
    if len(np.unique(np.abs(other))) == 1:
        return float(binomtest(int((other > 0).sum()), len(other)).pvalue)
    return float(ttest_1samp(differences, 0.0).pvalue)


def p_of_vector(blocks: Reals, expected: float) -> float:
    """The p-value of the hypothesis that some shares all have this mean, from a row a block (Hotelling's test).

    Where one of them never varies, or follows from others, each is tested by itself, and the least p-value is adjusted.
    """
    from scipy.stats import f

    count, width = blocks.shape
    if count <= width:
        return 1.0
    distance = blocks.mean(axis=0) - expected
    spread = np.atleast_2d(np.cov(blocks, rowvar=False))
    if np.linalg.matrix_rank(spread) < width:
        least = min(_p_of_trials(column, expected) for column in blocks.T)
        return float(min(1.0, width * least))
    squared = count * float(distance @ np.linalg.solve(spread, distance))
    return float(f.sf(squared * (count - width) / (width * (count - 1)), width, count - width))


def _p_of_trials(values: Reals, expected: float) -> float:
    """The p-value of the hypothesis that values between 0 and 1 have this mean, as if they were of as many trials."""
    from scipy.stats import binomtest

    return float(binomtest(round(float(values.sum())), len(values), expected).pvalue)


def interval(estimate: Estimate, digits: int = 0) -> str:
    """An estimate with its interval, in words."""
    if estimate.value == math.inf:
        return f"{estimate.low:.{digits}f} or more" if math.isfinite(estimate.low) else "unknown"
    if math.isfinite(estimate.low) and estimate.high == math.inf:
        return f"{estimate.value:.{digits}f} ({estimate.low:.{digits}f} or more)"
    if math.isfinite(estimate.high) and estimate.low == -math.inf:
        return f"{estimate.value:.{digits}f} ({estimate.high:.{digits}f} or less)"
    if not math.isfinite(estimate.low + estimate.high):
        return f"{estimate.value:.{digits}f}"
    return f"{estimate.value:.{digits}f} ({estimate.low:.{digits}f} to {estimate.high:.{digits}f})"


def percent(estimate: Estimate) -> str:
    """A share with its interval, in words."""
    if not math.isfinite(estimate.high - estimate.low):
        return "a part that can't be told from so few games"
    value, low, high = (f"{100 * min(max(one, 0.0), 1.0):.0f}" for one in (estimate.value, estimate.low, estimate.high))
    return f"{value} % " + ("(of too few games)" if estimate.method == "none" else f"({low} to {high})")
