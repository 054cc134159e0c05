"""A copy of the database while a server writes it."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from icetable.server.store import place
from icetable.server.store.errors import FAILED, StoreError
from icetable.server.store.migrations import MIGRATIONS
from icetable.server.store.sqlite import LOCKED_SECONDS, explain


class NoBackup(Exception):
    """The database can't be copied; the text says why, in one sentence."""


def back_up(database: Path, copy: Path) -> int:
    """Copy a database to an empty file as it is at one moment; returns the number of its tables.

    A server need not wait meanwhile. Every entry acknowledged before is in the copy. Raises NoBackup.
    """
    if not database.is_file():
        raise NoBackup(f"there is no file {database}")
    copy.chmod(0o600)  # the secrets of games under way are in it
    try:
        source = f"{place.find(database).as_uri()}?mode=ro"
        with (
            contextlib.closing(sqlite3.connect(source, timeout=LOCKED_SECONDS, uri=True)) as reader,
            contextlib.closing(sqlite3.connect(copy, timeout=LOCKED_SECONDS, isolation_level=None)) as writer,
        ):
            _check_is_ours(reader, database)
            reader.backup(writer)  # in one piece: a copy in several begins anew at every write between
            writer.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it
            if writer.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                raise NoBackup(f"{database} is damaged")
            return int(writer.execute("SELECT count(*) FROM tables").fetchone()[0])
    except StoreError as error:
        raise NoBackup(f"{database} can't be copied to {copy}. {error}") from None
    except sqlite3.Error as error:
        raise NoBackup(f"{database} can't be copied to {copy}. {explain(error) or FAILED}") from None


def _check_is_ours(reader: sqlite3.Connection, database: Path) -> None:
    version = reader.execute("PRAGMA user_version").fetchone()[0]
    if not 1 <= version <= len(MIGRATIONS):
        raise NoBackup(f"{database} is no database of this icetable")
