"""`icetable bench`: rough figures of the speed of games on this machine, to show when something is wrong."""

from __future__ import annotations

import json
import os
import random
import statistics
import time
from typing import TYPE_CHECKING

import numpy as np

from icetable import games
from icetable.cli.options import add_json
from icetable.core.daemons import wait_for
from icetable.core.errors import GameError
from icetable.core.game import CHANCE
from icetable.lab.playouts import playouts

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable

    from icetable.core.devices import Device
    from icetable.core.game import Game

RUNS = 5
MIN_SECONDS = 0.2
"""Minimum duration of a run."""


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="measure only this game")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="cuda: random games on a GPU too")
    add_json(parser)


def run(args: Namespace) -> int:
    infos = [games.info_of(args.game)] if args.game else [info for info in games.list_games() if info.turns]
    if not infos[0].turns:
        raise GameError(f"{infos[0].title} has no turns, and random acts at any time don't measure its speed")
    for game in [info.load() for info in infos]:
        figures = wait_for(lambda game=game: measure(game, args.device))  # type: ignore[misc]
        if args.json:
            print(json.dumps({"game": game.info.name, "options": game.options, "runs": RUNS, **figures}), flush=True)
        else:
            print(describe(game, figures), flush=True)
    return 0


def describe(game: Game, figures: dict[str, int]) -> str:
    lines = {
        "random games, 1 thread": figures["acts_per_second"],
        f"random games, {figures['threads']} threads": figures["acts_per_second_all_threads"],
        "State.apply, 1 thread": figures["adapter_acts_per_second"],
        "random games, GPU": figures.get("acts_per_second_cuda"),
    }
    title = f"{game.info.title}, acts per second, median of {RUNS} runs"
    return "\n".join([title, *(f"  {label:<26}{rate:>14,}" for label, rate in lines.items() if rate)])


def measure(game: Game, device: Device = "cpu") -> dict[str, int]:
    """Acts per second of random games: in the kernel on one thread and on all threads, through State, on a GPU."""
    threads = os.cpu_count() or 1

    def on_gpu(games: int) -> int:
        return int(playouts(game, games, device="cuda").acts.sum())

    if device == "cuda":
        on_gpu(1)  # compiles
    return {
        "threads": threads,
        "acts_per_second": rate(lambda games: int(playouts(game, games).acts.sum())),
        "acts_per_second_all_threads": rate(lambda games: int(playouts(game, games, threads=threads).acts.sum())),
        "adapter_acts_per_second": rate(lambda games: play_through_states(game, games)),
        **({"acts_per_second_cuda": rate(on_gpu)} if device == "cuda" else {}),
    }


def rate(play: Callable[[int], int]) -> int:
    """Median acts per second. `play` plays a number of games and returns the number of their acts."""
    games = 1
    while timed(play, games)[0] < MIN_SECONDS:
        games *= 2
    runs = [timed(play, games) for _ in range(RUNS)]
    return round(statistics.median(acts / seconds for seconds, acts in runs))


def timed(play: Callable[[int], int], games: int) -> tuple[float, int]:
    start = time.perf_counter()
    acts = play(games)
    return time.perf_counter() - start, acts


def play_through_states(game: Game, games: int) -> int:
    """Play random games as a script would; return the number of their acts."""
    rng, chance = random.Random(0), np.random.default_rng(0)  # noqa: S311 (play, not secrets)
    acts = 0
    for _ in range(games):
        state = game.start()
        while not state.is_terminal:
            drawn = state.to_act == {CHANCE}  # its acts may be too many to list
            state = state.apply(game.random_act(state, chance) if drawn else rng.choice(state.legal_actions()))
            acts += 1
    return acts
