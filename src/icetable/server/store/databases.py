"""Databases as sources and targets of a copy: read all rows in order, write rows."""

from __future__ import annotations

import contextlib
import sqlite3
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple

from icetable.server.store import migrations
from icetable.server.store.errors import FAILED, StoreError
from icetable.server.store.sqlite import BUSY_TIMEOUT_SECONDS, SqliteStore, explain

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from pathlib import Path

Row = tuple[Any, ...]

LOST_ACTS = "According to its -tips file, tables have lost acknowledged acts; see docs/running.md."


class SchemaTable(NamedTuple):
    """A table of the schema: its columns, and an ORDER BY that sorts its rows alike in every database."""

    name: str
    columns: tuple[str, ...]
    order: str


def schema_tables() -> list[SchemaTable]:
    """The tables that the migrations create."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as empty:
        migrations.migrate(empty.execute, 0)
        names = empty.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall()
        return [_schema_table(name, empty.execute(f"PRAGMA table_info({name})").fetchall()) for (name,) in names]


def _schema_table(name: str, columns: list[Row]) -> SchemaTable:
    key = sorted((place, column, kind) for _, column, kind, _, _, place in columns if place)
    order = (f"{column} COLLATE BINARY" if kind == "TEXT" else column for _, column, kind in key)
    return SchemaTable(name, tuple(column for _, column, *_ in columns), ", ".join(order))


class Database(ABC):
    """An open database."""

    error_prefix = ""
    _connection: Any
    _begin = "BEGIN"
    _errors: type[Exception]

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Read from one snapshot, and commit all writes at the end or none."""
        self._run(self._begin)
        try:
            yield
            self._run("COMMIT")
        except BaseException:
            with contextlib.suppress(StoreError):  # a lost connection has ended the transaction
                self._run("ROLLBACK")
            raise

    def count(self, table: SchemaTable) -> int:
        """The number of rows. Raises StoreError."""
        return int(self._run(f"SELECT count(*) FROM {table.name}").fetchone()[0])  # noqa: S608

    def rows(self, table: SchemaTable) -> Generator[Row]:
        """All rows, in order. Raises StoreError."""
        with self._explained():
            yield from self._read(f"SELECT {', '.join(table.columns)} FROM {table.name} ORDER BY {table.order}")  # noqa: S608

    def fill(self, table: SchemaTable, rows: Iterable[Row]) -> None:
        """Write rows. Raises StoreError."""
        with self._explained():
            self._write(table, rows)

    def close(self) -> None:
        """Close the connection and roll back an open transaction."""
        self._connection.close()

    def _run(self, command: str) -> Any:
        with self._explained():
            return self._connection.execute(command)

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except self._errors as error:
            raise StoreError(f"{self.error_prefix}{self._explain(error) or FAILED}") from error

    @abstractmethod
    def _read(self, command: str) -> Iterator[Row]:
        """Stream the rows of a query."""

    @abstractmethod
    def _write(self, table: SchemaTable, rows: Iterable[Row]) -> None:
        """Write rows."""

    @abstractmethod
    def _explain(self, error: Exception) -> StoreError | None:
        """The error to report; None for errors of a single row."""


class SqliteDatabase(Database):
    """A SQLite file, locked against servers."""

    _errors = sqlite3.Error

    def __init__(self, path: Path) -> None:
        self._store = SqliteStore(path)
        where = f"{self._store.path.absolute().as_uri()}?mode=rw"
        self._connection = sqlite3.connect(where, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None, uri=True)
        if self._store.lost:
            self.close()
            raise StoreError(LOST_ACTS)

    def close(self) -> None:
        super().close()
        self._store.close()

    def _read(self, command: str) -> Iterator[Row]:
        yield from self._connection.execute(command)

    def _write(self, table: SchemaTable, rows: Iterable[Row]) -> None:
        placeholders = ", ".join("?" * len(table.columns))
        command = f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES ({placeholders})"  # noqa: S608
        self._connection.executemany(command, rows)

    def _explain(self, error: Exception) -> StoreError | None:
        return explain(error)
