#!/usr/bin/env python3
"""Renews what follows from the rules of a game, after its class and its kernel have changed: `tools/renew.py squad`.

Plays the kernel beside the class, and stops at a difference. Then writes `perft.json` and the golden games, and checks
the puzzles. Read the changes before you commit them: each is a change of the rules that somebody will notice.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT)]

import icetable  # noqa: E402
from tests.conformance import plays  # noqa: E402
from tests.games import lockstep  # noqa: E402

GAMES = 200


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=lockstep.GAMES)
    name: str = parser.parse_args().game
    acts = sum(lockstep.at_random(name, 0, number) for number in range(GAMES))
    print(f"kernel and class agree on {acts} acts")
    renew_perft(name)
    plays.renew(name)
    print(f"now read the changes in tests/games/{name}")
    subprocess.run([sys.executable, "-m", "icetable", "puzzles", name, "--check"], cwd=ROOT, check=True)


def renew_perft(name: str) -> None:
    """Count the sequences of acts again, for the same options and depths."""
    path = ROOT / "tests" / "games" / name / "perft.json"
    lines = []
    for entry in json.loads(path.read_text(encoding="utf-8")):
        start = icetable.load(name, **entry["options"]).start()
        counts = [icetable.perft(start, depth) for depth in range(1, len(entry["depths"]) + 1)]
        lines.append("  " + json.dumps({"options": entry["options"], "depths": counts}))
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
