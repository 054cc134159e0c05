"""Where tables are stored: in SQLite for one server process, in PostgreSQL for several."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from icetable.server.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from icetable.server.store.store import Store


def open_store(where: str | Path) -> Store:
    """The store at a PostgreSQL URL or in a SQLite file, which is created if it is not there. Raises StoreError."""
    if not is_postgres(where):
        return SqliteStore(Path(where))
    from icetable.server.store.postgres import PostgresStore  # its driver is an optional package

    return PostgresStore(str(where))


def is_postgres(where: str | Path) -> bool:
    """Whether a place is a PostgreSQL URL. It may hold a password and must not be shown."""
    return str(where).startswith(("postgresql://", "postgres://"))
