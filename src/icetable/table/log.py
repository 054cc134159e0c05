"""The log of all tables, in one SQLite file. An entry counts when it is committed, and not before.

One thread writes. Whatever has gathered while it was busy goes into the next transaction, so that many tables share
one wait for the disk; an entry that does not fit fails alone.
"""

from __future__ import annotations

import contextlib
import json
import queue
import sqlite3
import threading
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from icetable.table.rooms import Charter, Entry, Seat, Series

if TYPE_CHECKING:
    from collections.abc import Iterator

MIGRATIONS = (
    """
    CREATE TABLE tables (
        id TEXT PRIMARY KEY,
        game TEXT NOT NULL,
        options TEXT NOT NULL,
        seats TEXT NOT NULL,
        secret BLOB NOT NULL,
        created INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE acts (
        table_id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        at INTEGER NOT NULL,
        text TEXT NOT NULL,
        client_id TEXT,
        PRIMARY KEY (table_id, seq),
        UNIQUE (table_id, client_id)
    ) STRICT, WITHOUT ROWID;
    """,
    "ALTER TABLE tables ADD COLUMN series TEXT",
)
"""What leads from each version of the schema (PRAGMA user_version) to the next."""

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

PATIENCE = 5.0
"""How many seconds to wait for another process that writes."""


class LogError(Exception):
    """The log can't be read or written; the text says why, in one sentence."""


class Taken(Exception):
    """Another entry has this number or this client id: read on, and judge again."""


class Job(NamedTuple):
    """A row to be written, and who waits for it."""

    command: str
    row: tuple[object, ...]
    done: Future[None]


class Log:
    """The log in the SQLite file at `path`, which is made if it is not there. Raises LogError."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._closed = False
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
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
        self._thread = threading.Thread(target=self._write, name="log", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Write what is waiting, and end. Nothing can be written any more."""
        self._closed = True
        self._jobs.put(None)
        self._thread.join()

    # Writing

    def open_table(self, charter: Charter) -> Future[None]:
        """Keep a new table. The future brings None once it is safe, or LogError."""
        seats = msgspec.json.encode(charter.seats).decode()
        options = json.dumps(charter.options)
        series = None if charter.series is None else msgspec.json.encode(charter.series).decode()
        row = (charter.id, charter.game, options, seats, charter.secret, charter.created, series)
        return self._ask("INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def append(self, table: str, entry: Entry) -> Future[None]:
        """Keep an entry. The future brings None once it is safe, or Taken or LogError."""
        row = (table, entry.seq, entry.seat, entry.at, entry.text, entry.client_id)
        return self._ask("INSERT INTO acts VALUES (?, ?, ?, ?, ?, ?)", row)

    def _ask(self, command: str, row: tuple[object, ...]) -> Future[None]:
        done: Future[None] = Future()
        done.set_running_or_notify_cancel()  # what is written can't be called off
        if self._closed:
            done.set_exception(LogError("The server is closing down."))
        else:
            self._jobs.put(Job(command, row, done))
        return done

    def _write(self) -> None:
        while job := self._jobs.get():
            jobs: list[Job] = [job]
            with contextlib.suppress(queue.Empty):
                while more := self._jobs.get_nowait():
                    jobs.append(more)
                self._jobs.put(None)  # it was the sign to end, and comes again
            self._commit(jobs)
        self._writer.close()

    def _commit(self, jobs: list[Job]) -> None:
        """Write all jobs in one transaction and tell who waits."""
        try:
            with self._explained():
                taken = self._write_all(jobs)
        except LogError as error:
            for job in jobs:
                job.done.set_exception(error)
            return
        for number, job in enumerate(jobs):
            if number in taken:
                job.done.set_exception(Taken())
            else:
                job.done.set_result(None)

    def _write_all(self, jobs: list[Job]) -> set[int]:
        """The numbers of the jobs that found their place taken; the others are committed."""
        taken = set()
        self._writer.execute("BEGIN IMMEDIATE")
        try:
            for number, job in enumerate(jobs):
                try:
                    self._writer.execute(job.command, job.row)
                except sqlite3.IntegrityError:
                    taken.add(number)
            self._writer.execute("COMMIT")
        except BaseException:
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
            raise
        return taken

    # Reading

    def charter(self, table: str) -> Charter | None:
        """What was settled for a table; None if there is no such table. Raises LogError."""
        with self._reading() as reader:
            row = reader.execute("SELECT * FROM tables WHERE id = ?", (table,)).fetchone()
        if row is None:
            return None
        key, game, options, seats, secret, created, series = row
        return Charter(
            key,
            game,
            json.loads(options),
            msgspec.json.decode(seats, type=tuple[Seat, ...]),
            secret,
            created,
            None if series is None else msgspec.json.decode(series, type=Series),
        )

    def entries(self, table: str, after: int = 0) -> list[Entry]:
        """The entries of a table behind number `after`, in order. Raises LogError."""
        command = "SELECT seq, seat, at, text, client_id FROM acts WHERE table_id = ? AND seq > ? ORDER BY seq"
        with self._reading() as reader:
            return [Entry(*row) for row in reader.execute(command, (table, after))]

    @contextlib.contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._explained(), contextlib.closing(self._connect()) as reader:
            yield reader

    # The file

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)

    def _migrate(self) -> None:
        self._writer.execute("BEGIN IMMEDIATE")
        version = self._writer.execute("PRAGMA user_version").fetchone()[0]
        if version > len(MIGRATIONS):
            raise LogError("The database was written by a newer icetable.")
        if version == 0 and self._writer.execute("SELECT 1 FROM sqlite_schema").fetchone():
            raise LogError("The database is another program's.")
        for migration in MIGRATIONS[version:]:
            for command in migration.split(";"):
                self._writer.execute(command)
        self._writer.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        self._writer.execute("COMMIT")

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Errors of the file system and of SQLite become one clear sentence."""
        try:
            yield
        except sqlite3.Error as error:
            raise LogError(_sentence(error)) from None
        except OSError as error:
            raise LogError(f"The database can't be opened: {error.strerror}.") from None


def _sentence(error: sqlite3.Error) -> str:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # errors of Python's own have none
    return SENTENCES.get(code, f"The database failed: {error}.")
