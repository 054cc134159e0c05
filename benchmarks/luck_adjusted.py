#!/usr/bin/env python3
"""How many games are saved by taking luck out of a match: two players meet, and searches tell what luck brought.

The first player's share and its share without luck have the same mean, so the quotient of their variances tells how
many times fewer games say as much. It is told over games, and over pairs: each chance is met once in every seat, which
takes out some luck already. `unfitted` is by the worth as searches find it, `without_luck` by the worth that
`lab.luckless` fits to the match. Both are unbiased however weak the analyst is; a weak one leaves more luck in.
"""

from __future__ import annotations

import math
import os
import time
from argparse import ArgumentParser
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from measure import chosen_game, report

from icetable.core.errors import GameError
from icetable.lab import Plan
from icetable.lab.blocks import play_block
from icetable.lab.intervals import mean, statistic
from icetable.lab.ladders import share_of_first
from icetable.lab.luckless import Calibration, Draws, draws_of, fit, luck, without_luck

if TYPE_CHECKING:
    from icetable.lab.intervals import Estimate, Reals

MIN_BLOCKS = 2
"""Fewer have no variance."""


class Pair(NamedTuple):
    """The first player's share of each game of a block, and what chance could do there."""

    shares: list[float]
    draws: list[Draws]


def played(plan: Plan, simulations: int, until: float, block: int) -> Pair | None:
    """A block; none once the time is up."""
    if time.monotonic() > until:
        return None
    pair = Pair([], [])
    for row in play_block(plan, block):
        pair.shares.append(share_of_first(row))
        pair.draws.append(draws_of(plan, row, simulations))
    return pair


def times_fewer(values: Reals) -> float:
    """The quotient of the variances of two columns."""
    plain, adjusted = values.var(axis=0, ddof=1)
    return float(plain / adjusted) if adjusted else math.inf


def compared(shares: Reals, without: Reals) -> dict[str, Any]:
    """What is left of the shares' variance, and how many times fewer games and pairs say as much."""
    both = np.stack([shares, without], axis=2)
    return {
        "share": told(mean(without.mean(axis=1))),
        "variance": round(float(without.var(ddof=1)), 4),
        "times_fewer_games": told(statistic(both, lambda some: times_fewer(some.reshape(-1, 2)))),
        "times_fewer_pairs": told(statistic(both.mean(axis=1), times_fewer)),
    }


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
    parser.add_argument("--first", default="best:100", help="a player of the lab (%(default)s)")
    parser.add_argument("--other", default="best:25", help="the player in all other seats (%(default)s)")
    parser.add_argument("--games", type=int, default=400, help="rounded up to whole pairs (%(default)s)")
    parser.add_argument("--simulations", type=int, default=20, help="of the analyst, for a position (%(default)s)")
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
    if min(chosen.simulations, chosen.threads) < 1 or plan.blocks < MIN_BLOCKS:
        parser.error("--simulations and --threads are whole numbers from 1 up, and --games makes two pairs or more")

    play = partial(played, plan, chosen.simulations, time.monotonic() + chosen.seconds)
    with ThreadPoolExecutor(chosen.threads) as pool:
        pairs = [pair for pair in pool.map(play, range(plan.blocks)) if pair is not None]
    if len(pairs) < MIN_BLOCKS:
        parser.error("--seconds was too short for two pairs")
    shares, draws = np.array([pair.shares for pair in pairs]), [pair.draws for pair in pairs]
    unfitted = shares - [[luck(one, Calibration()) for one in pair] for pair in draws]
    report(
        game,
        seats=seats,
        analyst=f"{chosen.simulations} simulations",
        games=shares.size,
        share=told(mean(shares.mean(axis=1))),
        variance=round(float(shares.var(ddof=1)), 4),
        unfitted=compared(shares, unfitted),
        without_luck=compared(shares, without_luck(shares, draws)),
        belief={name: round(value, 2) for name, value in fit(shares, draws)._asdict().items()},
        load=round(os.getloadavg()[0], 1),
    )


if __name__ == "__main__":
    main()
