"""PostgreSQL among the databases between which tables are copied."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING

from icetable.server.store.databases import Database, Kind, Row
from icetable.server.store.errors import StoreError
from icetable.server.store.postgres import APPLICATION, CONNECTING_SECONDS, PostgresStore, explain, in_postgres
from icetable.server.store.sqlite import ENDING_SECONDS

try:
    import psycopg
except ImportError:
    raise StoreError("PostgreSQL needs one package more: install icetable[postgres].") from None

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

AT_ONCE = 1000
"""How many rows the database sends at a time."""
WAITING_SECONDS = 0.05
"""How often, in seconds, to look whether a server that is shutting down has gone."""
OTHERS = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND application_name = %s AND pid <> pg_backend_pid()"
)
IN_USE = "Another icetable uses this database; stop the servers first."
UNKEPT = "PostgreSQL can't keep a text of the other database: it has a NUL, or letters that the encoding lacks."


class PostgresDatabase(Database):
    """A PostgreSQL database that no server uses at the beginning."""

    _errors = psycopg.Error
    _begin = "BEGIN ISOLATION LEVEL REPEATABLE READ"

    def __init__(self, url: str) -> None:
        with self._explained(), contextlib.ExitStack() as undoing:
            self._connection = psycopg.connect(
                url,
                autocommit=True,
                connect_timeout=CONNECTING_SECONDS,
                application_name=APPLICATION,
            )
            undoing.callback(self.close)
            self._wait_for_others()
            PostgresStore(url).close()  # that makes the schema
            for setting in ("search_path = icetable", "statement_timeout = 0", "synchronous_commit = on"):
                self._connection.execute(f"SET {setting}")
            undoing.pop_all()

    def _wait_for_others(self) -> None:
        """Wait for servers that are shutting down. Raises StoreError where one stays."""
        deadline = time.monotonic() + ENDING_SECONDS
        while self._connection.execute(OTHERS, (APPLICATION,)).fetchone() != (0,):
            if time.monotonic() > deadline:
                raise StoreError(IN_USE)
            time.sleep(WAITING_SECONDS)

    def _read(self, command: str) -> Iterator[Row]:
        with self._connection.cursor(name="rows") as cursor:
            cursor.itersize = AT_ONCE
            cursor.execute(in_postgres(command))
            yield from cursor

    def _write(self, kind: Kind, rows: Iterable[Row]) -> None:
        with (
            self._connection.cursor() as cursor,
            cursor.copy(f"COPY {kind.name} ({', '.join(kind.columns)}) FROM STDIN") as copy,
        ):
            for row in rows:
                copy.write_row(row)

    def _explain(self, error: Exception) -> StoreError | None:
        if isinstance(error, psycopg.DataError):
            return StoreError(UNKEPT)
        return explain(error)
