"""Back up a SQLite database that a server may be writing to."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from icetable.server.store import sqlite_path
from icetable.server.store.errors import FAILED, StoreError
from icetable.server.store.migrations import current_version
from icetable.server.store.sqlite import BUSY_TIMEOUT_SECONDS, explain


class NoBackup(Exception):
    """The database can't be copied. The message is one sentence."""


def back_up(database: Path, copy: Path) -> int:
    """Copy a snapshot of a database to an empty file and return its number of tables. Raises NoBackup.

    It does not block a server. The copy has every entry acknowledged before.
    """
    if not database.is_file():
        raise NoBackup(f"there is no file {database}")
    copy.chmod(0o600)  # it contains the secrets of games in progress
    try:
        source = f"{sqlite_path.find(database).as_uri()}?mode=ro"
        with (
            contextlib.closing(sqlite3.connect(source, timeout=BUSY_TIMEOUT_SECONDS, uri=True)) as reader,
            contextlib.closing(sqlite3.connect(copy, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None)) as writer,
        ):
            _check_is_ours(reader, database)
            reader.backup(writer)  # in one step: a copy in several restarts after every write in between
            writer.execute("PRAGMA journal_mode = DELETE")  # a single file, without a WAL
            if writer.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                raise NoBackup(f"{database} is damaged")
            return int(writer.execute("SELECT count(*) FROM tables").fetchone()[0])
    except StoreError as error:
        raise NoBackup(f"{database} can't be copied to {copy}. {error}") from None
    except sqlite3.Error as error:
        raise NoBackup(f"{database} can't be copied to {copy}. {explain(error) or FAILED}") from None


def _check_is_ours(reader: sqlite3.Connection, database: Path) -> None:
    version = reader.execute("PRAGMA user_version").fetchone()[0]
    if not 1 <= version <= current_version():
        raise NoBackup(f"{database} is not a database of this icetable")
