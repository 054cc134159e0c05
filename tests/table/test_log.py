"""The log, on real SQLite files and in a real PostgreSQL."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import Future, wait
from contextlib import closing
from typing import TYPE_CHECKING

import msgspec
import pytest

from icetable.table import fair, log_sqlite
from icetable.table import log as log_module
from icetable.table.charter import Charter, Series
from icetable.table.log import MIGRATIONS, Log, LogError, Taken, is_postgres, open_log
from icetable.table.log_sqlite import SqliteLog
from icetable.table.rooms import Entry
from icetable.table.seating import Seat

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHARTER = Charter(
    "k7m2",
    "icefrogs",
    {"players": 2, "board": "star", "turn_limit": 400},
    (Seat("person", "Ann", None, "red", "ab" * 32), Seat("bot", "Räuber", "expert", "blue", None)),
    bytes(range(32)),
    1_700_000_000_000,
)

WRITER = """
import sys, threading
from icetable.table.log import open_log
from icetable.table.rooms import Entry

log = open_log(sys.argv[1])
say = threading.Lock()

def write(table):
    seq = len(log.entries(table))
    while True:
        seq += 1
        log.append(table, Entry(seq, seq % 2, seq, f"act {seq}", f"{table} {seq}")).result()
        with say:
            print(table, seq, flush=True)

for table in "abcdefgh":
    threading.Thread(target=write, args=(table,)).start()
"""


@pytest.fixture
def log(where: str) -> Iterator[Log]:
    """An open log of each kind."""
    opened = open_log(where)
    yield opened
    opened.close()


@pytest.fixture
def file(tmp_path: Path) -> Iterator[SqliteLog]:
    """An open log in a file."""
    opened = SqliteLog(tmp_path / "tables.sqlite")
    yield opened
    opened.close()


def keep(log: Log, *entries: Entry, table: str = "k7m2") -> None:
    for entry in entries:
        log.append(table, entry).result()


def test_what_is_kept_is_there_after_opening_again(where: str) -> None:
    entries = [Entry(1, 0, 5, "S@b1", "id 1", "a" * 64), Entry(2, -1, 6, "die:3"), Entry(3, 1, 6, "undo 1", "id ü")]
    first = open_log(where)
    first.open_table(CHARTER).result()
    keep(first, *entries)
    first.close()
    second = open_log(where)
    assert second.charter("k7m2") == CHARTER
    assert second.entries("k7m2") == entries
    assert second.entries("k7m2", after=2) == entries[2:]
    assert second.entries("k7m2", after=3) == second.entries("other") == []
    assert second.charter("other") is None
    second.close()


def test_a_series_is_kept_with_its_table(log: Log) -> None:
    charter = msgspec.structs.replace(CHARTER, id="k7m3", series=Series("k7m2", 2, (31, -4), (0, 7), (840, 420)))
    log.open_table(charter).result()
    assert log.charter("k7m3") == charter


def test_a_table_of_the_first_version_is_part_of_no_series(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "tables.sqlite"
    monkeypatch.setattr(log_module, "MIGRATIONS", MIGRATIONS[:1])
    SqliteLog(path).close()
    with closing(sqlite3.connect(path)) as first:
        first.execute("INSERT INTO tables VALUES ('k7m2', 'icefrogs', '{}', '[]', x'00', 5)")
        first.commit()
    monkeypatch.undo()
    newer = SqliteLog(path)
    assert newer.charter("k7m2") == Charter("k7m2", "icefrogs", {}, (), b"\0", 5)
    newer.close()


def test_a_series_of_before_wins_were_counted_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "tables.sqlite"
    monkeypatch.setattr(log_module, "MIGRATIONS", MIGRATIONS[:2])
    SqliteLog(path).close()
    series = '{"follows":"k7m1","games":2,"scores":[3,1],"ties":[0,0]}'
    with closing(sqlite3.connect(path)) as old:
        old.execute("INSERT INTO tables VALUES ('k7m2', 'squad', '{}', '[]', x'00', 5, ?)", (series,))
        old.commit()
    monkeypatch.undo()
    newer = SqliteLog(path)
    charter = newer.charter("k7m2")
    assert charter is not None
    assert charter.series == Series("k7m1", 2, (3, 1), (0, 0), (0, 0))
    newer.close()


def test_the_file_is_the_owners_alone(file: SqliteLog) -> None:
    file.open_table(CHARTER).result()
    assert [path.stat().st_mode & 0o077 for path in file.path.parent.iterdir()] == [0, 0, 0]


def test_every_commit_is_forced_to_the_disk(file: SqliteLog) -> None:
    assert file._writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert file._writer.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_number_is_given_once(log: Log) -> None:
    keep(log, Entry(1, 0, 0, "one"))
    with pytest.raises(Taken):
        keep(log, Entry(1, 1, 0, "another one"))
    keep(log, Entry(1, 0, 0, "one"), table="another")
    assert [entry.text for entry in log.entries("k7m2")] == ["one"]


def test_a_client_id_counts_once_at_a_table(log: Log) -> None:
    keep(log, Entry(1, 0, 0, "one", "same"))
    with pytest.raises(Taken):
        keep(log, Entry(2, 0, 0, "two", "same"))
    keep(log, Entry(1, 0, 0, "one", "same"), table="another")
    keep(log, Entry(2, -1, 0, "two"), Entry(3, -1, 0, "three"))
    assert [entry.seq for entry in log.entries("k7m2")] == [1, 2, 3]


def test_a_table_is_opened_once(log: Log) -> None:
    log.open_table(CHARTER).result()
    with pytest.raises(Taken):
        log.open_table(CHARTER).result()


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
def gate(file: SqliteLog, monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    gate = Gate(file._writer)
    monkeypatch.setattr(file, "_writer", gate)
    yield gate
    gate.open.set()


def test_what_gathers_while_the_writer_is_busy_goes_into_one_transaction(file: SqliteLog, gate: Gate) -> None:
    futures = [file.append(f"table {number}", Entry(1, 0, 0, "act")) for number in range(500)]
    assert not any(future.done() for future in futures)
    gate.open.set()
    wait(futures)
    assert gate.commits in (1, 2)  # the first may have gone alone
    assert all(len(file.entries(f"table {number}")) == 1 for number in range(500))


def test_of_a_batch_only_what_does_not_fit_fails(file: SqliteLog, gate: Gate) -> None:
    good = [file.append("k7m2", Entry(seq, 0, 0, "first", f"{seq}")) for seq in range(1, 6)]
    bad = [
        file.append("k7m2", Entry(3, 0, 0, "second")),
        file.append("k7m2", Entry(6, 0, 0, "second", "4")),
    ]
    more = file.append("k7m2", Entry(6, 0, 0, "first"))
    gate.open.set()
    assert [future.exception() for future in (*good, more)] == [None] * 6
    assert [type(future.exception()) for future in bad] == [Taken, Taken]
    assert [(entry.seq, entry.text) for entry in file.entries("k7m2")] == [(seq, "first") for seq in range(1, 7)]


def test_a_future_is_done_only_when_others_can_read_the_entry(file: SqliteLog) -> None:
    with closing(sqlite3.connect(file.path)) as other:
        for seq in range(1, 50):
            keep(file, Entry(seq, 0, 0, "act"))
            assert other.execute("SELECT count(*) FROM acts").fetchone() == (seq,)


def test_closing_keeps_what_is_waiting(where: str) -> None:
    log = open_log(where)
    futures = [log.append("t", Entry(seq, 0, 0, "act")) for seq in range(1, 200)]
    log.close()
    assert all(future.done() and future.exception() is None for future in futures)
    late = log.append("t", Entry(200, 0, 0, "act"))
    assert isinstance(late.exception(timeout=0), LogError)
    again = open_log(where)
    assert len(again.entries("t")) == 199
    again.close()


def test_a_write_can_not_be_called_off(file: SqliteLog, gate: Gate) -> None:
    future = file.append("t", Entry(1, 0, 0, "act"))
    assert not future.cancel()
    gate.open.set()
    future.result()
    assert len(file.entries("t")) == 1


def test_two_processes_race_for_the_same_numbers(where: str) -> None:
    """Here as two logs over one database: whoever loses reads on, and every number goes to one of them."""
    logs = [open_log(where) for _ in range(2)]

    def write(log: Log, name: str, done: Future[None]) -> None:
        written = 0
        while written < 100:
            seq = len(log.entries("t")) + 1
            try:
                log.append("t", Entry(seq, 0, 0, f"{name} {written}")).result()
                written += 1
            except Taken:
                pass
        done.set_result(None)

    ends: list[Future[None]] = [Future(), Future()]
    for log, name, end in zip(logs, "xy", ends, strict=True):
        threading.Thread(target=write, args=(log, name, end)).start()
    for end in ends:
        end.result()
    entries = logs[0].entries("t")
    assert [entry.seq for entry in entries] == list(range(1, 201))
    for name in "xy":
        own = [entry.text for entry in entries if entry.text.startswith(name)]
        assert own == [f"{name} {number}" for number in range(100)]
    for log in logs:
        log.close()


def test_what_was_acknowledged_survives_kill_9_and_is_there_once(where: str) -> None:
    acknowledged: dict[str, int] = dict.fromkeys("abcdefgh", 0)
    dice = random.Random(9)
    for _ in range(8):
        process = subprocess.Popen([sys.executable, "-c", WRITER, where], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(dice.randrange(20, 400))]
        process.kill()
        lines += process.stdout.readlines()
        process.wait()
        process.stdout.close()
        for line in lines:
            if line.endswith("\n"):  # the last one may have been cut off
                table, seq = line.split()
                acknowledged[table] = int(seq)
        log = open_log(where)
        for table, last in acknowledged.items():
            entries = log.entries(table)
            assert len(entries) >= last
            assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
            assert [entry.text for entry in entries] == [f"act {number}" for number in range(1, len(entries) + 1)]
        log.close()
    assert min(acknowledged.values()) > 8


# What can go wrong with the file


def sentence_of(path: Path) -> str:
    with pytest.raises(LogError) as caught:
        SqliteLog(path)
    return str(caught.value)


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    path.write_text("Once upon a time there was a text that was no database at all. " * 50)
    assert sentence_of(path) == "The database is damaged, or no database at all."
    assert path.read_text().startswith("Once upon a time")


def test_a_damaged_database(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "tables.sqlite")
    for seq in range(1, 500):
        log.append("t", Entry(seq, 0, 0, "act" * 20))
    log.close()
    content = bytearray(log.path.read_bytes())
    content[4096 : len(content) // 2] = os.urandom(len(content) // 2 - 4096)
    log.path.write_bytes(content)
    with pytest.raises(LogError, match="The database is damaged"):
        SqliteLog(log.path).entries("t")


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE recipes (cake TEXT)")
    assert sentence_of(path) == "The database is another program's."
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT name FROM sqlite_schema").fetchall() == [("recipes",)]


def test_a_database_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    SqliteLog(path).close()
    with closing(sqlite3.connect(path)) as newer:
        newer.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    assert sentence_of(path) == "The database was written by a newer icetable."


def test_an_older_database_is_brought_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = SqliteLog(tmp_path / "tables.sqlite")
    keep(log, Entry(1, 0, 0, "act"))
    log.close()
    monkeypatch.setattr(log_module, "MIGRATIONS", (*MIGRATIONS, "ALTER TABLE tables ADD COLUMN ended INTEGER"))
    newer = SqliteLog(log.path)
    assert newer._writer.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS) + 1,)
    assert newer._writer.execute("SELECT count(*) FROM pragma_table_info('tables') WHERE name = 'ended'").fetchone()[0]
    assert len(newer.entries("k7m2")) == 1
    newer.close()


def test_a_migration_that_fails_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    SqliteLog(tmp_path / "tables.sqlite").close()
    broken = "ALTER TABLE tables ADD COLUMN ended INTEGER; UPDATE nowhere SET x = 1"
    with monkeypatch.context() as patch:
        patch.setattr(log_module, "MIGRATIONS", (*MIGRATIONS, broken))
        assert "no such table: nowhere" in sentence_of(tmp_path / "tables.sqlite")
    log = SqliteLog(tmp_path / "tables.sqlite")
    log.open_table(CHARTER).result()
    log.close()


def test_a_path_where_no_file_can_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert sentence_of(tmp_path / "file" / "tables.sqlite").startswith("The database can't be opened: ")
    assert sentence_of(tmp_path).startswith("The database can't be opened")


def test_a_database_that_can_only_be_read(file: SqliteLog) -> None:
    keep(file, Entry(1, 0, 0, "act"))
    file._writer.execute("PRAGMA query_only = 1")
    with pytest.raises(LogError, match="The database can't be written"):
        keep(file, Entry(2, 0, 0, "act"))
    assert len(file.entries("k7m2")) == 1


def test_a_full_disk_loses_nothing_that_was_kept_and_heals(file: SqliteLog) -> None:
    keep(file, Entry(1, 0, 0, "act"))
    pages = file._writer.execute("PRAGMA page_count").fetchone()[0]
    file._writer.execute(f"PRAGMA max_page_count = {pages}")
    full = [file.append("k7m2", Entry(seq, 0, 0, "x" * 200)) for seq in range(2, 200)]
    errors = [future.exception() for future in full]
    assert str(errors[-1]) == "The disk is full, so nothing more can be kept."
    kept = 1 + errors.count(None)
    assert [entry.seq for entry in file.entries("k7m2")] == list(range(1, kept + 1))
    file._writer.execute("PRAGMA max_page_count = 1000000")
    keep(file, Entry(kept + 1, 0, 0, "act"))


def test_a_locked_database_is_waited_for_and_then_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_sqlite, "PATIENCE", 0.2)
    log = SqliteLog(tmp_path / "tables.sqlite")
    with closing(sqlite3.connect(log.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LogError, match="Another program keeps the database locked"):
            keep(log, Entry(1, 0, 0, "act"))
        other.execute("ROLLBACK")
        keep(log, Entry(1, 0, 0, "act"))
    assert len(log.entries("k7m2")) == 1
    log.close()


def test_entries_of_before_there_were_links_get_theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "tables.sqlite"
    monkeypatch.setattr(log_module, "MIGRATIONS", MIGRATIONS[:2])
    SqliteLog(path).close()
    with closing(sqlite3.connect(path)) as old:
        old.execute("INSERT INTO tables VALUES ('k7m2', 'icefrogs', '{}', '[]', x'00', 5, NULL)")
        old.executemany("INSERT INTO acts VALUES ('k7m2', ?, 0, 7, ?, NULL)", [(1, "S@b1"), (2, "undo 0")])
        old.commit()
    monkeypatch.undo()
    newer = SqliteLog(path)
    first = fair.link(fair.commitment(b"\0"), "k7m2", 1, 0, 7, "S@b1")
    second = fair.link(first, "k7m2", 2, 0, 7, "undo 0")
    assert newer.entries("k7m2") == [Entry(1, 0, 7, "S@b1", None, first), Entry(2, 0, 7, "undo 0", None, second)]
    newer.close()


def test_tables_that_run_are_the_newest_whose_games_are_not_known_to_be_over(log: Log) -> None:
    for created in range(5):
        log.open_table(msgspec.structs.replace(CHARTER, id=f"t{created}", created=created)).result()
    assert log.running(1, 9) == ["t4", "t3", "t2", "t1"]
    log.note("t3", over=True).result()
    assert log.running(1, 2) == ["t4", "t2"]
    log.note("t3", over=False).result()
    assert log.running(3, 9) == ["t4", "t3"]


def test_a_place_is_a_file_or_a_url(tmp_path: Path) -> None:
    assert is_postgres("postgresql://ann@db/tables")
    assert is_postgres("postgres://db/tables")
    assert not is_postgres(tmp_path / "postgres")
    assert not is_postgres("postgres")


def test_the_entries_of_who_sits_at_a_table(log: Log) -> None:
    texts = [(0, "S@b1"), (1, '/{"type":"leave","seat":1}'), (1, "S@h1"), (0, "S@b2"), (1, "undo 1"), (-1, "roll")]
    for seq, (seat, text) in enumerate(texts, 1):
        log.append("a", Entry(seq, seat, seq, text, f"{seq}")).result()
        log.append("b", Entry(seq, 0, seq, "S@b1", f"{seq}")).result()
    assert [entry.seq for entry in log.seating("a")] == [2, 3, 4, 6]
    assert log.seating("a")[0] == log.entries("a")[1]
    assert log.seating("none") == []


def test_games_that_are_over_are_not_listed(log: Log) -> None:
    for number in range(3):
        terms = msgspec.structs.replace(CHARTER.terms, public=True)
        log.open_table(msgspec.structs.replace(CHARTER, id=f"t{number}", created=number, terms=terms)).result()
    log.note("t1", over=True).result()
    assert [table for table, _ in log.public_tables(0, 10)] == ["t2", "t0"]
    assert [table for table, _ in log.public_tables(0, 1)] == ["t2"]
    log.note("t1", over=False).result()
    assert [table for table, _ in log.public_tables(0, 10)] == ["t2", "t1", "t0"]
