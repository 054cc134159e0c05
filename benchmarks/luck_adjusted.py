#!/usr/bin/env python3
"""The games saved by luck adjustment in a match of two players, with luck estimated by searches.

The first player's share and its luck-adjusted share have the same mean, so the ratio of their variances is the factor
by which fewer games give the same precision. It is computed over games, and over pairs, which already cancel some luck
because each chance outcome occurs once in every seat. `unfitted` uses the values of the searches, `without_luck` the
values that `lab.luck` fits to the match. Both are unbiased for any analyst; a weak one leaves more luck.
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
from icetable.lab.intervals import mean, statistic
from icetable.lab.luck import Calibration, Draws, draws_of, fit, luck, without_luck
from icetable.lab.plan import play_block, share_of_first

if TYPE_CHECKING:
    from icetable.lab.intervals import Estimate, Reals

MIN_BLOCKS = 2
"""Fewer have no variance."""


class Pair(NamedTuple):
    """The first player's share of each game of a block, and the chance nodes of the games."""

    shares: list[float]
    draws: list[Draws]


def played(plan: Plan, simulations: int, until: float, block: int) -> Pair | None:
    """Play a block; None if the time is up."""
    if time.monotonic() > until:
        return None
    pair = Pair([], [])
    for row in play_block(plan, block):
        pair.shares.append(share_of_first(row))
        pair.draws.append(draws_of(plan, row, simulations))
    return pair


def times_fewer(values: Reals) -> float:
    """The ratio of the variances of two columns."""
    plain, adjusted = values.var(axis=0, ddof=1)
    return float(plain / adjusted) if adjusted else math.inf


def compared(shares: Reals, without: Reals) -> dict[str, Any]:
    """The remaining variance of shares, and the factors by which fewer games and pairs are needed."""
    both = np.stack([shares, without], axis=2)
    return {
        "share": as_json(mean(without.mean(axis=1))),
        "variance": round(float(without.var(ddof=1)), 4),
        "times_fewer_games": as_json(statistic(both, lambda some: times_fewer(some.reshape(-1, 2)))),
        "times_fewer_pairs": as_json(statistic(both.mean(axis=1), times_fewer)),
    }


def as_json(estimate: Estimate) -> dict[str, Any]:
    """An estimate as JSON-compatible data, with null for bounds left open by too few games."""
    value, *interval = (
        round(bound, 4) if math.isfinite(bound) else None for bound in (estimate.value, estimate.low, estimate.high)
    )
    return {"value": value, "interval_95": interval}


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="wrecktangle", help="a turn-based game (%(default)s)")
    parser.add_argument("--players", type=int, help="number of players (the game's default)")
    parser.add_argument("--first", default="best:100", help="a player of the lab (%(default)s)")
    parser.add_argument("--other", default="best:25", help="the player in all other seats (%(default)s)")
    parser.add_argument("--games", type=int, default=400, help="rounded up to whole pairs (%(default)s)")
    parser.add_argument("--simulations", type=int, default=20, help="the analyst's, per position (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="(%(default)s)")
    parser.add_argument("--seconds", type=float, default=math.inf, help="begin no pair after this time (%(default)s)")
    parser.add_argument("--threads", type=int, default=1, help="number of parallel pairs (%(default)s)")
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
        share=as_json(mean(shares.mean(axis=1))),
        variance=round(float(shares.var(ddof=1)), 4),
        unfitted=compared(shares, unfitted),
        without_luck=compared(shares, without_luck(shares, draws)),
        belief={name: round(value, 2) for name, value in fit(shares, draws)._asdict().items()},
        load=round(os.getloadavg()[0], 1),
    )


if __name__ == "__main__":
    main()
