"""Storage of tables: SQLite for one server process, PostgreSQL for several."""

from __future__ import annotations

from pathlib import Path

from icetable.server.store.sqlite import SqliteDatabase
from icetable.server.store.store import Store


def open_store(where: str | Path) -> Store:
    """Open a PostgreSQL URL or a SQLite file, which is created if it does not exist. Raises StoreError."""
    if not is_postgres(where):
        return Store(SqliteDatabase(Path(where)))
    from icetable.server.store.postgres import PostgresDatabase  # its driver is an optional package

    return Store(PostgresDatabase(str(where)))


def is_postgres(where: str | Path) -> bool:
    """Whether `where` is a PostgreSQL URL, which may contain a password and must not be shown."""
    return str(where).startswith(("postgresql://", "postgres://"))
