"""A PostgreSQL database as the source or target of a copy."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING

from icetable.server.store.databases import Database, Row, SchemaTable
from icetable.server.store.errors import StoreError
from icetable.server.store.postgres import APPLICATION, PostgresStore, connect, explain, in_postgres
from icetable.server.store.sqlite import SHUTDOWN_TIMEOUT_SECONDS

try:
    import psycopg
except ImportError:
    raise StoreError("PostgreSQL needs an extra package: install icetable[postgres].") from None

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROWS_PER_FETCH = 1000
POLLING_SECONDS = 0.05
"""Interval between checks whether servers that are shutting down have disconnected."""
OTHER_CONNECTIONS = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND application_name = %s AND pid <> pg_backend_pid()"
)
IN_USE = "Another icetable uses this database; stop the servers first."
UNSTORABLE_TEXT = "PostgreSQL can't store a text of the other database: it contains NUL."


class PostgresDatabase(Database):
    """A PostgreSQL database that no server is using when it is opened."""

    _errors = psycopg.Error
    _begin = "BEGIN ISOLATION LEVEL REPEATABLE READ"

    def __init__(self, url: str) -> None:
        with self._explained(), contextlib.ExitStack() as cleanup:
            self._connection = connect(url, autocommit=True, application_name=APPLICATION)
            cleanup.callback(self.close)
            self._wait_for_others()
            PostgresStore(url).close()  # creates the schema
            for setting in ("search_path = icetable", "statement_timeout = 0", "synchronous_commit = on"):
                self._connection.execute(f"SET {setting}")
            cleanup.pop_all()

    def _wait_for_others(self) -> None:
        """Wait for servers that are shutting down. Raises StoreError if one stays connected."""
        deadline = time.monotonic() + SHUTDOWN_TIMEOUT_SECONDS
        while self._connection.execute(OTHER_CONNECTIONS, (APPLICATION,)).fetchone() != (0,):
            if time.monotonic() > deadline:
                raise StoreError(IN_USE)
            time.sleep(POLLING_SECONDS)

    def _read(self, command: str) -> Iterator[Row]:
        with self._connection.cursor(name="rows") as cursor:
            cursor.itersize = ROWS_PER_FETCH
            cursor.execute(in_postgres(command))
            yield from cursor

    def _write(self, table: SchemaTable, rows: Iterable[Row]) -> None:
        with (
            self._connection.cursor() as cursor,
            cursor.copy(f"COPY {table.name} ({', '.join(table.columns)}) FROM STDIN") as copy,
        ):
            for row in rows:
                copy.write_row(row)

    def _explain(self, error: Exception) -> StoreError | None:
        if isinstance(error, psycopg.DataError):
            return StoreError(UNSTORABLE_TEXT)
        return explain(error)
