"""Databases between which tables are copied: all rows are read in order, and rows are written."""

from __future__ import annotations

import contextlib
import sqlite3
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple

from icetable.server.store import migrations
from icetable.server.store.errors import FAILED, StoreError
from icetable.server.store.sqlite import LOCKED_SECONDS, SqliteStore, explain

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from pathlib import Path

Row = tuple[Any, ...]

LOST = "By the file -tips beside it tables have lost acknowledged acts; see docs/running.md."


class Kind(NamedTuple):
    """A table of the schema: its columns, and an order of its rows that is the same in every database."""

    name: str
    columns: tuple[str, ...]
    order: str


def kinds() -> list[Kind]:
    """The tables of the schema, as the migrations make them."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as empty:
        migrations.migrate(empty.execute, 0)
        names = empty.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall()
        return [_kind(name, empty.execute(f"PRAGMA table_info({name})").fetchall()) for (name,) in names]


def _kind(name: str, columns: list[Row]) -> Kind:
    key = sorted((place, column, kind) for _, column, kind, _, _, place in columns if place)
    order = (f"{column} COLLATE BINARY" if kind == "TEXT" else column for _, column, kind in key)
    return Kind(name, tuple(column for _, column, *_ in columns), ", ".join(order))


class Database(ABC):
    """An open database."""

    name = ""
    """What stands before its errors."""
    _connection: Any
    _begin = "BEGIN"
    _errors: type[Exception]

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """What is read within is of one moment; what is written counts at the end, or not at all."""
        self._run(self._begin)
        try:
            yield
            self._run("COMMIT")
        except BaseException:
            with contextlib.suppress(StoreError):  # where the connection is gone, so is the transaction
                self._run("ROLLBACK")
            raise

    def count(self, kind: Kind) -> int:
        """How many rows there are. Raises StoreError."""
        return int(self._run(f"SELECT count(*) FROM {kind.name}").fetchone()[0])  # noqa: S608

    def rows(self, kind: Kind) -> Generator[Row]:
        """All rows, in order. Raises StoreError."""
        with self._explained():
            yield from self._read(f"SELECT {', '.join(kind.columns)} FROM {kind.name} ORDER BY {kind.order}")  # noqa: S608

    def fill(self, kind: Kind, rows: Iterable[Row]) -> None:
        """Write rows. Raises StoreError."""
        with self._explained():
            self._write(kind, rows)

    def close(self) -> None:
        """End, and with it a transaction."""
        self._connection.close()

    def _run(self, command: str) -> Any:
        with self._explained():
            return self._connection.execute(command)

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except self._errors as error:
            raise StoreError(f"{self.name}{self._explain(error) or FAILED}") from error

    @abstractmethod
    def _read(self, command: str) -> Iterator[Row]:
        """The rows that a query finds, few of them in memory at a time."""

    @abstractmethod
    def _write(self, kind: Kind, rows: Iterable[Row]) -> None:
        """Write rows."""

    @abstractmethod
    def _explain(self, error: Exception) -> StoreError | None:
        """How an error is reported; None for errors of one row."""


class SqliteDatabase(Database):
    """A SQLite file, which no server can open meanwhile."""

    _errors = sqlite3.Error

    def __init__(self, path: Path) -> None:
        self._store = SqliteStore(path)
        where = f"{self._store.path.absolute().as_uri()}?mode=rw"
        self._connection = sqlite3.connect(where, timeout=LOCKED_SECONDS, isolation_level=None, uri=True)
        if self._store.lost:
            self.close()
            raise StoreError(LOST)

    def close(self) -> None:
        super().close()
        self._store.close()

    def _read(self, command: str) -> Iterator[Row]:
        yield from self._connection.execute(command)

    def _write(self, kind: Kind, rows: Iterable[Row]) -> None:
        places = ", ".join("?" * len(kind.columns))
        command = f"INSERT INTO {kind.name} ({', '.join(kind.columns)}) VALUES ({places})"  # noqa: S608
        self._connection.executemany(command, rows)

    def _explain(self, error: Exception) -> StoreError | None:
        return explain(error)
