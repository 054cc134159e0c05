#!/usr/bin/env python3
"""Evolution learns to play Icehouse against three beginners, by evaluating the entries of its menu.

    pip install 'icetable[gymnasium]'
    python icehouse.py --rounds 12 --jobs 2         # writes icehouse.npy
    python icehouse.py --games 200 --jobs 2         # plays with it, in all seats in turn

The value of an act is a weighted sum of its features in the observation; doing nothing has the value 0. The weights are
learned by the cross-entropy method: the best of many samples of weights determine the distribution of the next samples.
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

OPPONENT = "beginner@2"
TICK_SECONDS, TIMER_SECONDS = 0.5, 120.0
"""The interval between the learner's choices, and the approximate time of the bell in training."""
POPULATION, ELITE, GAMES = 40, 8, 3
"""Samples per round, the number of best ones that determine the next round, and games per sample."""
INITIAL_SPREAD, NOISE = 1.0, 0.3
"""The initial standard deviation of weights, and the noise added to it later, which decreases with each round."""
PLAYERS = 4
FILE = Path(os.environ.get("ICEHOUSE", Path(__file__).with_name("icehouse.npy")))

ENCODING = RealTime("icehouse", players=PLAYERS).describe()
(ENTITIES,) = (field for field in ENCODING.fields if field.name == "entities")
ACT, PIECE = ({one.name: index for index, one in enumerate(group)} for group in (ENCODING.act, ENTITIES.features))
WHOSE = ["own", *(f"player +{after}" for after in range(1, PLAYERS))]
SIZES = ["small", "medium", "large"]


def features(seen, timer):
    """The features of each entry of the menu except doing nothing: float[entries, features]."""
    menu, field = seen["menu"], seen["entities"]
    size = field[:, [PIECE[name] for name in SIZES]] @ [1, 2, 3]
    free = (field[:, PIECE["standing"]] - field[:, PIECE["iced"]]) @ field[:, [PIECE[who] for who in WHOSE]]
    left = seen["pads"].sum(axis=(1, 2))
    found = ((free < 1) & (left < 8) & (seen["icehouse"] < 1))[1:].any()  # by a call, among the others (IH-18)
    target = menu[:, ACT["piece"]].astype(int)
    middle = np.abs(menu[:, [ACT["x"], ACT["y"]]] - 0.5).max(axis=1)
    shared = np.array([1, left[0] / 15, free[0] / 5, free[0] < 2, seen["time"][0] * 60 / timer])
    hand = menu[:, [ACT["lift"], ACT["stand"], ACT["point"]]]
    sizes = menu[:, [ACT[name] for name in SIZES]]
    others = menu[:, [ACT[verb] for verb in ("return", "icehouse", "meltdown", "capture", "give")]]
    point, stand = hand[:, 2], hand[:, 1]
    return np.column_stack(
        [
            (hand[:, :, None] * shared).reshape(len(menu), -1),
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
    """The allowed entry with the highest value."""
    values = np.append(0.0, features(observation, timer) @ weights)
    return int(np.where(mask, values, -np.inf).argmax())


@functools.cache
def env_of(timer, **arguments):
    return TickEnv("icehouse", opponent=OPPONENT, players=PLAYERS, tick=TICK_SECONDS, timer=timer, **arguments)


def play(weights, seed, timer, **arguments):
    """Play a game from a seed; the rewards of all seats, the learner's first."""
    env = env_of(timer, **arguments)
    observation, info = env.reset(seed=seed)
    over = False
    while not over:
        observation, _, over, _, info = env.step(choose(weights, observation, info["action_mask"], timer))
    return np.roll(info["rewards"], -info["seat"])


def lead(weights, seeds):
    """The learner's average lead over the best opponent, in points."""
    points = np.array([play(weights, seed, TIMER_SECONDS, rewards="points") for seed in seeds])
    return float((points[:, 0] - points[:, 1:].max(axis=1)).mean())


def share(weights, timer, number):
    """The learner's share of a game: 1 for a sole win."""
    reward = play(weights, number, timer, seat=number % PLAYERS)[0]
    return (reward * (PLAYERS - 1) + 1) / PLAYERS


def train(rounds, map_, seed=1, file=FILE):
    """Learn for a number of rounds. `map_` is `map`, or that of workers."""
    rng = np.random.default_rng(seed)
    count = features(env_of(TIMER_SECONDS).reset(seed=0)[0], TIMER_SECONDS).shape[1]
    mean, spread = np.zeros(count), np.full(count, INITIAL_SPREAD)
    for number in range(1, rounds + 1):
        draws = mean + spread * rng.standard_normal((POPULATION, count))
        seeds = rng.integers(1 << 31, size=GAMES).tolist()
        leads = np.array(list(map_(lead, draws, [seeds] * POPULATION)))
        best = draws[leads.argsort()[-ELITE:]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + NOISE / number
        np.save(file, mean)
        print(f"round {number}: ahead by {leads.mean():6.2f} points, the best by {leads.max():6.2f}", flush=True)


def evaluate(games, timer, map_, file=FILE):
    """Play with the learned weights, in each seat equally often; print the share and its 95 % interval (Wilson's)."""
    weights = np.load(file)
    shares = list(map_(share, [weights] * games, [timer] * games, range(games)))
    mean, z = float(np.mean(shares)), 1.96
    middle, width = mean + z * z / (2 * games), z * math.sqrt(mean * (1 - mean) / games + z * z / (4 * games**2))
    low, high = ((middle + sign * width) / (1 + z * z / games) for sign in (-1, 1))
    print(f"{mean:.2f} ({low:.2f} to {high:.2f}) of {games} games against three {OPPONENT}, where an equal has 0.25")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=0, help="rounds of training")
    parser.add_argument("--games", type=int, default=0, help="games to play with the learned weights")
    parser.add_argument(
        "--timer", type=float, default=TIMER_SECONDS, help="seconds until the bell rings in these games"
    )
    parser.add_argument("--jobs", type=int, default=1, help="number of parallel games")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with ProcessPoolExecutor(options.jobs, get_context("spawn")) as workers:
        map_ = workers.map if options.jobs > 1 else map
        if options.rounds:
            train(options.rounds, map_, options.seed)
        if options.games:
            evaluate(options.games, options.timer, map_)
