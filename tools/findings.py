#!/usr/bin/env python3
"""Runs the experiments of docs/findings.md, and writes their results: docs/findings/<name>.json.

Each file holds the command that repeats it. Games are stored in .tools/findings, so that an interrupted run can be
resumed; an experiment with a game whose sources have changed is restarted, with a message.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from resume import folder_of

from icetable import games

ROOT = Path(__file__).parent.parent
FINDINGS = ROOT / "docs" / "findings"
RUNS = ROOT / ".tools" / "findings"
DIGITS = 4

STRENGTHS = {"random": 2000, "greedy": 1000, "sims:100": 200}
LEVELS = {"beginner": 60, "skilled": 60, "merciless": 60}
"""The players of a sweep of all options, with the number of blocks per value."""

SWEEPS = {
    f"{game.split()[0]}-options-{name.replace(':', '-')}": f"rules {game} --seats {name} --blocks {blocks}"
    for game, strengths in (
        ("squad --players 2 --option formation=up-to", STRENGTHS),
        ("highrise", STRENGTHS),
        ("icefrogs --players 2", STRENGTHS),
        ("wrecktangle --players 3", {**STRENGTHS, "random": 100}),  # nearly all random games reach the limit
        ("icehouse --players 4", LEVELS),
    )
    for name, blocks in strengths.items()
}
UNSEEN = "--option numbers=unseen"
MATCHES = {
    "highrise-remembers-nothing": f"match highrise sims:100 sims:100/memory=0 {UNSEEN} --blocks 200",
    "highrise-remembers-2": f"match highrise sims:100 sims:100/memory=2 {UNSEEN} --blocks 200",
    "highrise-remembers-8": f"match highrise sims:100 sims:100/memory=8 {UNSEEN} --blocks 200",
    "wrecktangle-no-swaps": "match wrecktangle sims:100 sims:100/without=swaps --players 2 --blocks 200",
    "squad-no-juniors": "match squad sims:100 sims:100/without=J@* --players 2 --blocks 200",
    "icehouse-hands": "match icehouse hands=merciless+mind=beginner beginner --players 4 --blocks 60",
    "icehouse-mind": "match icehouse hands=beginner+mind=merciless beginner --players 4 --blocks 60",
}
SKILL = {
    f"icehouse-skill-{players}": f"match icehouse expert casual --players {players} --blocks 100"
    for players in (2, 3, 4, 5, 6, 8)
}
READINGS = {
    f"squad-{option}-{name.replace(':', '-')}": f"compare squad {options} --b {option}={value} "
    f"--seats {name} --blocks {blocks}"
    for option, value, options in (
        ("begins", "seat", "--players 3 --option formation=up-to"),
        ("tie", "all", "--players 3 --option formation=up-to"),
        ("stuck", "anyone", "--players 2"),
        ("friends", "own", "--players 2"),
    )
    for name, blocks in STRENGTHS.items()
}
"""Readings that matter only for three players, or with exact numbers."""
OTHERS = {
    "highrise-values-alike": f"compare highrise {UNSEEN} --b values=[3,3,3,3,3,3,3,3,3] --seats sims:100 --blocks 200",
    "highrise-boards": f"sweep highrise {UNSEEN} --over rows=3,4,5 --over cols=3,4,5 --seats greedy --blocks 200",
    "icehouse-players": "sweep icehouse --over players=2,3,4,5,6,7,8 --seats merciless --blocks 60",
    "icehouse-timer": "sweep icehouse --players 4 --over timer=120,300,600,1200 --seats merciless --blocks 60",
}
EXPERIMENTS = {**SWEEPS, **MATCHES, **SKILL, **READINGS, **OTHERS}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only experiments whose names begin with NAME")
    parser.add_argument("--missing", action="store_true", help="only experiments without results")
    parser.add_argument("--jobs", type=int, default=1, metavar="N")
    args = parser.parse_args()
    for name, words in EXPERIMENTS.items():
        file = FINDINGS / f"{name}.json"
        selected = not args.names or name.startswith(tuple(args.names))
        if selected and not (args.missing and file.exists()):
            finding = {"command": f"icetable lab {words}", "found": run(name, words, args.jobs)}
            FINDINGS.mkdir(exist_ok=True)
            file.write_text(json.dumps(finding, indent=1) + "\n", encoding="utf-8")
            print(name, flush=True)


def run(name: str, words: str, jobs: int) -> Any:
    """Run an experiment; return its result."""
    out = folder_of(RUNS / name, games.info(words.split()[1]))
    command = [sys.executable, "-m", "icetable", "lab", *shlex.split(words)]
    command += ["--jobs", str(jobs), "--out", str(out), "--json"]
    output = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
    return json.loads(output, parse_float=lambda text: float(f"{float(text):.{DIGITS}g}"))


if __name__ == "__main__":
    main()
