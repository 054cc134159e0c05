"""Kernels and classes side by side: whole random games under any options, refusals included.

python -m tests.games.lockstep squad --games 1000
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Hashable
from typing import Any

import numpy as np

import icetable
from icetable import Option, State
from icetable.core.turns import TurnGame
from tests.conformance.cases import notable_values, outcomes_can_be_listed
from tests.conformance.material import material
from tests.games.pairs import Pair

GAMES = [info.name for info in icetable.list_games() if isinstance(info.load(), TurnGame)]
TEXTS_TRIED = 5
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
            squares = info.load(**chosen).layout()["spaces"]
            chosen[option.name] = rng.integers(0, 12, size=len(squares)).tolist()
    return chosen


def at_random(name: str, *seed: int) -> int:
    """Play a random game under any options."""
    rng = np.random.default_rng(seed)
    return play(name, rng, **options(name, rng))


def values_of(option: Option) -> tuple[Any, ...]:
    """The values of an option that are tried."""
    if option.kind == "int" and not option.choices and option.default is not None:
        return (SHORT,) if option.default > SHORT else (option.default, option.default + 1)
    return notable_values(option)


def play(name: str, rng: np.random.Generator, most: int | None = None, **options: Any) -> int:
    """Play a random game in both, of `most` acts at most; return how many it had. AssertionError where they differ."""
    pair = Pair.start(name, **options)
    game = pair.state.game
    texts = [*material(name).well_formed(game), *material(name).bad_notation]
    keys: dict[Hashable, State] = {}
    acts = 0
    while True:
        assert keys.setdefault(pair.position.key(), pair.state) == pair.state
        if pair.state.is_terminal or acts == most:
            assert len(set(keys.values())) == len(keys)
            return acts
        if icetable.CHANCE not in pair.state.to_act or outcomes_can_be_listed(pair.state):
            pair.legal()
        for index in rng.integers(len(texts), size=TEXTS_TRIED).tolist():
            pair.fault(texts[index])
        pair, acts = pair.apply(game.random_act(pair.state, rng)), acts + 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help="all, if none is named")
    parser.add_argument("--games", dest="count", type=int, default=1000, metavar="N", help="of each (default: 1000)")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    chosen = parser.parse_args()
    for name in chosen.games or GAMES:
        acts = sum(at_random(name, chosen.seed, number) for number in range(chosen.count))
        sys.stdout.write(f"{name}: {chosen.count} games of {acts:,} acts, no difference\n")


if __name__ == "__main__":
    main()
