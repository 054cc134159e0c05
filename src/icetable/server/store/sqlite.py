"""A SQLite file as the database of one server process.

Beside the file are `<name>-lock`, which the process that writes to it keeps locked, and `<name>-last-entries`
(`LastEntries`). `<name>` is the real name of the file, not that of a link (`real_path`).
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import os
import queue
import re
import sqlite3
import stat
import threading
import time
import zlib
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any

from icetable.server.logs import about
from icetable.server.store import migrations
from icetable.server.store.database import APPEND, DELETE_ACTS, QUERY_TIMEOUT_SECONDS, Database, LastEntry, Write
from icetable.server.store.errors import FAILED, NOT_RESPONDING, StoreDamaged, StoreError, StoreUnusable

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

ERROR_MESSAGES = {
    sqlite3.SQLITE_FULL: "The disk is full, so nothing more can be stored.",
    sqlite3.SQLITE_BUSY: "Another program keeps the database locked; please try again.",
    sqlite3.SQLITE_LOCKED: "Another program keeps the database locked; please try again.",
    sqlite3.SQLITE_READONLY: "The database can't be written.",
    sqlite3.SQLITE_PERM: "The database can't be written.",
    sqlite3.SQLITE_CANTOPEN: "The database can't be opened.",
    sqlite3.SQLITE_IOERR: "The disk fails to read or write.",
}

ERASURE_PREFIXES = ("DELETE ", "UPDATE acts ", "UPDATE talk ", "UPDATE tables SET names ")
"""Prefixes of the commands that erase data."""
PLACEHOLDERS = "(?, ?, ?, ?, ?, ?, ?, ?)"
MAX_ROWS_PER_INSERT = 100
"""Every build of SQLite accepts this many values."""
BUSY_TIMEOUT_SECONDS = 3.0
"""Time to wait for another process that is writing."""
CHECKPOINT_TIMEOUT_MS = 100
"""Time to wait for readers of erased data."""
SHUTDOWN_TIMEOUT_SECONDS = 2.0
"""Time to wait for another server that is shutting down."""
READER_CACHE_KIB = 256
"""SQLite's default of 2 MiB would stay allocated per reader after a burst, and the operating system caches the file."""
MAX_IDLE_READERS = 4
READER_EXIT_SECONDS = 0.5
"""Time for the readers to finish when the store is closed."""

IN_USE = "Another icetable server has this file open."

LINKED = "The file has a second name (a hard link), under which acts would be lost; remove one of the names."
MOUNTED = "The file is mounted by itself, so acts would be lost; mount its folder, with the files beside it."
MOUNTS = Path("/proc/self/mountinfo")
ESCAPES = ((b"\\", rb"\134"), (b" ", rb"\040"), (b"\t", rb"\011"), (b"\n", rb"\012"))
"""Characters of a path and their escapes in `MOUNTS`."""
LINE = re.compile(r"(?P<noted>(?P<table>\S+) (?P<seq>\d{1,18}) (?P<link>[0-9a-f]{64})) (?P<sum>[0-9a-f]{8})")
"""A line with its checksum. A line cut off by a crash or a full disk does not match."""
MAX_GROWTH_BYTES = 16 * 2**20
"""Maximum growth of the file before it is rewritten."""

logger = logging.getLogger(__name__)


class Reader:
    """A connection in its own thread, which can be abandoned if the disk does not answer."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._queries: queue.SimpleQueue[tuple[Future[list[Any]], str, tuple[object, ...]] | None] = queue.SimpleQueue()
        self.thread = threading.Thread(target=self._answer_all, args=(connect,), name="read", daemon=True)
        self.thread.start()

    def query(self, command: str, row: tuple[object, ...]) -> Future[list[Any]]:
        """Queue a query. After an error the reader must be closed."""
        rows: Future[list[Any]] = Future()
        self._queries.put((rows, command, row))
        return rows

    def close(self) -> None:
        """End the thread after the queries in the queue."""
        self._queries.put(None)

    def _answer_all(self, connect: Callable[[], sqlite3.Connection]) -> None:
        with contextlib.ExitStack() as opened:
            connection: sqlite3.Connection | None = None
            while query := self._queries.get():
                rows, command, row = query
                try:
                    connection = connection or opened.enter_context(contextlib.closing(connect()))
                    rows.set_result(connection.execute(command, row).fetchall())
                    connection.execute("PRAGMA shrink_memory")  # so that the next read finds damage in the file
                except Exception as error:  # noqa: BLE001 (the caller gets it)
                    rows.set_exception(error)


class SqliteDatabase(Database):
    """The SQLite file at `path`, which is created if it does not exist. Raises StoreError."""

    is_shared = False

    def __init__(self, path: Path) -> None:
        super().__init__()
        path = self.path = real_path(path)
        self._late_reads = 0
        self._has_erased = False
        """Whether the write-ahead log may still contain erased data."""
        self._idle_readers: list[Reader] = []
        self._readers_lock = threading.Lock()
        self._last_entries = LastEntries(path.with_name(f"{path.name}-last-entries"))
        with contextlib.ExitStack() as opened, self.explained(StoreError(FAILED)):
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                raise StoreUnusable("The database can't be opened: it is a folder.")
            self._lock = opened.enter_context(contextlib.closing(take_lock(path.with_name(f"{path.name}-lock"))))
            path.touch(mode=0o600)
            self._writer = opened.enter_context(contextlib.closing(self._connect()))
            self._writer.execute("PRAGMA journal_mode = WAL")
            self._writer.execute("PRAGMA synchronous = FULL")
            self._writer.execute("PRAGMA secure_delete = ON")  # overwrites erased data
            self._migrate()
            self._compare_last_entries()
            self._checker = opened.enter_context(contextlib.closing(self._connect("ro")))
            opened.pop_all()
        self._checking = threading.Thread(target=self._check, name="check", daemon=True)
        self._checking.start()
        self._thread.start()

    def close(self) -> None:
        with contextlib.suppress(sqlite3.ProgrammingError):  # closed, since the check is finished
            self._checker.interrupt()
        self._checking.join(READER_EXIT_SECONDS)
        with self._readers_lock:
            self._closed = True
            idle, self._idle_readers = self._idle_readers, []
        for reader in idle:
            reader.close()
        deadline = time.monotonic() + READER_EXIT_SECONDS
        for reader in idle:  # before the writer, since the last connection to close removes the WAL
            reader.thread.join(max(0, deadline - time.monotonic()))
        super().close()

    def subscribe(self, on_entries: Callable[[str | None], None], on_message: Callable[[str, str], None]) -> None:
        """No other process adds entries or publishes messages."""

    def _publish(self, table: str, text: str) -> None:
        """No other process subscribes."""

    def _end(self) -> None:
        self._writer.close()
        self._last_entries.close()
        self._lock.close()

    def _write_all(self, jobs: list[Write]) -> set[int]:
        deleted = {job.table for job in jobs if job.command == DELETE_ACTS}
        if deleted:  # before the commit: after a crash in between they would count as lost
            self._last_entries.forget(deleted)
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
        self._last_entries.add(
            {
                job.table: LastEntry(job.entry.seq, job.entry.link)
                for number, job in enumerate(jobs)
                if job.entry is not None and number not in taken and job.table not in deleted
            }
        )
        self._has_erased = self._has_erased or any(job.command.startswith(ERASURE_PREFIXES) for job in jobs)
        if self._has_erased:
            self._empty_wal()
        return taken

    def _empty_wal(self) -> None:
        """Truncate the WAL, which contains erased data. If somebody is reading it, try again after the next write."""
        self._writer.execute(f"PRAGMA busy_timeout = {CHECKPOINT_TIMEOUT_MS}")
        with contextlib.suppress(sqlite3.Error):  # the batch is committed in any case
            ((busy, *_),) = self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._has_erased = bool(busy)
        self._writer.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_SECONDS * 1000:.0f}")

    def _write_together(self, jobs: list[Write]) -> int:
        """Write all jobs; return the number of those that changed a row.

        New entries are inserted in few commands, since after each one this thread has to wait for the GIL.
        """
        entries = [job.row for job in jobs if job.entry is not None]
        count = 0
        for first in range(0, len(entries), MAX_ROWS_PER_INSERT):
            rows = entries[first : first + MAX_ROWS_PER_INSERT]
            command = APPEND.replace(PLACEHOLDERS, ", ".join([PLACEHOLDERS] * len(rows)))
            count += self._writer.execute(command, list(itertools.chain.from_iterable(rows))).rowcount
        counts = (self._writer.execute(job.command, job.row).rowcount for job in jobs if job.entry is None)
        return count + sum(min(1, changed) for changed in counts)

    # Reading

    def _last_noted(self, table: str) -> LastEntry | None:
        return self._last_entries.last.get(table)

    def _read(self, command: str, row: tuple[object, ...]) -> list[Any]:
        if self._late_reads:
            raise StoreError(NOT_RESPONDING)
        with self._readers_lock:
            reader = self._idle_readers.pop() if self._idle_readers else Reader(self._connect_to_read)
        answer = reader.query(command, row)
        try:
            rows = answer.result(QUERY_TIMEOUT_SECONDS)
        except BaseException as error:
            reader.close()
            if isinstance(error, TimeoutError):
                with self._readers_lock:
                    self._late_reads += 1
                self._log_failure(StoreError(NOT_RESPONDING))
                answer.add_done_callback(self._count_late_answer)
                raise StoreError(NOT_RESPONDING) from None
            raise
        with self._readers_lock:
            if not self._closed and len(self._idle_readers) < MAX_IDLE_READERS:
                self._idle_readers.append(reader)
                return rows
        reader.close()
        return rows

    def _count_late_answer(self, _: Future[list[Any]]) -> None:
        with self._readers_lock:
            self._late_reads -= 1

    # The file

    def _connect(self, mode: str = "rwc") -> sqlite3.Connection:
        where = f"{self.path.absolute().as_uri()}?mode={mode}"
        return sqlite3.connect(
            where, timeout=BUSY_TIMEOUT_SECONDS, isolation_level=None, check_same_thread=False, uri=True
        )

    def _connect_to_read(self) -> sqlite3.Connection:
        connection = self._connect()
        connection.execute(f"PRAGMA cache_size = -{READER_CACHE_KIB}")
        return connection

    def _migrate(self) -> None:
        self._writer.execute("BEGIN IMMEDIATE")
        version = self._writer.execute("PRAGMA user_version").fetchone()[0]
        if version == 0 and self._writer.execute("SELECT 1 FROM sqlite_schema").fetchone():
            raise StoreUnusable("The database belongs to another program.")
        version = migrations.migrate(self._writer.execute, version)
        self._writer.execute(f"PRAGMA user_version = {version}")
        self._writer.execute("COMMIT")

    def _compare_last_entries(self) -> None:
        """Find the tables that lack their noted last entry, then rewrite the notes."""
        self._last_entries.read()
        self.lost = lost = {table for table, entry in self._last_entries.last.items() if not self._has(table, entry)}
        self._last_entries.begin()
        if lost:
            logger.error("tables have lost acknowledged acts; see docs/running.md", extra=about(tables=len(lost)))
            logger.debug("tables that have lost acts", extra=about(lost=sorted(lost)))

    def _has(self, table: str, entry: LastEntry) -> bool:
        command = "SELECT link FROM acts WHERE table_id = ? AND seq = ?"
        try:
            return bool(self._writer.execute(command, (table, entry.seq)).fetchone() == (entry.link,))
        except sqlite3.DatabaseError:
            return False

    def _check(self) -> None:
        """Check the whole file for damage, in its own thread."""
        try:
            with contextlib.closing(self._checker):
                report = self._checker.execute("PRAGMA quick_check").fetchall()
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_INTERRUPT:
                return
            report = [(str(error),)]
        if report != [("ok",)]:
            logger.error("the database is damaged; see docs/running.md", extra=about(places=len(report)))
            logger.debug("what the check of the database found", extra=about(found=report))

    def _explain(self, error: Exception) -> StoreError | None:
        return explain(error)

    def _detail_of(self, error: Exception) -> str:
        return str(getattr(error, "sqlite_errorname", ""))


class LastEntries:
    """The last entry of each table's log, in a text file beside the database, by which losses are detected.

    The file is optional. It is written after the database, so the database has every entry noted in it. After an error,
    which is logged, it is not written again until the next start.
    """

    def __init__(self, path: Path) -> None:
        self.last: dict[str, LastEntry] = {}
        """The last entries by table, including those that could not be written."""
        self._path = path
        self._file: BinaryIO | None = None
        self._bytes_left = 0
        self._has_failed = False

    def read(self) -> None:
        """Read the file. Damaged lines are skipped and logged."""
        try:
            lines = self._path.read_text("ascii", "replace").split("\n")
        except FileNotFoundError:
            return
        except OSError as error:
            self._give_up(error)
            return
        self.last = dict(filter(None, map(_read_line, lines)))
        damaged = sum(_read_line(line) is None for line in lines[:-1] if line)  # the last one may be cut off
        if damaged:
            logger.error("lines of the last entries are damaged; see docs/running.md", extra=about(lines=damaged))

    def begin(self) -> None:
        """Rewrite the file with only the last entries, and open it for appending."""
        self.close()
        if self._has_failed:
            return
        new = self._path.with_name(f"{self._path.name}.new")
        try:
            new.touch(mode=0o600)
            new.write_bytes(_lines_of(self.last))
            new.replace(self._path)
            self._file, self._bytes_left = self._path.open("ab", buffering=0), MAX_GROWTH_BYTES
        except OSError as error:
            self._give_up(error)

    def add(self, entries: dict[str, LastEntry]) -> None:
        """Note the last entries of tables."""
        self.last |= entries
        if self._file is None or not entries:
            return
        lines = _lines_of(entries)
        try:
            if self._file.write(lines) < len(lines):
                raise OSError("a line was cut off")
        except OSError as error:
            self._give_up(error)
            return
        self._bytes_left -= len(lines)
        if self._bytes_left < 0:
            self.begin()

    def forget(self, tables: set[str]) -> None:
        """Remove tables that are about to be deleted."""
        if tables & self.last.keys():
            self.last = {table: entry for table, entry in self.last.items() if table not in tables}
            self.begin()

    def close(self) -> None:
        """Stop writing to the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _give_up(self, error: OSError) -> None:
        self.close()
        self._has_failed = True
        logger.error("the last entries of the tables can't be noted", extra=about(error.strerror or str(error)))


def _lines_of(entries: dict[str, LastEntry]) -> bytes:
    lines = (f"{table} {entry.seq} {entry.link}" for table, entry in entries.items())
    return "".join(f"{line} {_checksum(line)}\n" for line in lines).encode()


def _read_line(line: str) -> tuple[str, LastEntry] | None:
    match = LINE.fullmatch(line)
    if match is None or match["sum"] != _checksum(match["noted"]):
        return None
    return match["table"], LastEntry(int(match["seq"]), match["link"])


def _checksum(noted: str) -> str:
    return f"{zlib.crc32(noted.encode()):08x}"


def explain(error: Exception) -> StoreError | None:
    """The error to report if the whole file is affected; None for other errors."""
    if isinstance(error, OSError):
        return StoreError(f"The database can't be opened: {error.strerror}.")
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # errors raised by the module itself have no code
    if code == sqlite3.SQLITE_CORRUPT:
        return StoreDamaged()
    if code == sqlite3.SQLITE_NOTADB:
        return StoreDamaged("The database is damaged, or not a database at all.")
    return StoreError(ERROR_MESSAGES[code]) if code in ERROR_MESSAGES else None


def take_lock(path: Path) -> sqlite3.Connection:
    """Take a lock that one process holds until it closes this. Raises StoreError if another process holds it."""
    path.touch(mode=0o600)
    connection = sqlite3.connect(path, timeout=SHUTDOWN_TIMEOUT_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = MEMORY")  # no third file
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        connection.close()
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            raise StoreError(IN_USE) from None
        raise
    return connection


def real_path(path: Path) -> Path:
    """Resolve symbolic links. Raises StoreUnusable for a file that has other names.

    The name must be unique, since the files beside the database are found by it. Under a second name, acknowledged acts
    would be missing and a second server would not see the first.
    """
    place = Path(os.path.realpath(path))
    try:
        status = place.stat()
    except OSError:
        return place  # there is no file yet, or opening it will fail with the reason
    if stat.S_ISREG(status.st_mode) and status.st_nlink > 1:
        raise StoreUnusable(LINKED)
    if stat.S_ISREG(status.st_mode) and _is_mount_point(place):
        raise StoreUnusable(MOUNTED)
    return place


def _is_mount_point(place: Path) -> bool:
    name = os.fsencode(place)
    for character, escape in ESCAPES:
        name = name.replace(character, escape)
    try:
        lines = MOUNTS.read_bytes().split(b"\n")
    except OSError:
        return False  # this is not Linux
    return any(line.split(b" ")[4:5] == [name] for line in lines)
