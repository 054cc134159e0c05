#!/usr/bin/env python3
"""How often the intervals of `match`, `study` and `compare` hold what is true, from runs cut into pieces.

A long run of each is played once. What it finds is taken as true, and pieces of 2 to 100 of its blocks, drawn again and
again, tell how often their intervals hold it. An interval that tells nothing (no bounds, or the whole range that a
figure can have) counts as "can't be told". Left out are figures that follow from others by a formula, such as Elo,
whose interval holds what is true where the share's does, and those of which all blocks of the long run are alike.

A percentile of whole numbers is one of few, and once it is known no interval can miss it. So it is tried once more with
ties broken by chance, which shows whether its bounds are those of 95 %.
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
from icetable.lab import comparing, intervals, ladders, luck, matches, measures, usage, worth
from icetable.lab.intervals import Estimate
from icetable.lab.measures import Games, measured

SIZES = (2, 3, 5, 10, 20, 50, 100)
WANTED = (0.93, 0.975)
SLOW = ("statistic", "part", "squared")
"""Estimates that draw or leave out blocks many times are tried in fewer pieces."""
SKIPPED = ("precision", "distinct", "choice_by_tenth", "course")


class Figure(NamedTuple):
    """A figure of a long run: its values by block, how it is estimated, what is true, and of a percentile which part of
    the values lies below it.
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
    """Keeps for each estimate of a long run how it was made."""

    def __init__(self) -> None:
        self.made: dict[int, tuple[str, Any, Callable[[Any], Estimate], Estimate, float | None]] = {}

    def watching(self, name: str) -> Callable[..., Estimate]:
        """An estimator of `intervals` that is watched."""
        real = getattr(intervals, name)

        def watched(values: Any, *args: Any, **options: Any) -> Estimate:
            array = np.asarray(values, float)
            found: Estimate = real(array, *args, **options)
            part = None
            if name == "quantile":  # the figure was worked out beforehand, and is none of a piece
                part, args = args[0], args[:2]
            self.made[id(found)] = (name, array, lambda some: real(some, *args, **options), found, part)
            return found

        return watched

    @contextlib.contextmanager
    def at_work(self) -> Iterator[None]:
        """Watch what the lab estimates."""
        with contextlib.ExitStack() as stack:
            for module in (measures, worth, usage, ladders, matches, comparing):
                for name in ("mean", "statistic", "part", "quantile", "squared"):
                    if hasattr(module, name):
                        stack.enter_context(patch.object(module, name, self.watching(name)))
            yield

    def figure(self, name: str, estimate: Estimate) -> Figure | None:
        """How a figure was made; None where it is none of blocks."""
        if id(estimate) not in self.made or not math.isfinite(estimate.value):
            return None
        kind, values, again, _, part = self.made[id(estimate)]
        lone = again(values[:1]) if kind == "mean" else Estimate(0, -math.inf, math.inf, "none", 0)
        return Figure(name, values, again, estimate.value, lone.low, lone.high, kind in SLOW, part)


def figures(blocks: int, jobs: int) -> Iterator[Figure]:
    """The figures of the long runs."""
    recorder = Recorder()
    with recorder.at_work():
        for told, estimate in estimates(blocks, jobs):
            if (found := recorder.figure(told, estimate)) is not None and np.ptp(found.values, axis=0).any():
                yield found
                if found.part is not None and np.isfinite(found.values).all():
                    yield without_ties(found, found.part)
    yield from figures_of_luck(blocks, jobs)


def without_ties(figure: Figure, part: float) -> Figure:
    """A percentile with ties broken: values are moved by chance, at most halfway to the next ones. The true one then
    lies as far within those that were like it as its part does within theirs.
    """
    rng, values = np.random.default_rng(0), figure.values
    reach = np.diff(np.unique(values)).min() / 2
    below, up_to = (values < figure.true - reach).mean(), (values < figure.true + reach).mean()
    within = 2 * (part - below) / (up_to - below) - 1 if up_to > below else 0.0
    moved = lambda some: figure.estimate(some + reach * rng.uniform(-1, 1, some.shape))  # noqa: E731
    return figure._replace(name=f"{figure.name}, no ties", estimate=moved, true=figure.true + reach * within)


def figures_of_luck(games: int, jobs: int) -> Iterator[Figure]:
    """The parts of luck in random play of a game of dice: a row of a part and of the whole for each game."""
    game = all_games.load("highrise")
    parts = luck.play_and_split(game, jit.seeds(0, games), 1, 1.0, 8, jobs)
    seat, choices, chance, total = parts.T
    for name, some in (("seat", seat), ("choices", choices), ("chance", chance)):
        true = luck.part_of(some, total).value
        estimate = lambda rows: luck.part_of(*rows.T)  # noqa: E731
        yield Figure(f"luck: {name}", np.stack((some, total), 1), estimate, true, -math.inf, math.inf, False)


def estimates(blocks: int, jobs: int) -> Iterator[tuple[str, Estimate]]:
    """What the commands tell, by name."""
    met = lab.match(lab.Plan("squad", seats=["greedy", "random"], blocks=blocks), jobs=jobs)
    yield "match: share", met.step.share
    yield "match: pairing", met.step.pairing
    yield from ((f"match: from {name}", part) for name, part in met.sources._asdict().items())
    for name, options in (("squad", {}), ("icefrogs", {"turn_limit": 60})):
        plan = lab.Plan(name, options=options, blocks=blocks)
        games = Games(plan, lab.run(plan, jobs=jobs).rows)
        told = {**measured(games), **worth.worth_measures(worth.evaluate(games)), **usage.effect_measures(games)}
        for measure, some in told.items():
            if measure not in SKIPPED:
                yield from ((f"study {name}: {measure} {of}".rstrip(), estimate) for of, estimate in some.items())
    a, b = (lab.Plan("squad", options={"formation": one}, blocks=blocks) for one in ("exact", "up-to"))
    yield from ((f"compare: {one.measure}", one.difference) for one in lab.compare(a, b, jobs=jobs))


def coverage(figure: Figure, size: int, pieces: int) -> tuple[float, float]:
    """The part of the pieces whose interval tells something, and of these the part that holds what is true."""
    rng = np.random.default_rng(size)
    told = held = 0
    slack = 1e-9 * max(1.0, abs(figure.true))
    for _ in range(pieces):
        with np.errstate(invalid="ignore"):  # percentiles of games that were cut short
            found = figure.estimate(figure.values[rng.integers(len(figure.values), size=size)])
        is_whole = found.low <= figure.least and found.high >= figure.most
        if not is_whole and math.isfinite(found.low + found.high):
            told += 1
            held += found.low - slack <= figure.true <= found.high + slack
    return told / pieces, held / max(told, 1)


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--blocks", type=int, default=1000, help="of the long runs (%(default)s)")
    parser.add_argument("--pieces", type=int, default=1000, help="of each size (%(default)s)")
    parser.add_argument("--slow", type=int, default=100, help="the same where an estimate takes long (%(default)s)")
    parser.add_argument("--only", default="", help="figures whose names match this regular expression")
    parser.add_argument("--jobs", type=int, default=1, help="processes that play (%(default)s)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    chosen = parser.parse_args()
    if not chosen.json:
        print(f"{'held, of 100 told ones; - where few are told':<46}" + "".join(f"{size:>7}" for size in SIZES))
    for figure in figures(chosen.blocks, chosen.jobs):
        if not re.search(chosen.only, figure.name):
            continue
        pieces = chosen.slow if figure.is_slow else chosen.pieces
        found = {size: coverage(figure, size, pieces) for size in SIZES}
        if chosen.json:
            described = {size: {"told": told, "held": held} for size, (told, held) in found.items()}
            print(json.dumps({"figure": figure.name, "pieces": pieces, "by_blocks": described}), flush=True)
        else:
            print(f"{figure.name[:45]:<46}" + "".join(f"{shown(*one):>7}" for one in found.values()), flush=True)


def shown(told: float, held: float) -> str:
    """A cell of the table; ! where fewer are held than ought to be, + where more are."""
    mark = "!" if held < WANTED[0] else "+" if held > WANTED[1] else " "
    return "-" if told < 0.05 else f"{100 * held:.1f}{mark}"


if __name__ == "__main__":
    main()
