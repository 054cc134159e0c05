"""The store, on real SQLite files and in a real PostgreSQL."""

from __future__ import annotations

import asyncio
import itertools
import math
import os
import random
import sqlite3
import subprocess
import sys
import threading
import time
import zlib
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from icetable.server.chat import ChatMessage
from icetable.server.http.addresses import CannotServe
from icetable.server.http.server import serve
from icetable.server.live.settings import Settings
from icetable.server.store import database, is_postgres, migrations, open_store, sqlite
from icetable.server.store import sqlite as last_entries_module
from icetable.server.store import sqlite as sqlite_module
from icetable.server.store.database import Write
from icetable.server.store.errors import NEWER, Conflict, StoreDamaged, StoreError, StoreTimeout
from icetable.server.store.migrations import current_version
from icetable.server.store.sqlite import SqliteDatabase
from icetable.server.store.store import Store
from icetable.server.table.log import Entry
from icetable.server.table.setup import Series

from .fakes import PATIENCE
from .support import tamper
from .table_states import CHARTER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WRITER = """
import sys, threading
from icetable.server.store import open_store
from icetable.server.table.log import Entry

store = open_store(sys.argv[1])
say = threading.Lock()

def write(table):
    seq = len(store.logs.entries(table))
    while True:
        seq += 1
        store.logs.append_soon(table, Entry(seq, seq % 2, seq, f"act {seq}", f"{table} {seq}")).result()
        with say:
            print(table, seq, flush=True)

for table in "abcdefgh":
    threading.Thread(target=write, args=(table,)).start()
"""


def sqlite_of(store: Store) -> SqliteDatabase:
    assert isinstance(store.database, SqliteDatabase)
    return store.database


@pytest.fixture
def store(where: str) -> Iterator[Store]:
    """An open store of each kind."""
    opened = open_store(where)
    yield opened
    opened.close()


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Store]:
    """An open store in a file."""
    opened = open_store(tmp_path / "tables.sqlite")
    yield opened
    opened.close()


def keep(store: Store, *entries: Entry, table: str = "k7m2") -> None:
    for entry in entries:
        store.logs.append_soon(table, entry).result()


def test_entries_are_there_after_opening_the_store_again(where: str) -> None:
    entries = [Entry(1, 0, 5, "S@b1", "id 1", "a" * 64), Entry(2, -1, 6, "die:3"), Entry(3, 1, 6, "undo 1", "id ü")]
    first = open_store(where)
    first.tables.create(CHARTER).result()
    keep(first, *entries)
    first.close()
    second = open_store(where)
    assert second.tables.setup("k7m2") == CHARTER
    assert second.logs.entries("k7m2") == entries
    assert second.logs.entries("k7m2", after=2) == entries[2:]
    assert second.logs.entries("k7m2", after=3) == second.logs.entries("other") == []
    assert second.tables.setup("other") is None
    second.close()


def test_a_series_is_kept_with_its_table(store: Store) -> None:
    setup = msgspec.structs.replace(CHARTER, id="k7m3", series=Series("k7m2", 2, (31, -4), (0, 7), (840, 420)))
    store.tables.create(setup).result()
    assert store.tables.setup("k7m3") == setup


def test_the_file_is_the_owners_alone(file: Store) -> None:
    file.tables.create(CHARTER).result()
    assert {path.name: path.stat().st_mode & 0o077 for path in sqlite_of(file).path.parent.iterdir()} == dict.fromkeys(
        (f"tables.sqlite{end}" for end in ("", "-wal", "-shm", "-lock", "-last-entries")), 0
    )


def test_every_commit_is_forced_to_the_disk(file: Store) -> None:
    assert sqlite_of(file)._writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert sqlite_of(file)._writer.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_number_is_given_once(store: Store) -> None:
    keep(store, Entry(1, 0, 0, "one"))
    with pytest.raises(Conflict):
        keep(store, Entry(1, 1, 0, "another one"))
    keep(store, Entry(1, 0, 0, "one"), table="another")
    assert [entry.text for entry in store.logs.entries("k7m2")] == ["one"]


def test_a_client_id_counts_once_at_a_table(store: Store) -> None:
    keep(store, Entry(1, 0, 0, "one", "same"))
    with pytest.raises(Conflict):
        keep(store, Entry(2, 0, 0, "two", "same"))
    keep(store, Entry(1, 0, 0, "one", "same"), table="another")
    keep(store, Entry(2, -1, 0, "two"), Entry(3, -1, 0, "three"))
    assert [entry.seq for entry in store.logs.entries("k7m2")] == [1, 2, 3]


def test_a_table_is_opened_once(store: Store) -> None:
    store.tables.create(CHARTER).result()
    with pytest.raises(Conflict):
        store.tables.create(CHARTER).result()


class Gate:
    """A writer's connection that can be held up, and that counts its transactions."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.open = threading.Event()
        self.commits = 0

    def execute(self, command: str, *rest: object) -> object:
        self.open.wait()
        self.commits += command == "COMMIT"
        return self.connection.execute(command, *rest)  # type: ignore[arg-type]

    def __getattr__(self, name: str) -> object:
        return getattr(self.connection, name)


@pytest.fixture
def gate(file: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    gate = Gate(sqlite_of(file)._writer)
    monkeypatch.setattr(sqlite_of(file), "_writer", gate)
    yield gate
    gate.open.set()


def test_writes_that_queue_while_the_writer_is_busy_share_one_transaction(file: Store, gate: Gate) -> None:
    futures = [file.logs.append_soon(f"table {number}", Entry(1, 0, 0, "act")) for number in range(500)]
    assert not any(future.done() for future in futures)
    gate.open.set()
    wait(futures)
    assert gate.commits in (1, 2)  # the first may have gone alone
    assert all(len(file.logs.entries(f"table {number}")) == 1 for number in range(500))


def test_of_a_batch_only_what_does_not_fit_fails(file: Store, gate: Gate) -> None:
    good = [file.logs.append_soon("k7m2", Entry(seq, 0, 0, "first", f"{seq}")) for seq in range(1, 6)]
    bad = [
        file.logs.append_soon("k7m2", Entry(3, 0, 0, "second")),
        file.logs.append_soon("k7m2", Entry(6, 0, 0, "second", "4")),
    ]
    more = file.logs.append_soon("k7m2", Entry(6, 0, 0, "first"))
    gate.open.set()
    assert [future.exception() for future in (*good, more)] == [None] * 6
    assert [type(future.exception()) for future in bad] == [Conflict, Conflict]
    assert [(entry.seq, entry.text) for entry in file.logs.entries("k7m2")] == [(seq, "first") for seq in range(1, 7)]


def test_a_future_is_done_only_when_others_can_read_the_entry(file: Store) -> None:
    with closing(sqlite3.connect(sqlite_of(file).path)) as other:
        for seq in range(1, 50):
            keep(file, Entry(seq, 0, 0, "act"))
            assert other.execute("SELECT count(*) FROM acts").fetchone() == (seq,)


def test_closing_keeps_what_is_waiting(where: str) -> None:
    store = open_store(where)
    futures = [store.logs.append_soon("t", Entry(seq, 0, 0, "act")) for seq in range(1, 200)]
    store.close()
    assert all(future.done() and future.exception() is None for future in futures)
    late = store.logs.append_soon("t", Entry(200, 0, 0, "act"))
    assert isinstance(late.exception(timeout=0), StoreError)
    again = open_store(where)
    assert len(again.logs.entries("t")) == 199
    again.close()


def test_a_write_can_not_be_called_off(file: Store, gate: Gate) -> None:
    future = file.logs.append_soon("t", Entry(1, 0, 0, "act"))
    assert not future.cancel()
    gate.open.set()
    future.result()
    assert len(file.logs.entries("t")) == 1


def test_two_processes_race_for_the_same_numbers(database: str) -> None:
    """Here as two logs over one database: whoever loses reads on, and every number goes to one of them."""
    stores = [open_store(database) for _ in range(2)]

    def write(store: Store, name: str, done: Future[None]) -> None:
        written = 0
        while written < 100:
            seq = len(store.logs.entries("t")) + 1
            try:
                store.logs.append_soon("t", Entry(seq, 0, 0, f"{name} {written}")).result()
                written += 1
            except Conflict:
                pass
        done.set_result(None)

    ends: list[Future[None]] = [Future(), Future()]
    for store, name, end in zip(stores, "xy", ends, strict=True):
        threading.Thread(target=write, args=(store, name, end)).start()
    for end in ends:
        end.result()
    entries = stores[0].logs.entries("t")
    assert [entry.seq for entry in entries] == list(range(1, 201))
    for name in "xy":
        own = [entry.text for entry in entries if entry.text.startswith(name)]
        assert own == [f"{name} {number}" for number in range(100)]
    for store in stores:
        store.close()


def test_an_acknowledged_entry_survives_kill_9_and_is_there_once(where: str) -> None:
    acknowledged: dict[str, int] = dict.fromkeys("abcdefgh", 0)
    dice = random.Random(9)
    for _ in range(3):
        process = subprocess.Popen([sys.executable, "-c", WRITER, where], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(dice.randrange(20, 200))]
        process.kill()
        lines += process.stdout.readlines()
        process.wait()
        process.stdout.close()
        for line in lines:
            if line.endswith("\n"):  # the last one may have been cut off
                table, seq = line.split()
                acknowledged[table] = int(seq)
        store = open_store(where)
        for table, last in acknowledged.items():
            entries = store.logs.entries(table)
            assert len(entries) >= last
            assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
            assert [entry.text for entry in entries] == [f"act {number}" for number in range(1, len(entries) + 1)]
        store.close()
    assert min(acknowledged.values()) > 8


# What can go wrong with the file


def sentence_of(path: Path) -> str:
    with pytest.raises(StoreError) as caught:
        open_store(path)
    return str(caught.value)


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    path.write_text("Once upon a time there was a text that was no database at all. " * 50)
    assert sentence_of(path) == "The database is damaged, or not a database at all."
    assert path.read_text().startswith("Once upon a time")


def test_a_damaged_database(tmp_path: Path) -> None:
    store = open_store(tmp_path / "tables.sqlite")
    for seq in range(1, 500):
        store.logs.append_soon("t", Entry(seq, 0, 0, "act" * 20))
    store.close()
    content = bytearray(sqlite_of(store).path.read_bytes())
    content[4096 : len(content) // 2] = os.urandom(len(content) // 2 - 4096)
    sqlite_of(store).path.write_bytes(content)
    with pytest.raises(StoreError, match="The database is damaged"):
        open_store(sqlite_of(store).path).logs.entries("t")


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    tamper(path, "CREATE TABLE recipes (cake TEXT)")
    assert sentence_of(path) == "The database belongs to another program."
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT name FROM sqlite_schema").fetchall() == [("recipes",)]


def test_a_database_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    open_store(path).close()
    tamper(path, f"PRAGMA user_version = {current_version() + 1}")
    assert sentence_of(path) == NEWER


def test_a_migration_that_fails_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    open_store(tmp_path / "tables.sqlite").close()
    broken = "ALTER TABLE tables ADD COLUMN ended INTEGER; UPDATE nowhere SET x = 1"
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "MIGRATIONS", (broken,))
        assert sentence_of(tmp_path / "tables.sqlite") == "The database failed."
    assert "no such table: nowhere" in caplog.text
    store = open_store(tmp_path / "tables.sqlite")
    store.tables.create(CHARTER).result()
    store.close()


def test_a_path_where_no_file_can_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert sentence_of(tmp_path / "file" / "tables.sqlite").startswith("The database can't be opened: ")
    assert sentence_of(tmp_path).startswith("The database can't be opened")


def test_a_database_that_can_only_be_read(file: Store) -> None:
    keep(file, Entry(1, 0, 0, "act"))
    sqlite_of(file)._writer.execute("PRAGMA query_only = 1")
    with pytest.raises(StoreError, match="The database can't be written"):
        keep(file, Entry(2, 0, 0, "act"))
    assert len(file.logs.entries("k7m2")) == 1


def test_a_full_disk_loses_nothing_that_was_kept_and_heals(file: Store, caplog: pytest.LogCaptureFixture) -> None:
    keep(file, Entry(1, 0, 0, "act"))
    pages = sqlite_of(file)._writer.execute("PRAGMA page_count").fetchone()[0]
    sqlite_of(file)._writer.execute(f"PRAGMA max_page_count = {pages}")
    full = [file.logs.append_soon("k7m2", Entry(seq, 0, 0, "x" * 200)) for seq in range(2, 200)]
    errors = [future.exception() for future in full]
    assert str(errors[-1]) == "The disk is full, so nothing more can be stored."
    kept = 1 + errors.count(None)
    assert [entry.seq for entry in file.logs.entries("k7m2")] == list(range(1, kept + 1))
    sqlite_of(file)._writer.execute("PRAGMA max_page_count = 1000000")
    keep(file, Entry(kept + 1, 0, 0, "act"))
    told, healed = caplog.records  # once a minute, however many acts fail
    assert healed.getMessage() == "the database works again"
    assert (told.getMessage(), told.__dict__["facts"]) == (
        "the database fails",
        {"cause": "The disk is full, so nothing more can be stored.", "said": "SQLITE_FULL"},
    )


def test_a_table_is_read_from_the_file_each_time(file: Store) -> None:
    """Else damage would be found only after a restart, and acts would be acknowledged on it until then."""
    keep(file, Entry(1, 0, 0, "unmistakable"))
    sqlite_of(file)._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert file.logs.entries("k7m2")[0].text == "unmistakable"
    sqlite_of(file).path.write_bytes(sqlite_of(file).path.read_bytes().replace(b"unmistakable", b"unmistakablf"))
    assert file.logs.entries("k7m2")[0].text == "unmistakablf"


def test_a_probe_writes_each_time(file: Store) -> None:
    """A row that stays the same would be written nowhere, and a full disk would count as ready."""
    keep(file, Entry(1, 0, 0, "act"))
    log = sqlite_of(file).path.with_name(f"{sqlite_of(file).path.name}-wal")
    for _ in range(3):
        before = log.read_bytes()
        assert file.database.probe()[-1].result() is None
        assert log.read_bytes() != before
    assert len(file.orders.policies()) == 1


def test_a_migration_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_store(tmp_path / "tables.sqlite").close()
    monkeypatch.setattr(migrations, "MIGRATIONS", ("ALTER TABLE tables ADD COLUMN ended INTEGER",))
    caplog.set_level("INFO", logger="icetable.server.store.migrations")
    caplog.clear()
    open_store(tmp_path / "tables.sqlite").close()
    (told,) = caplog.records
    assert told.getMessage() == "the database is migrated"
    assert told.__dict__["facts"] == {"version": current_version() - 1, "to": current_version()}


def test_a_locked_database_is_waited_for_and_then_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_module, "BUSY_TIMEOUT_SECONDS", 0.2)
    store = open_store(tmp_path / "tables.sqlite")
    with closing(sqlite3.connect(sqlite_of(store).path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="Another program keeps the database locked"):
            keep(store, Entry(1, 0, 0, "act"))
        other.execute("ROLLBACK")
        keep(store, Entry(1, 0, 0, "act"))
    assert len(store.logs.entries("k7m2")) == 1
    store.close()


def test_tables_that_run_are_the_newest_whose_games_are_not_known_to_be_over(store: Store) -> None:
    for created in range(5):
        store.tables.create(msgspec.structs.replace(CHARTER, id=f"t{created}", created=created)).result()
    assert store.tables.running(1, 9) == ["t4", "t3", "t2", "t1"]
    store.tables.set_over("t3", over=True).result()
    assert store.tables.running(1, 2) == ["t4", "t2"]
    store.tables.set_over("t3", over=False).result()
    assert store.tables.running(3, 9) == ["t4", "t3"]


def test_a_place_is_a_file_or_a_url(tmp_path: Path) -> None:
    assert is_postgres("postgresql://ann@db/tables")
    assert is_postgres("postgres://db/tables")
    assert not is_postgres(tmp_path / "postgres")
    assert not is_postgres("postgres")


# What spoils one row spoils no other


def test_a_row_that_can_not_be_written_spoils_no_other(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    jobs: list[Write] = []
    with monkeypatch.context() as patch:
        patch.setattr(store.database, "_put", jobs.append)
        rows = (("a", 1), ("a", 2**70), ("b", 1), ("a", 1), ("a", 2))
        futures = [store.logs.append_soon(table, Entry(seq, 0, 0, "act")) for table, seq in rows]
    store.database._commit(jobs)
    answers = [future.exception() for future in futures]
    assert [type(error) for error in answers] == [type(None), StoreError, type(None), Conflict, type(None)]
    assert str(answers[1]) == "The database failed."
    assert caplog.text.count("a row can't be written") == 1
    assert [entry.seq for entry in store.logs.entries("a")] == [1, 2]


def test_an_unforeseen_error_does_not_end_the_writing(store: Store) -> None:
    with pytest.raises(StoreError, match="The database failed"):
        store.logs.append_soon("t", Entry(2**70, 0, 0, "act")).result(PATIENCE)
    store.logs.append_soon("t", Entry(1, 0, 0, "act")).result(PATIENCE)


# A disk that stands still


def test_nobody_waits_longer_for_a_disk_that_stands_still(
    file: Store, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "WRITE_TIMEOUT_SECONDS", 0.05)

    async def try_to_keep() -> None:
        with pytest.raises(StoreTimeout, match="The database does not answer; please try again") as late:
            await file.logs.append("t", Entry(1, 0, 0, "act"))
        timeout = database.WRITE_TIMEOUT_SECONDS
        while time.monotonic() <= file.database._busy_since + timeout:  # the thread may have begun late
            await asyncio.sleep(0.001)
        with pytest.raises(StoreError, match="The database does not answer") as refused:
            await file.logs.append("t", Entry(2, 0, 0, "act"))
        assert not isinstance(refused.value, StoreTimeout)
        gate.open.set()
        await asyncio.wait_for(late.value.done, PATIENCE)
        while file.database._busy_since < math.inf:
            await asyncio.sleep(0.001)
        monkeypatch.undo()
        await file.logs.append("t", Entry(2, 0, 0, "act"))

    asyncio.run(try_to_keep())
    assert [entry.seq for entry in file.logs.entries("t")] == [1, 2]


def test_all_who_wait_in_a_loop_share_one_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "WRITE_TIMEOUT_SECONDS", 0.05)

    async def wait() -> None:
        loop = asyncio.get_running_loop()
        waiting, alarms, call_at = database.WriteTimeouts(loop), list[float](), loop.call_at

        def counted(when: float, *what: Any, **context: Any) -> asyncio.TimerHandle:
            alarms.append(when)
            return call_at(when, *what, **context)

        monkeypatch.setattr(loop, "call_at", counted)
        many = [waiting.begin() for _ in range(100)]
        written, late = many[0], many[1]
        answered, in_time = late.future, written.future
        waiting.settle([(written, None)])
        await in_time
        with pytest.raises(StoreTimeout) as error:
            await answered
        assert error.value.done is late.future
        waiting.settle([(late, Conflict())])
        with pytest.raises(Conflict):
            await error.value.done
        for one in many[2:]:
            one.future.cancel()
        assert len(alarms) <= 3  # the clocks of a loop may differ by a tick

    asyncio.run(wait())


def test_readers_are_used_again_and_end_with_the_store(tmp_path: Path) -> None:
    store = open_store(tmp_path / "tables.sqlite")
    for _ in range(3):
        assert store.logs.entries("t") == []
    (reader,) = sqlite_of(store)._idle_readers
    store.close()
    assert not reader.thread.is_alive()
    assert not (tmp_path / "tables.sqlite-wal").exists()  # the last connection is closed
    assert store.logs.entries("t") == []
    assert sqlite_of(store)._idle_readers == []


def test_of_many_readers_few_are_kept(file: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    together, query = threading.Barrier(8), sqlite_module.Reader.query

    def query_together(reader: sqlite_module.Reader, command: str, row: tuple[object, ...]) -> Future[list[Any]]:
        together.wait(PATIENCE)
        return query(reader, command, row)

    monkeypatch.setattr(sqlite_module.Reader, "query", query_together)
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(file.logs.entries, "abcdefgh")) == [[]] * 8
    assert len(sqlite_of(file)._idle_readers) == sqlite_module.MAX_IDLE_READERS


def test_a_reader_keeps_little_of_the_file_in_memory(file: Store) -> None:
    assert sqlite_of(file)._read("PRAGMA cache_size", ()) == [(-sqlite_module.READER_CACHE_KIB,)]


def test_reads_fail_at_once_until_the_disk_has_answered(file: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(file, Entry(1, 0, 0, "act"), table="t")
    monkeypatch.setattr(sqlite_module, "QUERY_TIMEOUT_SECONDS", 0.05)
    may_read, connect, connections = threading.Event(), sqlite_of(file)._connect, itertools.count(1)

    def slowly() -> sqlite3.Connection:
        next(connections)
        assert may_read.wait(PATIENCE)
        return connect()

    monkeypatch.setattr(sqlite_of(file), "_connect", slowly)
    for _ in range(10):
        with pytest.raises(StoreError, match="The database does not answer; please try again"):
            file.logs.entries("t")
    assert next(connections) == 2
    may_read.set()
    deadline = time.monotonic() + PATIENCE
    while sqlite_of(file)._late_reads:
        assert time.monotonic() < deadline
        time.sleep(0.001)
    monkeypatch.undo()
    assert [entry.seq for entry in file.logs.entries("t")] == [1]


def test_a_log_can_be_closed_while_its_disk_stands_still(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(database, "CLOSE_TIMEOUT_SECONDS", 0.05)
    store = open_store(tmp_path / "tables.sqlite")
    gate = Gate(sqlite_of(store)._writer)
    monkeypatch.setattr(sqlite_of(store), "_writer", gate)
    kept = store.logs.append_soon("t", Entry(1, 0, 0, "act"))
    store.close()
    assert "the database does not answer" in caplog.text
    gate.open.set()
    assert kept.exception(PATIENCE) is None
    sqlite_of(store)._thread.join()


# One process at a time


def test_a_file_that_another_process_serves_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_module, "SHUTDOWN_TIMEOUT_SECONDS", 0.1)
    path = tmp_path / "tables.sqlite"
    holder = "import sys, time\nfrom icetable.server.store import open_store\nstore = open_store(sys.argv[1])\n"
    holder += "print('open', flush=True)\ntime.sleep(1000)"
    for _ in range(2):  # the first is killed, and the second can open the file at once
        process = subprocess.Popen([sys.executable, "-c", holder, str(path)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        assert sentence_of(path) == "Another icetable server has this file open."
        with pytest.raises(CannotServe, match="Another icetable server has this file open"):
            serve(Settings(port=0, db=path), pytest.fail)
        process.kill()
        process.communicate()
    open_store(path).close()


def test_a_server_that_ends_is_waited_for(file: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_module, "SHUTDOWN_TIMEOUT_SECONDS", PATIENCE)
    opened: Future[Store] = Future()
    opening = threading.Thread(target=lambda: opened.set_result(open_store(sqlite_of(file).path)))
    opening.start()
    keep(file, Entry(1, 0, 0, "act"))
    file.close()
    successor = opened.result(PATIENCE)
    assert len(successor.logs.entries("k7m2")) == 1
    successor.close()
    opening.join()


# What was kept and can't be read


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE tables SET seats = CAST(x'5b7b22ff66' AS TEXT)",
        "UPDATE tables SET seats = '[{'",
        """UPDATE tables SET seats = '[{"kind": "Unmistakable"}]'""",
        "UPDATE tables SET options = '7'",
        "UPDATE tables SET terms = 'Unmistakable'",
        "UPDATE tables SET series = '[]'",
        "ALTER TABLE tables RENAME COLUMN terms TO words",
        "DROP TABLE tables",
    ],
)
def test_a_damaged_table_is_told_of_without_its_content(file: Store, damage: str) -> None:
    file.tables.create(CHARTER).result()
    tamper(sqlite_of(file).path, damage)
    with pytest.raises(StoreDamaged, match=r"^The database is damaged\.$"):
        file.tables.setup("k7m2")


@pytest.mark.parametrize(("table", "column"), [("acts", "text"), ("talk", "name"), ("held", "lock")])
def test_a_damaged_row_is_told_of_without_its_content(
    file: Store, table: str, column: str, caplog: pytest.LogCaptureFixture
) -> None:
    keep(file, Entry(1, 0, 0, "act"))
    file.chat.append_message("k7m2", ChatMessage(1, 0, "Ann", 0, "hello", "id")).result()
    file.codes.hold("browser", "k7m2", "lock").result()
    tamper(sqlite_of(file).path, f"UPDATE {table} SET {column} = CAST(x'ff00' AS TEXT)")
    reads: dict[str, Callable[[], object]] = {
        "acts": lambda: file.logs.entries("k7m2"),
        "talk": lambda: file.chat.messages("k7m2"),
        "held": lambda: file.codes.held("browser", "k7m2"),
    }
    for name, read in reads.items():
        if name == table:
            with pytest.raises(StoreDamaged, match=r"^The database is damaged\.$"):
                read()
        else:
            read()
    assert "the database can't be read" in caplog.text


def test_the_whole_file_is_looked_through_after_the_start(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = open_store(tmp_path / "tables.sqlite")
    for seq in range(1, 500):
        store.logs.append_soon("t", Entry(seq, 0, 0, "act" * 20))
    sqlite_of(store)._checking.join()
    store.close()
    assert caplog.text == ""
    content = bytearray(sqlite_of(store).path.read_bytes())
    damage = os.urandom(len(content) // 4)
    content[-len(damage) :] = damage
    sqlite_of(store).path.write_bytes(content)
    damaged = open_store(sqlite_of(store).path)
    sqlite_of(damaged)._checking.join(PATIENCE)
    damaged.close()
    assert "the database is damaged; see docs/running.md" in caplog.text


# Losses


def linked(seq: int) -> Entry:
    return Entry(seq, 0, 0, "act", None, f"{seq:064x}")


def noted(*tips: tuple[str, int]) -> str:
    """The file of last entries after those that `linked` makes: lines with checksums."""
    lines = [f"{table} {seq} {seq:064x}" for table, seq in tips]
    return "".join(f"{line} {zlib.crc32(line.encode()):08x}\n" for line in lines)


def lose(store: Store, table: str, seq: int) -> None:
    tamper(sqlite_of(store).path, "DELETE FROM acts WHERE table_id = ? AND seq = ?", (table, seq))


def test_a_table_that_has_lost_its_last_acts_is_not_opened(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = open_store(tmp_path / "tables.sqlite")
    for table in ("lost", "other", "whole"):
        store.tables.create(msgspec.structs.replace(CHARTER, id=table)).result()
        keep(store, linked(1), linked(2), table=table)
    store.close()
    lose(store, "lost", 2)
    tamper(sqlite_of(store).path, "UPDATE acts SET link = 'changed' WHERE table_id = 'other' AND seq = 2")
    for _ in range(2):  # told at every start
        caplog.clear()
        again = open_store(sqlite_of(store).path)
        assert "tables have lost acknowledged acts; see docs/running.md" in caplog.text
        for table in ("lost", "other"):
            for read in (again.tables.setup, again.logs.entries):
                with pytest.raises(StoreDamaged, match="This table has lost acknowledged acts"):
                    read(table)
        assert again.tables.setup("whole") is not None
        assert len(again.logs.entries("whole")) == 2
        again.close()
    tips = tmp_path / "tables.sqlite-last-entries"
    assert [line.split()[:2] for line in tips.read_text().splitlines()] == [
        ["lost", "2"],
        ["other", "2"],
        ["whole", "2"],
    ]
    tips.unlink()
    caplog.clear()
    accepted = open_store(sqlite_of(store).path)
    assert [entry.seq for entry in accepted.logs.entries("lost")] == [1]
    accepted.close()
    assert caplog.text == ""


def test_only_what_was_committed_is_noted(tmp_path: Path) -> None:
    store = open_store(tmp_path / "tables.sqlite")
    keep(store, linked(1), linked(2))
    with pytest.raises(Conflict):
        keep(store, Entry(2, 0, 0, "another", None, "f" * 64))
    store.tables.set_over("k7m2", over=True).exception()
    store.close()
    assert (tmp_path / "tables.sqlite-last-entries").read_text() == noted(("k7m2", 1), ("k7m2", 2))
    open_store(sqlite_of(store).path).close()
    assert (tmp_path / "tables.sqlite-last-entries").read_text() == noted(("k7m2", 2))


@pytest.mark.parametrize("torn", [f"k7m2 9 {9:063x}", "k7m2 9", "k7", "\0" * 100, "\n\n", "\xff"])
def test_a_line_that_was_not_written_wholly_counts_for_nothing(
    tmp_path: Path, torn: str, caplog: pytest.LogCaptureFixture
) -> None:
    store = open_store(tmp_path / "tables.sqlite")
    keep(store, linked(1))
    store.close()
    with (tmp_path / "tables.sqlite-last-entries").open("a", encoding="latin1") as tips:
        tips.write(torn)
    again = open_store(sqlite_of(store).path)
    keep(again, linked(2))
    again.close()
    assert (tmp_path / "tables.sqlite-last-entries").read_text() == noted(("k7m2", 1), ("k7m2", 2))
    assert caplog.text == ""


def test_a_damaged_line_is_told_of_and_spoils_no_sound_table(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = open_store(tmp_path / "tables.sqlite")
    keep(store, linked(1))
    keep(store, linked(1), table="other")
    store.close()
    tips = tmp_path / "tables.sqlite-last-entries"
    for damaged in (noted(("k7m2", 1)).replace("2 1", "2 3"), noted(("k7m2", 1)).replace("0", "1", 1)):
        caplog.clear()
        tips.write_text(damaged + noted(("other", 1)))
        again = open_store(sqlite_of(store).path)
        assert [again.logs.entries(table) for table in ("k7m2", "other")] == [[linked(1)], [linked(1)]]
        again.close()
        told = "lines of the last entries are damaged; see docs/running.md"
        assert [record.getMessage() for record in caplog.records] == [told]


def test_where_nothing_can_be_noted_tables_go_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "tables.sqlite-last-entries").mkdir()
    store = open_store(tmp_path / "tables.sqlite")
    keep(store, linked(1), linked(2))
    store.close()
    assert [record.getMessage().split(":")[0] for record in caplog.records] == [
        "the last entries of the tables can't be noted"
    ]


def test_the_file_of_last_entries_is_rewritten_when_it_has_grown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(last_entries_module, "MAX_GROWTH_BYTES", 1000)
    store = open_store(tmp_path / "tables.sqlite")
    for seq in range(1, 100):
        keep(store, linked(seq))
        assert (tmp_path / "tables.sqlite-last-entries").stat().st_size < 1200
    keep(store, linked(1), table="other")
    store.close()
    assert (tmp_path / "tables.sqlite-last-entries").read_text().endswith(noted(("k7m2", 99), ("other", 1)))


def test_the_entries_of_who_sits_at_a_table(store: Store) -> None:
    texts = [(0, "S@b1"), (1, '/{"type":"leave","seat":1}'), (1, "S@h1"), (0, "S@b2"), (1, "undo 1"), (-1, "roll")]
    for seq, (seat, text) in enumerate(texts, 1):
        store.logs.append_soon("a", Entry(seq, seat, seq, text, f"{seq}")).result()
        store.logs.append_soon("b", Entry(seq, 0, seq, "S@b1", f"{seq}")).result()
    assert [entry.seq for entry in store.logs.seating("a")] == [2, 3, 4, 6]
    assert store.logs.seating("a")[0] == store.logs.entries("a")[1]
    assert store.logs.seating("none") == []


def test_games_that_are_over_are_not_listed(store: Store) -> None:
    for number in range(3):
        terms = msgspec.structs.replace(CHARTER.terms, public=True)
        store.tables.create(msgspec.structs.replace(CHARTER, id=f"t{number}", created=number, terms=terms)).result()
    store.tables.set_over("t1", over=True).result()
    assert [table for table, _ in store.tables.public(0, 0, 1, 10)] == ["t2", "t0"]
    assert [table for table, _ in store.tables.public(0, 0, 1, 1)] == ["t2"]
    store.tables.set_over("t1", over=False).result()
    assert [table for table, _ in store.tables.public(0, 0, 1, 10)] == ["t2", "t1", "t0"]


def test_a_setup_of_which_anything_was_changed_is_damaged(file: Store, caplog: pytest.LogCaptureFixture) -> None:
    for number, change in enumerate(("terms = replace(terms, 'live', 'lhve')", "created = created + 1", "digest = ''")):
        table = f"t{number}"
        file.tables.create(msgspec.structs.replace(CHARTER, id=table)).result()
        assert file.tables.setup(table) is not None
        tamper(sqlite_of(file).path, f"UPDATE tables SET {change} WHERE id = ?", (table,))
        for _ in range(2):
            with pytest.raises(StoreDamaged, match=r"^The database is damaged\.$"):
                file.tables.setup(table)
    assert len(caplog.records) == 3


def test_damage_to_one_row_holds_up_no_other(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[Write] = []
    write_all = store.database._write_all

    def write(batch: list[Write]) -> set[int]:
        if any(job.table == "damaged" for job in batch):
            raise StoreDamaged
        return write_all(batch)

    with monkeypatch.context() as patch:
        patch.setattr(store.database, "_put", jobs.append)
        futures = [store.logs.append_soon(table, Entry(1, 0, 0, "act")) for table in ("a", "damaged", "b")]
    monkeypatch.setattr(store.database, "_write_all", write)
    store.database._commit(jobs)
    assert [type(future.exception()) for future in futures] == [type(None), StoreDamaged, type(None)]


# One file under several names


def test_a_symbolic_link_leads_to_the_same_lock_and_notes(
    file: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_module, "SHUTDOWN_TIMEOUT_SECONDS", 0.1)
    keep(file, linked(1))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "t.sqlite").symlink_to(sqlite_of(file).path)
    (tmp_path / "folder").symlink_to(tmp_path)
    monkeypatch.chdir(elsewhere)
    names = [
        elsewhere / "t.sqlite",
        tmp_path / "folder" / sqlite_of(file).path.name,
        Path("..", "elsewhere", "..", sqlite_of(file).path.name),
    ]
    for name in names:
        assert sentence_of(name) == "Another icetable server has this file open."
    file.close()
    lose(file, "k7m2", 1)
    for name in names:
        with closing(open_store(name)) as again, pytest.raises(StoreDamaged):
            again.logs.entries("k7m2")
    assert [path.name for path in elsewhere.iterdir()] == ["t.sqlite"]


def test_a_link_to_no_file_makes_one_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "there" / "tables.sqlite")
    open_store(tmp_path / "link").close()
    assert (tmp_path / "there" / "tables.sqlite-lock").exists()


def test_a_link_that_leads_to_itself(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "link")
    assert sentence_of(tmp_path / "link").startswith("The database can't be opened: ")


def test_a_file_of_two_names_is_refused_under_each(file: Store, tmp_path: Path) -> None:
    keep(file, linked(1))
    (tmp_path / "other.sqlite").hardlink_to(sqlite_of(file).path)
    assert sentence_of(tmp_path / "other.sqlite") == sqlite.LINKED
    file.close()
    assert sentence_of(sqlite_of(file).path) == sqlite.LINKED
    (tmp_path / "other.sqlite").unlink()
    with closing(open_store(sqlite_of(file).path)) as again:
        assert again.logs.entries("k7m2") == [linked(1)]


def test_a_file_that_is_mounted_by_itself_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "our tables.sqlite"
    open_store(path).close()
    listed = tmp_path / "mounts"
    listed.write_text("36 35 98:0 / / rw - ext4 /dev/sda rw\n")
    monkeypatch.setattr(sqlite, "MOUNTS", listed)
    open_store(path).close()
    name = str(path).replace(" ", r"\040")
    listed.write_text(f"36 35 98:0 / / rw - ext4 /dev/sda rw\n37 36 98:0 /x {name} rw - ext4 /dev/sda rw\n")
    assert sentence_of(path) == sqlite.MOUNTED
