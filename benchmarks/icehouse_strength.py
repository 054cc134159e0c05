#!/usr/bin/env python3
"""How strong the players of Icehouse are: games in which every player sits in every seat equally often.

One player is of a level, the others are of another, or `greedy`: the player of that name that the game's tests know,
who defends at random and attacks what is nearest, with the hands of the level that it plays against. The margin is how
many points more the one scores than the others on average, with half the width of its interval at 95 %. `outscores` is
the share of the others whom the one outscores, in percent, equal scores counting half.
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
from icetable.bots.playing import Maker
from icetable.games.icehouse.game import Icehouse
from icetable.lab.realtime import matches

GREEDY = Path(__file__).parents[1] / "tests/games/icehouse/greedy.py"
SURE = 1.96
"""How many standard errors make an interval at 95 %."""
NAMES = [level.name for level in levels("icehouse")]


def maker(game: Icehouse, name: str, hands: str) -> Maker:
    """What makes players of a level, or greedy ones with the hands of a level."""
    if name == "greedy":
        greedy = run_path(str(GREEDY))["greedy"]
        return lambda seed: greedy(game, hands, seed)
    return lambda seed: RealTimeBot(game, name, seed)


class Tally:
    """What happened in some games to the one and the others."""

    def __init__(self) -> None:
        self.margins: list[float] = []
        self.points: list[float] = []
        self.wins = self.outscored = 0.0
        self.found = self.false_calls = self.crashes = 0
        self.seconds: list[float] = []

    def add(self, state: icetable.State, one: int) -> None:
        """Count a game in which the one sat at a seat."""
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
    """Play, and say how it went."""
    makers = [maker(game, level, level), *[maker(game, against, level)] * (game.players - 1)]
    tally = Tally()
    before = thread_time()
    for state, seats in matches(game, makers, games, seed):
        tally.seconds.append(thread_time() - before)
        tally.add(state, seats[0])
        before = thread_time()
    half_width = SURE * stdev(tally.margins) / games**0.5 if games > 1 else None
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
    parser.add_argument("--players", type=int, default=4, help="one and the others (%(default)s)")
    parser.add_argument("--level", choices=NAMES, default=NAMES[-1], help="(%(default)s)")
    parser.add_argument("--against", choices=[*NAMES, "greedy"], default="greedy", help="(%(default)s)")
    parser.add_argument("--ladder", action="store_true", help="instead each level against the one below")
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
