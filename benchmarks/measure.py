"""Common code of the benchmarks: their arguments, and timing several programs side by side.

The programs run alternately in short slices, round after round, so that other load on the machine affects them equally.
A slice is timed by the processor time of this thread, which excludes other programs. The ratio of two programs is the
median of their ratios in each round.
"""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

import icetable
from icetable.core.turns import TurnGame

Work = Callable[[int, int], float]
"""Executes a number of units of work with a seed, and returns the number of acts (or simulations)."""


@dataclass(frozen=True)
class Speeds:
    """Acts (or simulations) per second of each program in each round."""

    by_name: Mapping[str, list[float]]

    def median(self, name: str) -> float:
        return median(self.by_name[name])

    def ratio(self, name: str, other: str) -> float:
        """The ratio of a program's speed to that of `other`: the median over the rounds."""
        return median(mine / theirs for mine, theirs in zip(self.by_name[name], self.by_name[other], strict=True))

    def spread(self, name: str, other: str) -> list[float]:
        """The quartiles of the ratio over the rounds."""
        ratios = sorted(mine / theirs for mine, theirs in zip(self.by_name[name], self.by_name[other], strict=True))
        return [round(ratios[len(ratios) // 4], 2), round(ratios[-1 - len(ratios) // 4], 2)]


def side_by_side(programs: Mapping[str, Work], rounds: int, seconds: float) -> Speeds:
    """Time each program in every round, in slices of about `seconds`."""
    units = {name: units_in(work, seconds) for name, work in programs.items()}
    speeds: dict[str, list[float]] = {name: [] for name in programs}
    for number in range(rounds):
        for name, work in programs.items():
            speeds[name].append(speed(work, units[name], number)[0])
    return Speeds(speeds)


def units_in(work: Work, seconds: float) -> int:
    """The number of units, at least 1, that a program executes in the given time. Compiles the program."""
    work(1, 0)
    units = 1
    while True:
        taken = speed(work, units, units)[1]
        if taken >= seconds / 4:
            return max(1, round(units * seconds / taken))
        units *= 2


def speed(work: Work, units: int, seed: int) -> tuple[float, float]:
    """The acts per second and the time in seconds."""
    before = time.thread_time()
    acts = work(units, seed)
    taken = time.thread_time() - before
    return acts / taken, taken


def arguments(what: str, rounds: int, slice_seconds: float) -> ArgumentParser:
    """The common arguments of the benchmarks of speed."""
    parser = ArgumentParser(description=what)
    parser.add_argument("game", help="the game's name, such as icefrogs")
    parser.add_argument("--players", type=int, help="number of players (the game's default)")
    parser.add_argument("--rounds", type=int, default=rounds, help="timings per program (%(default)s)")
    parser.add_argument(
        "--slice", type=float, default=slice_seconds, metavar="SECONDS", help="length of each timing (%(default)s)"
    )
    return parser


def chosen_game(parser: ArgumentParser, chosen: Namespace) -> TurnGame:
    """The game named by the arguments. Exits with a message if there is no such turn-based game."""
    if getattr(chosen, "rounds", 1) < 1:
        parser.error("--rounds is a whole number from 1 up")
    try:
        game = icetable.load(chosen.game, **({} if chosen.players is None else {"players": chosen.players}))
    except icetable.GameError as error:
        parser.error(str(error))
    if not isinstance(game, TurnGame):
        parser.error(f"{chosen.game} is not a turn-based game")
    return game


def report(game: TurnGame, **findings: Any) -> None:
    """Print one line of JSON."""
    print(json.dumps({"game": game.info.name, "players": game.players, **findings}), flush=True)
