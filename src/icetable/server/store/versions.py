"""The version of a database's schema, read without changing the database."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

from icetable.server.store import is_postgres, sqlite_path
from icetable.server.store.errors import FAILED, StoreError
from icetable.server.store.sqlite import BUSY_TIMEOUT_SECONDS, explain, take_lock


def version_at(where: str) -> int | None:
    """The version of a database, which a server may be using; None if it is new. Raises StoreError."""
    if is_postgres(where):
        from icetable.server.store.postgres import version_of  # its driver is an optional package

        return version_of(where)
    path = sqlite_path.find(Path(where))
    if not path.exists():
        return None
    if path.is_dir():
        raise StoreError("The database can't be opened: it is a folder.")
    try:
        with contextlib.closing(
            sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", timeout=BUSY_TIMEOUT_SECONDS, uri=True)
        ) as reader:
            return int(reader.execute("PRAGMA user_version").fetchone()[0]) or None
    except sqlite3.Error as error:
        raise explain(error) or StoreError(FAILED) from None


def check_writable(where: str) -> None:
    """Raise StoreError if a server could not open the database now, and change nothing."""
    if is_postgres(where):
        from icetable.server.store.postgres import check_schema

        check_schema(where)
        return
    path = sqlite_path.find(Path(where))
    folder = path.parent
    while not folder.exists():
        folder = folder.parent
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        raise StoreError(f"The database can't be opened: the folder {folder} can't be written.")
    if path.exists() and not os.access(path, os.R_OK | os.W_OK):
        raise StoreError("The database can't be written.")
    lock = path.with_name(f"{path.name}-lock")
    if lock.exists():
        take_lock(lock).close()
