#!/usr/bin/env python3
"""Evolution learns to play Icehouse against three beginners: which entry of its menu is worth most.

    pip install 'icetable[gymnasium]'
    python icehouse.py --rounds 12 --jobs 2         # writes icehouse.npy
    python icehouse.py --games 200 --jobs 2         # plays with it, in all seats in turn

The worth of an act is a weighted sum of what the observation says of it; doing nothing is worth nothing. The weights
are learned by the cross-entropy method: of many draws of weights those that do best say where the next ones are drawn.
"""

from __future__ import annotations

import argparse
import functools
import math
import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from icetable.envs import RealTime
from icetable.envs.gymnasium import TickEnv

OPPONENT = "beginner@1"
TICK, TIMER = 0.5, 120.0
"""In seconds: how often the learner chooses, and when the bell rings in training, more or less."""
POPULATION, ELITE, GAMES = 40, 8, 3
"""Draws in each round, those that the next round is drawn from, and the games of each."""
SPREAD, NOISE = 1.0, 0.3
"""How far weights are drawn at first, and what is added to that later, less in each round."""
PLAYERS = 4
FILE = Path(os.environ.get("ICEHOUSE", Path(__file__).with_name("icehouse.npy")))

ENCODING = RealTime("icehouse", players=PLAYERS).describe()
(ENTITIES,) = (field for field in ENCODING.fields if field.name == "entities")
ACT, PIECE = ({one.name: at for at, one in enumerate(several)} for several in (ENCODING.act, ENTITIES.features))
WHOSE = ["own", *(f"player +{after}" for after in range(1, PLAYERS))]
SIZES = ["small", "medium", "large"]


def features(seen, timer):
    """What may count for each entry of the menu but doing nothing: float[entries, features]."""
    menu, field = seen["menu"], seen["entities"]
    size = field[:, [PIECE[name] for name in SIZES]] @ [1, 2, 3]
    free = (field[:, PIECE["standing"]] - field[:, PIECE["iced"]]) @ field[:, [PIECE[who] for who in WHOSE]]
    left = seen["pads"].sum(axis=(1, 2))
    found = ((free < 1) & (left < 8) & (seen["icehouse"] < 1))[1:].any()  # by a call, among the others (IH-18)
    target = menu[:, ACT["piece"]].astype(int)
    middle = np.abs(menu[:, [ACT["x"], ACT["y"]]] - 0.5).max(axis=1)
    about_all = np.array([1, left[0] / 15, free[0] / 5, free[0] < 2, seen["time"][0] * 60 / timer])
    hand = menu[:, [ACT["lift"], ACT["stand"], ACT["point"]]]
    sizes = menu[:, [ACT[name] for name in SIZES]]
    others = menu[:, [ACT[verb] for verb in ("return", "icehouse", "meltdown", "capture", "give")]]
    point, stand = hand[:, 2], hand[:, 1]
    return np.column_stack(
        [
            (hand[:, :, None] * about_all).reshape(len(menu), -1),
            (hand[:, :, None] * sizes[:, None]).reshape(len(menu), -1),
            others,
            menu[:, ACT["icehouse"]] * found,
            menu[:, ACT["ices"]],
            point * size[target],
            point * field[target, PIECE["iced"]],
            stand * middle,
        ]
    )


def choose(weights, observation, mask, timer):
    """The entry that is worth most."""
    worth = np.append(0.0, features(observation, timer) @ weights)
    return int(np.where(mask, worth, -np.inf).argmax())


@functools.cache
def env_of(timer, **arguments):
    return TickEnv("icehouse", opponent=OPPONENT, players=PLAYERS, tick=TICK, timer=timer, **arguments)


def play(weights, seed, timer, **arguments):
    """The rewards of all seats in a game from a seed, those of the learner first."""
    env = env_of(timer, **arguments)
    observation, info = env.reset(seed=seed)
    over = False
    while not over:
        observation, _, over, _, info = env.step(choose(weights, observation, info["action_mask"], timer))
    return np.roll(info["rewards"], -info["seat"])


def lead(weights, seeds):
    """By how many points the learner is ahead of the best of the others, on average."""
    points = np.array([play(weights, seed, TIMER, rewards="points") for seed in seeds])
    return float((points[:, 0] - points[:, 1:].max(axis=1)).mean())


def part(weights, timer, number):
    """The learner's part of a game: 1 for a win alone."""
    share = play(weights, number, timer, seat=number % PLAYERS)[0]
    return (share * (PLAYERS - 1) + 1) / PLAYERS


def train(rounds, each, seed=1, file=FILE):
    """Learn for so many rounds. `each` is `map`, or that of workers."""
    rng = np.random.default_rng(seed)
    count = features(env_of(TIMER).reset(seed=0)[0], TIMER).shape[1]
    mean, spread = np.zeros(count), np.full(count, SPREAD)
    for number in range(1, rounds + 1):
        draws = mean + spread * rng.standard_normal((POPULATION, count))
        seeds = rng.integers(1 << 31, size=GAMES).tolist()
        leads = np.array(list(each(lead, draws, [seeds] * POPULATION)))
        best = draws[leads.argsort()[-ELITE:]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + NOISE / number
        np.save(file, mean)
        told = f"ahead by {leads.mean():6.2f} points, the best by {leads.max():6.2f}"
        print(f"round {number}: {told}", flush=True)


def judge(games, timer, each, file=FILE):
    """Play with what was learned, in each seat equally often: the share of wins and its interval at 95 % (Wilson's)."""
    weights = np.load(file)
    parts = list(each(part, [weights] * games, [timer] * games, range(games)))
    share, z = float(np.mean(parts)), 1.96
    middle, wide = share + z * z / (2 * games), z * math.sqrt(share * (1 - share) / games + z * z / (4 * games**2))
    low, high = ((middle + sign * wide) / (1 + z * z / games) for sign in (-1, 1))
    print(f"{share:.2f} ({low:.2f} to {high:.2f}) of {games} games against three {OPPONENT}, where an equal has 0.25")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=0, help="how long to learn")
    parser.add_argument("--games", type=int, default=0, help="how many games to play with what was learned")
    parser.add_argument("--timer", type=float, default=TIMER, help="the seconds until the bell rings in these")
    parser.add_argument("--jobs", type=int, default=1, help="games at a time")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with ProcessPoolExecutor(options.jobs, get_context("spawn")) as workers:
        each = workers.map if options.jobs > 1 else map
        if options.rounds:
            train(options.rounds, each, options.seed)
        if options.games:
            judge(options.games, options.timer, each)
