"""All that is stored of the tables, copied into an empty database of the other kind or of the same.

It is copied in one transaction of the target, and read again from both before that ends: so all of it is there, or
nothing.
"""

from __future__ import annotations

from contextlib import closing, contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from icetable.server.store import is_postgres
from icetable.server.store.databases import SqliteDatabase, kinds
from icetable.server.store.errors import StoreError
from icetable.server.store.migrations import MIGRATIONS
from icetable.server.store.versions import version_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from icetable.server.store.databases import Database, Kind, Row

    Tell = Callable[[str, int, int], None]
    """Called with what is being done, and with how many of how many rows it was done."""

TOLD_AT_ONCE = 1000
"""After how many rows progress is told."""


class Moved(NamedTuple):
    """How much was copied: tables, entries of their logs, and rows of all kinds."""

    tables: int
    entries: int
    rows: int


class Pass:
    """How far a pass through all rows is."""

    def __init__(self, what: str, every: int, tell: Tell) -> None:
        self._what, self._every, self._tell = what, every, tell
        self._done = 0

    def along(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The rows, counted."""
        for row in rows:
            yield row
            self._done += 1
            if self._done % TOLD_AT_ONCE == 0 or self._done == self._every:
                self._tell(self._what, self._done, self._every)


def copy(source: str, target: str, tell: Tell) -> Moved:
    """Copy all tables from one place to another. Raises StoreError, which calls them FROM and TO."""
    if source == target:
        raise StoreError("FROM and TO are the same.")
    for name, where in (("FROM", source), ("TO", target)):
        if "://" in where and not is_postgres(where):
            raise StoreError(f"{name}: A database is a file, or has a URL that begins with postgresql://.")
    _check_version(source)
    schema = kinds()
    with _opened(source, "FROM") as old, _opened(target, "TO") as new, new.transaction():
        if any(new.count(kind) for kind in schema):
            raise StoreError("TO is not empty: tables are copied into a new file or an empty database.")
        with old.transaction():
            counts = {kind.name: old.count(kind) for kind in schema}
            every = sum(counts.values())
            copying = Pass("copied", every, tell)
            for kind in schema:
                with closing(old.rows(kind)) as rows:
                    new.fill(kind, copying.along(rows))
        with old.transaction():  # of a later moment, in which everything has to be as it was
            comparing = Pass("compared", every, tell)
            for kind in schema:
                _compare(kind, old, new, comparing)
    return Moved(counts["tables"], counts["acts"], every)


@contextmanager
def _opened(where: str, name: str) -> Iterator[Database]:
    """The database at a place. Raises StoreError; the name stands before its text."""
    try:
        end = _open(where)
    except StoreError as error:
        raise StoreError(f"{name}: {error}") from None
    end.name = f"{name}: "
    with closing(end):
        yield end


def _open(where: str) -> Database:
    if not is_postgres(where):
        return SqliteDatabase(Path(where))
    from icetable.server.store.postgres_database import PostgresDatabase  # its driver is an optional package

    return PostgresDatabase(where)


def _compare(kind: Kind, old: Database, new: Database, progress: Pass) -> None:
    with closing(old.rows(kind)) as ones, closing(new.rows(kind)) as others:
        if any(one != other for one, other in zip_longest(ones, progress.along(others))):
            raise StoreError(f"Nothing was copied: rows of {kind.name} differ, as if FROM had changed meanwhile.")


def _check_version(source: str) -> None:
    """Check that a server with this icetable would not have to change the database first."""
    try:
        version = version_at(source)
    except StoreError as error:
        raise StoreError(f"FROM: {error}") from None
    if version is None:
        raise StoreError("FROM: There are no tables.")
    if version < len(MIGRATIONS):
        raise StoreError("FROM: The database was written by an older icetable; start this one on it first.")
    if version > len(MIGRATIONS):
        raise StoreError("FROM: The database was written by a newer icetable.")
