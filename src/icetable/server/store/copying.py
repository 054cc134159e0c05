"""Copy all stored data into an empty database, SQLite or PostgreSQL.

Copying is one transaction of the target, and both databases are compared before it commits: all is copied, or nothing.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from abc import ABC, abstractmethod
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from icetable.server.store import is_postgres, migrations
from icetable.server.store.admin import version_at
from icetable.server.store.errors import FAILED, StoreError
from icetable.server.store.migrations import check_current
from icetable.server.store.sqlite import (
    BUSY_TIMEOUT_SECONDS,
    SHUTDOWN_TIMEOUT_SECONDS,
    SqliteDatabase,
    explain,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    ReportProgress = Callable[[str, int, int], None]
    """Called with the step ("copied" or "compared"), the number of rows done, and the total."""

ROWS_PER_REPORT = 1000
FILES = ("", "-wal", "-shm", "-last-entries", "-lock")
"""The ends of the names of a SQLite database's files."""


ROWS_PER_FETCH = 1000
POLLING_SECONDS = 0.05
"""Interval between checks whether servers that are shutting down have disconnected."""
OTHER_CONNECTIONS = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND application_name = %s AND pid <> pg_backend_pid()"
)
POSTGRES_IN_USE = "Another icetable uses this database; stop the servers first."
UNSTORABLE_TEXT = "PostgreSQL can't store a text of the other database: it contains NUL."


Row = tuple[Any, ...]

LOST_ACTS_NOTED = "According to its -last-entries file, tables have lost acknowledged acts; see docs/running.md."


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


class CopyEnd(ABC):
    """A database as the source or target of a copy."""

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


class SqliteEnd(CopyEnd):
    """A SQLite file, locked against servers."""

    _errors = sqlite3.Error

    def __init__(self, path: Path) -> None:
        self._database = SqliteDatabase(path)
        where = f"{self._database.path.absolute().as_uri()}?mode=rw"
        self._connection = sqlite3.connect(where, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None, uri=True)
        if self._database.lost:
            self.close()
            raise StoreError(LOST_ACTS_NOTED)

    def close(self) -> None:
        super().close()
        self._database.close()

    def _read(self, command: str) -> Iterator[Row]:
        yield from self._connection.execute(command)

    def _write(self, table: SchemaTable, rows: Iterable[Row]) -> None:
        placeholders = ", ".join("?" * len(table.columns))
        command = f"INSERT INTO {table.name} ({', '.join(table.columns)}) VALUES ({placeholders})"  # noqa: S608
        self._connection.executemany(command, rows)

    def _explain(self, error: Exception) -> StoreError | None:
        return explain(error)


class PostgresEnd(CopyEnd):
    """A PostgreSQL database that no server is using when it is opened."""

    _begin = "BEGIN ISOLATION LEVEL REPEATABLE READ"

    def __init__(self, url: str) -> None:
        from icetable.server.store import postgres  # its driver is an optional package

        self._postgres = postgres
        self._errors = postgres.Error
        with self._explained(), contextlib.ExitStack() as cleanup:
            self._connection = postgres.connect(url, autocommit=True, application_name=postgres.APPLICATION)
            cleanup.callback(self.close)
            self._wait_for_others()
            postgres.PostgresDatabase(url).close()  # creates the schema
            for setting in ("search_path = icetable", "statement_timeout = 0", "synchronous_commit = on"):
                self._connection.execute(f"SET {setting}")
            cleanup.pop_all()

    def _wait_for_others(self) -> None:
        """Wait for servers that are shutting down. Raises StoreError if one stays connected."""
        deadline = time.monotonic() + SHUTDOWN_TIMEOUT_SECONDS
        while self._connection.execute(OTHER_CONNECTIONS, (self._postgres.APPLICATION,)).fetchone() != (0,):
            if time.monotonic() > deadline:
                raise StoreError(POSTGRES_IN_USE)
            time.sleep(POLLING_SECONDS)

    def _read(self, command: str) -> Iterator[Row]:
        with self._connection.cursor(name="rows") as cursor:
            cursor.itersize = ROWS_PER_FETCH
            cursor.execute(self._postgres.in_postgres(command))
            yield from cursor

    def _write(self, table: SchemaTable, rows: Iterable[Row]) -> None:
        with (
            self._connection.cursor() as cursor,
            cursor.copy(f"COPY {table.name} ({', '.join(table.columns)}) FROM STDIN") as copy,
        ):
            for row in rows:
                copy.write_row(row)

    def _explain(self, error: Exception) -> StoreError | None:
        if isinstance(error, self._postgres.DataError):
            return StoreError(UNSTORABLE_TEXT)
        return self._postgres.explain(error)


class CopyCounts(NamedTuple):
    """The numbers of tables, log entries and rows that were copied."""

    tables: int
    entries: int
    rows: int


class CopyProgress:
    """Counts the rows of one step and reports them."""

    def __init__(self, step: str, total: int, report: ReportProgress) -> None:
        self._step, self._total, self._report = step, total, report
        self._done = 0

    def count(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Pass rows through and count them."""
        for row in rows:
            yield row
            self._done += 1
            if self._done % ROWS_PER_REPORT == 0 or self._done == self._total:
                self._report(self._step, self._done, self._total)


def copy(source: str, target: str, report: ReportProgress) -> CopyCounts:
    """Copy all data. Raises StoreError, whose message calls the databases FROM and TO."""
    if source == target:
        raise StoreError("FROM and TO are the same.")
    for name, where in (("FROM", source), ("TO", target)):
        if "://" in where and not is_postgres(where):
            raise StoreError(f"{name}: A database is a file, or has a URL that begins with postgresql://.")
    _check_version(source)
    schema = schema_tables()
    with _gone_if_new(target), _opened(source, "FROM") as old, _opened(target, "TO") as new, new.transaction():
        if any(new.count(table) for table in schema):
            raise StoreError("TO is not empty: copy into a new file or an empty database.")
        with old.transaction():
            counts = {table.name: old.count(table) for table in schema}
            total = sum(counts.values())
            copying = CopyProgress("copied", total, report)
            for table in schema:
                with contextlib.closing(old.rows(table)) as rows:
                    new.fill(table, copying.count(rows))
        with old.transaction():  # a new snapshot, which must be the same
            comparing = CopyProgress("compared", total, report)
            for table in schema:
                _compare(table, old, new, comparing)
    return CopyCounts(counts["tables"], counts["acts"], total)


@contextlib.contextmanager
def _gone_if_new(target: str) -> Iterator[None]:
    """After an error, delete the file that was made for the copy, with those beside it."""
    path = Path(target)
    is_new = not is_postgres(target) and not path.exists()
    try:
        yield
    except BaseException:
        for suffix in FILES if is_new else ():
            path.with_name(f"{path.name}{suffix}").unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def _opened(where: str, name: str) -> Iterator[CopyEnd]:
    """Open a database. Raises StoreError, whose message begins with the name."""
    try:
        database = PostgresEnd(where) if is_postgres(where) else SqliteEnd(Path(where))
    except StoreError as error:
        raise StoreError(f"{name}: {error}") from None
    database.error_prefix = f"{name}: "
    with contextlib.closing(database):
        yield database


def _compare(table: SchemaTable, old: CopyEnd, new: CopyEnd, progress: CopyProgress) -> None:
    with contextlib.closing(old.rows(table)) as old_rows, contextlib.closing(new.rows(table)) as new_rows:
        if any(old_row != new_row for old_row, new_row in zip_longest(old_rows, progress.count(new_rows))):
            raise StoreError(f"Nothing was copied: rows of {table.name} differ, as if FROM had changed meanwhile.")


def _check_version(source: str) -> None:
    """Check that the source has the schema version of this icetable."""
    try:
        version = version_at(source)
        if version is None:
            raise StoreError("There are no tables.")
        check_current(version)
    except StoreError as error:
        raise type(error)(f"FROM: {error}") from None
