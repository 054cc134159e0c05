"""The operator's access to the tables of a running server: it reads the database and leaves orders in it."""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from icetable.server.store import is_postgres, sqlite_path
from icetable.server.store.errors import FAILED, StoreError
from icetable.server.store.migrations import check_current
from icetable.server.store.sqlite import BUSY_TIMEOUT_SECONDS
from icetable.server.store.sqlite import explain as explain_sqlite
from icetable.server.store.versions import version_at

if TYPE_CHECKING:
    from collections.abc import Iterator

POLLING_SECONDS = 0.2
MAX_ORDER_AGE_SECONDS = 24 * 60 * 60


class AdminConnection:
    """A connection to a database that servers may be using."""

    def __init__(self, where: str) -> None:
        """Raises StoreError."""
        version = version_at(where)
        if version is None:
            raise StoreError("There are no tables yet.")
        check_current(version)
        self._is_postgres = is_postgres(where)
        if self._is_postgres:
            from icetable.server.store.postgres import connect

            self._connection: Any = connect(where, autocommit=True)
            self._connection.execute("SET search_path = icetable")
        else:
            path = sqlite_path.find(Path(where))
            self._connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None)

    def close(self) -> None:
        self._connection.close()

    def order(self, text: str, timeout: float) -> str | None:
        """Leave an order for the servers; return the first answer, or None after a timeout. Raises StoreError."""
        number, now = secrets.token_hex(8), int(time.time())
        self.rows("DELETE FROM orders WHERE at < ?", (now - MAX_ORDER_AGE_SECONDS,))
        self.rows("INSERT INTO orders (id, at, text) VALUES (?, ?, ?)", (number, now, text))
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            ((answer,),) = self.rows("SELECT answer FROM orders WHERE id = ?", (number,))
            if answer is not None:
                return str(answer)
            time.sleep(POLLING_SECONDS)
        self.rows("DELETE FROM orders WHERE id = ?", (number,))
        return None

    def rows(self, command: str, row: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        """Run an SQL command and return its rows. Raises StoreError."""
        with self._explained():
            if not self._is_postgres:
                return self._connection.execute(command, row).fetchall()  # type: ignore[no-any-return]
            from icetable.server.store.postgres import in_postgres

            found = self._connection.execute(in_postgres(command), row)
            return found.fetchall() if found.description else []

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise explain_sqlite(error) or StoreError(FAILED) from None
        except Exception as error:
            if not self._is_postgres:
                raise
            from icetable.server.store.postgres import explain

            raise explain(error) or StoreError(FAILED) from None
