#!/usr/bin/env python3
"""Searches for the puzzles that ship with the games, and writes src/icetable/games/<game>/puzzles.json.

Each game has its plan: options, the number of puzzles, and their minimum difficulty. The same plan gives the same
puzzles. The file is written periodically, so an interrupted run keeps its results.
"""

from __future__ import annotations

import argparse
import collections
import dataclasses
import itertools
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from icetable import games
from icetable.analysis import puzzles
from icetable.analysis.puzzle_search import level_of, unseen
from icetable.core.turns import TurnState
from icetable.extras.exercises import Puzzle, collection
from icetable.version import version

ROOT = Path(__file__).parent.parent


class Part(NamedTuple):
    """A part of a collection: `number` puzzles under these options that no level weaker than `level` solves."""

    number: int
    options: dict[str, Any]
    level: str | None = None
    seed: int = 1


HIDE_NOTHING = {"memory": "off"}
"""With hidden pyramids, positions show too little."""
CALM = {"timer": 0.0, "crash": "refuse"}
"""Nothing happens without the player, and clumsy placements cost nothing."""

PLANS = {
    "highrise": (
        Part(165, HIDE_NOTHING),
        Part(30, HIDE_NOTHING, "skilled", 2),
        Part(15, HIDE_NOTHING | {"rows": 4, "cols": 4}, None, 3),
    ),
    "icefrogs": (
        Part(155, {}),
        Part(20, {}, "casual", 2),
        Part(15, {"board": "hexagon"}, None, 3),
        Part(15, {"players": 3}, None, 4),
    ),
    "icehouse": (
        Part(40, CALM | {"players": 2, "width": 12.0, "height": 12.0}),
        Part(30, CALM | {"players": 3, "width": 14.0, "height": 14.0}, None, 2),
        Part(30, CALM | {"players": 4, "width": 16.0, "height": 16.0}, None, 3),
    ),
    "squad": (
        Part(60, {}),
        Part(60, {}, "casual", 2),
        Part(60, {"formation": "up-to"}, None, 4),
        Part(20, {"formation": "up-to"}, "casual", 5),
        Part(20, {"formation": "up-to", "players": 3}, None, 6),
    ),
    "wrecktangle": (
        Part(130, {}),
        Part(60, {}, "able", 7),
        Part(20, {"players": 3}, None, 3),
        Part(25, {}, "able", 8),
    ),
}
"""Mostly for two players, with a good share of harder ones."""

AT_ONCE_IN = 10
"""One of so many puzzles, at most, is no more than a move that wins at once."""

RATING_SEED = 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"{', '.join(PLANS)} (default: all)")
    parser.add_argument("--rate", action="store_true", help="only update the levels of the existing puzzles")
    args = parser.parse_args()
    for name in args.games or PLANS:
        if args.rate:
            write(name, [rated(puzzle) for puzzle in collection(games.info(name))])
            continue
        found: list[Puzzle] = []
        for puzzle in collect(name):
            found.append(puzzle)
            if len(found) % 20 == 0:
                write(name, found)
        write(name, found)


def collect(name: str) -> Iterator[Puzzle]:
    """The puzzles of a game's plan, without duplicates."""
    return unseen(puzzle for part in PLANS[name] for puzzle in itertools.islice(mixed(part, name), part.number))


def mixed(part: Part, name: str) -> Iterator[Puzzle]:
    """The puzzles of a part without end, few of which win at once."""
    taken = at_once = 0
    for puzzle in puzzles(games.load(name, **part.options), sys.maxsize, part.seed, level=part.level):
        if "wins at once" in puzzle.themes:
            if AT_ONCE_IN * (at_once + 1) > taken:
                continue
            at_once += 1
        taken += 1
        yield puzzle


def rated(puzzle: Puzzle) -> Puzzle:
    """Update the weakest level that solves a puzzle. In a game without turns it stays as it is."""
    state = puzzle.state()
    if not isinstance(state, TurnState):
        return puzzle
    return dataclasses.replace(puzzle, level=level_of(state, puzzle.answer[0], RATING_SEED))


def write(name: str, found: Sequence[Puzzle]) -> None:
    """Write a collection, one puzzle per line."""
    metadata = json.dumps({"version": version(), "command": f"tools/collect.py {name}"})
    lines = ",\n".join(json.dumps(puzzle.described(), separators=(",", ":")) for puzzle in found)
    file = ROOT / "src" / "icetable" / "games" / name / "puzzles.json"
    file.write_text(f'{{"made": {metadata},\n"puzzles": [\n{lines}\n]}}\n', encoding="utf-8")
    print(name, len(found), dict(collections.Counter(one.level for one in found)), flush=True)


if __name__ == "__main__":
    main()
