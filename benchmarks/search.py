#!/usr/bin/env python3
"""Simulations per second of UCT with full random rollouts on one thread, from the start position, or if that is a
chance node with too many outcomes to list, from the first decision of a player.

The peer is OpenSpiel's MCTSBot on chinese_checkers for two.
"""

from __future__ import annotations

import numpy as np
import openspiel
from measure import Work, arguments, chosen_game, report, side_by_side

from icetable.bots.search import PURE, search
from icetable.core.turns import TurnGame

OURS, PEER = "icetable", "chinese_checkers"


def ours(game: TurnGame, simulations: int) -> Work:
    """Searches from the start position; counts simulations."""
    start, rng = game.start(), np.random.default_rng(1)
    while not start.codes():
        start = start.apply(game.random_act(start, rng))

    def think(searches: int, seed: int) -> float:
        return sum(
            candidate.visits
            for number in range(searches)
            for candidate in search(start, PURE, simulations=simulations, seed=seed * searches + number)
        )

    return think


def main() -> None:
    parser = arguments(__doc__, rounds=15, slice_seconds=0.3)
    parser.add_argument("--simulations", type=int, default=200, help="per search, ours and theirs (%(default)s)")
    chosen = parser.parse_args()
    game = chosen_game(parser, chosen)
    programs = {
        OURS: ours(game, chosen.simulations),
        PEER: openspiel.by_search(openspiel.CHINESE_CHECKERS, chosen.simulations),
    }
    speeds = side_by_side(programs, chosen.rounds, chosen.slice)
    report(
        game,
        simulations_per_s=round(speeds.median(OURS)),
        peer=PEER,
        peer_simulations_per_s=round(speeds.median(PEER)),
        ratio=round(speeds.ratio(OURS, PEER), 2),
        quartiles=speeds.spread(OURS, PEER),
        simulations=chosen.simulations,
        rounds=chosen.rounds,
    )


if __name__ == "__main__":
    main()
