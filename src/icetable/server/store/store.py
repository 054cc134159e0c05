"""Storage of tables in a database. An entry counts once it is committed.

One thread writes. Rows that arrive while it is busy share the next transaction, so that many tables wait for the disk
together; under load it waits briefly for more. A row that conflicts fails alone.
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
from abc import abstractmethod
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

import msgspec

from icetable.server import metrics
from icetable.server.logs import RareLog, about
from icetable.server.store import setups, write_timeouts
from icetable.server.store.errors import (
    FAILED,
    LOST_ACTS,
    NOT_RESPONDING,
    SHUTTING_DOWN,
    UNREADABLE_ENTRY,
    Conflict,
    StoreDamaged,
    StoreError,
)
from icetable.server.store.parcels import ParcelStore
from icetable.server.store.subscriptions import Subscriptions
from icetable.server.store.tournaments import TournamentStore
from icetable.server.table.chat import ChatMessage
from icetable.server.table.log import Entry
from icetable.server.table.salted_names import read_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from icetable.server.store.last_entries import LastEntry
    from icetable.server.table.setup import TableSetup

APPEND = (
    "INSERT INTO acts (table_id, seq, seat, at, text, client_id, link, name) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT DO NOTHING"
)
ENTRY_COLUMNS = "seq, seat, at, text, client_id, link, name"
DELETE_ACTS = "DELETE FROM acts WHERE table_id = ?"
DEPENDENT_TABLES = ("held", "playtest_tables", "records", "subscriptions", "talk")
DELETIONS = (
    DELETE_ACTS,
    *(f"DELETE FROM {name} WHERE table_id = ?" for name in DEPENDENT_TABLES),  # noqa: S608
    "DELETE FROM tables WHERE id = ?",
)
SEEN_INTERVAL_MS = 12 * 60 * 60 * 1000
"""Minimum time between two updates of a table's last visit."""

BATCH_INTERVAL_SECONDS = 0.01
"""Minimum time between the starts of two transactions under load."""
MAX_MESSAGE_BYTES = 7000
"""Maximum size of a published message; PostgreSQL's limit is below 8000, the table's id included."""
QUERY_TIMEOUT_SECONDS = 4.0
"""Timeout of a read or of a batch of writes."""
CLOSE_TIMEOUT_SECONDS = 1.5
PROBES = (
    "INSERT INTO policies SELECT 'probe 0' WHERE NOT EXISTS (SELECT 1 FROM policies WHERE name LIKE 'probe _')",
    "UPDATE policies SET name = CASE name WHEN 'probe 0' THEN 'probe 1' ELSE 'probe 0' END WHERE name LIKE 'probe _'",
)

T = TypeVar("T")

logger = logging.getLogger(__name__)


class Write(NamedTuple):
    """A write in the queue, the log entry that it stores, if any, and the caller's future or wait."""

    command: str
    row: tuple[object, ...]
    table: str
    entry: Entry | None
    done: Future[None] | write_timeouts.Wait


class Store(Subscriptions, TournamentStore, ParcelStore):
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
        self._waits: write_timeouts.Waits | None = None
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

    def create_table(self, setup: TableSetup, bucket: int = -1, wish: str | None = None) -> Future[None]:
        """Store a new table. The future resolves once it is committed, or raises Conflict or StoreError.

        `bucket`: the bucket of visitors whose limits it counts against (`public_tables`). `wish`: a digest of the kind
        of game that its player wants, unique among waiting tables (`wished`).
        """
        return self._submit(setups.INSERT, setups.inserted(setup, bucket, wish), setup.id)

    def note_seen(self, table: str, at: int, interval: int = SEEN_INTERVAL_MS) -> Future[None]:
        """Store a visit to a table, in milliseconds since 1970. Conflict: the last one is less than `interval` ago."""
        since = at - interval
        return self._submit("UPDATE tables SET seen = ? WHERE id = ? AND seen < ?", (at, table, since), table)

    def delete_table(self, table: str) -> Future[None]:
        """Delete a table with all that belongs to it. Conflict: no such table."""
        for command in DELETIONS:  # the table's own row last, so that an interrupted deletion is repeated
            done = self._submit(command, (table,), table)
        return done

    def create_record(self, table: str, text: str, opened: int, size: int, bucket: int) -> Future[None]:
        """Store the record shown at a table; `opened` is in milliseconds since 1970. Conflict: the table has one.

        `size`: its bytes; `bucket`: the bucket of visitors whose limits it counts against (`surplus_records`).
        """
        command = "INSERT INTO records (table_id, text, opened, bytes, bucket) VALUES (?, ?, ?, ?, ?)"
        return self._submit(f"{command} ON CONFLICT DO NOTHING", (table, text, opened, size, bucket), table)

    def delete_record(self, table: str) -> Future[None]:
        """Delete the record shown at a table. Conflict: it has none."""
        return self._submit("DELETE FROM records WHERE table_id = ?", (table,), table)

    def append_soon(self, table: str, entry: Entry) -> Future[None]:
        """Queue an entry. The future resolves once it is committed, or raises Conflict or StoreError."""
        return self._submit(APPEND, _row(table, entry), table, entry)

    async def append(self, table: str, entry: Entry) -> None:
        """Store an entry and wait until it is committed. The waits of one event loop are woken by batch.

        Raises Conflict or StoreError; StoreTimeout if the entry may still be stored.
        """
        loop = asyncio.get_running_loop()
        if self._waits is None or self._waits.loop is not loop:
            self._waits = write_timeouts.Waits(loop)
        wait = self._waits.begin()
        self._put(Write(APPEND, _row(table, entry), table, entry, wait))
        await wait.future

    def has_chat(self, table: str, client_id: str) -> bool:
        """Whether the chat of a table has the message of a request. Raises StoreError."""
        command = "SELECT number FROM talk WHERE table_id = ? AND client_id = ?"
        return bool(self._rows(command, (table, client_id), tuple[int]))

    def append_chat(self, table: str, message: ChatMessage) -> Future[None]:
        """Store a chat message. The future resolves once it is committed, or raises Conflict or StoreError."""
        return self._submit(
            "INSERT INTO talk (table_id, number, seat, name, at, text, client_id, remark)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (table, *msgspec.structs.astuple(message)),
            table,
        )

    def create_playtest(self, playtest: str, lock: str, request: str, created: int) -> Future[None]:
        """Store a play-test: the hash of its designer's code, and the request for its tables. Conflict: it exists."""
        command = "INSERT INTO playtests (id, lock, request, created) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
        return self._submit(command, (playtest, lock, request, created), playtest)

    def add_playtest_table(self, playtest: str, table: str, created: int) -> Future[None]:
        """Store that a table belongs to a play-test. Conflict: it is stored already."""
        command = "INSERT INTO playtest_tables (playtest, created, table_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        return self._submit(command, (playtest, created, table), table)

    def set_over(self, table: str, over: bool) -> Future[None]:
        """Store whether a table's game is over, so that the next start need not read its log."""
        return self._submit("UPDATE tables SET over = ? WHERE id = ?", (int(over), table), table)

    def probe(self) -> tuple[Future[None], ...]:
        """Change a row that means nothing. The last future raises StoreError if no entry could be stored now.

        The first creates the row and raises Conflict if it is there. SQLite writes nothing for a row that stays the
        same, and would find no full disk; a deletion would empty the write-ahead log.
        """
        return tuple(self._submit(command, (), "") for command in PROBES)

    def hold(self, browser: str, table: str, code_hash: str) -> Future[None]:
        """Store that a browser (the SHA-256 of its cookie) holds a seat's or host's code. Conflict: it does already."""
        return self._submit(
            "INSERT INTO held VALUES (?, ?, ?) ON CONFLICT DO NOTHING", (browser, table, code_hash), table
        )

    def publish(self, table: str, text: str) -> None:
        """Send a message about a table to the other processes. It is not stored and may get lost.

        A process that receives it can read everything stored here before. Raises ValueError above MAX_MESSAGE_BYTES.
        """
        if len(text.encode()) > MAX_MESSAGE_BYTES:
            raise ValueError(f"a message has at most {MAX_MESSAGE_BYTES} bytes")
        self._publish(table, text)

    def _submit(self, command: str, row: tuple[object, ...], table: str, entry: Entry | None = None) -> Future[None]:
        done: Future[None] = Future()
        done.set_running_or_notify_cancel()  # a queued write can't be cancelled
        self._put(Write(command, row, table, entry, done))
        return done

    def _put(self, job: Write) -> None:
        if self._closed:
            refusal: str | None = SHUTTING_DOWN
        elif time.monotonic() > self._busy_since + write_timeouts.WAIT_SECONDS:
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

    def setup(self, table: str) -> TableSetup | None:
        """The setup of a table; None if there is no such table. Raises StoreError."""
        noted = self._noted(table)
        command = (
            "SELECT id, game, options, seats, secret, created, series, terms, start, digest, names"
            " FROM tables WHERE id = ?"
        )
        with self._explained(StoreDamaged()):
            rows = self._read(command, (table,))
        if not rows and (noted is not None or self.length(table)):
            raise self._loss(table)
        if not rows:
            return None
        *row, digest, names = rows[0]
        if digest != setups.digest(row):
            self._report(table, "the setup of a table is not what was stored; see docs/running.md")
            raise StoreDamaged
        with self._explained(StoreDamaged()):
            return setups.setup_of(msgspec.convert(row, setups.Row), names)

    def record(self, table: str) -> tuple[str, int] | None:
        """The record shown at a table, and when it was opened; None if there is no such table. Raises StoreError."""
        rows = self._rows("SELECT text, opened FROM records WHERE table_id = ?", (table,), tuple[str, int])
        return rows[0] if rows else None

    def entries(self, table: str, after: int = 0) -> list[Entry]:
        """The entries of a table after number `after`, in order.

        Raises StoreError; StoreDamaged if one is missing or the last acknowledged one differs.
        """
        noted = self._noted(table)  # before the entries are read, while more may be written
        command = f"SELECT {ENTRY_COLUMNS} FROM acts WHERE table_id = ? AND seq > ? ORDER BY seq"  # noqa: S608
        entries = self._entries(command, (table, after))
        if [entry.seq for entry in entries] != list(range(after + 1, after + 1 + len(entries))):
            raise self._loss(table)
        if noted is not None and noted.seq > after:
            at_noted = entries[noted.seq - after - 1 : noted.seq - after]
            if [entry.link for entry in at_noted] != [noted.link]:
                raise self._loss(table)
        return entries

    def length(self, table: str) -> int:
        """The number of entries in a table's log; 0 if there is no such table. Raises StoreError."""
        noted = self._noted(table)
        ((length,),) = self._rows("SELECT COALESCE(MAX(seq), 0) FROM acts WHERE table_id = ?", (table,), tuple[int])
        if noted is not None and length < noted.seq:
            raise self._loss(table)
        return length

    def seating(self, table: str) -> list[Entry]:
        """The entries that determine who sits at a table and who has left, in order. Raises StoreError.

        These are all events, and the last act of each seat, since a player who acts after leaving is back.
        """
        counting = "SELECT COUNT(substr(text, 1, 1)), COALESCE(MAX(seq), 0) FROM acts WHERE table_id = ?"
        ((count, length),) = self._rows(counting, (table,), tuple[int, int])
        if count < max(length, self.length(table)):
            raise self._loss(table)
        command = (
            f"SELECT {ENTRY_COLUMNS} FROM acts WHERE table_id = ? AND (substr(text, 1, 1) = '/'"  # noqa: S608
            " OR seq IN (SELECT MAX(seq) FROM acts WHERE table_id = ? AND substr(text, 1, 1) <> '/'"
            " AND substr(text, 1, 5) <> 'undo ' GROUP BY seat)) ORDER BY seq"
        )
        return self._entries(command, (table, table))

    def _entries(self, command: str, row: tuple[object, ...]) -> list[Entry]:
        rows = self._rows(command, row, tuple[int, int, int, str, str | None, str, str | None])
        with self._explained(StoreDamaged()):
            return [Entry(*row[:-1], None if row[-1] is None else read_name(row[-1])) for row in rows]

    def held(self, browser: str, table: str) -> frozenset[str]:
        """The hashes of the codes of a table that a browser holds. Raises StoreError."""
        command = "SELECT lock FROM held WHERE browser = ? AND table_id = ?"
        return frozenset(code_hash for (code_hash,) in self._rows(command, (browser, table), tuple[str]))

    def chat(self, table: str, after: int = 0, limit: int = 10**9) -> list[ChatMessage]:
        """The last chat messages of a table after number `after`, in order. Raises StoreError."""
        command = (
            "SELECT number, seat, name, at, text, client_id, remark FROM talk WHERE table_id = ? AND number > ?"
            " ORDER BY number DESC LIMIT ?"
        )
        rows = self._rows(command, (table, after, limit), tuple[int, int, str, int, str, str, int | None])
        return [ChatMessage(*row) for row in reversed(rows)]

    def playtest(self, playtest: str) -> tuple[str, str] | None:
        """The hash of the designer's code and the request of a play-test; None if there is none. Raises StoreError."""
        rows = self._rows("SELECT lock, request FROM playtests WHERE id = ?", (playtest,), tuple[str, str])
        return rows[0] if rows else None

    def playtest_tables(self, playtest: str, limit: int, since: int = 0) -> list[tuple[str, int, int]]:
        """The newest tables of a play-test, created since then, each with the number of its last entry and of its last
        chat message, or 0. Raises StoreError.
        """
        command = (
            "SELECT table_id, (SELECT COALESCE(MAX(seq), 0) FROM acts WHERE acts.table_id = one.table_id),"
            " (SELECT COALESCE(MAX(number), 0) FROM talk WHERE talk.table_id = one.table_id)"
            " FROM playtest_tables AS one WHERE playtest = ? AND created >= ? ORDER BY created DESC LIMIT ?"
        )
        return self._rows(command, (playtest, since, limit), tuple[str, int, int])

    # Damage

    def unreadable_entry(self, table: str) -> StoreDamaged:
        """The error of a write that conflicts with an entry that can't be read."""
        self._report(table, "a table can't go on: its next place is taken, and can't be read; see docs/running.md")
        return StoreDamaged(UNREADABLE_ENTRY)

    def _noted(self, table: str) -> LastEntry | None:
        """The last entry of a table known to be acknowledged; None if unknown. Raises StoreDamaged if it is lost."""
        if table in self.lost:
            raise StoreDamaged(LOST_ACTS)
        return self._last_noted(table)

    def _loss(self, table: str) -> StoreDamaged:
        """The error of a table that lacks acknowledged entries; its log is not read again."""
        self.lost.add(table)
        self._report(table, "a table has lost acts that were acknowledged; see docs/running.md")
        return StoreDamaged(LOST_ACTS)

    def _report(self, table: str, what: str) -> None:
        """Log what is wrong with a table, once."""
        if table not in self._tables_reported:
            self._tables_reported.add(table)
            logger.error(what, extra=about(table=table))

    def _rows(self, command: str, row: tuple[object, ...], kind: type[T]) -> list[T]:
        with self._explained(StoreDamaged()):
            return [msgspec.convert(found, kind) for found in self._read(command, row)]

    @contextlib.contextmanager
    def _explained(self, otherwise: StoreError) -> Iterator[None]:
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


def _answer(answers: Iterable[tuple[Future[None] | write_timeouts.Wait, Exception | None]]) -> None:
    """Answer all callers; those of one event loop together."""
    batches: dict[write_timeouts.Waits, list[tuple[write_timeouts.Wait, Exception | None]]] = {}
    for done, error in answers:
        if isinstance(done, Future):
            write_timeouts.answer(done, error)
        else:
            batches.setdefault(done.waits, []).append((done, error))
    for waiting, batch in batches.items():
        waiting.settle(batch)
