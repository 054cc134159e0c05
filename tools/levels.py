#!/usr/bin/env python3
"""Writes docs/levels.md: what each version of each level in games of turns is.

The table is kept in docs/levels.json. What stands there stays: a level that plays otherwise is a new version.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from icetable import games
from icetable.bots.levels import described, timeless_levels
from icetable.bots.search import best_style
from icetable.core.turns import TurnGame
from icetable.extras.effort import Effort
from icetable.kernels.defaults import NO_WEIGHTS

DOCS = Path(__file__).parent.parent / "docs"
TABLE, PAGE = DOCS / "levels.json", DOCS / "levels.md"
HEAD = """\
# Levels, version by version

What computer players do at each level, for each number of players, with the usual options. `casual@1` is a level of a
version, wherever players go by names: in [the lab](lab.md), and as opponents of [learners](environments.md). It is
refused where the level is of another version by now, so a result that names it can be had again or not at all. A level
that changes in anything, its search and what judges positions counted, is a new version. `master` thinks by the clock
and has no versions; `greedy`, `sims:N` and `pure:N` never change.

*Notices* is the probability with which a level notices each legal act; it plays the best of those. *Near*: it
plays any act that has at least this part of the best act's visits. *Remembers*: it knows what this many last acts hid.
*Judged by* is what positions are worth to it: the first digits of a hash of learned weights, or an evaluation made by
hand. *Search* are those of a hash of how it explores.

Made by `tools/levels.py`.
"""
COLUMNS = ("players", "level", "simulations", "notices", "near", "remembers", "judged by", "search")


def rows() -> list[dict[str, Any]]:
    """What all levels are now."""
    found = []
    for info in games.list_games():
        if not info.turns or info.is_plain:
            continue
        for players in range(info.players[0], info.players[1] + 1):
            game = info.load(players=players)
            assert isinstance(game, TurnGame)
            style = best_style(game)
            judged = digits(style.weights.tobytes()) if len(style.weights) else "hand"
            search = digits(repr(style._replace(weights=NO_WEIGHTS)).encode())
            for level in timeless_levels(game):
                effort = level.effort
                near = effort.near if effort.near <= 1 else None
                values = (
                    players,
                    level.fixed_name,
                    effort.simulations,
                    effort.notices,
                    near,
                    effort.memory,
                    judged,
                    search,
                )
                found.append({"game": info.name, **dict(zip(COLUMNS, values, strict=True))})
    return found


def digits(what: bytes) -> str:
    """The first digits of a hash."""
    return hashlib.sha256(what).hexdigest()[:8]


def kept() -> list[dict[str, Any]]:
    """What stands in the table."""
    return list(json.loads(TABLE.read_text(encoding="utf-8"))) if TABLE.exists() else []


def joined(before: list[dict[str, Any]], now: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All versions, those of earlier ones too. Raises ValueError for one that is not what it was."""
    table = {key(row): row for row in before}
    for row in now:
        if table.setdefault(key(row), row) != row:
            raise ValueError(
                f"{row['level']} of {row['game']} for {row['players']} plays otherwise: make it a new version"
            )
    return list(table.values())


def key(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["game"], row["players"], row["level"]


def page(table: list[dict[str, Any]]) -> str:
    """The page of a table."""
    lines = [HEAD]
    for name in dict.fromkeys(row["game"] for row in table):
        lines += [f"## {games.info(name).title}", ""]
        lines += [f"| {' | '.join(COLUMNS)} | |", f"|{'---|' * len(COLUMNS)}---|"]
        rows_of_game = [row for row in table if row["game"] == name]
        forget = any(row["remembers"] is not None for row in rows_of_game)
        for row in rows_of_game:
            told = ["" if row[column] is None else f"{row[column]}" for column in COLUMNS]
            effort = Effort(row["simulations"], notices=row["notices"], memory=row["remembers"])
            lines.append(f"| {' | '.join(told)} | {described(effort, forget)} |")
        lines.append("")
    return "\n".join(lines)


def main() -> None:
    try:
        table = joined(kept(), rows())
    except ValueError as changed:
        sys.exit(str(changed))
    TABLE.write_text("[\n" + ",\n".join(map(json.dumps, table)) + "\n]\n", encoding="utf-8")
    PAGE.write_text(page(table), encoding="utf-8")


if __name__ == "__main__":
    main()
