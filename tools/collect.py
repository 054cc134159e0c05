#!/usr/bin/env python3
"""Looks for the puzzles that ship with the games of turns, and writes src/icetable/games/<game>/puzzles.json.

Each game has its plan: options, how many puzzles, and how many of them one level may have. So that a collection has
something for everybody, a level that has its share is passed over. The same plan gives the same puzzles.
"""

from __future__ import annotations

import argparse
import collections
import json
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from icetable import games
from icetable.analysis import puzzles
from icetable.analysis.positions import check_state
from icetable.core.puzzles import Puzzle

ROOT = Path(__file__).parent.parent
ENDLESS = 1 << 40


class Part(NamedTuple):
    """Some puzzles of a collection: so many under these options, at most `of_a_level` of one level."""

    options: dict[str, Any]
    number: int
    of_a_level: int
    seed: int = 1


PLANS = {
    "squad": (Part({}, 10, 6),),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"{', '.join(PLANS)} (default: all)")
    for name in parser.parse_args().games or PLANS:
        found = [puzzle for part in PLANS[name] for puzzle in collect(name, part)]
        write(name, f"tools/collect.py {name}", found)


def collect(name: str, part: Part) -> Iterator[Puzzle]:
    """The puzzles of a part."""
    game = check_state(games.load(name, **part.options).start()).game
    levels: collections.Counter[str | None] = collections.Counter()
    for puzzle in puzzles(game, ENDLESS, part.seed):
        if levels.total() == part.number:
            return
        if levels[puzzle.level] < part.of_a_level:
            levels[puzzle.level] += 1
            yield puzzle


def write(name: str, command: str, found: Sequence[Puzzle]) -> None:
    """Write a collection, a puzzle a line."""
    made = json.dumps({"version": version("icetable"), "command": command})
    lines = ",\n".join(json.dumps(puzzle.described(), separators=(",", ":")) for puzzle in found)
    file = ROOT / "src" / "icetable" / "games" / name / "puzzles.json"
    file.write_text(f'{{"made": {made},\n"puzzles": [\n{lines}\n]}}\n', encoding="utf-8")
    print(name, len(found), f"{file.stat().st_size} bytes", dict(collections.Counter(one.level for one in found)))


if __name__ == "__main__":
    main()
