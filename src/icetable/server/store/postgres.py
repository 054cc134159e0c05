"""The store in a PostgreSQL database, for several server processes, which tell each other of new entries.

A database that does not answer holds up no caller for long: a connection without an answer in time is cut off and made
anew.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import math
import re
import socket
import threading
import time
from typing import TYPE_CHECKING, Any, TypeVar

from icetable.server import metrics
from icetable.server.store.errors import CLOSED, FAILED, SILENT, StoreDamaged, StoreError
from icetable.server.store.lag import Lag
from icetable.server.store.store import ANSWER_SECONDS, Store, Write, bring_up_to_date

try:
    import psycopg
except ImportError:
    raise StoreError("PostgreSQL needs one package more: install icetable[postgres].") from None

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    Connection = psycopg.Connection[tuple[Any, ...]]

T = TypeVar("T")

logger = logging.getLogger(__name__)

SENTENCES = {
    "53100": "The disk is full, so nothing more can be kept.",
    "40001": "Other servers were writing the same tables; please try again.",
    "40P01": "Other servers were writing the same tables; please try again.",
    "53300": "The database has no connection left for this server.",
    "55P03": "Another program keeps the database locked; please try again.",
    "57014": "The database took too long; please try again.",
    "25006": "The database can't be written.",
    "28000": "The database does not let this user in, or does not know it.",
    "28P01": "The database does not take this user's password.",
    "3D000": "There is no such database; create it first.",
    "42501": "The database does not allow this user to keep tables in it.",
}
"""What is reported, by SQLSTATE; never the database's own message, which may name more than it should."""
SAID = (
    (
        re.compile(r"(?i)role .* does not exist|(peer|ident|certificate) auth.* failed|no pg_hba\.conf"),
        "28000",
    ),
    (re.compile(r"password authentication failed|empty password"), "28P01"),
    (re.compile(r"database .* does not exist"), "3D000"),
    (re.compile(r"permission denied for database"), "42501"),
    (re.compile(r"too many (clients|connections)|connection slots"), "53300"),
)
"""What servers say in English when they don't let a connection in: of that the driver knows no SQLSTATE."""
STATELESS = (
    (
        re.compile(r"could not translate host name|failed to resolve host|[Nn]ame or service not known"),
        "The database can't be reached: the name of its host leads nowhere.",
    ),
    (re.compile(r"Connection refused|No such file or directory"), "The database can't be reached: none listens there."),
    (
        re.compile(r"\bSSL\b|root certificate"),
        "The database and this server don't agree on encryption; see sslmode in the URL.",
    ),
    (re.compile(r"the database system is"), "The database is starting, or shutting down; please try again."),
    (re.compile(r"invalid|missing|matching"), "The URL of the database is not written as PostgreSQL reads it."),
)
"""The same for what has no SQLSTATE anywhere, or one of another meaning."""
NO_PASSWORD = "The database asks for a password, and none was given: set PGPASSWORD, or use a file ~/.pgpass."  # noqa: S105
UNREACHABLE = "The database can't be reached, or does not let this server in."

APPLICATION = "icetable"
"""The name of a connection among all that the database has."""
CONNECTING_SECONDS = 2
"""How many seconds to wait for a connection: the driver knows no shorter time."""
SETTINGS = ("search_path = icetable", "lock_timeout = '3s'", "statement_timeout = '3500ms'")
"""A connection's own. The database gives a statement up by itself before the connection is cut off."""
MIGRATING_SECONDS = 3600.0
"""How many seconds a start may take to bring the schema up to date."""
TRIES = 3
"""How often a batch is tried that collides with another server's."""
WATCHING_SECONDS = 0.2
"""How often, in seconds, the watchdog checks for connections that get no answer."""
POLLING_SECONDS = 0.5
"""How often, in seconds, the listener checks whether the store is closed."""
RECONNECTING_SECONDS = 1.0
"""How many seconds to wait before trying a database again that did not answer, or could not be listened to."""
CHANNEL = "icetable"
MESSAGE_CHANNEL = "icetable_whispers"
LAG_CHANNEL = "icetable_lag"
PUBLISH = (
    "SELECT pg_notify(channel, concat_ws(' ', sender, name, said))"
    " FROM (VALUES (?::text, ?::text, ?::text, ?::text)) AS message (name, channel, sender, said)"
)
WORDS = (
    (r"\?", "%s"),
    (r"\bINTEGER\b", "BIGINT"),
    (r"\bBLOB\b", "BYTEA"),
    (r"\) STRICT.*", ")"),
    (r"\binstr\(", "strpos("),
    (r"\bCOLLATE BINARY\b", 'COLLATE "C"'),
)
"""Words of SQLite, and PostgreSQL's for them."""
MIGRATING = 0x1CE7AB1E
"""The advisory lock of the process that brings the schema up to date."""


class Watchdog:
    """Cuts off the sessions that get no answer in time, and knows for a while that the database does not answer."""

    def __init__(self) -> None:
        self.sessions: list[Session] = []
        self.silent_until = -math.inf
        self._ended = threading.Event()
        threading.Thread(target=self._watch, name="watchdog", daemon=True).start()

    def report_silence(self) -> None:
        """There was no answer in time; the database is not asked again for a while."""
        if time.monotonic() > self.silent_until:
            logger.error("PostgreSQL does not answer")
        self.silent_until = time.monotonic() + RECONNECTING_SECONDS

    def close(self) -> None:
        """Watch no more."""
        self._ended.set()

    def _watch(self) -> None:
        while not self._ended.wait(WATCHING_SECONDS):
            for session in self.sessions:
                if session.cut_if_late():
                    self.report_silence()


class Session:
    """A connection that one thread uses at a time, and that is made anew when it was lost."""

    def __init__(self, url: str, watchdog: Watchdog) -> None:
        self._url = url
        self._watchdog = watchdog
        self._using = threading.Lock()
        self._cutting = threading.Lock()
        self._deadline = math.inf
        self._is_closed = False
        self._connection: Connection | None = None
        self._socket: socket.socket | None = None
        self.losses = 0
        """How often the connection was lost."""
        watchdog.sessions.append(self)

    def run(self, work: Callable[[Connection], T], seconds: float) -> T:
        """Do something with the connection; if that was lost, once more. Raises psycopg.Error or StoreError."""
        if time.monotonic() < self._watchdog.silent_until or not self._using.acquire(timeout=seconds):
            raise StoreError(SILENT)
        try:
            if time.monotonic() < self._watchdog.silent_until:  # that became known meanwhile
                raise StoreError(SILENT)
            self._deadline = time.monotonic() + seconds
            return self._try_twice(work)
        finally:
            with self._cutting:
                self._deadline = math.inf
            if self._is_closed:
                self._drop()
            self._using.release()

    def cut_if_late(self) -> bool:
        """Whether an answer is overdue; the thread that waits for it wakes with an error."""
        with self._cutting:
            if time.monotonic() < self._deadline:
                return False
            self._cut()
            return True

    def close(self) -> None:
        """End. A thread that waits for an answer wakes with an error, and drops the connection itself."""
        self._is_closed = True
        if not self._using.acquire(blocking=False):
            with self._cutting:
                self._cut()
            if not self._using.acquire(timeout=WATCHING_SECONDS):
                return
        self._drop()
        self._using.release()

    def _try_twice(self, work: Callable[[Connection], T]) -> T:
        try:
            return self._try(work)
        except psycopg.OperationalError:
            if self._connection is None or not self._connection.closed:
                raise  # there was none, or it is sound
        return self._try(work)

    def _try(self, work: Callable[[Connection], T]) -> T:
        try:
            return work(self._connected())
        except psycopg.OperationalError as error:
            if self._connection is not None and self._connection.closed:
                self.losses += 1
                metrics.RECONNECTS.inc()
            if isinstance(error, psycopg.errors.ConnectionTimeout):
                self._watchdog.report_silence()
            elif time.monotonic() < self._deadline:
                raise
            raise StoreError(SILENT) from None

    def _connected(self) -> Connection:
        if self._is_closed:
            raise StoreError(CLOSED)
        if self._connection is None or self._connection.closed:
            self._drop()
            self._connection = self._connect()
        return self._connection

    def _connect(self) -> Connection:
        connection = psycopg.connect(
            self._url,
            autocommit=True,
            connect_timeout=CONNECTING_SECONDS,
            application_name=APPLICATION,
            keepalives_idle=15,  # an idle connection through a network that is gone comes to an end, too
            keepalives_interval=5,
            keepalives_count=3,
        )
        try:
            with self._cutting:
                self._socket = socket.fromfd(connection.fileno(), -1, -1)
            for setting in SETTINGS:
                connection.execute(f"SET {setting}")
            # Acknowledged means committed, also where the database is set to answer sooner.
            connection.execute(
                "SELECT set_config('synchronous_commit', 'on', false)"
                " WHERE current_setting('synchronous_commit') = 'off'"
            )
        except BaseException:
            connection.close()
            raise
        return connection

    def _cut(self) -> None:
        if self._socket is not None:
            with contextlib.suppress(OSError):  # it is cut off already
                self._socket.shutdown(socket.SHUT_RDWR)

    def _drop(self) -> None:
        with self._cutting:
            if self._socket is not None:
                self._socket.close()
                self._socket = None
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class PostgresStore(Store):
    """The store at a PostgreSQL URL, in the schema `icetable`, created where missing. Raises StoreError."""

    is_shared = True

    def __init__(self, url: str) -> None:
        super().__init__()
        self._published = itertools.count()
        self._ended = threading.Event()
        self._listener: threading.Thread | None = None
        self._lag = Lag(lambda: self._notify(LAG_CHANNEL))
        self._watchdog = Watchdog()
        self._writer, self._reader, self._news = (Session(url, self._watchdog) for _ in range(3))
        try:
            with self._explained(StoreError(FAILED)):
                self._writer.run(self._migrate, MIGRATING_SECONDS)
                self._reader.run(lambda _: None, ANSWER_SECONDS)
        except BaseException:
            self._close_sessions()
            raise
        self._thread.start()

    def close(self) -> None:
        self._ended.set()
        super().close()
        if self._listener is not None:
            self._listener.join(2 * POLLING_SECONDS)
        self._close_sessions()

    def _close_sessions(self) -> None:
        for session in self._watchdog.sessions:
            session.close()
        self._watchdog.close()

    def _end(self) -> None:
        """The sessions are closed together."""

    # Writing

    def _can_not_hold(self, row: tuple[object, ...]) -> str | None:
        if any(isinstance(value, str) and "\0" in value for value in row):
            return "The database keeps no text with a NUL character."  # others in its batch are safe
        return None

    def _write_all(self, jobs: list[Write]) -> set[int]:
        for _ in range(TRIES - 1):
            with contextlib.suppress(psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure):
                return self._write_once(jobs)
        return self._write_once(jobs)

    def _write_once(self, jobs: list[Write]) -> set[int]:
        # If the connection was lost behind the commit, the rows now conflict with themselves; the callers read them.
        return self._writer.run(lambda connection: self._transaction(connection, jobs), ANSWER_SECONDS)

    def _transaction(self, connection: Connection, jobs: list[Write]) -> set[int]:
        news = sorted({f"{self._sender} {job.table}" for job in jobs if job.entry is not None})
        # All processes lock rows in the same order, so they do not wait for each other.
        order = sorted(range(len(jobs)), key=lambda number: (jobs[number].table, jobs[number].command))
        with connection.pipeline(), connection.transaction():
            done = {n: connection.execute(in_postgres(jobs[n].command), jobs[n].row) for n in order}
            if news:
                connection.execute("SELECT pg_notify(%s, news) FROM unnest(%s::text[]) AS news", (CHANNEL, news))
        return {number for number, cursor in done.items() if cursor.rowcount == 0}

    @property
    def _sender(self) -> str:
        """The sender of news: this process, until it loses a connection and with it perhaps an answer.

        News that an earlier connection sent is not its own: it may tell of a commit that this process missed.
        """
        return f"{self.name}.{self._writer.losses}"

    # Reading

    def _read(self, command: str, row: tuple[object, ...]) -> list[Any]:
        return self._reader.run(
            lambda connection: connection.execute(in_postgres(command), row).fetchall(), ANSWER_SECONDS
        )

    # Publishing and subscribing

    def _publish(self, table: str, text: str) -> None:
        self._notify(MESSAGE_CHANNEL, table, text)

    def _notify(self, channel: str, table: str = "", text: str = "") -> Future[None]:
        # Of equal ones in a transaction the database would pass on the first alone, so they are numbered.
        sender = f"{self.name}.{next(self._published)}"
        return self._ask(PUBLISH, (table, channel, sender, text), table)

    def subscribe(self, on_entries: Callable[[str | None], None], on_message: Callable[[str, str], None]) -> None:
        assert self._listener is None
        self._listener = threading.Thread(target=self._listen, args=(on_entries, on_message), name="news", daemon=True)
        self._listener.start()

    def _listen(self, on_entries: Callable[[str | None], None], on_message: Callable[[str, str], None]) -> None:
        while not self._ended.is_set():
            try:
                connection = self._news.run(_subscribed, ANSWER_SECONDS)
                on_entries(None)  # what was added before is unknown
                self._lag.begin()
                while not self._ended.is_set():
                    self._lag.check()
                    for news in connection.notifies(timeout=POLLING_SECONDS):
                        self._pass_on(news, on_entries, on_message)
            except (psycopg.Error, StoreError):
                pass
            except Exception:
                logger.exception("news of other servers can't be passed on")
            self._ended.wait(RECONNECTING_SECONDS)

    def _pass_on(
        self, news: psycopg.Notify, on_entries: Callable[[str | None], None], on_message: Callable[[str, str], None]
    ) -> None:
        if news.channel == MESSAGE_CHANNEL:
            sender, table, text = news.payload.split(" ", 2)
            if not sender.startswith(self.name):
                on_message(table, text)
        elif news.channel == LAG_CHANNEL:
            if news.payload.startswith(self.name):
                self._lag.on_return()
        else:
            sender, table = news.payload.split(" ")
            if sender != self._sender:
                on_entries(table)

    # The database

    def _migrate(self, connection: Connection) -> None:
        def run(command: str, row: tuple[object, ...] = ()) -> Any:
            return connection.execute(in_postgres(command), row)

        with connection.transaction():
            run("SET LOCAL statement_timeout = 0")
            run("SET LOCAL lock_timeout = 0")
            run("SELECT pg_advisory_xact_lock(?)", (MIGRATING,))
            run("CREATE SCHEMA IF NOT EXISTS icetable")
            run("CREATE TABLE IF NOT EXISTS version (version INTEGER NOT NULL)")
            found = run("SELECT version FROM version").fetchone()
            if found is None:
                run("INSERT INTO version VALUES (0)")
            run("UPDATE version SET version = ?", (bring_up_to_date(run, found[0] if found else 0),))

    def _explain(self, error: Exception) -> StoreError | None:
        return explain(error)

    def _said(self, error: Exception) -> str:
        return str(error) if isinstance(error, psycopg.OperationalError) else ""  # host and user, but no password


def explain(error: Exception) -> StoreError | None:
    """How an error that concerns the whole database is reported; None for other errors."""
    if not isinstance(error, psycopg.Error):
        return None
    state = error.sqlstate
    if state in SENTENCES:
        return StoreError(SENTENCES[state])
    if state is None and not isinstance(error, psycopg.DataError):
        return StoreError(_why_not_connected(error))
    if state is not None and state.startswith(("08", "57P")):
        return StoreError(UNREACHABLE)
    return StoreDamaged() if state is not None and state.startswith("XX00") else None


def version_of(url: str) -> int | None:
    """The version of the schema in the database at a URL; None where there is none yet. Raises StoreError."""
    try:
        with psycopg.connect(url, connect_timeout=CONNECTING_SECONDS) as connection:
            if connection.execute("SELECT to_regclass('icetable.version')").fetchone() == (None,):
                return None
            row = connection.execute("SELECT version FROM icetable.version").fetchone()
    except psycopg.Error as error:
        raise explain(error) or StoreError(FAILED) from None
    return int(row[0]) if row else None


def _why_not_connected(error: psycopg.Error) -> str:
    """Why there is no connection, by what the server or the driver said."""
    if error.pgconn is not None and error.pgconn.needs_password:
        return NO_PASSWORD
    said = str(error)
    for pattern, state in SAID:
        if pattern.search(said):
            return SENTENCES[state]
    return next((sentence for pattern, sentence in STATELESS if pattern.search(said)), UNREACHABLE)


def _subscribed(connection: Connection) -> Connection:
    for channel in (CHANNEL, MESSAGE_CHANNEL, LAG_CHANNEL):
        connection.execute(f"LISTEN {channel}")
    return connection


def in_postgres(command: str) -> str:
    """A command in the words of PostgreSQL, from SQLite's."""
    for words, others in WORDS:
        command = re.sub(words, others, command)
    return command
