"""Copy all stored data into an empty database, SQLite or PostgreSQL.

Copying is one transaction of the target, and both databases are compared before it commits: all is copied, or nothing.
"""

from __future__ import annotations

from contextlib import closing, contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from icetable.server.store import is_postgres
from icetable.server.store.databases import SqliteDatabase, schema_tables
from icetable.server.store.errors import StoreError
from icetable.server.store.migrations import check_current
from icetable.server.store.versions import version_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from icetable.server.store.databases import Database, Row, SchemaTable

    ReportProgress = Callable[[str, int, int], None]
    """Called with the step ("copied" or "compared"), the number of rows done, and the total."""

ROWS_PER_REPORT = 1000
FILES = ("", "-wal", "-shm", "-tips", "-lock")
"""The ends of the names of a SQLite database's files."""


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
                with closing(old.rows(table)) as rows:
                    new.fill(table, copying.count(rows))
        with old.transaction():  # a new snapshot, which must be the same
            comparing = CopyProgress("compared", total, report)
            for table in schema:
                _compare(table, old, new, comparing)
    return CopyCounts(counts["tables"], counts["acts"], total)


@contextmanager
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


@contextmanager
def _opened(where: str, name: str) -> Iterator[Database]:
    """Open a database. Raises StoreError, whose message begins with the name."""
    try:
        database = _open(where)
    except StoreError as error:
        raise StoreError(f"{name}: {error}") from None
    database.error_prefix = f"{name}: "
    with closing(database):
        yield database


def _open(where: str) -> Database:
    if not is_postgres(where):
        return SqliteDatabase(Path(where))
    from icetable.server.store.postgres_database import PostgresDatabase  # its driver is an optional package

    return PostgresDatabase(where)


def _compare(table: SchemaTable, old: Database, new: Database, progress: CopyProgress) -> None:
    with closing(old.rows(table)) as old_rows, closing(new.rows(table)) as new_rows:
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
