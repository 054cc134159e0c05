#!/usr/bin/env python3
"""The coverage of the intervals of `match`, `study` and `compare`, from resampled runs.

A long run of each is played once, and its results are taken as the true values. Then many samples of 2 to 100 of its
blocks show how often their intervals cover the true values. An interval without information (no bounds, or the whole
range of the figure) counts as unknown. Figures derived from others by a formula are left out, such as Elo,
whose coverage is that of the share, and so are figures that are equal in all blocks of the long run.

A percentile of integers has few possible values, so its intervals almost never miss. It is tested again with ties
broken randomly, which shows whether its bounds are those of 95 %.
"""

from __future__ import annotations

import contextlib
import json
import math
import re
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np

from icetable import games as all_games
from icetable import lab
from icetable.kernels import jit
from icetable.lab import comparisons, intervals, luck, matches, measures, usage
from icetable.lab.intervals import Estimate
from icetable.lab.measures import Games, measured

SIZES = (2, 3, 5, 10, 20, 50, 100)
EXPECTED_COVERAGE = (0.93, 0.975)
SLOW = ("statistic", "part", "squared")
"""Estimates by resampling or leaving out blocks, which are tested with fewer samples."""
SKIPPED = ("precision", "distinct", "choice_by_tenth", "course")


class Figure(NamedTuple):
    """A figure of a long run: its values by block, its estimator, its true value, its range, and for a percentile the
    fraction of values below it.
    """

    name: str
    values: Any
    estimate: Callable[[Any], Estimate]
    true: float
    least: float
    most: float
    is_slow: bool
    part: float | None = None


class Recorder:
    """Records the computation of each estimate of a long run."""

    def __init__(self) -> None:
        self.made: dict[int, tuple[str, Any, Callable[[Any], Estimate], Estimate, float | None]] = {}

    def watching(self, name: str) -> Callable[..., Estimate]:
        """An estimator of `intervals` that records its calls."""
        real = getattr(intervals, name)

        def watched(values: Any, *args: Any, **options: Any) -> Estimate:
            array = np.asarray(values, float)
            found: Estimate = real(array, *args, **options)
            part = None
            if name == "quantile":  # the figure of the long run was computed by the caller
                part, args = args[0], args[:2]
            self.made[id(found)] = (name, array, lambda some: real(some, *args, **options), found, part)
            return found

        return watched

    @contextlib.contextmanager
    def at_work(self) -> Iterator[None]:
        """Record the lab's estimates."""
        with contextlib.ExitStack() as stack:
            for module in (measures, usage, matches, comparisons):
                for name in ("mean", "statistic", "part", "quantile", "squared"):
                    if hasattr(module, name):
                        stack.enter_context(patch.object(module, name, self.watching(name)))
            yield

    def figure(self, name: str, estimate: Estimate) -> Figure | None:
        """The figure of an estimate; None if it was not computed from blocks."""
        if id(estimate) not in self.made or not math.isfinite(estimate.value):
            return None
        kind, values, again, _, part = self.made[id(estimate)]
        lone = again(values[:1]) if kind == "mean" else Estimate(0, -math.inf, math.inf, "none", 0)
        return Figure(name, values, again, estimate.value, lone.low, lone.high, kind in SLOW, part)


def figures(blocks: int, jobs: int) -> Iterator[Figure]:
    """The figures of the long runs."""
    recorder = Recorder()
    with recorder.at_work():
        for name, estimate in estimates(blocks, jobs):
            if (found := recorder.figure(name, estimate)) is not None and np.ptp(found.values, axis=0).any():
                yield found
                if found.part is not None and np.isfinite(found.values).all():
                    yield without_ties(found, found.part)
    yield from figures_of_luck(blocks, jobs)


def without_ties(figure: Figure, part: float) -> Figure:
    """A percentile with ties broken: values are shifted randomly by at most half the distance to the next ones. The
    true value is shifted by its rank among equal values.
    """
    rng, values = np.random.default_rng(0), figure.values
    reach = np.diff(np.unique(values)).min() / 2
    below, up_to = (values < figure.true - reach).mean(), (values < figure.true + reach).mean()
    within = 2 * (part - below) / (up_to - below) - 1 if up_to > below else 0.0
    moved = lambda some: figure.estimate(some + reach * rng.uniform(-1, 1, some.shape))  # noqa: E731
    return figure._replace(name=f"{figure.name}, no ties", estimate=moved, true=figure.true + reach * within)


def figures_of_luck(games: int, jobs: int) -> Iterator[Figure]:
    """The parts of luck in random play of a game of dice, with a row per game: the part and the total."""
    game = all_games.load("highrise")
    parts = luck.play_and_split(game, jit.seeds(0, games), 1, 1.0, 8, jobs)
    seat, choices, chance, total = parts.T
    for name, some in (("seat", seat), ("choices", choices), ("chance", chance)):
        true = luck.part_of(some, total).value
        estimate = lambda rows: luck.part_of(*rows.T)  # noqa: E731
        yield Figure(f"luck: {name}", np.stack((some, total), 1), estimate, true, -math.inf, math.inf, False)


def estimates(blocks: int, jobs: int) -> Iterator[tuple[str, Estimate]]:
    """The estimates that the commands report, by name."""
    met = lab.match(lab.Plan("squad", seats=["greedy", "random"], blocks=blocks), jobs=jobs)
    yield "match: share", met.step.share
    yield "match: pairing", met.step.pairing
    yield from ((f"match: from {name}", part) for name, part in met.sources._asdict().items())
    for name, options in (("squad", {}), ("icefrogs", {"turn_limit": 60})):
        plan = lab.Plan(name, options=options, blocks=blocks)
        games = Games(plan, lab.run(plan, jobs=jobs).rows)
        by_measure = {
            **measured(games),
            **measures.worth_measures(measures.evaluate(games)),
            **usage.effect_measures(games),
        }
        for measure, some in by_measure.items():
            if measure not in SKIPPED:
                yield from ((f"study {name}: {measure} {of}".rstrip(), estimate) for of, estimate in some.items())
    a, b = (lab.Plan("squad", options={"formation": one}, blocks=blocks) for one in ("exact", "up-to"))
    yield from ((f"compare: {one.measure}", one.difference) for one in lab.compare(a, b, jobs=jobs))


def coverage(figure: Figure, size: int, pieces: int) -> tuple[float, float]:
    """The fraction of samples with an informative interval, and the coverage of these intervals."""
    rng = np.random.default_rng(size)
    informative = covered = 0
    slack = 1e-9 * max(1.0, abs(figure.true))
    for _ in range(pieces):
        with np.errstate(invalid="ignore"):  # percentiles of truncated games
            found = figure.estimate(figure.values[rng.integers(len(figure.values), size=size)])
        is_whole = found.low <= figure.least and found.high >= figure.most
        if not is_whole and math.isfinite(found.low + found.high):
            informative += 1
            covered += found.low - slack <= figure.true <= found.high + slack
    return informative / pieces, covered / max(informative, 1)


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--blocks", type=int, default=1000, help="blocks of the long runs (%(default)s)")
    parser.add_argument("--pieces", type=int, default=1000, help="samples of each size (%(default)s)")
    parser.add_argument("--slow", type=int, default=100, help="samples of each size for slow estimates (%(default)s)")
    parser.add_argument("--only", default="", help="only figures whose names match this regular expression")
    parser.add_argument("--jobs", type=int, default=1, help="processes for playing (%(default)s)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    chosen = parser.parse_args()
    if not chosen.json:
        print(f"{'coverage in %; - if few are informative':<46}" + "".join(f"{size:>7}" for size in SIZES))
    for figure in figures(chosen.blocks, chosen.jobs):
        if not re.search(chosen.only, figure.name):
            continue
        pieces = chosen.slow if figure.is_slow else chosen.pieces
        found = {size: coverage(figure, size, pieces) for size in SIZES}
        if chosen.json:
            described = {size: {"told": part, "held": held} for size, (part, held) in found.items()}
            print(json.dumps({"figure": figure.name, "pieces": pieces, "by_blocks": described}), flush=True)
        else:
            print(f"{figure.name[:45]:<46}" + "".join(f"{shown(*one):>7}" for one in found.values()), flush=True)


def shown(informative: float, covered: float) -> str:
    """A cell of the table; ! marks a low coverage, + a high one."""
    mark = "!" if covered < EXPECTED_COVERAGE[0] else "+" if covered > EXPECTED_COVERAGE[1] else " "
    return "-" if informative < 0.05 else f"{100 * covered:.1f}{mark}"


if __name__ == "__main__":
    main()
