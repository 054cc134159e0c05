#!/usr/bin/env python3
"""Acts per second of random games through the adapter's immutable states: legal_actions, a choice, apply."""

from __future__ import annotations

import random

from measure import Work, arguments, chosen_game, report, side_by_side

from icetable.core.turns import TurnGame

OURS = "icetable"


def ours(game: TurnGame) -> Work:
    """Random games in the manner of a script or a notebook."""

    def play(games: int, seed: int) -> float:
        acts = 0
        choice = random.Random(seed).choice
        for _ in range(games):
            state = game.start()
            while not state.is_terminal:
                state = state.apply(choice(state.legal_actions()))
                acts += 1
        return acts

    return play


def main() -> None:
    parser = arguments(__doc__, rounds=21, slice_seconds=0.05)
    chosen = parser.parse_args()
    game = chosen_game(parser, chosen)
    speeds = side_by_side({OURS: ours(game)}, chosen.rounds, chosen.slice)
    report(game, acts_per_s=round(speeds.median(OURS)), rounds=chosen.rounds)


if __name__ == "__main__":
    main()
