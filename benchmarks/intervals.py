#!/usr/bin/env python3
"""The coverage of the laboratory's 95 % intervals, and how often its anytime intervals fail at any time.

Values are sampled from known distributions, one per block, in thousands of runs. `--anytime` checks each run after
every block.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from scipy.stats import gamma

from icetable.lab import intervals
from icetable.lab.intervals import Estimate

BLOCKS = (50, 200, 1000)
SHARES = (0, 0.5, 1)

Draw = Callable[[np.random.Generator, int], Any]
Kind = tuple[str, Draw, float, Callable[[Any], Estimate]]


def kinds(resampled: bool) -> Iterator[Kind]:
    """The cases: a name, the sampler of values, the true figure, and the estimator."""
    if resampled:
        yield "median, by statistic", lengths, gamma.ppf(0.5, 2, scale=20), partial(intervals.statistic, of=np.median)
        return
    share = partial(intervals.mean, least=0, most=1)
    for name, chances in (("equal", (0.3, 0.4, 0.3)), ("stronger", (0.1, 0.3, 0.6)), ("pairs", (0.25, 0.5, 0.25))):
        yield f"shares, {name}", partial(choose, SHARES, chances), float(np.dot(SHARES, chances)), share
    yield "lengths", lengths, 40.0, partial(intervals.mean, least=0)
    yield "lengths, very skewed", very_skewed, 20.0, partial(intervals.mean, least=0)
    difference = partial(intervals.mean, least=-1, most=1)
    for up, down in ((0.1, 0.1), (0.15, 0.05), (0.1, 0.0)):
        values, chances = (1, 0.5, -1, -0.5, 0), (up / 2, up / 2, down / 2, down / 2, 1 - up - down)
        yield f"differences, {up + down:.0%}", partial(choose, values, chances), 0.75 * (up - down), difference
    for part in (0.05, 0.25, 0.5, 0.95):
        yield f"quantile {part}", lengths, gamma.ppf(part, 2, scale=20), partial(intervals.quantile, part=part)


def choose(values: tuple[float, ...], chances: tuple[float, ...], rng: np.random.Generator, blocks: int) -> Any:
    return rng.choice(values, blocks, p=chances)


def lengths(rng: np.random.Generator, blocks: int) -> Any:
    """Values as skewed as lengths of games."""
    return rng.gamma(2, 20, blocks)


def very_skewed(rng: np.random.Generator, blocks: int) -> Any:
    return rng.exponential(20, blocks)


def coverage(kind: Kind, blocks: int, runs: int) -> float:
    """The fraction of runs in which the interval covers the true figure."""
    _, draw, true, estimate = kind
    rng = np.random.default_rng(blocks)
    covered = 0
    for _ in range(runs):
        found = estimate(draw(rng, blocks))
        covered += found.low <= true <= found.high
    return covered / runs


def proportions(blocks: int, runs: int) -> float:
    """The same for proportions, with another true value in each run."""
    rng = np.random.default_rng(blocks)
    covered = 0
    for true in rng.uniform(0.05, 0.95, runs):
        found = intervals.proportion(int(rng.binomial(blocks, true)), blocks)
        covered += found.low <= true <= found.high
    return covered / runs


def error_rate(values: tuple[float, ...], chances: tuple[float, ...], blocks: int, runs: int) -> float:
    """The fraction of runs in which the anytime interval misses the true mean after any of the blocks."""
    rng, true, missed = np.random.default_rng(1), float(np.dot(values, chances)), 0
    for _ in range(runs):
        drawn = rng.choice(values, blocks, p=chances)
        wealth = np.maximum(wealth_of(drawn, true), wealth_of(1 - drawn, 1 - true))
        outside = wealth >= 2 / (1 - intervals.LEVEL)
        check(drawn[: int(wealth.argmax()) + 1], true, bool(outside.any()))
        missed += bool(outside.any())
    return missed / runs


def wealth_of(drawn: Any, true: float) -> Any:
    """The mean wealth of bettors on more than the true mean, after each of the blocks."""
    logs = np.log(np.maximum(1 + intervals.BETS[:, np.newaxis] * (drawn / true - 1), 1e-300)).cumsum(axis=1)
    return np.exp(logs).mean(axis=0)


def check(drawn: Any, true: float, outside: bool) -> None:
    """Assert that the interval agrees at the block of the maximum wealth."""
    found = intervals.anytime(drawn)
    assert (not found.low <= true <= found.high) == outside


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=4000, help="runs of each kind (%(default)s)")
    parser.add_argument("--anytime", action="store_true", help="test the anytime intervals")
    parser.add_argument("--resampled", action="store_true", help="test the median by resampling, which is slow")
    parser.add_argument("--looks", type=int, default=10_000, help="blocks per run of --anytime (%(default)s)")
    chosen = parser.parse_args()
    if chosen.anytime:
        runs = chosen.runs
        coins = [((0.0, 1.0), (1 - true, true)) for true in (0.5, 0.6, 0.9, 0.01)]
        for values, chances in (*coins, (SHARES, (0.3, 0.4, 0.3)), (SHARES, (0.05, 0.2, 0.75))):
            found = error_rate(values, chances, chosen.looks, runs)
            print(json.dumps({"values": values, "chances": chances, "runs": runs, "errs": round(found, 4)}), flush=True)
        return
    if not chosen.resampled:
        found = {blocks: round(proportions(blocks, chosen.runs), 4) for blocks in BLOCKS}
        print(json.dumps({"kind": "proportion", "runs": chosen.runs, "covered": found}), flush=True)
    for kind in kinds(chosen.resampled):
        found = {blocks: round(coverage(kind, blocks, chosen.runs), 4) for blocks in BLOCKS}
        print(json.dumps({"kind": kind[0], "runs": chosen.runs, "covered": found}), flush=True)


if __name__ == "__main__":
    main()
