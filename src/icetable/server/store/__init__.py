"""Storage of tables: SQLite for one server process, PostgreSQL for several."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from icetable.server.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from icetable.server.store.store import Store


def open_store(where: str | Path) -> Store:
    """Open a PostgreSQL URL or a SQLite file, which is created if it does not exist. Raises StoreError."""
    if not is_postgres(where):
        return SqliteStore(Path(where))
    from icetable.server.store.postgres import PostgresStore  # its driver is an optional package

    return PostgresStore(str(where))


def is_postgres(where: str | Path) -> bool:
    """Whether `where` is a PostgreSQL URL, which may contain a password and must not be shown."""
    return str(where).startswith(("postgresql://", "postgres://"))
