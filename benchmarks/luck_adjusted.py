#!/usr/bin/env python3
"""How many games luck adjustment saves: two players meet, and reviews take the luck out of their results.

The first player's share and its share without luck have the same mean, so the quotient of their variances tells how
many times fewer games say as much. It is told over games, and over pairs: each chance is met once in every seat, which
takes out some luck already. The adjustment is unbiased however weak the analyst is, and a weak one leaves more luck in.
"""

from __future__ import annotations

import math
import os
import time
from argparse import ArgumentParser
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from measure import chosen_game, report

from icetable.analysis import review
from icetable.core.errors import GameError
from icetable.lab import Plan
from icetable.lab.blocks import final_state, play_block
from icetable.lab.intervals import mean, statistic

if TYPE_CHECKING:
    from icetable.lab.intervals import Estimate, Reals

LEAST_BLOCKS = 2
"""Fewer have no variance."""


def played(plan: Plan, simulations: int, until: float, block: int) -> list[tuple[float, float]]:
    """The first player's share of each game of a block, and its share without luck; of no game once the time is up."""
    found: list[tuple[float, float]] = []
    if time.monotonic() > until:
        return found
    for row in play_block(plan, block):
        seat = review(final_state(plan, row), simulations).seats[row.players.index(0)]
        found.append((seat.share, seat.luck_adjusted))
    return found


def times_fewer(values: Reals) -> float:
    """The quotient of the variances of two columns."""
    plain, adjusted = values.var(axis=0, ddof=1)
    return float(plain / adjusted) if adjusted else math.inf


def told(estimate: Estimate) -> dict[str, Any]:
    """An estimate in short; null is what too few games leave open."""
    value, *interval = (
        round(one, 4) if math.isfinite(one) else None for one in (estimate.value, estimate.low, estimate.high)
    )
    return {"value": value, "interval_95": interval}


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="wrecktangle", help="a game of turns (%(default)s)")
    parser.add_argument("--players", type=int, help="how many play it (the game's default)")
    parser.add_argument("--first", default="sims:100", help="a player of the lab (%(default)s)")
    parser.add_argument("--other", default="sims:25", help="the player in all other seats (%(default)s)")
    parser.add_argument("--games", type=int, default=400, help="rounded up to whole pairs (%(default)s)")
    parser.add_argument("--simulations", type=int, default=60, help="of the analyst, for a position (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="(%(default)s)")
    parser.add_argument("--seconds", type=float, default=math.inf, help="begin no pair later than that (%(default)s)")
    parser.add_argument("--threads", type=int, default=1, help="pairs at the same time (%(default)s)")
    chosen = parser.parse_args()
    game = chosen_game(parser, chosen)
    seats = [chosen.first, *[chosen.other] * (game.players - 1)]
    try:
        one = Plan(game.info.name, None, game.options, seats, 1, chosen.seed)
        plan = Plan(game.info.name, None, game.options, seats, -(-chosen.games // one.games), chosen.seed)
    except GameError as error:
        parser.error(str(error))
    if min(chosen.simulations, chosen.threads) < 1 or plan.blocks < LEAST_BLOCKS:
        parser.error("--simulations and --threads are whole numbers from 1 up, and --games makes two pairs or more")

    play = partial(played, plan, chosen.simulations, time.monotonic() + chosen.seconds)
    with ThreadPoolExecutor(chosen.threads) as pool:
        values = np.array([block for block in pool.map(play, range(plan.blocks)) if block])
    if len(values) < LEAST_BLOCKS:
        parser.error("--seconds was too short for two pairs")
    games, pairs = values.reshape(-1, 2), values.mean(axis=1)
    variance, adjusted = games.var(axis=0, ddof=1)
    report(
        game,
        seats=seats,
        analyst=f"{chosen.simulations} simulations",
        games=len(games),
        share=told(mean(pairs[:, 0])),
        share_without_luck=told(mean(pairs[:, 1])),
        variance=round(float(variance), 4),
        variance_without_luck=round(float(adjusted), 4),
        times_fewer_games=told(statistic(games, times_fewer)),
        times_fewer_pairs=told(statistic(pairs, times_fewer)),
        load=round(os.getloadavg()[0], 1),
    )


if __name__ == "__main__":
    main()
