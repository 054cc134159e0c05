"""Estimates with intervals, all of them at 95 % and over blocks, as only blocks are independent.

Needs SciPy: `pip install 'icetable[lab]'`.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from icetable.core.options import to_units

if TYPE_CHECKING:
    import numpy.typing as npt

    Reals = npt.NDArray[np.float64]

LEVEL = 0.95
RESAMPLES = 1000
MIN_BLOCKS = 50
"""Minimum number of blocks for an interval. With fewer, intervals of plain shares have the wrong coverage, and a sample
often misses values that occur in one of ten blocks.
"""
MIN_BLOCKS_FOR_PARTS = 100
"""The same for the sources of results, which half an unseen block would change much."""
FREEDOM_PER_BLOCK = 1.5
"""Degrees of freedom per block of a variance at a kurtosis of 2. With the true kurtosis it would be 2, but a sample
underestimates it."""
SKEWNESS_WEIGHT = 1 / 3
"""Weight of a sample's skewness, which has a large error if few values determine it."""
MIN_SKEWNESS = 1e-6
"""A smaller skewness counts as 0."""
BETS = 0.5 ** np.arange(10)
"""Fractions of their wealth that bettors against a mean stake."""
MIN_WEALTH = 1e-300
"""Replaces a wealth of 0, which has no logarithm."""
MIXTURE_RHO = 0.05
"""Parameter of unbounded anytime intervals, which makes them tightest after some 10 blocks."""
MIN_VARIANCE = 1e-12
"""Replaces a variance of 0, so that all its parts are 0."""


@dataclass(frozen=True)
class Estimate:
    """A figure with its 95 % confidence interval.

    With too few blocks the interval covers all possible values.
    """

    value: float
    """The figure."""
    low: float
    """The lower end of its interval; minus infinity if there is none."""
    high: float
    """The upper end of its interval; infinity if there is none."""
    method: str
    """How the interval was computed, such as "bootstrap" or "anytime"; "none" with too few blocks."""
    blocks: int
    """The number of blocks that the figure is from."""
    unit: str = ""
    """The unit of the figure; empty for shares and other plain numbers."""

    def described(self) -> dict[str, Any]:
        """The estimate as a JSON-able dict; infinities and NaN become None."""
        content = {"value": self.value, "low": self.low, "high": self.high}
        finite = {name: value if math.isfinite(value) else None for name, value in content.items()}
        return {**finite, "method": self.method, "blocks": self.blocks, "unit": self.unit}


def proportion(hits: int, of: int, unit: str = "") -> Estimate:
    """The probability of an event, from independent trials: Wilson's interval; the exact one for no or only hits."""
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
    min_blocks: int = MIN_BLOCKS,
) -> Estimate:
    """The mean of a figure between `least` and `most`, from one value per block. Fewer than `min_blocks` blocks give no
    interval.

    If the only values are `least` and `most`, or any two values of an unbounded figure, they are treated as trials
    (`proportion`). If all values are equal, the interval allows for the largest number of blocks at either limit that
    could go unseen; a side without a limit is unbounded then. Otherwise it is Student's, with the degrees of freedom
    reduced for kurtosis (Satterthwaite, 1946) and transformed for skewness (Hall, 1992).
    """
    values = np.asarray(blocks, float)
    count = len(values)
    bounded = math.isfinite(least) and math.isfinite(most) and least < most
    if count < min_blocks:
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
    """Student's interval, widened for kurtosis, with Hall's cubic transformation for skewness."""
    from scipy.stats import t

    count, middle = len(values), float(values.mean())
    scaled = (values - middle) / values.std()
    skewness, kurtosis = SKEWNESS_WEIGHT * float((scaled**3).mean()), float((scaled**4).mean())
    freedom = min(count - 1, FREEDOM_PER_BLOCK * count / max(kurtosis - 1, FREEDOM_PER_BLOCK))
    bound = float(t.ppf((1 + LEVEL) / 2, freedom)) / math.sqrt(count)

    def inverse(value: float) -> float:
        shifted = value - skewness / (6 * count)
        return 3 / skewness * (math.cbrt(1 + skewness * shifted) - 1) if abs(skewness) > MIN_SKEWNESS else shifted

    error = float(values.std(ddof=1))
    return middle - error * inverse(bound), middle - error * inverse(-bound)


def _of_equal_values(value: float, count: int, least: float, most: float, unit: str) -> Estimate:
    """The mean of equal blocks, allowing for the largest number of other ones that could go unseen."""
    unseen = proportion(0, count).high
    low, high = value - (value - least) * unseen, value + (most - value) * unseen
    return Estimate(value, low, high, "exact" if math.isfinite(high - low) else "equal", count, unit)


def quantile(blocks: Sequence[float] | Reals, part: float, unit: str = "", value: float | None = None) -> Estimate:
    """The quantile at `part`, between 0 and 1, from one value or one row of values per block. `value` overrides the
    quantile of the values themselves.

    The bounds are order statistics, interpolated linearly between ranks (Beran and Hall, 1993), by the exact
    probability that the quantile lies below the value of a rank. Between repeated values, such as whole numbers, the
    bound is the outer one. Ranks are counted in blocks, as if all values of a block were equal (Woodruff, 1952). With
    too few blocks for a bound, that side is unbounded.
    """
    from scipy.special import betainc

    rows = np.asarray(blocks, float)
    count, values = len(rows), np.sort(rows, axis=None)
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
    """Any figure `of(values)` of the values of blocks, a row each, with the percentile bootstrap over blocks.

    Fewer than MIN_BLOCKS blocks give no interval.
    """
    values = np.asarray(blocks, float)
    value = float(of(values))
    if len(values) < MIN_BLOCKS:
        return Estimate(value, -math.inf, math.inf, "none", len(values), unit)
    rng = np.random.default_rng(0)
    resampled = [float(of(values[rng.integers(len(values), size=len(values))])) for _ in range(RESAMPLES)]
    method: Literal["linear", "inverted_cdf"] = "linear" if np.isfinite(resampled).all() else "inverted_cdf"
    low, high = np.nanquantile(resampled, ((1 - LEVEL) / 2, (1 + LEVEL) / 2), method=method)
    return Estimate(value, float(low), float(high), "bootstrap", len(values), unit)


def part(blocks: Reals, of: Callable[[Reals], float], most: float = 1.0) -> Estimate:
    """A share `of(values)`, clipped to 0 and `most`, from a row of values between 0 and 1 per block.

    The interval is the jackknife's, widened to what half an additional block of any extreme kind would give, as rare
    decisive blocks may not have been seen. Fewer than MIN_BLOCKS_FOR_PARTS blocks give no interval, nor do equal ones.
    """
    low, high = _bounds(blocks, of)
    is_bounded = math.isfinite(high - low)
    low, high = (min(max(end, 0.0), most) for end in (low, high)) if is_bounded else (low, high)
    value = min(max(float(of(blocks)), 0.0), most)
    return Estimate(value, low, high, "jackknife" if is_bounded else "none", len(blocks))


def squared(blocks: Reals, root: Callable[[Reals], float]) -> Estimate:
    """A `part` that is the square of a figure of either sign. Squares the root's interval, since the square's own would
    be wrong near 0, where all its values lie on one side.
    """
    low, high = _bounds(blocks, root)
    is_bounded = math.isfinite(high - low)
    ends = sorted((low**2, high**2))
    low, high = (0.0 if low <= 0 <= high else ends[0], min(ends[1], 1.0)) if is_bounded else (low, high)
    return Estimate(float(root(blocks)) ** 2, low, high, "jackknife" if is_bounded else "none", len(blocks))


def _bounds(blocks: Reals, of: Callable[[Reals], float]) -> tuple[float, float]:
    """The outermost jackknife bounds, with and without half a block of each extreme kind."""
    if len(blocks) < MIN_BLOCKS_FOR_PARTS or not np.ptp(blocks, axis=0).any():
        return -math.inf, math.inf
    places = blocks.shape[1]
    extreme = np.vstack((np.zeros(places), np.ones(places), np.eye(places)))
    lows, highs = zip(*(_jackknife(blocks, of, some) for some in (extreme[:0], *extreme[:, np.newaxis])), strict=True)
    return min(lows), max(highs)


def _jackknife(blocks: Reals, of: Callable[[Reals], float], unseen: Reals) -> tuple[float, float]:
    """Student's interval from the values without each one block. Seen blocks are doubled, so that a row of `unseen`
    counts as half a block.
    """
    from scipy.stats import t

    doubled = np.vstack((np.repeat(blocks, 2, axis=0), unseen))
    _, firsts, counts = np.unique(blocks, axis=0, return_index=True, return_counts=True)
    without = np.repeat([of(np.delete(doubled, (2 * first, 2 * first + 1), axis=0)) for first in firsts], counts)
    figures = np.append(without, [of(blocks)] * len(unseen))
    error = math.sqrt((len(figures) - 1) / len(figures) * float(((figures - figures.mean()) ** 2).sum()))
    width = float(t.ppf((1 + LEVEL) / 2, len(figures) - 1)) * error
    return of(doubled) - width, of(doubled) + width


def anytime(
    blocks: Sequence[float] | Reals, level: float = LEVEL, least: float = 0.0, most: float = 1.0, unit: str = ""
) -> Estimate:
    """The mean of a figure between `least` and `most`, with an anytime-valid interval.

    However often it is checked, and whenever the run stops, at most 5 of 100 runs ever have an interval that misses the
    true mean. A mean is rejected once bettors against it at fair odds, each staking another fraction of their wealth,
    own too much together (Waudby-Smith and Ramdas, 2024). This is valid for all values within the limits, and tighter
    the less they vary. Unbounded figures use the normal mixture (Waudby-Smith and others, 2024), with an interval from
    MIN_BLOCKS_FOR_PARTS blocks on.
    """
    values = np.asarray(blocks, float)
    if not math.isfinite(most - least):
        return _by_mixture(values, level, unit)
    scaled, error = np.clip((values - least) / (most - least), 0.0, 1.0), (1 - level) / 2
    low, high = _lower_bound(scaled, error), 1 - _lower_bound(1 - scaled, error)
    value = float(scaled.mean()) if len(values) else math.nan
    value, low, high = (least + (most - least) * one for one in (value, min(low, value), max(high, value)))
    return Estimate(value, low, high, "anytime", len(values), unit)


def _lower_bound(values: Reals, error: float) -> float:
    """The smallest mean of values between 0 and 1 that bettors on a greater one have not refuted."""
    is_within = _within(values, error)
    return _edge(is_within, float(values.mean()), 0.0) if values.any() else 0.0


def _within(values: Reals, error: float) -> Callable[[float], bool]:
    """A function that says whether a mean of values between 0 and 1 stands against bettors on a greater one."""
    distinct, counts = np.unique(values, return_counts=True)

    def is_within(mean: float) -> bool:
        if mean <= 0:
            return False
        log_wealth = np.log(np.maximum(1 + BETS[:, np.newaxis] * (distinct / mean - 1), MIN_WEALTH)) @ counts
        return float(np.logaddexp.reduce(log_wealth)) < math.log(len(BETS) / error)

    return is_within


def _by_mixture(values: Reals, level: float, unit: str) -> Estimate:
    count, value = len(values), float(values.mean()) if len(values) else math.nan
    if count < MIN_BLOCKS_FOR_PARTS:
        return Estimate(value, -math.inf, math.inf, "none", count, unit)
    scale = count * MIXTURE_RHO + 1
    half = math.sqrt(2 * scale / (count**2 * MIXTURE_RHO) * math.log(math.sqrt(scale) / (1 - level)))
    half *= float(values.std(ddof=1))
    return Estimate(value, value - half, value + half, "anytime", count, unit)


def anytime_quantile(blocks: Reals, part: float = 0.5, level: float = LEVEL, unit: str = "") -> Estimate:
    """A quantile with an anytime-valid interval, from a row of values per block.

    Of the values outside the interval, too many surely lie below, or too few at them and below.
    """
    if not len(blocks):
        return Estimate(math.nan, -math.inf, math.inf, "none", 0, unit)
    values, error = [-math.inf, *map(float, np.unique(blocks)), math.inf], (1 - level) / 2
    low = bisect.bisect_left(values, True, key=lambda at: _within((blocks > at).mean(axis=1), error)(1 - part))
    high = bisect.bisect_left(values, True, key=lambda at: not _within((blocks < at).mean(axis=1), error)(part))
    value = float(np.quantile(blocks, part, method="inverted_cdf"))
    return Estimate(value, values[low], values[min(high, len(values)) - 1], "anytime", len(blocks), unit)


def _edge(is_within: Callable[[float], bool], inside: float, outside: float) -> float:
    """The end of an interval, by bisection."""
    if is_within(outside):
        return outside
    for _ in range(50):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if is_within(middle) else (inside, middle)
    return inside


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values adjusted so that at most 5 of 100 studies have any false positive (Holm)."""
    order = np.argsort(p_values)
    adjusted = np.empty(len(p_values))
    highest = 0.0
    for rank, index in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted.tolist()


def false_discoveries(p_values: Sequence[float]) -> list[float]:
    """P-values adjusted so that about 5 of 100 of those below 0.05 are false positives (Benjamini-Hochberg)."""
    from scipy.stats import false_discovery_control

    return list(map(float, false_discovery_control(p_values))) if len(p_values) else []


def p_of_mean(blocks: Sequence[float] | Reals, expected: float = 0.0) -> float:
    """The p-value of the hypothesis that a figure has this mean: a sign test for two values, otherwise a t-test."""
    from scipy.stats import binomtest, ttest_1samp

    differences = np.asarray(blocks, float) - expected
    nonzero = differences[differences != 0]
    if len(nonzero) == 0:
        return 1.0
    if len(np.unique(np.abs(nonzero))) == 1:
        return float(binomtest(int((nonzero > 0).sum()), len(nonzero)).pvalue)
    return float(ttest_1samp(differences, 0.0).pvalue)


def p_of_vector(blocks: Reals, expected: float) -> float:
    """The p-value of the hypothesis that some shares all have this mean, from a row per block (Hotelling's test).

    If one of them never varies, or depends on others, each is tested alone and the smallest p-value is adjusted.
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
    """The p-value of the hypothesis that values between 0 and 1 have this mean, treating each as a trial."""
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


def whole_percent(share: float) -> str:
    """A share from 0 up in whole percent. Halves of its shortest decimal form round up, everywhere.

    >>> whole_percent(0.165), whole_percent(0.145)
    ('17', '15')
    """
    return str(to_units(share, 100))


def percent(estimate: Estimate) -> str:
    """A share with its interval, in words."""
    if not math.isfinite(estimate.value + estimate.high - estimate.low):
        return "an unknown share (too few games)"
    value, low, high = (whole_percent(min(max(end, 0.0), 1.0)) for end in (estimate.value, estimate.low, estimate.high))
    return f"{value}% " + ("(too few games)" if estimate.method == "none" else f"({low} to {high})")
