"""The log in a SQLite file, for one server process."""

from __future__ import annotations

import contextlib
import itertools
import sqlite3
from typing import TYPE_CHECKING, Any

from icetable.table.log import APPEND, Job, Log, LogError, bring_up_to_date

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SENTENCES = {
    sqlite3.SQLITE_FULL: "The disk is full, so nothing more can be kept.",
    sqlite3.SQLITE_BUSY: "Another program keeps the database locked; please try again.",
    sqlite3.SQLITE_LOCKED: "Another program keeps the database locked; please try again.",
    sqlite3.SQLITE_READONLY: "The database can't be written.",
    sqlite3.SQLITE_PERM: "The database can't be written.",
    sqlite3.SQLITE_CANTOPEN: "The database can't be opened.",
    sqlite3.SQLITE_CORRUPT: "The database is damaged.",
    sqlite3.SQLITE_NOTADB: "The database is damaged, or no database at all.",
    sqlite3.SQLITE_IOERR: "The disk fails to read or write.",
}

PLACES = "(?, ?, ?, ?, ?, ?, ?)"
ROWS_AT_ONCE = 100
"""So many new entries go into one command: every SQLite takes so many values."""
PATIENCE = 5.0
"""How many seconds to wait for another process that writes."""


class SqliteLog(Log):
    """The log in the SQLite file at `path`, which is made if it is not there. Raises LogError."""

    is_shared = False

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        with self._explained():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)
            self._writer = self._connect()
            try:
                self._writer.execute("PRAGMA journal_mode = WAL")
                self._writer.execute("PRAGMA synchronous = FULL")
                self._migrate()
            except BaseException:
                self._writer.close()
                raise
        self._thread.start()

    def listen(self, hear: Callable[[str | None], None], overhear: Callable[[str, str], None]) -> None:
        """Nobody else adds or says anything."""

    def _whisper(self, table: str, text: str) -> None:
        """Nobody else is there."""

    def _end(self) -> None:
        self._writer.close()

    def _write_all(self, jobs: list[Job]) -> set[int]:
        self._writer.execute("BEGIN IMMEDIATE")
        try:
            taken = set[int]()
            if self._write_together(jobs) < len(jobs):
                self._writer.execute("ROLLBACK")
                self._writer.execute("BEGIN IMMEDIATE")
                rows = [self._writer.execute(job.command, job.row).rowcount for job in jobs]
                taken = {number for number, count in enumerate(rows) if count == 0}
            self._writer.execute("COMMIT")
        except BaseException:
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
            raise
        return taken

    def _write_together(self, jobs: list[Job]) -> int:
        """Write all jobs, and how many rows that changed.

        New entries go in few commands: after each command this thread waits until the others let it have its turn.
        """
        entries = [job.row for job in jobs if job.command == APPEND]
        count = 0
        for first in range(0, len(entries), ROWS_AT_ONCE):
            rows = entries[first : first + ROWS_AT_ONCE]
            many = APPEND.replace(PLACES, ", ".join([PLACES] * len(rows)))
            count += self._writer.execute(many, list(itertools.chain.from_iterable(rows))).rowcount
        return count + sum(self._writer.execute(job.command, job.row).rowcount for job in jobs if job.command != APPEND)

    def _read(self, command: str, row: tuple[object, ...]) -> list[Any]:
        with self._explained(), contextlib.closing(self._connect()) as reader:
            return reader.execute(command, row).fetchall()

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)

    def _migrate(self) -> None:
        self._writer.execute("BEGIN IMMEDIATE")
        version = self._writer.execute("PRAGMA user_version").fetchone()[0]
        if version == 0 and self._writer.execute("SELECT 1 FROM sqlite_schema").fetchone():
            raise LogError("The database is another program's.")
        version = bring_up_to_date(self._writer.execute, version)
        self._writer.execute(f"PRAGMA user_version = {version}")
        self._writer.execute("COMMIT")

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise LogError(_sentence(error)) from None
        except OSError as error:
            raise LogError(f"The database can't be opened: {error.strerror}.") from None


def _sentence(error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # errors of Python's own have none
    return SENTENCES.get(code, f"The database failed: {error}.")
