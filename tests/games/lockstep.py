"""Readable editions and kernels side by side: whole random games under any options, refusals included.

python -m tests.games.lockstep squad --games 1000
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from typing import Any

import numpy as np

import icetable
from icetable import Option
from icetable.core.turns import TurnGame
from tests.conformance.cases import notable_values
from tests.conformance.material import material
from tests.games.pairs import Pair

GAMES = [info.name for info in icetable.list_games() if isinstance(info.load(), TurnGame)]
TEXTS_TRIED = 3
"""How many texts are judged at each position."""
SHORT = 60
"""A limit of turns, where there is one, so that games end."""


def options(name: str, rng: np.random.Generator) -> dict[str, Any]:
    """Any options of a game. A list has a number for each square."""
    info = icetable.games.info(name)
    chosen: dict[str, Any] = {"players": int(rng.integers(info.players[0], info.players[1] + 1))}
    for option in info.options:
        values = values_of(option)
        chosen[option.name] = values[int(rng.integers(len(values)))]
    for option in info.options:
        if option.kind == "list" and rng.integers(2):
            squares = info.load(**chosen).layout()["squares"]
            chosen[option.name] = rng.integers(0, 12, size=len(squares)).tolist()
    return chosen


def values_of(option: Option) -> tuple[Any, ...]:
    """The values of an option that are tried."""
    if option.kind == "int" and not option.choices and option.default is not None:
        return (SHORT,) if option.default > SHORT else (option.default, option.default + 1)
    return notable_values(option)


def play(name: str, rng: np.random.Generator) -> int:
    """Play a random game in both, and return how many acts it had; AssertionError where they differ."""
    pair = Pair.start(import_module(f"tests.games.{name}.product"), **options(name, rng))
    texts = [*material(name).well_formed(pair.state.game), *material(name).bad_notation]
    acts = 0
    while not pair.state.is_terminal:
        if icetable.CHANCE not in pair.state.to_act:
            pair.legal()
        for index in rng.integers(len(texts), size=TEXTS_TRIED).tolist():
            pair.fault(texts[index])
        pair, acts = pair.apply(pair.state.game.random_act(pair.state, rng)), acts + 1
    return acts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help="all, if none is named")
    parser.add_argument("--games", dest="count", type=int, default=1000, metavar="N", help="of each (default: 1000)")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    chosen = parser.parse_args()
    for name in chosen.games or GAMES:
        acts = sum(play(name, np.random.default_rng([chosen.seed, number])) for number in range(chosen.count))
        sys.stdout.write(f"{name}: {chosen.count} games of {acts:,} acts, no difference\n")


if __name__ == "__main__":
    main()
