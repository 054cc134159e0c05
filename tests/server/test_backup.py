"""Copies of the tables, made while a server writes."""

from __future__ import annotations

import sqlite3
import stat
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from icetable.cli import main
from icetable.server.store import open_store
from icetable.server.store.admin import NoBackup, back_up
from icetable.server.store.sqlite import LINKED
from icetable.server.table.log import Entry
from icetable.server.table.setup import TableSetup

from .serving import Client, Running, create_table, person

if TYPE_CHECKING:
    from pathlib import Path

CHARTER = TableSetup("abc", "icefrogs", {}, (), b"s" * 32, 0)


def test_a_copy_under_load_has_all_that_was_kept_before_and_nothing_in_pieces(tmp_path: Path) -> None:
    store = open_store(tmp_path / "tables.sqlite")
    store.tables.create(CHARTER).result()
    kept = 0
    enough = threading.Event()

    def write() -> None:
        nonlocal kept
        while not enough.is_set():
            number = kept + 1
            pair = [
                store.logs.append_soon(f"{name}", Entry(number, 0, number, f"act {number}")) for name in ("abc", "xyz")
            ]
            for one in pair:
                one.result()
            kept = number

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for round_number in range(8):
            while kept < 20 * (round_number + 1):
                time.sleep(0.001)
            before = kept
            copy = tmp_path / f"copy {round_number}"
            copy.touch()
            assert back_up(tmp_path / "tables.sqlite", copy) == 1
            restored = open_store(copy)
            for table in ("abc", "xyz"):
                entries = restored.logs.entries(table)
                assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
                assert before <= len(entries) <= kept + 1
            assert restored.tables.setup("abc") == CHARTER
            restored.close()
    finally:
        enough.set()
        writer.join()
        store.close()


def test_a_server_goes_on_from_a_copy(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.sqlite") as running:
        table, codes = create_table(running.url, person(), person())
        with Client(running.url, table, codes) as client:
            client.act(0, "S@b1")
            assert main(["backup", "--db", str(tmp_path / "tables.sqlite"), str(tmp_path / "copy.sqlite")]) == 0
            frame = client.frame
            client.act(1, client.frame["legal"]["1"][0])
    with Running(tmp_path / "copy.sqlite") as running, Client(running.url, table, codes) as client:
        assert client.frame == frame
        assert client.act(1, client.frame["legal"]["1"][0])["seq"] == 2


@pytest.mark.skipif(sys.platform == "win32", reason="Unix has it")
def test_a_copy_is_for_its_owner_alone_and_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    open_store(tmp_path / "tables.sqlite").close()
    out = tmp_path / "out"
    out.mkdir()
    assert main(["backup", "--db", str(tmp_path / "tables.sqlite"), str(out / "copy")]) == 0
    assert capsys.readouterr().out == f"The copy is in {out / 'copy'}: 0 tables, and the file is sound.\n"
    assert [path.name for path in out.iterdir()] == ["copy"]
    assert stat.S_IMODE((out / "copy").stat().st_mode) == 0o600


def test_no_copy_takes_the_place_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    open_store(tmp_path / "tables.sqlite").close()
    (tmp_path / "copy").write_text("precious")
    assert main(["backup", "--db", str(tmp_path / "tables.sqlite"), str(tmp_path / "copy")]) == 2
    assert "already exists" in capsys.readouterr().err
    assert (tmp_path / "copy").read_text() == "precious"


def test_a_file_that_is_no_database_of_tables_is_not_backed_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE songs (title)")
    connection.close()
    noise = tmp_path / "noise"
    noise.write_text("no database" * 1000)
    for name in ("other.sqlite", "noise", "nowhere"):
        assert main(["backup", "--db", str(tmp_path / name), str(tmp_path / "copy")]) == 1
        assert capsys.readouterr().err.startswith("icetable: ")
        assert not (tmp_path / "copy").exists()
    copy = tmp_path / "copy"
    copy.touch()
    with pytest.raises(NoBackup, match="is not a database of this icetable"):
        back_up(other, copy)


def test_no_copy_is_made_of_a_file_under_a_second_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The log that holds the last acts lies beside the first name alone. A symbolic link leads there."""
    store = open_store(tmp_path / "tables.sqlite")
    store.tables.create(CHARTER).result()
    (tmp_path / "soft").symlink_to(tmp_path / "tables.sqlite")
    assert main(["backup", "--db", str(tmp_path / "soft"), str(tmp_path / "copy")]) == 0
    assert "1 table," in capsys.readouterr().out
    (tmp_path / "hard").hardlink_to(tmp_path / "tables.sqlite")
    assert main(["backup", "--db", str(tmp_path / "hard"), str(tmp_path / "another")]) == 1
    assert LINKED in capsys.readouterr().err
    store.close()


def test_of_postgresql_another_program_makes_the_copy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["backup", "--db=postgresql://icetable@127.0.0.1/icetable", str(tmp_path / "copy")]
    assert main(words) == 1
    assert "is copied with pg_dump" in capsys.readouterr().err
    assert not (tmp_path / "copy").exists()
