"""Rows on disk: a Parquet file for each batch, written once and whole, and read with DuckDB."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from icetable.core.errors import GameError
from icetable.lab.blocks import Row

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation

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
"""The columns of a game, as DuckDB names their types. Their meaning is that of `blocks.Row`."""


def connect() -> DuckDBPyConnection:
    """A database in memory. Raises GameError where DuckDB is missing."""
    try:
        import duckdb
    except ModuleNotFoundError:
        raise GameError("this needs DuckDB: pip install 'icetable[lab]'") from None
    return duckdb.connect()


@functools.cache
def _writer() -> DuckDBPyConnection:
    """The database whose cursors write files: to begin one takes ten times as long as to write a batch."""
    return connect()


def write(path: Path, rows: Sequence[Row]) -> None:
    """Write a file of rows: it is there whole or not at all, whatever happens meanwhile. Raises OSError."""
    lines, part = path.with_suffix(".json.part"), path.with_suffix(".part")
    lines.write_text("".join(json.dumps(row._asdict()) + "\n" for row in rows), encoding="utf-8")
    with _writer().cursor() as database:
        played = database.read_json(str(lines), columns=COLUMNS, format="newline_delimited")
        played.write_parquet(str(part), compression="zstd")
    lines.unlink()
    _put_in_place(part, path)


def write_through(path: Path) -> None:
    """Wait until the disk has what was written."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def read(database: DuckDBPyConnection, paths: Sequence[Path]) -> DuckDBPyRelation:
    """The rows of files, in the order of the games. Raises GameError where it can be seen that one is spoiled."""
    with _reading(paths):
        return database.read_parquet([str(path) for path in paths], union_by_name=True).order("block, game")


def in_memory(database: DuckDBPyConnection, relation: DuckDBPyRelation, paths: Sequence[Path]) -> DuckDBPyRelation:
    """The same rows, in the same order, without the files. Raises GameError where one of them is spoiled."""
    with _reading(paths):
        relation.create("games")
    return database.table("games").order("block, game")


def rows_of(relation: DuckDBPyRelation, paths: Sequence[Path]) -> list[Row]:
    """The rows of a relation with the columns of a game. Raises GameError where one of its files is spoiled."""
    with _reading(paths):
        return [Row(*values) for values in relation.select(*Row._fields).fetchall()]


@contextlib.contextmanager
def _reading(paths: Sequence[Path]) -> Iterator[None]:
    """Say which of some files DuckDB can't read, and what can be done about it. DuckDB itself seldom names it."""
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        why, names = str(error).partition("\n")[0], ", ".join(str(path) for path in paths if _is_spoiled(path))
        raise GameError(
            f"a file of games is spoiled; remove it, and its batch is played again: {names} ({why})"
        ) from None


def _is_spoiled(path: Path) -> bool:
    import duckdb

    with connect() as database, contextlib.suppress(duckdb.Error):
        database.read_parquet(str(path)).fetchall()
        return False
    return True


def hash_of(rows: Iterable[Row]) -> str:
    """A hash of rows: the same wherever and in whatever batches they were played."""
    total = hashlib.sha256()
    for row in rows:
        total.update(json.dumps(row).encode())
    return total.hexdigest()


def write_json(path: Path, content: Any) -> None:
    """Write a file of JSON: it is there whole or not at all. Raises OSError."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    _put_in_place(part, path)


def _put_in_place(part: Path, path: Path) -> None:
    """Give a file that is written its name, once the disk has it."""
    write_through(part)
    part.replace(path)
    write_through(path.parent)
