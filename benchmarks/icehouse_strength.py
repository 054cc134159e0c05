#!/usr/bin/env python3
"""The strength of Icehouse's bots, from games in which every player has every seat equally often.

One player has one level, the others another; or the others are `greedy`, a player from the game's tests, which defends
at random and attacks the nearest piece, with the hand speed of the level that it plays against. The margin is the one
player's mean lead in points over the average of the others, with the half-width of its 95 % interval. `outscores` is
the percentage of others with a lower score, with equal scores counted half.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from itertools import pairwise
from pathlib import Path
from runpy import run_path
from statistics import mean, median, stdev
from time import thread_time

import icetable
from icetable.bots import RealTimeBot, levels
from icetable.bots.realtime import Maker
from icetable.games.icehouse.game import Icehouse
from icetable.lab.matches import matches

GREEDY = Path(__file__).parents[1] / "tests/games/icehouse/greedy.py"
Z_95 = 1.96
NAMES = [level.name for level in levels("icehouse")]


def maker(game: Icehouse, name: str, hands: str) -> Maker:
    """A function that creates players of a level, or greedy players with the hands of a level."""
    if name == "greedy":
        greedy = run_path(str(GREEDY))["greedy"]
        return lambda seed: greedy(game, hands, seed)
    return lambda seed: RealTimeBot(game, name, seed)


class Tally:
    """The results of some games for one player against the others."""

    def __init__(self) -> None:
        self.margins: list[float] = []
        self.points: list[float] = []
        self.wins = self.outscored = 0.0
        self.found = self.false_calls = self.crashes = 0
        self.seconds: list[float] = []

    def add(self, state: icetable.State, one: int) -> None:
        """Add a game in which the player had the seat `one`."""
        others = [score for seat, score in enumerate(state.scores) if seat != one]
        self.points.append(state.scores[one])
        self.margins.append(state.scores[one] - mean(others))
        self.outscored += mean((state.scores[one] > other) + (state.scores[one] == other) / 2 for other in others)
        self.wins += (one in state.winners) / max(len(state.winners), 1)
        for past in state.history():
            if past.seat == one and past.act is not None and past.act.startswith(("icehouse", "place")):
                kinds = [effect.kind for effect in past.effects]
                self.found += kinds.count("finds")
                self.false_calls += kinds.count("false_call")
                self.crashes += kinds.count("crashes")


def compete(game: Icehouse, level: str, against: str, games: int, seed: int) -> dict[str, object]:
    """Play, and summarize the results."""
    makers = [maker(game, level, level), *[maker(game, against, level)] * (game.players - 1)]
    tally = Tally()
    before = thread_time()
    for state, seats in matches(game, makers, games, seed):
        tally.seconds.append(thread_time() - before)
        tally.add(state, seats[0])
        before = thread_time()
    half_width = Z_95 * stdev(tally.margins) / games**0.5 if games > 1 else None
    return {
        "level": level,
        "against": against,
        "games": games,
        "margin": round(mean(tally.margins), 1),
        "give_or_take": None if half_width is None else round(half_width, 1),
        "points": round(mean(tally.points), 1),
        "wins": round(tally.wins, 1),
        "outscores": round(100 * tally.outscored / games),
        "found": tally.found,
        "false_calls": tally.false_calls,
        "crashes": tally.crashes,
        "seconds_a_game": round(median(tally.seconds), 2),
    }


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=4, help="number of players (%(default)s)")
    parser.add_argument("--level", choices=NAMES, default=NAMES[-1], help="(%(default)s)")
    parser.add_argument("--against", choices=[*NAMES, "greedy"], default="greedy", help="(%(default)s)")
    parser.add_argument("--ladder", action="store_true", help="play each level against the next lower one instead")
    parser.add_argument("--games", type=int, default=100, help="(%(default)s)")
    parser.add_argument("--timer", type=float, default=600, help="seconds until the bell rings (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="(%(default)s)")
    chosen = parser.parse_args()
    if chosen.games < 1 or chosen.seed < 0:
        parser.error("--games is a whole number from 1 up, --seed one from 0 up")
    game = icetable.load("icehouse", players=chosen.players, timer=chosen.timer)
    assert isinstance(game, Icehouse)
    rungs = (
        [(better, worse) for worse, better in pairwise(NAMES)] if chosen.ladder else [(chosen.level, chosen.against)]
    )
    for level, against in rungs:
        print(
            json.dumps(
                {
                    "players": game.players,
                    "timer": chosen.timer,
                    **compete(game, level, against, chosen.games, chosen.seed),
                }
            ),
            flush=True,
        )


if __name__ == "__main__":
    main()
