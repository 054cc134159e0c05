#!/usr/bin/env python3
"""Looks for the puzzles that ship with the games of turns, and writes src/icetable/games/<game>/puzzles.json.

Each game has its plan: options, how many puzzles, and who must not find them too easy. The same plan gives the same
puzzles.
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
from icetable.analysis.images import image_of
from icetable.analysis.positions import check_state
from icetable.core.puzzles import Puzzle

ROOT = Path(__file__).parent.parent


class Part(NamedTuple):
    """Some puzzles of a collection: so many under these options, of which no level weaker than `level` finds any."""

    number: int
    options: dict[str, Any]
    level: str | None = None
    seed: int = 1


HIDE_NOTHING = {"memory": "off"}
"""With hidden pyramids a position shows too little."""

PLANS = {
    "highrise": (
        Part(150, HIDE_NOTHING),
        Part(50, HIDE_NOTHING | {"rows": 4, "cols": 4}),
        Part(20, HIDE_NOTHING, "casual", 2),
    ),
    "icefrogs": (
        Part(90, {}),
        Part(90, {}, "casual", 2),
        Part(20, {"board": "hexagon"}, None, 3),
        Part(20, {"players": 3}, None, 4),
    ),
    "squad": (
        Part(60, {}),
        Part(60, {}, "casual", 2),
        Part(20, {}, "skilled", 3),
        Part(50, {"formation": "up-to"}, None, 4),
        Part(20, {"formation": "up-to"}, "casual", 5),
        Part(20, {"formation": "up-to", "players": 3}, None, 6),
    ),
    "wrecktangle": (
        Part(130, {}),
        Part(60, {}, "casual", 2),
        Part(20, {"players": 3}, None, 3),
    ),
}
"""Mostly for two, and a good part for those whom first sight is not enough."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"{', '.join(PLANS)} (default: all)")
    for name in parser.parse_args().games or PLANS:
        write(name, f"tools/collect.py {name}", list(collect(name)))


def collect(name: str) -> Iterator[Puzzle]:
    """The puzzles of a game's plan, each once."""
    known = set()
    for number, options, level, seed in PLANS[name]:
        game = check_state(games.load(name, **options).start()).game
        for puzzle in puzzles(game, number, seed, level=level):
            image = image_of(check_state(puzzle.state()))
            if image not in known:
                known.add(image)
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
