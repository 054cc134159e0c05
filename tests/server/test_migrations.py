"""Databases of other versions: an older one is migrated and every table goes on; one of before 0.2.0 is refused."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from icetable.server.store import migrations, open_store
from icetable.server.store.admin import version_at
from icetable.server.store.copying import copy
from icetable.server.store.errors import StoreError
from icetable.server.store.migrations import FIRST_VERSION, Run

from . import stored_tables

if TYPE_CHECKING:
    from pathlib import Path

BEFORE_0_2_0 = "The database was written by an icetable before 0.2.0"


def count_acts(run: Run) -> None:
    """A migration that needs more than SQL."""
    for (table,) in list(run("SELECT id FROM tables")):
        ((acts,),) = list(run("SELECT count(*) FROM acts WHERE table_id = ?", (table,)))
        run("UPDATE tables SET acts = ? WHERE id = ?", (acts, table))


MADE_UP = (
    """
    ALTER TABLE tables ADD COLUMN acts INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX long_tables ON tables (acts) WHERE acts > 99
    """,
    count_acts,
)


@pytest.mark.parametrize("kind", ["file", "postgres"])
def test_a_database_of_the_first_version_is_migrated_and_its_tables_go_on(
    tmp_path: Path, kind: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = str(tmp_path / "tables.sqlite")
    known = stored_tables.write(tmp_path / "tables.sqlite")
    if kind == "postgres":
        copy(where, url := request.getfixturevalue("database"), lambda *_: None)
        where = url
    assert version_at(where) == FIRST_VERSION
    monkeypatch.setattr(migrations, "MIGRATIONS", MADE_UP)
    with closing(open_store(where)) as store:
        assert version_at(where) == FIRST_VERSION + 2
        counts = dict(store.database._read("SELECT id, acts FROM tables WHERE id > ?", ("",)))
        assert counts == {table: stored.entries for table, stored in known.items()}
        stored_tables.check(store, known)
    monkeypatch.undo()
    with pytest.raises(StoreError, match="written by a newer icetable"):
        open_store(where)


@pytest.mark.parametrize("version", [1, FIRST_VERSION - 1])
def test_a_database_of_before_the_first_release_is_refused_and_left_as_it_is(tmp_path: Path, version: int) -> None:
    path = tmp_path / "tables.sqlite"
    stored_tables.write(path)
    with closing(sqlite3.connect(path)) as database:
        database.execute(f"PRAGMA user_version = {version}")
    for opened in (lambda: open_store(path), lambda: copy(str(path), str(tmp_path / "copy"), lambda *_: None)):
        with pytest.raises(StoreError, match=BEFORE_0_2_0):
            opened()
    assert version_at(str(path)) == version
