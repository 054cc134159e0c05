"""Tables that move to another database: every row arrives, or none does."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest

from icetable.cli import admin as command
from icetable.cli import main
from icetable.server.store import copying, is_postgres, migrations, open_store
from icetable.server.store.copying import copy, schema_tables
from icetable.server.store.errors import StoreError
from icetable.server.store.migrations import current_version
from icetable.server.table.log import Entry

from . import stored_tables
from .support import tamper
from .table_states import CHARTER

if TYPE_CHECKING:
    from .conftest import PostgresServer

TEXTS = ("", "a", "Z", "b\\n\\.", "tab\tand\nline", "ä", "é😀", "\\N", "'\"%s?", "z" * 5000)
"""Texts that sort differently by language and by code, and those that PostgreSQL's COPY has to quote."""
NUMBERS = (0, -1, 2**63 - 1, -(2**63), 7)
CHANGES = {"TEXT": TEXTS, "INTEGER": NUMBERS, "BLOB": (b"", b"\0\xff\\", bytes(range(256)))}


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copying, "ROWS_PER_REPORT", 1)


def in_silence(*_: object) -> None:
    """Nobody looks on."""


def rows_of(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of a SQLite file, by table."""
    with closing(sqlite3.connect(path)) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {name: sorted(database.execute(f"SELECT * FROM {name}"), key=repr) for name in names}


def strange(path: Path) -> str:
    """A file with rows of every kind, and in them whatever a column may hold."""
    open_store(path).close()
    with closing(sqlite3.connect(path)) as database:
        for kind in schema_tables():
            columns = database.execute(f"PRAGMA table_info({kind.name})").fetchall()
            for number in range(30):
                row: list[object] = []
                for place, (_, _, of, is_needed, _, key) in enumerate(columns):
                    values = CHANGES[of]
                    value = values[(number + place) % len(values)]
                    row.append(f"{value}{number}" if of == "TEXT" else value)
                    if not is_needed and not key and number % 3 == 0:
                        row[-1] = None
                places = ", ".join("?" * len(row))
                database.execute(f"INSERT OR IGNORE INTO {kind.name} VALUES ({places})", row)
        database.commit()
    assert all(len(rows) > 4 for rows in rows_of(path).values())
    return str(path)


def old_tables(folder: Path) -> str:
    """A file of tables that were played."""
    stored_tables.write(folder / "old.sqlite")
    return str(folder / "old.sqlite")


def is_empty(where: str) -> bool:
    if is_postgres(where):
        with psycopg.connect(where) as database:
            return all(
                database.execute(f"SELECT 1 FROM icetable.{kind.name}").fetchone() is None for kind in schema_tables()
            )
    return not any(rows_of(Path(where)).values())


def refusal(source: str | Path, target: str | Path) -> str:
    with pytest.raises(StoreError) as caught:
        copy(str(source), str(target), in_silence)
    return str(caught.value)


def test_every_table_has_a_key_by_which_rows_are_put_in_order() -> None:
    assert {"tables", "acts", "talk", "held", "records"} <= {kind.name for kind in schema_tables()}
    assert all(kind.order for kind in schema_tables())


def test_there_and_back_every_row_is_as_it_was(tmp_path: Path, database: str) -> None:
    source, back = strange(tmp_path / "tables.sqlite"), tmp_path / "back.sqlite"
    there = copy(source, database, in_silence)
    assert copy(database, str(back), in_silence) == there
    rows = rows_of(Path(source))
    assert rows == rows_of(back)
    assert there == (len(rows["tables"]), len(rows["acts"]), sum(map(len, rows.values())))


def test_tables_go_on_in_the_copy(tmp_path: Path, database: str) -> None:
    known = stored_tables.write(tmp_path / "tables.sqlite")
    copy(str(tmp_path / "tables.sqlite"), database, in_silence)
    copy(database, str(tmp_path / "back.sqlite"), in_silence)
    for where in (database, str(tmp_path / "back.sqlite")):
        with closing(open_store(where)) as store:
            stored_tables.check(store, known)


def test_a_copy_of_the_same_kind(tmp_path: Path, postgres: PostgresServer) -> None:
    source, one, other = strange(tmp_path / "tables.sqlite"), postgres.new_database(), postgres.new_database()
    copy(source, one, in_silence)
    copy(one, other, in_silence)
    copy(other, str(tmp_path / "other.sqlite"), in_silence)
    copy(source, str(tmp_path / "same.sqlite"), in_silence)
    assert rows_of(tmp_path / "other.sqlite") == rows_of(tmp_path / "same.sqlite") == rows_of(Path(source))


@pytest.mark.parametrize("what", ["copied", "compared"])
def test_a_copy_that_is_broken_off_leaves_nothing_and_can_begin_anew(tmp_path: Path, where: str, what: str) -> None:
    source = strange(tmp_path / "strange.sqlite")

    def interrupt(stage: str, done: int, rows: int) -> None:
        if stage == what and done > rows // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copy(source, where, interrupt)
    assert not list(tmp_path.glob("tables.sqlite*"))
    assert is_empty(where)
    copy(source, where, in_silence)
    assert not is_empty(where)


def test_nothing_is_copied_while_the_source_changes(tmp_path: Path, database: str) -> None:
    copy(strange(tmp_path / "tables.sqlite"), database, in_silence)

    def write(stage: str, done: int, rows: int) -> None:
        if (stage, done) == ("copied", rows):
            with psycopg.connect(database) as other:
                other.execute(
                    "UPDATE icetable.acts SET link = 'other' WHERE link = (SELECT max(link) FROM icetable.acts)"
                )

    with pytest.raises(StoreError, match="Nothing was copied: rows of acts differ"):
        copy(database, str(tmp_path / "back.sqlite"), write)
    assert is_empty(str(tmp_path / "back.sqlite"))


# What is refused


@pytest.fixture
def source(tmp_path: Path) -> str:
    return old_tables(tmp_path)


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("icetable.server.store.sqlite.SHUTDOWN_TIMEOUT_SECONDS", 0.0)
    monkeypatch.setattr(copying, "SHUTDOWN_TIMEOUT_SECONDS", 0.0)


def test_a_database_with_tables_takes_no_others(source: str, where: str) -> None:
    copy(source, where, in_silence)
    assert refusal(source, where).startswith("TO is not empty")


@pytest.mark.usefixtures("_impatient")
def test_a_database_that_a_server_uses_is_neither_copied_nor_filled(tmp_path: Path, source: str, where: str) -> None:
    with closing(open_store(where)) as store:
        store.tables.create(CHARTER).result()
        assert refusal(where, tmp_path / "copy.sqlite").startswith("FROM: Another icetable ")
        assert refusal(source, where).startswith("TO: Another icetable ")


def test_a_server_that_is_ending_is_waited_for(tmp_path: Path, source: str, database: str) -> None:
    copy(source, database, in_silence)
    for number in range(3):
        copy(database, str(tmp_path / f"{number}.sqlite"), in_silence)
        open_store(database).close()


def test_a_place_without_tables(tmp_path: Path, database: str, postgres: PostgresServer) -> None:
    (tmp_path / "noise").write_text("no database" * 1000)
    assert refusal(tmp_path / "nowhere", tmp_path / "copy") == "FROM: There are no tables."
    assert refusal(database, tmp_path / "copy") == "FROM: There are no tables."
    assert refusal(tmp_path / "noise", tmp_path / "copy").startswith("FROM: The database is damaged, or not a database")
    assert refusal(postgres.url("nowhere"), tmp_path / "copy") == "FROM: There is no such database; create it first."
    assert not (tmp_path / "copy").exists()


def test_a_place_that_can_not_be_filled(tmp_path: Path, source: str, postgres: PostgresServer) -> None:
    tamper(tmp_path / "songs.sqlite", "CREATE TABLE songs (title)")
    assert refusal(source, tmp_path / "songs.sqlite") == "TO: The database belongs to another program."
    assert refusal(source, tmp_path) == "TO: The database can't be opened: it is a folder."
    assert refusal(source, postgres.url("nowhere")) == "TO: There is no such database; create it first."
    assert (
        refusal(source, "postgresql:///x?host=/nowhere")
        == "TO: The database can't be reached: no server listens there."
    )
    assert refusal(source, "postgresql://?never=1").startswith("TO: The URL of the database is not a valid")
    assert refusal(source, source) == "FROM and TO are the same."


def test_a_url_of_another_kind_makes_no_folder(tmp_path: Path, source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert refusal(source, "mysql://ann:geheimer@localhost/tables").startswith("TO: A database is a file, or has a URL")
    assert refusal("postgressql://localhost/tables", source).startswith("FROM: A database is a file, or has a URL")
    assert {path.name.partition("-")[0] for path in tmp_path.iterdir()} == {"old.sqlite"}


def test_a_database_of_another_version_is_left_as_it_is(
    tmp_path: Path, source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrations, "MIGRATIONS", ("ALTER TABLE tables ADD COLUMN acts INTEGER",))
    for version, whose in ((current_version() - 1, "an older"), (current_version() + 1, "a newer")):
        tamper(source, f"PRAGMA user_version = {version}")
        assert f"FROM: The database was written by {whose} icetable" in refusal(source, tmp_path / "copy")
        with closing(sqlite3.connect(source)) as other:
            assert other.execute("PRAGMA user_version").fetchone() == (version,)


def test_tables_that_have_lost_acts_are_not_made_to_look_whole(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    with closing(open_store(path)) as store:
        store.tables.create(CHARTER).result()
        store.logs.append_soon(CHARTER.id, Entry(1, 0, 0, "act", None, "ab" * 32)).result()
    tamper(path, "DELETE FROM acts")
    assert refusal(path, tmp_path / "copy").startswith("FROM: According to its -last-entries file, tables have lost")
    path.with_name(f"{path.name}-last-entries").rename(tmp_path / "new.sqlite-last-entries")
    assert refusal(path, tmp_path / "new.sqlite").startswith("TO: According to its -last-entries file")
    assert copy(str(path), str(tmp_path / "copy"), in_silence).entries == 0


def test_a_text_that_postgres_can_not_keep(tmp_path: Path, source: str, database: str) -> None:
    with closing(open_store(source)) as store:
        store.logs.append_soon("with a NUL", Entry(1, 0, 0, "\0")).result()
    assert refusal(source, database) == f"TO: {copying.UNSTORABLE_TEXT}"
    assert is_empty(database)


# The command


def test_the_command(tmp_path: Path, source: str, database: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["copy", source, database]) == 0
    found = rows_of(Path(source))
    said = capsys.readouterr()
    assert f"tables {len(found['tables'])}, acts {len(found['acts'])}, " in said.out
    assert said.err == ""
    assert main(["copy", source, database]) == 1
    assert capsys.readouterr().err.startswith("icetable: TO is not empty")


def test_progress_on_a_terminal(
    tmp_path: Path, source: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(["copy", source, str(tmp_path / "copy")]) == 0
    said = capsys.readouterr().err
    rows = sum(map(len, rows_of(Path(source)).values()))
    for what in ("copied", "compared"):
        assert f"\r{what} 1 of {rows} rows\r" in said
    assert said.endswith(" \r")
    command.show_progress("copied", 1, 2)
    assert capsys.readouterr().err == "\rcopied 1 of 2 rows\r"
