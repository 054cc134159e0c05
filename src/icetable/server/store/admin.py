"""The operator's access to a database beside its servers: orders, names, backups, and whether a server could start."""

from __future__ import annotations

import contextlib
import os
import secrets
import sqlite3
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from icetable.server.store import is_postgres
from icetable.server.store.errors import FAILED, StoreError
from icetable.server.store.migrations import check_current, current_version
from icetable.server.store.sqlite import BUSY_TIMEOUT_SECONDS, explain, real_path, take_lock
from icetable.server.store.tables import names_in
from icetable.server.table.log import Place, in_record, read_name

if TYPE_CHECKING:
    from collections.abc import Iterator

POLLING_SECONDS = 0.2
MAX_ORDER_AGE_SECONDS = 24 * 60 * 60
SETUP_NAMES = "SELECT id, names FROM tables WHERE instr(names, ?) > 0"
SIT_NAMES = "SELECT table_id, seq, name FROM acts WHERE name IS NOT NULL AND instr(name, ?) > 0"
RECORDS = "SELECT table_id FROM records WHERE instr(text, ?) > 0 OR instr(text, ?) > 0"
TOURNAMENTS = "SELECT DISTINCT tournament FROM tournament_events WHERE instr(text, ?) > 0"


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
            path = real_path(Path(where))
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

    def erasable(self, name: str) -> dict[str, list[Place]]:
        """The places where a name can be erased, by table. Raises StoreError."""
        quoted = msgspec.json.encode(name).decode()
        places: dict[str, list[Place]] = {}
        for table, names in self.rows(SETUP_NAMES, (quoted,)):
            seats = [
                (0, seat) for seat, salted in enumerate(names_in(names)) if salted is not None and salted.name == name
            ]
            places.setdefault(table, []).extend(seats)
        for table, number, salted in self.rows(SIT_NAMES, (quoted,)):
            if read_name(salted).name == name:
                places.setdefault(table, []).append((number, 0))
        return places

    def permanent(self, name: str) -> list[str]:
        """The tables that show a record with a name, and the tournaments with it. Raises StoreError."""
        quoted = msgspec.json.encode(name)
        texts = quoted.decode(), in_record(quoted)
        found = [*self.rows(RECORDS, texts), *self.rows(TOURNAMENTS, texts[:1])]
        return sorted({place for (place,) in found})

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise explain(error) or StoreError(FAILED) from None
        except Exception as error:
            if not self._is_postgres:
                raise
            from icetable.server.store import postgres

            raise postgres.explain(error) or StoreError(FAILED) from None


def version_at(where: str) -> int | None:
    """The version of a database, which a server may be using; None if it is new. Raises StoreError."""
    if is_postgres(where):
        from icetable.server.store.postgres import version_of  # its driver is an optional package

        return version_of(where)
    path = real_path(Path(where))
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
    path = real_path(Path(where))
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
        source = f"{real_path(database).as_uri()}?mode=ro"
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
