#!/usr/bin/env python3
"""Results that were handed in: make a record of one, check it by playing its games again, and write their table.

    python tools/results.py make "icetable lab match squad mine.py:Agent casual@1 --blocks 100 --seed 2026" > my.json
    python tools/results.py check my.json
    python tools/results.py table

A record's command runs players by name, models and files of players, so read it before you check it.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from argparse import ArgumentParser
from itertools import pairwise
from pathlib import Path
from typing import Any

from icetable.core.options import to_units
from icetable.version import version

DOCS = Path(__file__).parent.parent / "docs"
RECORDS, PAGE = DOCS / "results.json", DOCS / "results.md"
START, END = "<!-- table: tools/results.py table -->\n", "<!-- end of the table -->\n"
COMMAND = ("icetable", "lab", "match")
PARTS = ("command", "icetable", "hash", "share", "low", "high", "note")
SEED, BLOCKS = "2026", 100
"""What the protocol asks for."""


def main() -> int:
    parser = ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("verb", choices=("make", "check", "table"))
    parser.add_argument("what", nargs="?", default=str(RECORDS), help="the command to make a record of, or its file")
    parser.add_argument("--note", default="", help="who handed it in, how it was trained, and where it can be had")
    chosen = parser.parse_args()
    try:
        if chosen.verb == "make":
            print(json.dumps(made(chosen.what, chosen.note), indent=1))
        elif chosen.verb == "table":
            before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
            PAGE.write_text(before + START + table(records(RECORDS)) + END + rest.partition(END)[2], encoding="utf-8")
        else:
            return max([check(record) for record in records(Path(chosen.what))], default=0)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def records(path: Path) -> list[dict[str, Any]]:
    """The records in a file, which holds one or a list. Raises ValueError if one has another form."""
    found = json.loads(path.read_text(encoding="utf-8"))
    found = found if isinstance(found, list) else [found]
    for record in found:
        if not isinstance(record, dict) or set(record) != set(PARTS):
            raise ValueError(f"a record has {', '.join(PARTS)}, not {json.dumps(record)[:200]}")
        words(record["command"])
    return found


def words(command: str) -> list[str]:
    """The arguments of a command. Raises ValueError unless it is a match by the protocol."""
    found = shlex.split(command)
    if tuple(found[:3]) != COMMAND:
        raise ValueError(f"a result is measured by {' '.join(COMMAND)}, not {command!r}")
    given = dict(pairwise(found))
    if given.get("--seed") != SEED or not given.get("--blocks", "").isdecimal() or int(given["--blocks"]) < BLOCKS:
        raise ValueError(f"the protocol asks for --seed {SEED} and --blocks {BLOCKS} or more, not {command!r}")
    return found


def made(command: str, note: str) -> dict[str, Any]:
    """The record of a match, which is played."""
    found = played(words(command))
    share = {name: round(found["share"][name], 4) for name in ("value", "low", "high")}
    return {
        "command": command,
        "icetable": version(),
        "hash": found["hash"],
        "share": share["value"],
        "low": share["low"],
        "high": share["high"],
        "note": note,
    }


def check(record: dict[str, Any]) -> int:
    """Play a record's match again, say how it compares, and return 1 if it does not hold."""
    found = played(words(record["command"]))
    share = found["share"]["value"]
    if found["hash"] == record["hash"]:
        holds = abs(share - record["share"]) < 0.0001
        verdict = "the same games" if holds else f"the same games, but their share is {share:.4f}"
    else:
        holds = record["low"] <= share <= record["high"]
        verdict = f"other games, with a share of {share:.4f}, {'within' if holds else 'outside'} the interval"
    print(f"{record['command']}: {verdict}")
    return 0 if holds else 1


def played(arguments: list[str]) -> dict[str, Any]:
    """The result of a match. Raises ValueError if it can't be played."""
    command = [sys.executable, "-m", "icetable", *arguments[1:], "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise ValueError(f"{shlex.join(arguments)} failed with {done.returncode}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def table(found: list[dict[str, Any]]) -> str:
    """The table of records, the best of each game and opponent first."""
    lines = ["| command | share | icetable | hash | note |\n|---|---|---|---|---|\n"]
    for record in sorted(found, key=lambda record: (words(record["command"])[3], -record["share"])):
        share, low, high = (f"{to_units(record[name], 100) / 100:.2f}" for name in ("share", "low", "high"))
        share = f"{share} ({low} to {high})"
        command = record["command"].replace("|", "\\|")
        lines.append(f"| `{command}` | {share} | {record['icetable']} | `{record['hash'][:12]}` | {record['note']} |\n")
    return "".join(lines)


if __name__ == "__main__":
    sys.exit(main())
