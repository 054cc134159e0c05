"""What every database stores of the tables, and how. An entry counts when it is committed, and not before.

One thread writes. The rows that have gathered while it was busy go into the next transaction, so that many tables share
one wait for the disk; under load it waits a moment for more. A row that does not fit fails alone.
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
from icetable.server.store import migrations, setups, waits
from icetable.server.store.contests import Contests
from icetable.server.store.errors import CLOSED, FAILED, LOST, SILENT, TAKEN, Conflict, StoreDamaged, StoreError
from icetable.server.store.sealed import SealedParcels
from icetable.server.store.subscriptions import Subscriptions
from icetable.server.table.chat import ChatMessage
from icetable.server.table.log import Entry
from icetable.server.table.salted_names import read_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from icetable.server.store.tips import Tip
    from icetable.server.table.setup import TableSetup

APPEND = (
    "INSERT INTO acts (table_id, seq, seat, at, text, client_id, link, name) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    " ON CONFLICT DO NOTHING"
)
ENTRY = "seq, seat, at, text, client_id, link, name"
"""The columns of an entry."""
DELETE_ACTS = "DELETE FROM acts WHERE table_id = ?"
BELONGINGS = ("held", "playtest_tables", "records", "subscriptions", "talk")
DELETIONS = (
    DELETE_ACTS,
    *(f"DELETE FROM {name} WHERE table_id = ?" for name in BELONGINGS),  # noqa: S608
    "DELETE FROM tables WHERE id = ?",
)
"""What deletes a table."""
SEEN_EVERY = 12 * 60 * 60 * 1000
"""How many milliseconds lie at least between two notes that somebody was at a table."""

GATHERING_SECONDS = 0.01
"""At least this many seconds lie between the beginnings of two transactions: each costs as much as many entries.
An entry that comes alone does not wait."""
LONGEST_MESSAGE = 7000
"""The most bytes of a published message; PostgreSQL carries fewer than 8000, the table's id included."""
ANSWER_SECONDS = 4.0
"""How many seconds the database has for a read or for a batch of writes."""
LAST_WRITES_SECONDS = 1.5
"""How many seconds a store that is closed has to write what is waiting."""

T = TypeVar("T")

logger = logging.getLogger(__name__)


class Write(NamedTuple):
    """A row to be written, the log's entry that it holds, if any, and the future or wait of the caller."""

    command: str
    row: tuple[object, ...]
    table: str
    entry: Entry | None
    done: Future[None] | waits.Wait


class Store(Subscriptions, Contests, SealedParcels):
    """An open database. A subclass opens its connections, brings the schema up to date and starts `_thread`."""

    def __init__(self) -> None:
        self.name = secrets.token_hex(8)
        """The name of this process, among those that share the database."""
        self.lost: set[str] = set()
        """The tables whose logs are known not to be what was acknowledged."""
        self._reported: set[str] = set()
        """The tables whose damage was logged."""
        self._troubles = RareLog(logger)
        self._waits: waits.Waits | None = None
        self._closed = False
        self._busy_since = math.inf
        self._jobs: queue.SimpleQueue[Write | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="store", daemon=True)

    def close(self) -> None:
        """Write what is waiting, as long as the database answers, and end. After that nothing can be written."""
        self._closed = True
        self._jobs.put(None)
        self._thread.join(LAST_WRITES_SECONDS)
        if self._thread.is_alive():
            logger.error("the store is closed before everything is written: the database does not answer")

    def waiting(self) -> int:
        """How many rows wait to be written."""
        return self._jobs.qsize()

    # Writing

    def create_table(self, setup: TableSetup, bucket: int = -1, wish: str | None = None) -> Future[None]:
        """Store a new table. The future brings None once it is safe, or Conflict or StoreError.

        `bucket`: the visitors among whom it counts (`public_tables`). `wish`: what its player asks for, in a digest
        that one waiting table has at most (`wished`).
        """
        return self._ask(setups.INSERT, setups.inserted(setup, bucket, wish), setup.id)

    def note_seen(self, table: str, at: int, every: int = SEEN_EVERY) -> Future[None]:
        """Store that somebody was at a table, in milliseconds since 1970. Conflict: that is known well enough."""
        since = at - every
        return self._ask("UPDATE tables SET seen = ? WHERE id = ? AND seen < ?", (at, table, since), table)

    def delete_table(self, table: str) -> Future[None]:
        """Delete a table with all that belongs to it. The future brings None once it is gone; Conflict: it was gone."""
        for command in DELETIONS:  # the row of the table last: what breaks off is done again
            done = self._ask(command, (table,), table)
        return done

    def create_record(self, table: str, text: str, opened: int, size: int, bucket: int) -> Future[None]:
        """Store a record that the table `table` shows, `opened` in milliseconds since 1970. The future as above.

        `size`: as how many bytes it counts; `bucket`: the visitors among whom it counts (`surplus_records`).
        """
        command = "INSERT INTO records (table_id, text, opened, bytes, bucket) VALUES (?, ?, ?, ?, ?)"
        return self._ask(f"{command} ON CONFLICT DO NOTHING", (table, text, opened, size, bucket), table)

    def delete_record(self, table: str) -> Future[None]:
        """Delete the record that a table shows. The future brings None once it is gone; Conflict: it was gone."""
        return self._ask("DELETE FROM records WHERE table_id = ?", (table,), table)

    def append_soon(self, table: str, entry: Entry) -> Future[None]:
        """Store an entry. The future brings None once it is safe, or Conflict or StoreError."""
        return self._ask(APPEND, _row(table, entry), table, entry)

    async def append(self, table: str, entry: Entry) -> None:
        """Store an entry and wait until it is safe. Of many that wait in one loop, a batch wakes together.

        Raises Conflict or StoreError; StoreTimeout where the entry may still be stored.
        """
        loop = asyncio.get_running_loop()
        if self._waits is None or self._waits.loop is not loop:
            self._waits = waits.Waits(loop)
        wait = self._waits.begin()
        self._put(Write(APPEND, _row(table, entry), table, entry, wait))
        await wait.future

    def has_chat(self, table: str, client_id: str) -> bool:
        """Whether the message of a request is among all that was said at a table. Raises StoreError."""
        command = "SELECT number FROM talk WHERE table_id = ? AND client_id = ?"
        return bool(self._rows(command, (table, client_id), tuple[int]))

    def append_chat(self, table: str, message: ChatMessage) -> Future[None]:
        """Store a chat message. The future brings None once it is safe, or Conflict or StoreError."""
        return self._ask(
            "INSERT INTO talk (table_id, number, seat, name, at, text, client_id, remark)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (table, *msgspec.structs.astuple(message)),
            table,
        )

    def create_playtest(self, playtest: str, lock: str, request: str, created: int) -> Future[None]:
        """Store a play-test: the hash of its designer's code, and what each table is. The future as above."""
        command = "INSERT INTO playtests (id, lock, request, created) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
        return self._ask(command, (playtest, lock, request, created), playtest)

    def add_playtest_table(self, playtest: str, table: str, created: int) -> Future[None]:
        """Store that a table belongs to a play-test. The future as above."""
        command = "INSERT INTO playtest_tables (playtest, created, table_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        return self._ask(command, (playtest, created, table), table)

    def set_over(self, table: str, over: bool) -> Future[None]:
        """Store whether a table's game is over, so that its log need not be read at the next start."""
        return self._ask("UPDATE tables SET over = ? WHERE id = ?", (int(over), table), table)

    def probe(self) -> Future[None]:
        """Write what is there already. The future brings StoreError where no entry could be stored now."""
        return self._ask(
            "UPDATE tables SET over = over WHERE id = (SELECT min(id) FROM tables WHERE id > ?)", ("",), ""
        )

    def hold(self, browser: str, table: str, code_hash: str) -> Future[None]:
        """Store that a browser (the SHA-256 of its cookie) holds a seat's or host's code. Conflict: it is known."""
        return self._ask("INSERT INTO held VALUES (?, ?, ?) ON CONFLICT DO NOTHING", (browser, table, code_hash), table)

    def publish(self, table: str, text: str) -> None:
        """Send a message about a table to the other processes. It is not stored and may get lost.

        A process that gets it can read all that was stored here before. Raises ValueError above LONGEST_MESSAGE bytes.
        """
        if len(text.encode()) > LONGEST_MESSAGE:
            raise ValueError(f"a message has at most {LONGEST_MESSAGE} bytes")
        self._publish(table, text)

    def _ask(self, command: str, row: tuple[object, ...], table: str, entry: Entry | None = None) -> Future[None]:
        done: Future[None] = Future()
        done.set_running_or_notify_cancel()  # what is written can't be called off
        self._put(Write(command, row, table, entry, done))
        return done

    def _put(self, job: Write) -> None:
        if self._closed:
            why: str | None = CLOSED
        elif time.monotonic() > self._busy_since + waits.WAIT_SECONDS:
            why = SILENT
            self._tell(StoreError(why))
        else:
            why = self._can_not_hold(job.row)
        if why is not None:
            _answer([(job.done, StoreError(why))])
        else:
            self._jobs.put(job)

    def _can_not_hold(self, row: tuple[object, ...]) -> str | None:
        """Why the database can't store a row, in one sentence; None where it can."""
        return None

    def _write(self) -> None:
        begun_at = -GATHERING_SECONDS
        while job := self._jobs.get():
            time.sleep(max(0, begun_at + GATHERING_SECONDS - time.monotonic()))
            self._busy_since = begun_at = time.monotonic()
            jobs: list[Write] = [job]
            with contextlib.suppress(queue.Empty):
                while more := self._jobs.get_nowait():
                    jobs.append(more)
                self._jobs.put(None)  # it was the sign to end, and comes again
            self._commit(jobs)
            self._busy_since = math.inf
        self._end()

    def _commit(self, jobs: list[Write]) -> None:
        """Write all jobs in one transaction and answer their callers.

        An error that does not concern the whole database, as damage may not, is one job's, so the jobs are written one
        at a time then.
        """
        try:
            taken = self._write_all(jobs)
        except Exception as error:
            trouble = self._trouble_of(error)
            if (trouble is None or isinstance(trouble, StoreDamaged)) and len(jobs) > 1:
                for job in jobs:
                    self._commit([job])
                return
            if trouble is None:
                logger.exception("a row can't be written")
            _answer([(job.done, trouble or StoreError(FAILED)) for job in jobs])
        else:
            metrics.DATABASE_UP.set(1)
            _answer([(job.done, Conflict() if number in taken else None) for number, job in enumerate(jobs)])

    # Reading

    def setup(self, table: str) -> TableSetup | None:
        """The setup of a table; None if there is no such table. Raises StoreError."""
        noted = self._noted(table)
        command = (
            "SELECT id, game, options, seats, secret, created, series, terms, start, form, digest, names"
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
            self._report(table, "what was settled for a table is not what was stored; see docs/running.md")
            raise StoreDamaged
        with self._explained(StoreDamaged()):
            return setups.setup_of(msgspec.convert(row, setups.Row), names)

    def record(self, table: str) -> tuple[str, int] | None:
        """The record that a table shows, and when it was opened; None if there is no such table. Raises StoreError."""
        rows = self._rows("SELECT text, opened FROM records WHERE table_id = ?", (table,), tuple[str, int])
        return rows[0] if rows else None

    def entries(self, table: str, after: int = 0) -> list[Entry]:
        """The entries of a table behind number `after`, in order.

        Raises StoreError; StoreDamaged where one is missing, or the last one that was acknowledged is another.
        """
        noted = self._noted(table)  # before the entries are read, while more may be written
        command = f"SELECT {ENTRY} FROM acts WHERE table_id = ? AND seq > ? ORDER BY seq"  # noqa: S608
        entries = self._entries(command, (table, after))
        if [entry.seq for entry in entries] != list(range(after + 1, after + 1 + len(entries))):
            raise self._loss(table)
        if noted is not None and noted.seq > after:
            at_noted = entries[noted.seq - after - 1 : noted.seq - after]
            if [entry.link for entry in at_noted] != [noted.link]:
                raise self._loss(table)
        return entries

    def length(self, table: str) -> int:
        """How many entries a table's log has; 0 if there is no such table. Raises StoreError."""
        noted = self._noted(table)
        ((length,),) = self._rows("SELECT COALESCE(MAX(seq), 0) FROM acts WHERE table_id = ?", (table,), tuple[int])
        if noted is not None and length < noted.seq:
            raise self._loss(table)
        return length

    def seating(self, table: str) -> list[Entry]:
        """The entries that decide who sits at a table and who has left, in order. Raises StoreError.

        These are all events, and the last act of each seat: a player who acts after leaving has come back.
        """
        counting = "SELECT COUNT(substr(text, 1, 1)), COALESCE(MAX(seq), 0) FROM acts WHERE table_id = ?"
        ((count, length),) = self._rows(counting, (table,), tuple[int, int])
        if count < max(length, self.length(table)):
            raise self._loss(table)
        command = (
            f"SELECT {ENTRY} FROM acts WHERE table_id = ? AND (substr(text, 1, 1) = '/'"  # noqa: S608
            " OR seq IN (SELECT MAX(seq) FROM acts WHERE table_id = ? AND substr(text, 1, 1) <> '/'"
            " AND substr(text, 1, 5) <> 'undo ' GROUP BY seat)) ORDER BY seq"
        )
        return self._entries(command, (table, table))

    def _entries(self, command: str, row: tuple[object, ...]) -> list[Entry]:
        """The entries that a query finds. Raises StoreError."""
        rows = self._rows(command, row, tuple[int, int, int, str, str | None, str, str | None])
        with self._explained(StoreDamaged()):
            return [Entry(*row[:-1], None if row[-1] is None else read_name(row[-1])) for row in rows]

    def held(self, browser: str, table: str) -> frozenset[str]:
        """The hashes of the codes of a table that a browser holds. Raises StoreError."""
        command = "SELECT lock FROM held WHERE browser = ? AND table_id = ?"
        return frozenset(code_hash for (code_hash,) in self._rows(command, (browser, table), tuple[str]))

    def chat(self, table: str, after: int = 0, most: int = 10**9) -> list[ChatMessage]:
        """The last chat messages of a table behind number `after`, in order. Raises StoreError."""
        command = (
            "SELECT number, seat, name, at, text, client_id, remark FROM talk WHERE table_id = ? AND number > ?"
            " ORDER BY number DESC LIMIT ?"
        )
        rows = self._rows(command, (table, after, most), tuple[int, int, str, int, str, str, int | None])
        return [ChatMessage(*row) for row in reversed(rows)]

    def playtest(self, playtest: str) -> tuple[str, str] | None:
        """The hash of a designer's code and the request of a play-test; None: there is none. Raises StoreError."""
        rows = self._rows("SELECT lock, request FROM playtests WHERE id = ?", (playtest,), tuple[str, str])
        return rows[0] if rows else None

    def playtest_tables(self, playtest: str, most: int, since: int = 0) -> list[tuple[str, int, int]]:
        """The newest tables of a play-test, created since then, each with the numbers of its last entry and of what was
        said there last, or 0. Raises StoreError.
        """
        command = (
            "SELECT table_id, (SELECT COALESCE(MAX(seq), 0) FROM acts WHERE acts.table_id = one.table_id),"
            " (SELECT COALESCE(MAX(number), 0) FROM talk WHERE talk.table_id = one.table_id)"
            " FROM playtest_tables AS one WHERE playtest = ? AND created >= ? ORDER BY created DESC LIMIT ?"
        )
        return self._rows(command, (playtest, since, most), tuple[str, int, int])

    # Damage

    def taken(self, table: str) -> StoreDamaged:
        """The error of a row that found its place taken, where nothing that can be read is there."""
        self._report(table, "a table can't go on: its next place is taken, and can't be read; see docs/running.md")
        return StoreDamaged(TAKEN)

    def _noted(self, table: str) -> Tip | None:
        """The last entry of a table that is known to have been acknowledged. Raises StoreDamaged if it is lost."""
        if table in self.lost:
            raise StoreDamaged(LOST)
        return self._last_noted(table)

    def _loss(self, table: str) -> StoreDamaged:
        """The error of a table whose log is not what was acknowledged; it is not read again."""
        self.lost.add(table)
        self._report(table, "a table has lost acts that were acknowledged; see docs/running.md")
        return StoreDamaged(LOST)

    def _report(self, table: str, what: str) -> None:
        """Log what is wrong with a table, once."""
        if table not in self._reported:
            self._reported.add(table)
            logger.error(what, extra=about(table=table))

    def _rows(self, command: str, row: tuple[object, ...], kind: type[T]) -> list[T]:
        """The rows that a query finds, each of this type. Raises StoreError."""
        with self._explained(StoreDamaged()):
            return [msgspec.convert(one, kind) for one in self._read(command, row)]

    @contextlib.contextmanager
    def _explained(self, otherwise: StoreError) -> Iterator[None]:
        """Errors become StoreError, one clear sentence; those that the database can't explain are logged.

        Where damage explains one, a bit of a row's text is enough, so it is logged without a stack trace.
        """
        try:
            yield
        except StoreError:
            raise
        except Exception as error:
            trouble = self._trouble_of(error)
            if trouble is None:
                logger.error(
                    "the database can't be read",
                    exc_info=not isinstance(otherwise, StoreDamaged) or logger.isEnabledFor(logging.DEBUG),
                    extra=about(error),
                )
                trouble = otherwise
            raise trouble from None

    def _trouble_of(self, error: Exception) -> StoreError | None:
        """How an error that concerns the whole database is reported; it is logged. None for other errors."""
        if isinstance(error, StoreError):
            return error
        trouble = self._explain(error)
        if trouble is not None:
            self._tell(trouble, self._said(error))
        return trouble

    def _tell(self, trouble: StoreError, said: str = "") -> None:
        """Log what the database can't do now, and what it said itself, at most once a minute."""
        metrics.DATABASE_UP.set(0)
        facts = {"said": " ".join(said.split())} if said else {}
        self._troubles.warn("the database fails", logging.ERROR, cause=str(trouble), **facts)

    # What each database does in its own way

    is_shared: ClassVar[bool]
    """Whether several server processes may serve the same tables."""

    def _last_noted(self, _table: str) -> Tip | None:
        """The last entry of a table that was noted; None where none was."""
        return None

    @abstractmethod
    def subscribe(self, on_entries: Callable[[str | None], None], on_message: Callable[[str, str], None]) -> None:
        """From now on call `on_entries`, in another thread, with each table to which another process has added entries.

        None: perhaps to any of them, and messages may have been lost. `on_message` is called with the table and the
        text of each message that another process publishes.
        """

    @abstractmethod
    def _publish(self, table: str, text: str) -> None:
        """Send to the other processes, if there may be any."""

    @abstractmethod
    def _write_all(self, jobs: list[Write]) -> set[int]:
        """The numbers of the jobs that found their place taken; the others are committed."""

    @abstractmethod
    def _read(self, command: str, row: tuple[object, ...]) -> list[Any]:
        """The rows that a query finds. Raises StoreError, or an error of the database."""

    @abstractmethod
    def _explain(self, error: Exception) -> StoreError | None:
        """How an error that concerns the whole database is reported; None for other errors."""

    @abstractmethod
    def _said(self, error: Exception) -> str:
        """What the database itself said of such an error, without anything of a row."""

    @abstractmethod
    def _end(self) -> None:
        """Close the connection that writes."""


def _row(table: str, entry: Entry) -> tuple[object, ...]:
    name = None if entry.name is None else msgspec.json.encode(entry.name).decode()
    return table, entry.seq, entry.seat, entry.at, entry.text, entry.client_id, entry.link, name


def _answer(answers: Iterable[tuple[Future[None] | waits.Wait, Exception | None]]) -> None:
    """Tell all callers what became of their rows, those of one event loop together."""
    batches: dict[waits.Waits, list[tuple[waits.Wait, Exception | None]]] = {}
    for done, error in answers:
        if isinstance(done, Future):
            waits.answer(done, error)
        else:
            batches.setdefault(done.waits, []).append((done, error))
    for waiting, batch in batches.items():
        waiting.settle(batch)


def bring_up_to_date(run: Callable[..., Iterable[Any]], version: int) -> int:
    """Run the migrations that a schema of this version lacks; returns the new version. Raises StoreError."""
    if version > len(migrations.MIGRATIONS):
        raise StoreError("The database was written by a newer icetable.")
    return migrations.migrate(run, version)
