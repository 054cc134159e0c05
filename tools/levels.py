#!/usr/bin/env python3
"""Writes docs/levels.md: all versions of the levels in turn-based games.

The table is stored in docs/levels.json. Its rows never change: a level that plays differently is a new version.
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
from icetable.extras.strength import Effort
from icetable.kernels.defaults import NO_WEIGHTS

DOCS = Path(__file__).parent.parent / "docs"
TABLE, PAGE = DOCS / "levels.json", DOCS / "levels.md"
HEAD = """\
# Levels, version by version

The computer players at each level, for each number of players, with the default options. Wherever players are given by
name, in [the lab](lab.md) and as opponents of [learners](environments.md), `casual@1` is version 1 of a level. It is
rejected once the level has another version, so a result that names it is either reproducible or refused. Any change of
a level, including its search and its evaluation, is a new version. `master` thinks by the clock and has no versions;
`greedy`, `sims:N` and `pure:N` never change.

*Attention*: the probability that the level notices each legal act; it plays the best of those. *Visit ratio*: it plays
any act with at least this share of the best act's visits. *Remembers*: the number of last acts whose hidden pieces it
knows. *Judged by*: the evaluation, as the first digits of a hash of learned weights, or written by hand. *Search*: the
same for the settings of the search.

Written by `tools/levels.py`.
"""
COLUMNS = ("players", "level", "simulations", "attention", "visit ratio", "remembers", "judged by", "search")


def rows() -> list[dict[str, Any]]:
    """The current version of all levels."""
    levels = []
    for info in games.list_games():
        if not info.turns or info.is_plain:
            continue
        for players in range(info.players[0], info.players[1] + 1):
            game = info.load(players=players)
            assert isinstance(game, TurnGame)
            style = best_style(game)
            evaluation = digits(style.weights.tobytes()) if len(style.weights) else "hand"
            search = digits(repr(style._replace(weights=NO_WEIGHTS)).encode())
            for level in timeless_levels(game):
                effort = level.effort
                visit_ratio = effort.visit_ratio if effort.visit_ratio <= 1 else None
                values = (
                    players,
                    level.fixed_name,
                    effort.simulations,
                    effort.attention,
                    visit_ratio,
                    effort.memory,
                    evaluation,
                    search,
                )
                levels.append({"game": info.name, **dict(zip(COLUMNS, values, strict=True))})
    return levels


def digits(content: bytes) -> str:
    """The first digits of a hash."""
    return hashlib.sha256(content).hexdigest()[:8]


def stored() -> list[dict[str, Any]]:
    return list(json.loads(TABLE.read_text(encoding="utf-8"))) if TABLE.exists() else []


def merge(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All versions, including earlier ones. Raises ValueError if one has changed."""
    table = {key(row): row for row in old}
    for row in new:
        if table.setdefault(key(row), row) != row:
            raise ValueError(
                f"{row['level']} of {row['game']} for {row['players']} plays differently: make it a new version"
            )
    return list(table.values())


def key(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["game"], row["players"], row["level"]


def page(table: list[dict[str, Any]]) -> str:
    lines = [HEAD]
    for name in dict.fromkeys(row["game"] for row in table):
        lines += [f"## {games.info(name).title}", ""]
        lines += [f"| {' | '.join(COLUMNS)} | |", f"|{'---|' * len(COLUMNS)}---|"]
        rows_of_game = [row for row in table if row["game"] == name]
        forget = any(row["remembers"] is not None for row in rows_of_game)
        for row in rows_of_game:
            values = ["" if row[column] is None else f"{row[column]}" for column in COLUMNS]
            effort = Effort(row["simulations"], attention=row["attention"], memory=row["remembers"])
            lines.append(f"| {' | '.join(values)} | {described(effort, forget)} |")
        lines.append("")
    return "\n".join(lines)


def main() -> None:
    try:
        table = merge(stored(), rows())
    except ValueError as changed:
        sys.exit(str(changed))
    TABLE.write_text("[\n" + ",\n".join(map(json.dumps, table)) + "\n]\n", encoding="utf-8")
    PAGE.write_text(page(table), encoding="utf-8")


if __name__ == "__main__":
    main()
