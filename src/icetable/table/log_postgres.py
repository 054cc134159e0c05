"""The log in a PostgreSQL database, for several server processes, which tell each other of new entries."""

from __future__ import annotations

import contextlib
import itertools
import logging
import re
import threading
from typing import TYPE_CHECKING, Any

from icetable.table.log import Job, Log, LogError, bring_up_to_date

try:
    import psycopg
except ImportError:
    raise LogError("PostgreSQL needs one package more: install icetable[postgres].") from None

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Connection = psycopg.Connection[tuple[Any, ...]]

logger = logging.getLogger(__name__)

SENTENCES = {
    "53100": "The disk is full, so nothing more can be kept.",
    "53300": "The database has no connection left for this server.",
    "55P03": "Another program keeps the database locked; please try again.",
    "57014": "The database took too long; please try again.",
    "25006": "The database can't be written.",
    "28000": "The database does not let this user in.",
    "28P01": "The database does not take this password.",
    "3D000": "There is no such database.",
    "42501": "The database does not allow this user to keep tables in it.",
}
"""What people are told, by SQLSTATE; never the database's own words, which may name more than they should."""
UNREACHABLE = "The database can't be reached, or does not let this server in."

PATIENCE = 10
"""How many seconds to wait for a connection, and for another process that writes."""
WAKING = 0.5
"""How often, in seconds, who listens looks whether it is time to end."""
RETRY = 1.0
"""How many seconds to wait before who listens tries to connect again."""
CHANNEL = "icetable"
WHISPERS = "icetable_whispers"
TELL = (
    "SELECT pg_notify(channel, concat_ws(' ', sender, name, said))"
    " FROM (VALUES (?::text, ?::text, ?::text, ?::text)) AS whisper (name, channel, sender, said)"
)
MIGRATING = 0x1CE7AB1E
"""The advisory lock of the process that brings the schema up to date."""


class PostgresLog(Log):
    """The log at a PostgreSQL URL, in the schema `icetable`, which is made if it is not there. Raises LogError."""

    is_shared = True

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url
        self._whispers = itertools.count()
        self._reading = threading.Lock()
        self._ended = threading.Event()
        self._listener: threading.Thread | None = None
        with self._explained():
            self._writer = self._connect()
            try:
                self._migrate()
                self._reader = self._connect()
            except BaseException:
                self._writer.close()
                raise
        self._thread.start()

    def close(self) -> None:
        super().close()
        self._ended.set()
        if self._listener is not None:
            self._listener.join()
        with self._reading:
            self._reader.close()

    def _end(self) -> None:
        self._writer.close()

    # Writing

    def _can_not_hold(self, row: tuple[object, ...]) -> str | None:
        if any(isinstance(value, str) and "\0" in value for value in row):
            return "The database keeps no text with a NUL character."  # others in its batch are safe
        return None

    def _write_all(self, jobs: list[Job]) -> set[int]:
        try:
            return self._transaction(jobs)
        except psycopg.OperationalError:
            if not self._writer.broken:
                raise
        # The connection was lost, perhaps behind the commit: what is there then finds its own place taken,
        # and whoever asked reads it from the log.
        self._writer = self._connect()
        return self._transaction(jobs)

    def _transaction(self, jobs: list[Job]) -> set[int]:
        news = sorted({f"{self.name} {job.table}" for job in jobs if job.table is not None})
        # In the order of the tables: two processes never wait for each other.
        order = sorted(range(len(jobs)), key=lambda number: str(jobs[number].row[0]))
        with self._writer.pipeline(), self._writer.transaction():
            done = {n: self._writer.execute(in_postgres(jobs[n].command), jobs[n].row) for n in order}
            if news:
                self._writer.execute("SELECT pg_notify(%s, news) FROM unnest(%s::text[]) AS news", (CHANNEL, news))
        return {number for number, cursor in done.items() if cursor.rowcount == 0}

    # Reading

    def _read(self, command: str, row: tuple[object, ...]) -> list[Any]:
        with self._reading, self._explained():
            try:
                return self._reader.execute(in_postgres(command), row).fetchall()
            except psycopg.OperationalError:
                if not self._reader.closed:
                    raise
                self._reader = self._connect()
                return self._reader.execute(in_postgres(command), row).fetchall()

    # Whispering and listening

    def _whisper(self, table: str, text: str) -> None:
        # Of equal ones in a transaction the database would pass on the first alone, so they are numbered.
        sender = f"{self.name}.{next(self._whispers)}"
        self._ask(TELL, (table, WHISPERS, sender, text))

    def listen(self, hear: Callable[[str | None], None], overhear: Callable[[str, str], None]) -> None:
        assert self._listener is None
        self._listener = threading.Thread(target=self._listen, args=(hear, overhear), name="news", daemon=True)
        self._listener.start()

    def _listen(self, hear: Callable[[str | None], None], overhear: Callable[[str, str], None]) -> None:
        while not self._ended.is_set():
            with contextlib.suppress(psycopg.Error), self._connect() as connection:
                connection.execute(f"LISTEN {CHANNEL}")
                connection.execute(f"LISTEN {WHISPERS}")
                hear(None)  # before, nobody listened
                while not self._ended.is_set():
                    for news in connection.notifies(timeout=WAKING):
                        sender, table, *whisper = news.payload.split(" ", 2)
                        if sender.startswith(self.name):
                            continue
                        if news.channel == WHISPERS:
                            overhear(table, whisper[0])
                        else:
                            hear(table)
            self._ended.wait(RETRY)

    # The database

    def _connect(self) -> Connection:
        connection = psycopg.connect(self._url, autocommit=True, connect_timeout=PATIENCE)
        connection.execute("SET search_path = icetable")
        connection.execute(f"SET lock_timeout = '{PATIENCE}s'")
        # Acknowledged means committed, also where the database is set to answer sooner.
        connection.execute(
            "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
        )
        return connection

    def _migrate(self) -> None:
        def run(command: str, row: tuple[object, ...] = ()) -> Any:
            return self._writer.execute(in_postgres(command), row)

        with self._writer.transaction():
            run("SELECT pg_advisory_xact_lock(?)", (MIGRATING,))
            run("CREATE SCHEMA IF NOT EXISTS icetable")
            run("CREATE TABLE IF NOT EXISTS version (version INTEGER NOT NULL)")
            found = run("SELECT version FROM version").fetchone()
            if found is None:
                run("INSERT INTO version VALUES (0)")
            run("UPDATE version SET version = ?", (bring_up_to_date(run, found[0] if found else 0),))

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except psycopg.OperationalError as error:
            logger.error("PostgreSQL: %s", error)  # names host and user, but no password
            raise LogError(_sentence(error)) from None
        except psycopg.Error as error:
            raise LogError(_sentence(error)) from None


def in_postgres(command: str) -> str:
    """A command in the words of PostgreSQL, from SQLite's."""
    for words, others in ((r"\?", "%s"), (r"\bINTEGER\b", "BIGINT"), (r"\bBLOB\b", "BYTEA"), (r"\) STRICT.*", ")")):
        command = re.sub(words, others, command)
    return command


def _sentence(error: psycopg.Error) -> str:
    if error.sqlstate in SENTENCES:
        return SENTENCES[error.sqlstate]
    if error.sqlstate is None or error.sqlstate.startswith(("08", "57P")):
        return UNREACHABLE
    return f"The database failed: {type(error).__name__}."
