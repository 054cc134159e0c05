"""A PostgreSQL database, for several server processes, which notify each other of new entries.

A database that does not answer never blocks a caller for long: the connection is cut off after a timeout and reopened.
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
from icetable.server.store import migrations
from icetable.server.store.database import QUERY_TIMEOUT_SECONDS, Database, Write
from icetable.server.store.errors import FAILED, NOT_RESPONDING, SHUTTING_DOWN, StoreDamaged, StoreError, StoreUnusable
from icetable.server.store.pubsub import Lag

try:
    import psycopg
    from psycopg import DataError as DataError
    from psycopg import Error as Error
except ImportError:
    raise StoreError("PostgreSQL needs an extra package: install icetable[postgres].") from None

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    Connection = psycopg.Connection[tuple[Any, ...]]

T = TypeVar("T")

logger = logging.getLogger(__name__)

ERROR_MESSAGES = {
    "53100": "The disk is full, so nothing more can be stored.",
    "40001": "Other servers were writing the same tables; please try again.",
    "40P01": "Other servers were writing the same tables; please try again.",
    "53300": "The database has no connection left for this server.",
    "55P03": "Another program keeps the database locked; please try again.",
    "57014": "The database took too long; please try again.",
    "25006": "The database can't be written.",
    "28000": "The database does not know this user, or does not let it in.",
    "28P01": "The database does not accept this user's password.",
    "3D000": "There is no such database; create it first.",
    "42501": "The database does not allow this user to store tables in it.",
}
"""Error messages by SQLSTATE. The database's own message is never shown: it may reveal too much."""
CONNECTION_ERRORS = (
    (
        re.compile(r"(?i)role .* does not exist|(peer|ident|certificate) auth.* failed|no pg_hba\.conf"),
        "28000",
    ),
    (re.compile(r"password authentication failed|empty password"), "28P01"),
    (re.compile(r"database .* does not exist"), "3D000"),
    (re.compile(r"permission denied for database"), "42501"),
    (re.compile(r"too many (clients|connections)|connection slots"), "53300"),
)
"""Patterns of English messages of servers that refuse a connection, for which the driver has no SQLSTATE."""
ERRORS_WITHOUT_STATE = (
    (
        re.compile(r"could not translate host name|failed to resolve host|[Nn]ame or service not known"),
        "The database can't be reached: its host name can't be resolved.",
    ),
    (
        re.compile(r"Connection refused|No such file or directory"),
        "The database can't be reached: no server listens there.",
    ),
    (
        re.compile(r"\bSSL\b|root certificate"),
        "The database and this server don't agree on encryption; see sslmode in the URL.",
    ),
    (re.compile(r"the database system is"), "The database is starting, or shutting down; please try again."),
    (re.compile(r"invalid|missing|matching"), "The URL of the database is not a valid PostgreSQL URL."),
)
"""Patterns of messages without a SQLSTATE, or with a misleading one."""
NO_PASSWORD = "The database asks for a password, and none was given: set PGPASSWORD, or use a file ~/.pgpass."  # noqa: S105
WRONG_ENCODING = (
    "The database has the encoding {}, in which names and messages would be lost. Create one with UTF-8 and name that:"
    " createdb --encoding=UTF8 --template=template0 NAME"
)
UNREACHABLE = "The database can't be reached, or does not let this server in."

APPLICATION = "icetable"
CONNECT_TIMEOUT_SECONDS = 2
"""The driver's minimum."""
SETTINGS = ("search_path = icetable", "lock_timeout = '3s'", "statement_timeout = '3500ms'")
"""Session settings. The database aborts a statement before the watchdog cuts the connection."""
MIGRATION_TIMEOUT_SECONDS = 3600.0
MAX_TRIES = 3
"""Maximum number of tries for a batch that conflicts with another server's."""
WATCHDOG_SECONDS = 0.2
"""Interval between the watchdog's checks."""
POLLING_SECONDS = 0.5
"""Interval between the listener's checks whether the store is closed."""
RECONNECT_DELAY_SECONDS = 1.0
"""Delay before a retry if the database did not answer or the listener lost its connection."""
CHANNEL = "icetable"
MESSAGE_CHANNEL = "icetable_messages"
LAG_CHANNEL = "icetable_lag"
PUBLISH = (
    "SELECT pg_notify(channel, concat_ws(' ', sender, name, said))"
    " FROM (VALUES (?::text, ?::text, ?::text, ?::text)) AS message (name, channel, sender, said)"
)
DIALECT = (
    (r"\?", "%s"),
    (r"\bINTEGER\b", "BIGINT"),
    (r"\bBLOB\b", "BYTEA"),
    (r"\) STRICT.*", ")"),
    (r"\binstr\(", "strpos("),
    (r"\bCOLLATE BINARY\b", 'COLLATE "C"'),
)
"""Patterns in SQLite's SQL and their replacements for PostgreSQL."""
MIGRATION_LOCK = 0x1CE7AB1E
"""The advisory lock held while migrating."""


def connect(url: str, **terms: Any) -> Connection:
    """Connect to a database of UTF-8, and speak UTF-8 with it, whatever the URL and the environment say.

    In another encoding it would lose texts (`SQL_ASCII` even those that it takes). Raises StoreUnusable and
    psycopg.Error.
    """
    connection = psycopg.connect(url, client_encoding="UTF8", connect_timeout=CONNECT_TIMEOUT_SECONDS, **terms)
    encoding = connection.info.parameter_status("server_encoding")
    if encoding not in ("UTF8", None):  # None behind a pool that does not pass it on
        connection.close()
        raise StoreUnusable(WRONG_ENCODING.format(encoding))
    return connection


class Watchdog:
    """Cuts off sessions whose answer is overdue, and makes queries fail fast for a while after that."""

    def __init__(self) -> None:
        self.sessions: list[Session] = []
        self.silent_until = -math.inf
        self._ended = threading.Event()
        threading.Thread(target=self._watch, name="watchdog", daemon=True).start()

    def report_silence(self) -> None:
        """Make queries fail fast for a while, since an answer was overdue."""
        if time.monotonic() > self.silent_until:
            logger.error("PostgreSQL does not answer")
        self.silent_until = time.monotonic() + RECONNECT_DELAY_SECONDS

    def close(self) -> None:
        """Stop watching."""
        self._ended.set()

    def _watch(self) -> None:
        while not self._ended.wait(WATCHDOG_SECONDS):
            for session in self.sessions:
                if session.cut_if_late():
                    self.report_silence()


class Session:
    """A connection for one thread at a time, which reconnects after a loss."""

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
        """The number of times the connection was lost."""
        watchdog.sessions.append(self)

    def run(self, work: Callable[[Connection], T], seconds: float) -> T:
        """Call `work` with the connection, and again if the connection was lost. Raises psycopg.Error or StoreError."""
        if time.monotonic() < self._watchdog.silent_until or not self._using.acquire(timeout=seconds):
            raise StoreError(NOT_RESPONDING)
        try:
            if time.monotonic() < self._watchdog.silent_until:  # another session found out meanwhile
                raise StoreError(NOT_RESPONDING)
            self._deadline = time.monotonic() + seconds
            return self._try_twice(work)
        finally:
            with self._cutting:
                self._deadline = math.inf
            if self._is_closed:
                self._drop()
            self._using.release()

    def cut_if_late(self) -> bool:
        """If an answer is overdue, wake the waiting thread with an error; return whether it was."""
        with self._cutting:
            if time.monotonic() < self._deadline:
                return False
            self._cut()
            return True

    def close(self) -> None:
        """Close the connection. A thread that waits for an answer wakes with an error and closes it itself."""
        self._is_closed = True
        if not self._using.acquire(blocking=False):
            with self._cutting:
                self._cut()
            if not self._using.acquire(timeout=WATCHDOG_SECONDS):
                return
        self._drop()
        self._using.release()

    def _try_twice(self, work: Callable[[Connection], T]) -> T:
        try:
            return self._try(work)
        except psycopg.OperationalError:
            if self._connection is None or not self._connection.closed:
                raise  # there was no connection, or it still works
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
            raise StoreError(NOT_RESPONDING) from None

    def _connected(self) -> Connection:
        if self._is_closed:
            raise StoreError(SHUTTING_DOWN)
        if self._connection is None or self._connection.closed:
            self._drop()
            self._connection = self._connect()
        return self._connection

    def _connect(self) -> Connection:
        connection = connect(
            self._url,
            autocommit=True,
            application_name=APPLICATION,
            keepalives_idle=15,  # so that an idle connection ends too when the network fails
            keepalives_interval=5,
            keepalives_count=3,
        )
        try:
            with self._cutting:
                self._socket = socket.fromfd(connection.fileno(), -1, -1)
            for setting in SETTINGS:
                connection.execute(f"SET {setting}")
            # Acknowledged means committed, even if the database is configured to answer before.
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
            with contextlib.suppress(OSError):  # already cut off
                self._socket.shutdown(socket.SHUT_RDWR)

    def _drop(self) -> None:
        with self._cutting:
            if self._socket is not None:
                self._socket.close()
                self._socket = None
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class PostgresDatabase(Database):
    """The PostgreSQL database at a URL, in the schema `icetable`, which is created if missing. Raises StoreError."""

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
            with self.explained(StoreError(FAILED)):
                self._writer.run(self._migrate, MIGRATION_TIMEOUT_SECONDS)
                self._reader.run(lambda _: None, QUERY_TIMEOUT_SECONDS)
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
        """Nothing to do: `close` closes all sessions together."""

    # Writing

    def _can_not_hold(self, row: tuple[object, ...]) -> str | None:
        if any(isinstance(value, str) and "\0" in value for value in row):
            return "The database can't store text with a NUL character."  # so that its batch does not fail
        return None

    def _write_all(self, jobs: list[Write]) -> set[int]:
        for _ in range(MAX_TRIES - 1):
            with contextlib.suppress(psycopg.errors.DeadlockDetected, psycopg.errors.SerializationFailure):
                return self._write_once(jobs)
        return self._write_once(jobs)

    def _write_once(self, jobs: list[Write]) -> set[int]:
        # If the connection was lost after the commit, the rows now conflict with themselves; the callers read them.
        return self._writer.run(lambda connection: self._transaction(connection, jobs), QUERY_TIMEOUT_SECONDS)

    def _transaction(self, connection: Connection, jobs: list[Write]) -> set[int]:
        news = sorted({f"{self._sender} {job.table}" for job in jobs if job.entry is not None})
        # All processes lock rows in the same order, which prevents deadlocks.
        order = sorted(range(len(jobs)), key=lambda number: (jobs[number].table, jobs[number].command))
        with connection.pipeline(), connection.transaction():
            cursors = {n: connection.execute(in_postgres(jobs[n].command), jobs[n].row) for n in order}
            if news:
                connection.execute("SELECT pg_notify(%s, news) FROM unnest(%s::text[]) AS news", (CHANNEL, news))
        return {number for number, cursor in cursors.items() if cursor.rowcount == 0}

    @property
    def _sender(self) -> str:
        """This process and connection, as the sender of news.

        News from an earlier connection is not skipped: it may announce a commit whose answer was lost.
        """
        return f"{self.name}.{self._writer.losses}"

    # Reading

    def _read(self, command: str, row: tuple[object, ...]) -> list[Any]:
        return self._reader.run(
            lambda connection: connection.execute(in_postgres(command), row).fetchall(), QUERY_TIMEOUT_SECONDS
        )

    # Publishing and subscribing

    def _publish(self, table: str, text: str) -> None:
        self._notify(MESSAGE_CHANNEL, table, text)

    def _notify(self, channel: str, table: str = "", text: str = "") -> Future[None]:
        # Numbered, since PostgreSQL drops equal notifications within a transaction.
        sender = f"{self.name}.{next(self._published)}"
        return self.write(table, PUBLISH, table, channel, sender, text)

    def subscribe(self, on_entries: Callable[[str | None], None], on_message: Callable[[str, str], None]) -> None:
        assert self._listener is None
        self._listener = threading.Thread(target=self._listen, args=(on_entries, on_message), name="news", daemon=True)
        self._listener.start()

    def _listen(self, on_entries: Callable[[str | None], None], on_message: Callable[[str, str], None]) -> None:
        while not self._ended.is_set():
            try:
                connection = self._news.run(_subscribed, QUERY_TIMEOUT_SECONDS)
                on_entries(None)  # entries may have been added before
                self._lag.begin()
                while not self._ended.is_set():
                    self._lag.check()
                    for news in connection.notifies(timeout=POLLING_SECONDS):
                        self._pass_on(news, on_entries, on_message)
            except (psycopg.Error, StoreError):
                pass
            except Exception:
                logger.exception("news of other servers can't be passed on")
            self._ended.wait(RECONNECT_DELAY_SECONDS)

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
            run("SELECT pg_advisory_xact_lock(?)", (MIGRATION_LOCK,))
            run("CREATE SCHEMA IF NOT EXISTS icetable")
            run("CREATE TABLE IF NOT EXISTS version (version INTEGER NOT NULL)")
            found = run("SELECT version FROM version").fetchone()
            if found is None:
                run("INSERT INTO version VALUES (0)")
            run("UPDATE version SET version = ?", (migrations.migrate(run, found[0] if found else 0),))

    def _explain(self, error: Exception) -> StoreError | None:
        return explain(error)

    def _detail_of(self, error: Exception) -> str:
        return str(error) if isinstance(error, psycopg.OperationalError) else ""  # host and user, but no password


def explain(error: Exception) -> StoreError | None:
    """The error to report if the whole database is affected; None for other errors."""
    if not isinstance(error, psycopg.Error):
        return None
    state = error.sqlstate
    if state in ERROR_MESSAGES:
        return StoreError(ERROR_MESSAGES[state])
    if state is None and not isinstance(error, psycopg.DataError):
        return StoreError(_why_not_connected(error))
    if state is not None and state.startswith(("08", "57P")):
        return StoreError(UNREACHABLE)
    return StoreDamaged() if state is not None and state.startswith("XX00") else None


def version_of(url: str) -> int | None:
    """The version of the schema in the database at a URL; None if there is no schema yet. Raises StoreError."""
    try:
        with connect(url) as connection:
            if connection.execute("SELECT to_regclass('icetable.version')").fetchone() == (None,):
                return None
            row = connection.execute("SELECT version FROM icetable.version").fetchone()
    except psycopg.Error as error:
        raise explain(error) or StoreError(FAILED) from None
    return int(row[0]) if row else None


def check_schema(url: str) -> None:
    """Raise StoreError if a server could not keep tables there. What is tried is rolled back."""
    try:
        with connect(url) as connection:
            for setting in SETTINGS:
                connection.execute(f"SET {setting}")
            connection.execute("CREATE SCHEMA IF NOT EXISTS icetable")
            connection.execute("CREATE TABLE IF NOT EXISTS version (version BIGINT NOT NULL)")
            connection.execute("UPDATE version SET version = version")
            connection.rollback()
    except psycopg.Error as error:
        raise explain(error) or StoreError(FAILED) from None


def _why_not_connected(error: psycopg.Error) -> str:
    if error.pgconn is not None and error.pgconn.needs_password:
        return NO_PASSWORD
    text = str(error)
    for pattern, state in CONNECTION_ERRORS:
        if pattern.search(text):
            return ERROR_MESSAGES[state]
    return next((sentence for pattern, sentence in ERRORS_WITHOUT_STATE if pattern.search(text)), UNREACHABLE)


def _subscribed(connection: Connection) -> Connection:
    for channel in (CHANNEL, MESSAGE_CHANNEL, LAG_CHANNEL):
        connection.execute(f"LISTEN {channel}")
    return connection


def in_postgres(command: str) -> str:
    """Translate an SQL command from SQLite's dialect."""
    for pattern, replacement in DIALECT:
        command = re.sub(pattern, replacement, command)
    return command
