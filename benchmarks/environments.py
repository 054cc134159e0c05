#!/usr/bin/env python3
"""The speed of environments: `Batch` against EnvPool's board games, and our other interfaces.

`batch`: `Batch.step` with planes and masks on one thread, against EnvPool. `threads`: two threads of `Batch` against
one. `turns`: the PettingZoo interface against PettingZoo's Connect Four, in the loop of its own benchmark. `vector`:
the Gymnasium vector interface against a `Batch` with a learner. `opponents`: acts of a learner in 64 games of that
interface, against the level `casual` and against random play.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from measure import Speeds, Work, arguments, chosen_game, report, side_by_side

from icetable.core.turns import TurnGame
from icetable.envs import Batch

ROWS = 256
ROWS_FOR_THREADS = 16384
ROWS_WITH_OPPONENTS = 64
PEERS = {
    "icefrogs": ("Hex-v1", "ConnectFour-v1"),
    "wrecktangle": ("Backgammon-v1",),
    "highrise": ("ConnectFour-v1",),
    "squad": ("ConnectFour-v1",),
}
OURS = "icetable"
STEPS_TO_WARM_UP = 50


@dataclass(frozen=True)
class Program:
    """Many games in step. Only `step`, which plays `acts` acts, is timed."""

    choose: Callable[[], Any]
    step: Callable[[Any], None]
    acts: int


def batch(game: TurnGame, rows: int = ROWS, threads: int = 1) -> Program:
    """Our games, with autoreset in the same step."""
    games = Batch(game, rows, seed=1, threads=threads)
    return Program(games.pick, games.step, rows)


def learning(game: TurnGame) -> Program:
    """Our games with a learner: a step is an act of every seat."""
    games = Batch(game, ROWS, seed=1, learner="drawn")
    rng = np.random.default_rng(1)
    return Program(lambda: any_legal(rng, games.mask), games.step, ROWS * game.players)


def any_legal(rng: np.random.Generator, legal: Any) -> Any:
    """Random legal actions by a mask, as a learner chooses: the mask passes through the caches."""
    return ((1 - rng.random(legal.shape, np.float32)) * legal).argmax(axis=1)


def envpool_games(name: str) -> Program:
    """EnvPool's games. A step of a finished game begins the next one and counts as an act."""
    import envpool

    games = envpool.make(name, env_type="gymnasium", num_envs=ROWS, num_threads=1, seed=1)
    rng = np.random.default_rng(1)
    numbers = np.arange(ROWS, dtype=np.int32)
    info = games.reset()[1]

    def choose() -> dict[str, Any]:
        actions = any_legal(rng, info["legal_action_mask"]).astype(np.int32)
        return {"action": actions, "env_id": numbers, "players.env_id": numbers, "players.id": info["current_player"]}

    def step(actions: dict[str, Any]) -> None:
        nonlocal info
        info = games.step(actions)[-1]

    return Program(choose, step, ROWS)


def vector(game: TurnGame, rows: int = ROWS, opponent: str = "random", copy: bool = True) -> Program:
    """Gymnasium's vector interface; a step is an act of every seat."""
    from icetable.envs.gymnasium import VectorEnv

    games = VectorEnv(game.info.name, rows, opponent=opponent, autoreset_mode="SameStep", copy=copy, **game.options)
    rng = np.random.default_rng(1)
    info = games.reset(seed=1)[1]

    def step(actions: Any) -> None:
        nonlocal info
        info = games.step(actions)[-1]

    return Program(lambda: any_legal(rng, info["action_mask"]), step, rows * game.players)


def turns(env: Any) -> Work:
    """Turns of an environment, in the loop of PettingZoo's own benchmark."""

    def play(turns: int, seed: int) -> float:
        rng = random.Random(seed)
        env.reset(seed=seed)
        for _ in range(turns):
            observation, _, terminated, truncated, _ = env.last()
            legal = np.flatnonzero(observation["action_mask"]).tolist()
            env.step(None if terminated or truncated else rng.choice(legal))
            if all(env.terminations.values()) or all(env.truncations.values()):
                env.reset()
        return turns

    return play


def compare(programs: Mapping[str, Program], rounds: int, seconds: float, clock: Callable[[], float]) -> Speeds:
    """The acts per second of programs that run alternately in slices of about `seconds`."""
    taken = {name: run(program, STEPS_TO_WARM_UP, clock) / STEPS_TO_WARM_UP for name, program in programs.items()}
    speeds: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(rounds):
        for name, program in programs.items():
            steps = max(1, round(seconds / taken[name]))
            speeds[name].append(steps * program.acts / run(program, steps, clock))
    return Speeds(speeds)


def run(program: Program, steps: int, clock: Callable[[], float]) -> float:
    """The time of a number of steps, after an untimed one that compiles."""
    program.step(program.choose())
    taken = 0.0
    for _ in range(steps):
        actions = program.choose()
        before = clock()
        program.step(actions)
        taken += clock() - before
    return taken


def measure_batch(game: TurnGame, rounds: int, seconds: float) -> None:
    """Measure the processor time of all threads, because EnvPool steps in its own thread."""
    peers = PEERS[game.info.name]
    programs = {OURS: batch(game)} | {peer: envpool_games(peer) for peer in peers}
    speeds = compare(programs, rounds, seconds, time.process_time)
    for peer in peers:
        print_result(game, "batch", speeds, OURS, peer, rounds)


def measure_threads(game: TurnGame, rounds: int, seconds: float) -> None:
    """Measure wall-clock time, which needs two idle cores."""
    programs = {f"{threads} threads": batch(game, ROWS_FOR_THREADS, threads) for threads in (2, 1)}
    print_result(game, "threads", compare(programs, rounds, seconds, time.perf_counter), *programs, rounds)


def measure_turns(game: TurnGame, rounds: int, seconds: float) -> None:
    from pettingzoo.classic import connect_four_v3

    from icetable.envs.pettingzoo import TurnGames

    ours = TurnGames(game.info.name).env(**game.options)
    programs = {OURS: turns(ours), "connect_four_v3": turns(connect_four_v3.env())}
    print_result(game, "turns", side_by_side(programs, rounds, seconds), *programs, rounds)


def measure_vector(game: TurnGame, rounds: int, seconds: float) -> None:
    programs = {"copies": vector(game), "views": vector(game, copy=False), "batch": learning(game)}
    speeds = compare(programs, rounds, seconds, time.process_time)
    for name in ("copies", "views"):
        print_result(game, f"vector, {name}", speeds, name, "batch", rounds=rounds)


def measure_opponents(game: TurnGame, rounds: int, seconds: float) -> None:
    """Count the learner's acts; a step also includes an act of each opponent."""
    programs = {
        name: replace(vector(game, ROWS_WITH_OPPONENTS, name), acts=ROWS_WITH_OPPONENTS)
        for name in ("casual", "random")
    }
    print_result(game, "opponents", compare(programs, rounds, seconds, time.process_time), *programs, rounds)


def print_result(game: TurnGame, part: str, speeds: Speeds, ours: str, peer: str, rounds: int) -> None:
    report(
        game,
        part=part,
        per_s=round(speeds.median(ours)),
        peer=peer,
        peer_per_s=round(speeds.median(peer)),
        ratio=round(speeds.ratio(ours, peer), 2),
        quartiles=speeds.spread(ours, peer),
        rounds=rounds,
        load=round(os.getloadavg()[0], 1),
    )


PARTS = {
    "batch": measure_batch,
    "threads": measure_threads,
    "turns": measure_turns,
    "vector": measure_vector,
    "opponents": measure_opponents,
}


def main() -> None:
    parser = arguments(__doc__, rounds=15, slice_seconds=0.1)
    parser.add_argument("--part", choices=PARTS, default="batch", help="the comparison to run (%(default)s)")
    chosen = parser.parse_args()
    PARTS[chosen.part](chosen_game(parser, chosen), chosen.rounds, chosen.slice)


if __name__ == "__main__":
    main()
