"""The log of all tables: what every database keeps, and how. An entry counts when it is committed, and not before.

One thread writes. Whatever has gathered while it was busy goes into the next transaction, so that many tables share
one wait for the disk; under load it waits a moment for more. An entry that does not fit fails alone. `open_store` opens
a log where it lies: SQLite for one server process, PostgreSQL for several.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import math
import queue
import secrets
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar

import msgspec

from icetable.server.table import fairness
from icetable.server.table.chat import ChatMessage
from icetable.server.table.log import Entry
from icetable.server.table.seats import Seat
from icetable.server.table.setup import Series, TableSetup, Terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

APPEND = (
    "INSERT INTO acts (table_id, seq, seat, at, text, client_id, link) VALUES (?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT DO NOTHING"
)
Answer = tuple[Future[None] | asyncio.Future[None], Exception | None]
Run = Callable[..., "Iterable[Any]"]
"""Runs a command with its row, if any, and brings what was found. Places in the command are question marks."""


def chain_old_entries(run: Run) -> None:
    """Give the entries of before there were links theirs."""
    for table, secret in list(run("SELECT id, secret FROM tables")):
        link = fairness.commitment(bytes(secret))
        entries = list(run("SELECT seq, seat, at, text FROM acts WHERE table_id = ? ORDER BY seq", (table,)))
        for seq, seat, at, text in entries:
            link = fairness.link(link, table, seq, seat, at, text)
            run("UPDATE acts SET link = ? WHERE table_id = ? AND seq = ?", (link, table, seq))


def count_wins(run: Run) -> None:
    """Series of before wins were counted begin to count them now."""
    for table, series in list(run("SELECT id, series FROM tables WHERE series IS NOT NULL")):
        counted = json.loads(series)
        counted.setdefault("wins", [0] * len(counted["scores"]))
        run("UPDATE tables SET series = ? WHERE id = ?", (json.dumps(counted), table))


MIGRATIONS: tuple[str | Callable[[Run], None], ...] = (
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
    """
    ALTER TABLE acts ADD COLUMN link TEXT NOT NULL DEFAULT '';
    ALTER TABLE tables ADD COLUMN over INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX running_tables ON tables (created) WHERE over = 0;
    """,
    chain_old_entries,
    """
    ALTER TABLE tables ADD COLUMN public INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tables ADD COLUMN terms TEXT NOT NULL DEFAULT '{}';
    CREATE INDEX public_tables ON tables (created) WHERE public = 1;
    """,
    "ALTER TABLE tables ADD COLUMN start TEXT",
    count_wins,
    """
    CREATE TABLE held (
        browser TEXT NOT NULL,
        table_id TEXT NOT NULL,
        lock TEXT NOT NULL,
        PRIMARY KEY (browser, table_id, lock)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE talk (
        table_id TEXT NOT NULL,
        number INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        name TEXT NOT NULL,
        at INTEGER NOT NULL,
        text TEXT NOT NULL,
        client_id TEXT NOT NULL,
        PRIMARY KEY (table_id, number),
        UNIQUE (table_id, client_id)
    ) STRICT, WITHOUT ROWID
    """,
    "ALTER TABLE tables ADD COLUMN form INTEGER NOT NULL DEFAULT 1",
)
"""What leads from each version of the schema to the next, in SQLite's words."""


GATHERING = 0.01
"""So many seconds at the least lie between the beginnings of two transactions: each costs as much as many entries.
An entry that comes alone does not wait."""
LONGEST_WHISPER = 7000
"""So many bytes may be whispered at once; PostgreSQL carries fewer than 8000, with what leads to the table."""
ANSWERING = 4.0
"""How many seconds the database has for a read or for a batch of writes."""
KEEPING = 5.0
"""How many seconds a caller in an event loop waits for a write, the time in the queue included."""
CLOSING = 1.5
"""How many seconds a log that is closed has to write what is waiting."""

FAILED = "The database failed."
CLOSED = "The server is closing down."
SILENT = "The database does not answer; please try again."

T = TypeVar("T")

logger = logging.getLogger(__name__)


class StoreError(Exception):
    """The log can't be read or written; the text says why, in one sentence."""


class StoreDamaged(StoreError):
    """What was kept can't be read any more."""

    def __init__(self, text: str = "The database is damaged.") -> None:
        super().__init__(text)


class StoreTimeout(StoreError):
    """The database did not answer in time. What was to be written may still be written; `done` tells."""

    def __init__(self, done: asyncio.Future[None]) -> None:
        super().__init__(SILENT)
        self.done = done


class Conflict(Exception):
    """Another entry has this number or this client id: read on, and judge again."""


class Job(NamedTuple):
    """A row of a table to be written, and the future of its caller. `is_news`: other processes are told."""

    command: str
    row: tuple[object, ...]
    table: str
    is_news: bool
    done: Future[None] | asyncio.Future[None]


def open_store(where: str | Path) -> Store:
    """The log at a PostgreSQL URL or in a SQLite file, which is made if it is not there. Raises LogError."""
    if is_postgres(where):
        from icetable.server.store.postgres import PostgresStore

        return PostgresStore(str(where))
    from icetable.server.store.sqlite import SqliteStore

    return SqliteStore(Path(where))


def is_postgres(where: str | Path) -> bool:
    """Whether a place is a PostgreSQL URL. It may hold a password and is not to be shown."""
    return str(where).startswith(("postgresql://", "postgres://"))


class Store(ABC):
    """A log that is open. A database opens its connections, brings the schema up to date and calls `_start`."""

    def __init__(self) -> None:
        self.name = secrets.token_hex(8)
        """This process's, among those that share the log."""
        self._closed = False
        self._busy_since = math.inf
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="log", daemon=True)

    def close(self) -> None:
        """Write what is waiting, as long as the database answers, and end. Nothing can be written any more."""
        self._closed = True
        self._jobs.put(None)
        self._thread.join(CLOSING)
        if self._thread.is_alive():
            logger.error("the log is closed before everything is written: the database does not answer")

    # Writing

    def open_table(self, setup: TableSetup) -> Future[None]:
        """Keep a new table. The future brings None once it is safe, or Taken or LogError."""
        seats = msgspec.json.encode(setup.seats).decode()
        options = json.dumps(setup.options)
        series = None if setup.series is None else msgspec.json.encode(setup.series).decode()
        terms, public = msgspec.json.encode(setup.terms).decode(), int(setup.terms.public)
        key, secret, created = setup.id, setup.secret, setup.created
        return self._ask(
            "INSERT INTO tables (id, game, options, seats, secret, created, series, public, terms, start, form)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (key, setup.game, options, seats, secret, created, series, public, terms, setup.start, setup.form),
            key,
        )

    def append(self, table: str, entry: Entry) -> Future[None]:
        """Keep an entry. The future brings None once it is safe, or Taken or LogError."""
        return self._ask(APPEND, _row(table, entry), table, is_news=True)

    async def keep(self, table: str, entry: Entry) -> None:
        """`append`, for one of many who wait in the same loop: it wakes once for all that becomes safe together.

        Raises Taken or LogError; NoAnswer where the entry may still be kept.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._put(Job(APPEND, _row(table, entry), table, True, done))
        await _in_time(done)

    def say(self, table: str, remark: ChatMessage) -> Future[None]:
        """Keep a remark. The future brings None once it is safe, or Taken or LogError."""
        return self._ask(
            "INSERT INTO talk (table_id, number, seat, name, at, text, client_id) VALUES (?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT DO NOTHING",
            (table, remark.number, remark.seat, remark.name, remark.at, remark.text, remark.client_id),
            table,
        )

    def note(self, table: str, over: bool) -> Future[None]:
        """Keep whether a table's game is over, so that it need not be looked through at the next start."""
        return self._ask("UPDATE tables SET over = ? WHERE id = ?", (int(over), table), table)

    def probe(self) -> Future[None]:
        """Write what is there already. The future brings LogError where no entry could be kept now."""
        return self._ask(
            "UPDATE tables SET over = over WHERE id = (SELECT min(id) FROM tables WHERE id > ?)", ("",), ""
        )

    def hold(self, browser: str, table: str, lock: str) -> Future[None]:
        """Keep that a browser (the SHA-256 of its cookie) holds what a lock opens. Taken: that is known."""
        return self._ask("INSERT INTO held VALUES (?, ?, ?) ON CONFLICT DO NOTHING", (browser, table, lock), table)

    def whisper(self, table: str, text: str) -> None:
        """Tell the other processes that share the log something about a table that is not kept, and may get lost.

        Who hears it can read all that was kept here before. Raises ValueError for more than LONGEST_WHISPER bytes.
        """
        if len(text.encode()) > LONGEST_WHISPER:
            raise ValueError(f"a whisper has at most {LONGEST_WHISPER} bytes")
        self._whisper(table, text)

    def _ask(self, command: str, row: tuple[object, ...], table: str, *, is_news: bool = False) -> Future[None]:
        done: Future[None] = Future()
        done.set_running_or_notify_cancel()  # what is written can't be called off
        self._put(Job(command, row, table, is_news, done))
        return done

    def _put(self, job: Job) -> None:
        if self._closed:
            why: str | None = CLOSED
        elif time.monotonic() > self._busy_since + KEEPING:
            why = SILENT
        else:
            why = self._can_not_hold(job.row)
        if why is not None:
            job.done.set_exception(StoreError(why))
        else:
            self._jobs.put(job)

    def _can_not_hold(self, row: tuple[object, ...]) -> str | None:
        """Why the database can't keep a row, in one sentence."""
        return None

    def _write(self) -> None:
        begun_at = -GATHERING
        while job := self._jobs.get():
            time.sleep(max(0, begun_at + GATHERING - time.monotonic()))
            self._busy_since = begun_at = time.monotonic()
            jobs: list[Job] = [job]
            with contextlib.suppress(queue.Empty):
                while more := self._jobs.get_nowait():
                    jobs.append(more)
                self._jobs.put(None)  # it was the sign to end, and comes again
            self._commit(jobs)
            self._busy_since = math.inf
        self._end()

    def _commit(self, jobs: list[Job]) -> None:
        """Write all jobs in one transaction and answer their callers.

        An error that is not the database's as a whole is one job's, so the jobs are written one at a time then.
        """
        try:
            taken = self._write_all(jobs)
        except Exception as error:
            trouble = error if isinstance(error, StoreError) else self._explain(error)
            if trouble is None and len(jobs) > 1:
                for job in jobs:
                    self._commit([job])
                return
            if trouble is None:
                logger.exception("a row can't be written")
            _answer([(job.done, trouble or StoreError(FAILED)) for job in jobs])
        else:
            _answer([(job.done, Conflict() if number in taken else None) for number, job in enumerate(jobs)])

    # Reading

    def setup(self, table: str) -> TableSetup | None:
        """What was settled for a table; None if there is no such table. Raises LogError."""
        command = (
            "SELECT id, game, options, seats, secret, created, series, terms, start, form FROM tables WHERE id = ?"
        )
        rows = self._rows(command, (table,), tuple[str, str, str, str, bytes, int, str | None, str, str | None, int])
        if not rows:
            return None
        key, game, options, seats, secret, created, series, terms, start, form = rows[0]
        with self._explained(StoreDamaged()):
            return TableSetup(
                key,
                game,
                msgspec.json.decode(options, type=dict[str, Any]),
                msgspec.json.decode(seats, type=tuple[Seat, ...]),
                secret,
                created,
                None if series is None else msgspec.json.decode(series, type=Series),
                msgspec.json.decode(terms, type=Terms),
                start,
                form,
            )

    def public_tables(self, since: int, most: int) -> list[tuple[str, int]]:
        """The newest public tables opened since then, and how many entries each has. Raises LogError.

        Those whose games are known to be over are left out.
        """
        command = (
            "SELECT id, (SELECT COALESCE(MAX(seq), 0) FROM acts WHERE table_id = id) FROM tables"
            " WHERE public = 1 AND over = 0 AND created >= ? ORDER BY created DESC LIMIT ?"
        )
        return self._rows(command, (since, most), tuple[str, int])

    def entries(self, table: str, after: int = 0) -> list[Entry]:
        """The entries of a table behind number `after`, in order. Raises LogError."""
        command = "SELECT seq, seat, at, text, client_id, link FROM acts WHERE table_id = ? AND seq > ? ORDER BY seq"
        return [Entry(*row) for row in self._rows(command, (table, after), tuple[int, int, int, str, str | None, str])]

    def seating(self, table: str) -> list[Entry]:
        """The entries that decide who sits at a table and who has left, in order. Raises LogError.

        These are all changes, and the last act of each seat: a player who acts after leaving has come back.
        """
        command = (
            "SELECT seq, seat, at, text, client_id, link FROM acts WHERE table_id = ? AND (substr(text, 1, 1) = '/'"
            " OR seq IN (SELECT MAX(seq) FROM acts WHERE table_id = ? AND substr(text, 1, 1) <> '/'"
            " AND substr(text, 1, 5) <> 'undo ' GROUP BY seat)) ORDER BY seq"
        )
        return [Entry(*row) for row in self._read(command, (table, table))]

    def held(self, browser: str, table: str) -> frozenset[str]:
        """The locks of a table that a browser holds. Raises LogError."""
        command = "SELECT lock FROM held WHERE browser = ? AND table_id = ?"
        return frozenset(lock for (lock,) in self._rows(command, (browser, table), tuple[str]))

    def talk(self, table: str, after: int = 0, most: int = 10**9) -> list[ChatMessage]:
        """The last remarks at a table behind number `after`, in order. Raises LogError."""
        command = (
            "SELECT number, seat, name, at, text, client_id FROM talk WHERE table_id = ? AND number > ?"
            " ORDER BY number DESC LIMIT ?"
        )
        rows = self._rows(command, (table, after, most), tuple[int, int, str, int, str, str])
        return [ChatMessage(*row) for row in reversed(rows)]

    def running(self, since: int, most: int) -> list[str]:
        """The newest tables opened since then whose games are not known to be over. Raises LogError."""
        command = "SELECT id FROM tables WHERE over = 0 AND created >= ? ORDER BY created DESC LIMIT ?"
        return [table for (table,) in self._rows(command, (since, most), tuple[str])]

    def _rows(self, command: str, row: tuple[object, ...], kind: type[T]) -> list[T]:
        """The rows that a question brings, each of this kind. Raises LogError."""
        with self._explained(StoreDamaged()):
            return [msgspec.convert(one, kind) for one in self._read(command, row)]

    @contextlib.contextmanager
    def _explained(self, otherwise: StoreError) -> Iterator[None]:
        """Errors become LogError, one clear sentence; those that the database can't explain are logged."""
        try:
            yield
        except StoreError:
            raise
        except Exception as error:
            trouble = self._explain(error)
            if trouble is None:
                logger.exception("the log can't be read")
                trouble = otherwise
            raise trouble from None

    # What a database does in its own way

    is_shared: ClassVar[bool]
    """Whether several server processes may serve the same tables."""

    @abstractmethod
    def listen(self, hear: Callable[[str | None], None], overhear: Callable[[str, str], None]) -> None:
        """From now on call `hear`, in another thread, with each table to which another process has added entries.

        None: perhaps to any of them, and whispers may have been lost. `overhear` is called with the table and the text
        of each whisper of another process.
        """

    @abstractmethod
    def _whisper(self, table: str, text: str) -> None:
        """Tell the other processes, if there may be any."""

    @abstractmethod
    def _write_all(self, jobs: list[Job]) -> set[int]:
        """The numbers of the jobs that found their place taken; the others are committed."""

    @abstractmethod
    def _read(self, command: str, row: tuple[object, ...]) -> list[Any]:
        """The rows that a question brings. Raises LogError, or an error of the database."""

    @abstractmethod
    def _explain(self, error: Exception) -> StoreError | None:
        """What people are told of an error that concerns the whole database; None if it is none."""

    @abstractmethod
    def _end(self) -> None:
        """Close what writes."""


def _row(table: str, entry: Entry) -> tuple[object, ...]:
    return table, entry.seq, entry.seat, entry.at, entry.text, entry.client_id, entry.link


async def answered(done: Future[None]) -> None:
    """Wait in an event loop until something is written. Raises Taken or LogError; NoAnswer where it may still be."""
    waiting = asyncio.wrap_future(done)
    try:
        await _in_time(waiting)
    finally:
        waiting.cancel()  # a later answer is not needed


async def _in_time(done: asyncio.Future[None]) -> None:
    try:
        await asyncio.wait((done,), timeout=KEEPING)
    except asyncio.CancelledError:
        done.cancel()
        raise
    if not done.done():
        raise StoreTimeout(done)
    done.result()


def _answer(answers: Sequence[Answer]) -> None:
    """Tell all who wait what became of it, each event loop at once."""
    loops: dict[asyncio.AbstractEventLoop, list[Answer]] = {}
    for done, error in answers:
        if isinstance(done, Future):
            _settle([(done, error)])
        else:
            loops.setdefault(done.get_loop(), []).append((done, error))
    for loop, its_answers in loops.items():
        with contextlib.suppress(RuntimeError):  # it has ended meanwhile
            loop.call_soon_threadsafe(_settle, its_answers)


def _settle(answers: Iterable[Answer]) -> None:
    for done, error in answers:
        if done.cancelled():
            continue
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)


def bring_up_to_date(run: Run, version: int) -> int:
    """Run the migrations that a schema of this version lacks; the version then. Raises LogError."""
    if version > len(MIGRATIONS):
        raise StoreError("The database was written by a newer icetable.")
    for migration in MIGRATIONS[version:]:
        if isinstance(migration, str):
            for command in migration.split(";"):
                if command.strip():
                    run(command)
        else:
            migration(run)
    return len(MIGRATIONS)
