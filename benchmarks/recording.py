#!/usr/bin/env python3
"""Runs of the lab: the cost of storing the rows of a batch, as a fraction of the time for playing its games."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

from measure import arguments, chosen_game, report

from icetable.bots.compilation import ensure
from icetable.lab import Plan
from icetable.lab.plan import play_block
from icetable.lab.storage import write

PLAYERS = ("random", "greedy", "sims:30")


def measure(plan: Plan, rounds: int) -> list[float]:
    """The ratio of the time for writing a batch to that for playing it, in several rounds with different games."""
    ensure(plan.game.info)
    parts = []
    with tempfile.TemporaryDirectory() as folder:
        for batch in range(rounds + 1):
            start = time.process_time()
            rows = [row for block in plan.blocks_of(batch) for row in play_block(plan, block)]
            played = time.process_time()
            write(Path(folder) / f"{batch}.parquet", rows)
            parts.append((time.process_time() - played) / (played - start))
    return parts[1:]  # the first one compiles


def main() -> None:
    parser = arguments(__doc__, rounds=15, slice_seconds=0)
    chosen = parser.parse_args()
    game = chosen_game(parser, chosen)
    for name in PLAYERS:
        plan = Plan(game.info.name, None, game.options, [name], blocks=10**6)
        parts = measure(plan, chosen.rounds)
        low, _, high = quantiles(parts, n=4)
        report(
            game,
            players_named=name,
            part=round(median(parts), 3),
            quartiles=[round(low, 3), round(high, 3)],
            blocks=plan.batch,
            rounds=chosen.rounds,
            load=round(os.getloadavg()[0], 1),
        )


if __name__ == "__main__":
    main()
