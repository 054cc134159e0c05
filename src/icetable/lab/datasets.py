"""The positions of a run as a data set: a row for each act of a player, in Parquet."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from icetable.kernels.layout import CHANCE
from icetable.lab import store
from icetable.lab.blocks import Row, final_state

if TYPE_CHECKING:
    from pathlib import Path

    from icetable.lab.plan import Plan
    from icetable.lab.running import Run

COLUMNS = {
    "block": "INTEGER",
    "game": "INTEGER",
    "number": "INTEGER",
    "seat": "TINYINT",
    "position": "VARCHAR",
    "act": "VARCHAR",
    "action": "INTEGER",
    "value": "DOUBLE",
}
"""The columns with their DuckDB types. `number` counts all acts of the game, those of chance too; `position` is what
`game.from_json` reads; `action` is the act's number in the environment, null in a game without one; `value` is the
share of the game that the seat has got in the end."""
GAMES_PER_FILE = 1000


def write_positions(run: Run, folder: Path, number_of: Callable[[str], int] | None) -> str:
    """Write the positions of all games to a folder, and return their hash, which depends on the games alone.

    `number_of` tells the number of an act. Raises GameError without DuckDB, and OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    total, rows = hashlib.sha256(), run.rows
    for first in range(0, len(rows), GAMES_PER_FILE):
        played = (one for row in rows[first : first + GAMES_PER_FILE] for one in positions(run.plan, row, number_of))
        lines = "".join(json.dumps(one) + "\n" for one in played)
        total.update(lines.encode())
        store.write_lines(folder / f"{first // GAMES_PER_FILE:05}.parquet", lines, COLUMNS)
    return total.hexdigest()


def positions(plan: Plan, row: Row, number_of: Callable[[str], int] | None) -> Iterator[dict[str, Any]]:
    """A game's rows of COLUMNS."""
    for number, (before, after) in enumerate(pairwise(final_state(plan, row).history())):
        if after.seat is not None and after.seat != CHANCE:
            yield {
                "block": row.block,
                "game": row.game,
                "number": number,
                "seat": after.seat,
                "position": before.to_json(),
                "act": str(after.act),
                "action": None if number_of is None else number_of(str(after.act)),
                "value": row.shares[after.seat],
            }
