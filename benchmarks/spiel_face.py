#!/usr/bin/env python3
"""OpenSpiel's interface on one thread: acts a second of random games, and clones of a state a second.

The peer is OpenSpiel's own example of a game in Python, `python_tic_tac_toe`.
"""

from __future__ import annotations

import openspiel
import pyspiel
from measure import Work, arguments, chosen_game, report, side_by_side
from open_spiel.python.games import tic_tac_toe  # noqa: F401 (registers the peer)

from icetable.envs.openspiel import PREFIX, written

PEER = "python_tic_tac_toe"
ACTS_BEFORE_CLONING = 4


def by_cloning(name: str) -> Work:
    """Clones of a state some acts into the game."""
    state = pyspiel.load_game(name).new_initial_state()
    for _ in range(ACTS_BEFORE_CLONING):
        state.apply_action(state.legal_actions()[0])

    def clone(clones: int, _seed: int) -> float:
        for _ in range(clones):
            state.clone()
        return clones

    return clone


def main() -> None:
    parser = arguments(__doc__, rounds=15, slice_seconds=0.1)
    chosen = parser.parse_args()
    game = chosen_game(parser, chosen)
    ours = str(pyspiel.load_game(f"{PREFIX}{game.info.name}", written(game)))
    for what, work in (("acts", openspiel.from_python), ("clones", by_cloning)):
        speeds = side_by_side({name: work(name) for name in (ours, PEER)}, chosen.rounds, chosen.slice)
        report(
            game,
            **{f"{what}_per_s": round(speeds.median(ours)), f"peer_{what}_per_s": round(speeds.median(PEER))},
            peer=PEER,
            ratio=round(speeds.ratio(ours, PEER), 2),
            quartiles=speeds.spread(ours, PEER),
            rounds=chosen.rounds,
        )


if __name__ == "__main__":
    main()
