"""Games and their positions on disk: Parquet files, written atomically and read with DuckDB. Games have a file per
batch; positions, as a data set, a row for each act of a player.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from icetable.core.errors import GameError
from icetable.kernels.layout import CHANCE
from icetable.lab.plan import Row, final_state

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

    from icetable.lab.plan import Plan


COLUMNS = {
    "block": "INTEGER",
    "game": "INTEGER",
    "players": "TINYINT[]",
    "opening": "VARCHAR",
    "shares": "DOUBLE[]",
    "points": "BIGINT[]",
    "turns": "INTEGER",
    "ended_by": "VARCHAR",
    "seats": "TINYINT[]",
    "choices": "SMALLINT[]",
    "times": "INTEGER[]",
    "log": "VARCHAR",
}
"""The columns of `blocks.Row` with their DuckDB types."""
POSITION_COLUMNS = {
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


def connect() -> DuckDBPyConnection:
    """A database in memory. Raises GameError if DuckDB is missing."""
    try:
        import duckdb
    except ModuleNotFoundError:
        raise GameError("this needs DuckDB: pip install 'icetable[lab]'") from None
    return duckdb.connect()


@functools.cache
def _writer() -> DuckDBPyConnection:
    """The database that writes files, cached as opening one takes ten times as long as writing a batch."""
    return connect()


def write(path: Path, rows: Sequence[Row]) -> None:
    """Write a file of rows atomically. Raises OSError."""
    write_lines(path, "".join(json.dumps(row._asdict()) + "\n" for row in rows), COLUMNS)


def write_lines(path: Path, text: str, columns: Mapping[str, str]) -> None:
    """Write a file of rows, given as lines of JSON, atomically. Raises OSError."""
    lines, part = path.with_suffix(".json.part"), path.with_suffix(".part")
    lines.write_text(text, encoding="utf-8")
    with _writer().cursor() as database:
        played = database.read_json(str(lines), columns=dict(columns), format="newline_delimited")
        played.write_parquet(str(part), compression="zstd")
    lines.unlink()
    _put_in_place(part, path)


def write_through(path: Path) -> None:
    """Wait until a file or folder is on disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def read(database: DuckDBPyConnection, paths: Sequence[Path]) -> DuckDBPyRelation:
    """The rows of files, in the order of the games. Raises GameError if one is visibly corrupt."""
    with _reading(paths):
        return database.read_parquet([str(path) for path in paths], union_by_name=True).order("block, game")


def in_memory(database: DuckDBPyConnection, relation: DuckDBPyRelation, paths: Sequence[Path]) -> DuckDBPyRelation:
    """A copy of a relation that no longer needs its files. Raises GameError if one of them is corrupt."""
    with _reading(paths):
        relation.create("games")
    return database.table("games").order("block, game")


def rows_of(relation: DuckDBPyRelation, paths: Sequence[Path]) -> list[Row]:
    """The rows of a relation of games. Raises GameError if one of its files is corrupt."""
    with _reading(paths):
        return [Row(*values) for values in relation.select(*Row._fields).fetchall()]


@contextlib.contextmanager
def _reading(paths: Sequence[Path]) -> Iterator[None]:
    """Raise an error that names the files that DuckDB can't read, as its own seldom does."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        why, names = str(error).partition("\n")[0], ", ".join(str(path) for path in paths if _is_corrupt(path))
        raise GameError(
            f"a file of games is corrupt; remove it and its batch will be played again: {names} ({why})"
        ) from None


def _is_corrupt(path: Path) -> bool:
    import duckdb

    with connect() as database, contextlib.suppress(duckdb.Error):
        database.read_parquet(str(path)).fetchall()
        return False
    return True


def hash_of(rows: Iterable[Row]) -> str:
    """A hash of rows, independent of the machine and of their batches."""
    total = hashlib.sha256()
    for row in rows:
        total.update(json.dumps(row).encode())
    return total.hexdigest()


def write_json(path: Path, content: Any) -> None:
    """Write a JSON file atomically. Raises OSError."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    _put_in_place(part, path)


def _put_in_place(part: Path, path: Path) -> None:
    """Rename a written file once it is on disk."""
    write_through(part)
    part.replace(path)
    write_through(path.parent)


def write_positions(plan: Plan, rows: Sequence[Row], folder: Path, number_of: Callable[[str], int] | None) -> str:
    """Write the positions of games to a folder, and return their hash, which depends on the games alone.

    `number_of` tells the number of an act. Raises GameError without DuckDB, and OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    total = hashlib.sha256()
    for first in range(0, len(rows), GAMES_PER_FILE):
        played = (one for row in rows[first : first + GAMES_PER_FILE] for one in positions(plan, row, number_of))
        lines = "".join(json.dumps(one) + "\n" for one in played)
        total.update(lines.encode())
        write_lines(folder / f"{first // GAMES_PER_FILE:05}.parquet", lines, POSITION_COLUMNS)
    return total.hexdigest()


def positions(plan: Plan, row: Row, number_of: Callable[[str], int] | None) -> Iterator[dict[str, Any]]:
    """A game's rows of POSITION_COLUMNS."""
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
