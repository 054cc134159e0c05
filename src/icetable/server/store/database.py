"""A database: one thread writes, other threads read. A row counts once it is committed.

Rows that arrive while the thread is busy share the next transaction, so that many tables wait for the disk together;
under load it waits briefly for more. A row that conflicts fails alone.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import queue
import secrets
import threading
import time
from abc import ABC, abstractmethod
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

import msgspec

from icetable.server import metrics
from icetable.server.logs import RareLog, about
from icetable.server.store.errors import (
    FAILED,
    LOST_ACTS,
    NOT_RESPONDING,
    SHUTTING_DOWN,
    Conflict,
    StoreDamaged,
    StoreError,
    StoreTimeout,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from icetable.server.table.log import Entry

APPEND = (
    "INSERT INTO acts (table_id, seq, seat, at, text, client_id, link, name) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT DO NOTHING"
)
"""Stores an entry. SQLite stores several with one such command."""
DELETE_ACTS = "DELETE FROM acts WHERE table_id = ?"
"""Deletes a log, which is then not missed."""

WRITE_TIMEOUT_SECONDS = 5.0
"""Timeout of a write, including its time in the queue."""
BATCH_INTERVAL_SECONDS = 0.01
"""Minimum time between the starts of two transactions under load."""
QUERY_TIMEOUT_SECONDS = 4.0
"""Timeout of a read or of a batch of writes."""
CLOSE_TIMEOUT_SECONDS = 1.5
MAX_MESSAGE_BYTES = 7000
"""Maximum size of a published message; PostgreSQL's limit is below 8000, the table's id included."""
PROBES = (
    "INSERT INTO policies SELECT 'probe 0' WHERE NOT EXISTS (SELECT 1 FROM policies WHERE name LIKE 'probe _')",
    "UPDATE policies SET name = CASE name WHEN 'probe 0' THEN 'probe 1' ELSE 'probe 0' END WHERE name LIKE 'probe _'",
)

T = TypeVar("T")

logger = logging.getLogger(__name__)


class LastEntry(NamedTuple):
    """The number of a table's last entry, and its link in the chain."""

    seq: int
    link: str


class Write(NamedTuple):
    """A write in the queue."""

    command: str
    row: tuple[object, ...]
    table: str
    """The table that it concerns; empty if it concerns none."""
    entry: Entry | None
    """The log entry that it stores, if any."""
    done: Future[None] | Wait


class Wait:
    """A coroutine's wait for one write. After a timeout, a second future replaces the first."""

    __slots__ = ("due", "future", "timeouts")

    def __init__(self, timeouts: WriteTimeouts, due: float) -> None:
        self.timeouts = timeouts
        self.due = due
        self.future: asyncio.Future[None] = timeouts.loop.create_future()


class WriteTimeouts:
    """The waits of one event loop. All have the same timeout, so one timer is enough."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._pending: dict[Wait, None] = {}
        """Ordered by deadline."""
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> Wait:
        """Start a wait. The coroutine then awaits its `future`, which may raise StoreTimeout."""
        wait = Wait(self, self.loop.time() + WRITE_TIMEOUT_SECONDS)
        self._pending[wait] = None
        if self._timer is None:
            self._timer = self.loop.call_at(wait.due, self._time_out)
        return wait

    def settle(self, answers: Iterable[tuple[Wait, Exception | None]]) -> None:
        """Wake the coroutines whose writes are finished. Thread-safe."""
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self.loop.call_soon_threadsafe(self._settle, answers)

    def _settle(self, answers: Iterable[tuple[Wait, Exception | None]]) -> None:
        for wait, error in answers:
            self._pending.pop(wait, None)
            answer_future(wait.future, error)

    def _time_out(self) -> None:
        self._timer = None
        while self._pending:
            wait = next(iter(self._pending))
            if wait.due > self.loop.time():
                self._timer = self.loop.call_at(wait.due, self._time_out)
                return
            del self._pending[wait]
            late, wait.future = wait.future, self.loop.create_future()
            answer_future(late, StoreTimeout(wait.future))


class Database(ABC):
    """An open database. A subclass opens its connections, migrates the schema and starts `_thread`."""

    def __init__(self) -> None:
        self.name = secrets.token_hex(8)
        """A name for this process among those that share the database."""
        self.lost: set[str] = set()
        """The tables whose logs are known to lack acknowledged entries."""
        self._tables_reported: set[str] = set()
        self._failures = RareLog(logger)
        self._has_failed = False
        """Whether the last failure has been followed by no successful write yet."""
        self._timeouts: WriteTimeouts | None = None
        self._closed = False
        self._busy_since = math.inf
        self._jobs: queue.SimpleQueue[Write | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="store", daemon=True)

    def close(self) -> None:
        """Write the rest of the queue, if the database answers in time, and close the database."""
        self._closed = True
        self._jobs.put(None)
        self._thread.join(CLOSE_TIMEOUT_SECONDS)
        if self._thread.is_alive():
            logger.error("the store is closed before everything is written: the database does not answer")

    def queue_length(self) -> int:
        """The number of rows in the queue."""
        return self._jobs.qsize()

    # Writing

    def write(self, table: str, command: str, *row: object) -> Future[None]:
        """Queue an SQL command that concerns a table, or none (""). A queued write can't be cancelled.

        The future resolves once it is committed. It raises Conflict if no row changed, or StoreError.
        """
        return self._submit(table, command, row, None)

    def append_soon(self, table: str, entry: Entry) -> Future[None]:
        """Queue an entry of a table's log, as `write` does."""
        return self._submit(table, APPEND, _row(table, entry), entry)

    async def append(self, table: str, entry: Entry) -> None:
        """Store an entry and wait until it is committed. The waits of one event loop are woken by batch.

        Raises Conflict or StoreError; StoreTimeout if the entry may still be stored.
        """
        loop = asyncio.get_running_loop()
        if self._timeouts is None or self._timeouts.loop is not loop:
            self._timeouts = WriteTimeouts(loop)
        wait = self._timeouts.begin()
        self._put(Write(APPEND, _row(table, entry), table, entry, wait))
        await wait.future

    def probe(self) -> tuple[Future[None], ...]:
        """Change a row that means nothing. The last future raises StoreError if no entry could be stored now.

        The first creates the row and raises Conflict if it is there. SQLite writes nothing for a row that stays the
        same, and would find no full disk; a deletion would empty the write-ahead log.
        """
        return tuple(self.write("", command) for command in PROBES)

    def publish(self, table: str, text: str) -> None:
        """Send a message about a table to the other processes. It is not stored and may get lost.

        A process that receives it can read everything stored here before. Raises ValueError above MAX_MESSAGE_BYTES.
        """
        if len(text.encode()) > MAX_MESSAGE_BYTES:
            raise ValueError(f"a message has at most {MAX_MESSAGE_BYTES} bytes")
        self._publish(table, text)

    def _submit(self, table: str, command: str, row: tuple[object, ...], entry: Entry | None) -> Future[None]:
        done: Future[None] = Future()
        done.set_running_or_notify_cancel()
        self._put(Write(command, row, table, entry, done))
        return done

    def _put(self, job: Write) -> None:
        if self._closed:
            refusal: str | None = SHUTTING_DOWN
        elif time.monotonic() > self._busy_since + WRITE_TIMEOUT_SECONDS:
            refusal = NOT_RESPONDING
            self._log_failure(StoreError(refusal))
        else:
            refusal = self._can_not_hold(job.row)
        if refusal is not None:
            _answer([(job.done, StoreError(refusal))])
        else:
            self._jobs.put(job)

    def _can_not_hold(self, row: tuple[object, ...]) -> str | None:
        """The reason why the database can't store a row, in one sentence; None if it can."""
        return None

    def _write(self) -> None:
        batch_started = -BATCH_INTERVAL_SECONDS
        while job := self._jobs.get():
            time.sleep(max(0, batch_started + BATCH_INTERVAL_SECONDS - time.monotonic()))
            self._busy_since = batch_started = time.monotonic()
            jobs: list[Write] = [job]
            with contextlib.suppress(queue.Empty):
                while more := self._jobs.get_nowait():
                    jobs.append(more)
                self._jobs.put(None)  # requeue the end marker
            self._commit(jobs)
            self._busy_since = math.inf
        self._end()

    def _commit(self, jobs: list[Write]) -> None:
        """Write all jobs in one transaction and answer their callers.

        After an error that may concern a single job, damage included, the jobs are written one at a time.
        """
        try:
            conflicts = self._write_all(jobs)
        except Exception as error:
            failure = self._failure_of(error)
            if (failure is None or isinstance(failure, StoreDamaged)) and len(jobs) > 1:
                for job in jobs:
                    self._commit([job])
                return
            if failure is None:
                logger.exception("a row can't be written")
            _answer([(job.done, failure or StoreError(FAILED)) for job in jobs])
        else:
            metrics.DATABASE_UP.set(1)
            if self._has_failed:
                self._has_failed = False
                logger.warning("the database works again")
            _answer([(job.done, Conflict() if number in conflicts else None) for number, job in enumerate(jobs)])

    # Reading

    def rows(self, kind: type[T], command: str, *row: object) -> list[T]:
        """The rows of a query, each converted to `kind`, a tuple. Raises StoreError."""
        with self.explained(StoreDamaged()):
            return [msgspec.convert(found, kind) for found in self._read(command, row)]

    def row(self, kind: type[T], command: str, *row: object) -> T | None:
        """The first row of a query; None if there is none. Raises StoreError."""
        rows = self.rows(kind, command, *row)
        return rows[0] if rows else None

    def values(self, kind: type[T], command: str, *row: object) -> list[T]:
        """The rows of a query for one column. Raises StoreError."""
        return [value for (value,) in self.rows(tuple[kind], command, *row)]  # type: ignore[valid-type]

    def value(self, kind: type[T], command: str, *row: object) -> T:
        """The only value of a query. Raises StoreError."""
        (value,) = self.values(kind, command, *row)
        return value

    # Damage

    def noted(self, table: str) -> LastEntry | None:
        """The last entry of a table known to be acknowledged; None if unknown. Raises StoreDamaged if it is lost."""
        if table in self.lost:
            raise StoreDamaged(LOST_ACTS)
        return self._last_noted(table)

    def loss(self, table: str) -> StoreDamaged:
        """The error of a table that lacks acknowledged entries; its log is not read again."""
        self.lost.add(table)
        self.report(table, "a table has lost acts that were acknowledged; see docs/running.md")
        return StoreDamaged(LOST_ACTS)

    def report(self, table: str, what: str) -> None:
        """Log what is wrong with a table, once."""
        if table not in self._tables_reported:
            self._tables_reported.add(table)
            logger.error(what, extra=about(table=table))

    @contextlib.contextmanager
    def explained(self, otherwise: StoreError) -> Iterator[None]:
        """Convert errors to StoreError; those that `_explain` does not know are logged and become `otherwise`.

        If the reason is damage, no stack trace is logged, since it could contain text of a row.
        """
        try:
            yield
        except StoreError:
            raise
        except Exception as error:
            failure = self._failure_of(error)
            if failure is None:
                logger.error(
                    "the database can't be read",
                    exc_info=not isinstance(otherwise, StoreDamaged) or logger.isEnabledFor(logging.DEBUG),
                    extra=about(error),
                )
                failure = otherwise
            raise failure from None

    def _failure_of(self, error: Exception) -> StoreError | None:
        """Log an error that affects the whole database and return the error to report; None for other errors."""
        if isinstance(error, StoreError):
            return error
        failure = self._explain(error)
        if failure is not None:
            self._log_failure(failure, self._detail_of(error))
        return failure

    def _log_failure(self, failure: StoreError, detail: str = "") -> None:
        """Log a failure of the database and its own message, at most once a minute."""
        metrics.DATABASE_UP.set(0)
        self._has_failed = True
        facts = {"said": " ".join(detail.split())} if detail else {}
        self._failures.warn("the database fails", logging.ERROR, cause=str(failure), **facts)

    # Implemented by each database

    is_shared: ClassVar[bool]
    """Whether several server processes may serve the same tables."""

    def _last_noted(self, _table: str) -> LastEntry | None:
        """The last noted entry of a table; None if there is none."""
        return None

    @abstractmethod
    def subscribe(self, on_entries: Callable[[str | None], None], on_message: Callable[[str, str], None]) -> None:
        """Start calling `on_entries`, in another thread, with each table to which another process adds entries.

        None means any table, and that messages may have been lost. `on_message` is called with the table and the text
        of each message that another process publishes.
        """

    @abstractmethod
    def _publish(self, table: str, text: str) -> None:
        """Send a message to the other processes, if there can be any."""

    @abstractmethod
    def _write_all(self, jobs: list[Write]) -> set[int]:
        """Commit all jobs but those that conflict; return the numbers of these."""

    @abstractmethod
    def _read(self, command: str, row: tuple[object, ...]) -> list[Any]:
        """The rows of a query. Raises StoreError, or an error of the database."""

    @abstractmethod
    def _explain(self, error: Exception) -> StoreError | None:
        """The error to report if the whole database is affected; None for other errors."""

    @abstractmethod
    def _detail_of(self, error: Exception) -> str:
        """The database's own message for such an error, without data of a row."""

    @abstractmethod
    def _end(self) -> None:
        """Close the writing connection."""


def _row(table: str, entry: Entry) -> tuple[object, ...]:
    name = None if entry.name is None else msgspec.json.encode(entry.name).decode()
    return table, entry.seq, entry.seat, entry.at, entry.text, entry.client_id, entry.link, name


def _answer(answers: Iterable[tuple[Future[None] | Wait, Exception | None]]) -> None:
    """Answer all callers; those of one event loop together."""
    batches: dict[WriteTimeouts, list[tuple[Wait, Exception | None]]] = {}
    for done, error in answers:
        if isinstance(done, Future):
            answer_future(done, error)
        else:
            batches.setdefault(done.timeouts, []).append((done, error))
    for timeouts, batch in batches.items():
        timeouts.settle(batch)


def answer_future(future: Future[None] | asyncio.Future[None], error: Exception | None) -> None:
    """Set the result of a write, unless the wait was cancelled."""
    if future.cancelled():
        return
    if error is None:
        future.set_result(None)
    else:
        future.set_exception(error)


async def written(done: Future[None]) -> None:
    """Wait until a row is committed. Raises Conflict or StoreError (StoreTimeout: it may still be committed)."""
    waiting = asyncio.wrap_future(done)
    try:
        await asyncio.wait((waiting,), timeout=WRITE_TIMEOUT_SECONDS)
        if not waiting.done():
            raise StoreTimeout(waiting)
        waiting.result()
    finally:
        waiting.cancel()  # nobody awaits it any more
