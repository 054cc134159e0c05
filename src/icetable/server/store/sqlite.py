"""The store in a SQLite file, for one server process.

Beside the file lie `<name>-lock`, which a process that writes the file keeps locked, and `<name>-tips` (`tips.Tips`).
They have the name of the file itself, whatever links lead to it (`place`).
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import queue
import sqlite3
import threading
import time
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from icetable.server.logs import about
from icetable.server.store import place
from icetable.server.store.errors import FAILED, SILENT, StoreDamaged, StoreError
from icetable.server.store.store import ANSWER_SECONDS, APPEND, DELETE_ACTS, Store, Write, bring_up_to_date
from icetable.server.store.tips import Tip, Tips

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SENTENCES = {
    sqlite3.SQLITE_FULL: "The disk is full, so nothing more can be kept.",
    sqlite3.SQLITE_BUSY: "Another program keeps the database locked; please try again.",
    sqlite3.SQLITE_LOCKED: "Another program keeps the database locked; please try again.",
    sqlite3.SQLITE_READONLY: "The database can't be written.",
    sqlite3.SQLITE_PERM: "The database can't be written.",
    sqlite3.SQLITE_CANTOPEN: "The database can't be opened.",
    sqlite3.SQLITE_IOERR: "The disk fails to read or write.",
}

ERASING = ("DELETE ", "UPDATE acts ", "UPDATE talk ", "UPDATE tables SET names ")
"""How commands begin that erase something."""
PLACES = "(?, ?, ?, ?, ?, ?, ?, ?)"
ROWS_AT_ONCE = 100
"""The most new entries in one command: every SQLite takes this many values."""
LOCKED_SECONDS = 3.0
"""How many seconds to wait for another process that writes."""
EMPTYING_MS = 100
"""How many milliseconds to wait for those that read what was erased."""
ENDING_SECONDS = 2.0
"""How many seconds to wait for another server that is shutting down."""
READER_KIB = 256
"""How much of the file a connection that reads keeps in memory. SQLite's own 2 MiB would stay with each after a burst;
the system has the file in its cache anyway.
"""
MAX_IDLE = 4
"""How many connections that read stay open while nothing is asked of them."""
READERS_SECONDS = 0.5
"""How many seconds the threads that read have to end when the store is closed."""

IN_USE = "Another icetable server has this file open."

logger = logging.getLogger(__name__)


class Reader:
    """A connection in a thread of its own, which may be left behind: a disk that does not answer never lets it go."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._queries: queue.SimpleQueue[tuple[Future[list[Any]], str, tuple[object, ...]] | None] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self._answer_all, args=(connect,), name="read", daemon=True)
        self.thread.start()

    def ask(self, command: str, row: tuple[object, ...]) -> Future[list[Any]]:
        """The rows that a query finds, in the future. After an error the reader is to be closed."""
        found: Future[list[Any]] = Future()
        self._queries.put((found, command, row))
        return found

    def close(self) -> None:
        """End after the queries that were asked."""
        self._queries.put(None)

    def _answer_all(self, connect: Callable[[], sqlite3.Connection]) -> None:
        with contextlib.ExitStack() as opened:
            connection: sqlite3.Connection | None = None
            while query := self._queries.get():
                found, command, row = query
                try:
                    connection = connection or opened.enter_context(contextlib.closing(connect()))
                    found.set_result(connection.execute(command, row).fetchall())
                except Exception as error:  # noqa: BLE001 (the caller gets it)
                    found.set_exception(error)


class SqliteStore(Store):
    """The store in the SQLite file at `path`, which is created if it is not there. Raises StoreError."""

    is_shared = False

    def __init__(self, path: Path) -> None:
        super().__init__()
        path = self.path = place.find(path)
        self._late_reads = 0
        self._has_erased = False
        """Whether the write-ahead log may still have what was erased."""
        self._idle: list[Reader] = []
        """The readers that nothing is asked of now."""
        self._sharing = threading.Lock()
        self._tips = Tips(path.with_name(f"{path.name}-tips"))
        with contextlib.ExitStack() as opened, self._explained(StoreError(FAILED)):
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                raise StoreError("The database can't be opened: it is a folder.")
            self._lock = opened.enter_context(contextlib.closing(_lock(path.with_name(f"{path.name}-lock"))))
            path.touch(mode=0o600)
            self._writer = opened.enter_context(contextlib.closing(self._connect()))
            self._writer.execute("PRAGMA journal_mode = WAL")
            self._writer.execute("PRAGMA synchronous = FULL")
            self._writer.execute("PRAGMA secure_delete = ON")  # what is erased is overwritten
            self._migrate()
            self._compare_tips()
            self._checker = opened.enter_context(contextlib.closing(self._connect("ro")))
            opened.pop_all()
        self._checking = threading.Thread(target=self._check, name="check", daemon=True)
        self._checking.start()
        self._thread.start()

    def close(self) -> None:
        with contextlib.suppress(sqlite3.ProgrammingError):  # it is closed, as the check is over
            self._checker.interrupt()
        self._checking.join(READERS_SECONDS)
        with self._sharing:
            self._closed = True
            idle, self._idle = self._idle, []
        for reader in idle:
            reader.close()
        deadline = time.monotonic() + READERS_SECONDS
        for reader in idle:  # before the writer: the last connection that is closed tidies up the files
            reader.thread.join(max(0, deadline - time.monotonic()))
        super().close()

    def subscribe(self, on_entries: Callable[[str | None], None], on_message: Callable[[str, str], None]) -> None:
        """No other process adds entries or publishes messages."""

    def _publish(self, table: str, text: str) -> None:
        """No other process subscribes."""

    def _end(self) -> None:
        self._writer.close()
        self._tips.close()
        self._lock.close()

    def _write_all(self, jobs: list[Write]) -> set[int]:
        deleted = {job.table for job in jobs if job.command == DELETE_ACTS}
        if deleted:  # first, or after a crash they would count as lost
            self._tips.forget(deleted)
            self.lost -= deleted
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
        self._tips.add(
            {
                job.table: Tip(job.entry.seq, job.entry.link)
                for number, job in enumerate(jobs)
                if job.entry is not None and number not in taken and job.table not in deleted
            }
        )
        self._has_erased = self._has_erased or any(job.command.startswith(ERASING) for job in jobs)
        if self._has_erased:
            self._empty_wal()
        return taken

    def _empty_wal(self) -> None:
        """Empty the file that has what was erased; where somebody reads it now, after the next writes."""
        self._writer.execute(f"PRAGMA busy_timeout = {EMPTYING_MS}")
        with contextlib.suppress(sqlite3.Error):  # what was written is safe all the same
            ((busy, *_),) = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._has_erased = bool(busy)
        self._writer.execute(f"PRAGMA busy_timeout = {LOCKED_SECONDS * 1000:.0f}")

    def _write_together(self, jobs: list[Write]) -> int:
        """Write all jobs; returns how many of them changed something.

        New entries go in few commands: after each one this thread waits for its turn among the other threads.
        """
        entries = [job.row for job in jobs if job.entry is not None]
        count = 0
        for first in range(0, len(entries), ROWS_AT_ONCE):
            rows = entries[first : first + ROWS_AT_ONCE]
            many = APPEND.replace(PLACES, ", ".join([PLACES] * len(rows)))
            count += self._writer.execute(many, list(itertools.chain.from_iterable(rows))).rowcount
        others = (self._writer.execute(job.command, job.row).rowcount for job in jobs if job.entry is None)
        return count + sum(min(1, changed) for changed in others)

    # Reading

    def _last_noted(self, table: str) -> Tip | None:
        return self._tips.last.get(table)

    def _read(self, command: str, row: tuple[object, ...]) -> list[Any]:
        if self._late_reads:
            raise StoreError(SILENT)
        with self._sharing:
            reader = self._idle.pop() if self._idle else Reader(self._connect_to_read)
        found = reader.ask(command, row)
        try:
            rows = found.result(ANSWER_SECONDS)
        except BaseException as error:
            reader.close()
            if isinstance(error, TimeoutError):
                with self._sharing:
                    self._late_reads += 1
                self._tell(StoreError(SILENT))
                found.add_done_callback(self._count_late_answer)
                raise StoreError(SILENT) from None
            raise
        with self._sharing:
            if not self._closed and len(self._idle) < MAX_IDLE:
                self._idle.append(reader)
                return rows
        reader.close()
        return rows

    def _count_late_answer(self, _: Future[list[Any]]) -> None:
        with self._sharing:
            self._late_reads -= 1

    # The file

    def _connect(self, mode: str = "rwc") -> sqlite3.Connection:
        where = f"{self.path.absolute().as_uri()}?mode={mode}"
        return sqlite3.connect(where, timeout=LOCKED_SECONDS, isolation_level=None, check_same_thread=False, uri=True)

    def _connect_to_read(self) -> sqlite3.Connection:
        connection = self._connect()
        connection.execute(f"PRAGMA cache_size = -{READER_KIB}")
        return connection

    def _migrate(self) -> None:
        self._writer.execute("BEGIN IMMEDIATE")
        version = self._writer.execute("PRAGMA user_version").fetchone()[0]
        if version == 0 and self._writer.execute("SELECT 1 FROM sqlite_schema").fetchone():
            raise StoreError("The database is another program's.")
        version = bring_up_to_date(self._writer.execute, version)
        self._writer.execute(f"PRAGMA user_version = {version}")
        self._writer.execute("COMMIT")

    def _compare_tips(self) -> None:
        """Find the tables that lack the entry noted as their last; then the notes are written anew."""
        self._tips.read()
        self.lost = lost = {table for table, tip in self._tips.last.items() if not self._has(table, tip)}
        self._tips.begin()
        if lost:
            logger.error("tables have lost acknowledged acts; see docs/running.md", extra=about(tables=len(lost)))
            logger.debug("tables that have lost acts", extra=about(lost=sorted(lost)))

    def _has(self, table: str, tip: Tip) -> bool:
        command = "SELECT link FROM acts WHERE table_id = ? AND seq = ?"
        try:
            return bool(self._writer.execute(command, (table, tip.seq)).fetchone() == (tip.link,))
        except sqlite3.DatabaseError:
            return False

    def _check(self) -> None:
        """Check the whole file for damage, in a thread of its own."""
        try:
            with contextlib.closing(self._checker):
                found = self._checker.execute("PRAGMA quick_check").fetchall()
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_INTERRUPT:
                return
            found = [(str(error),)]
        if found != [("ok",)]:
            logger.error("the database is damaged; see docs/running.md", extra=about(places=len(found)))
            logger.debug("what the check of the database found", extra=about(found=found))

    def _explain(self, error: Exception) -> StoreError | None:
        return explain(error)

    def _said(self, error: Exception) -> str:
        return str(getattr(error, "sqlite_errorname", ""))


def explain(error: Exception) -> StoreError | None:
    """How an error that concerns the whole file is reported; None for other errors."""
    if isinstance(error, OSError):
        return StoreError(f"The database can't be opened: {error.strerror}.")
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # errors of Python's own have none
    if code == sqlite3.SQLITE_CORRUPT:
        return StoreDamaged()
    if code == sqlite3.SQLITE_NOTADB:
        return StoreDamaged("The database is damaged, or no database at all.")
    return StoreError(SENTENCES[code]) if code in SENTENCES else None


def _lock(path: Path) -> sqlite3.Connection:
    """A lock that one process has as long as this is open. Raises StoreError where another has it."""
    path.touch(mode=0o600)
    connection = sqlite3.connect(path, timeout=ENDING_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = MEMORY")  # no third file
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        connection.close()
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            raise StoreError(IN_USE) from None
        raise
    return connection
