"""Databases as older versions wrote them: each opens, every table replays and goes on, and every record verifies.

`old_databases/N` was written by the code of its time, when the schema had N migrations: the database, what is known of
its tables, and the records of those whose games were over.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from icetable import games
from icetable.server.store import migrations, open_store
from icetable.server.table import fairness
from icetable.server.table.chat import ChatMessage
from icetable.server.table.state import TableState
from icetable.server.table.views import TableViews

from .table_states import ANYBODY

if TYPE_CHECKING:
    from icetable.server.store.store import Store

OLD = Path(__file__).parent / "old_databases"
VERSIONS = sorted(int(folder.name) for folder in OLD.iterdir())
RECORDS = sorted(OLD.glob("*/*.txt"))
LATER = 1_800_000_000_000

each_version = pytest.mark.parametrize("version", VERSIONS)


class Known(msgspec.Struct, frozen=True):
    """What is known of a table."""

    game: str
    entries: int
    acts: int
    scores: tuple[int, ...]
    over: bool


def known(version: int) -> dict[str, Known]:
    return msgspec.json.decode((OLD / f"{version}" / "tables.json").read_bytes(), type=dict[str, Known])


def replayed(store: Store, table: str) -> TableState:
    setup = store.setup(table)
    assert setup is not None
    return TableState(setup, games.info(setup.game).load_stored(setup.options), store.entries(table))


def check(store: Store, version: int) -> None:
    """Every table is as it was, its record verifies, and a game that was not over goes on."""
    for table, was in known(version).items():
        state = replayed(store, table)
        assert (state.game.info.name, state.entries, state.acts) == (was.game, was.entries, was.acts)
        assert (state.position.scores, state.is_over) == (was.scores, was.over)
        if was.over:
            sound = fairness.verify(TableViews(state, lambda: LATER).record())
            assert (sound.entries, sound.link, sound.form) == (was.entries, state.closing, state.setup.form)
        else:
            seat = min(state.to_act)
            entry = state.entry_for_act(ANYBODY, seat, state.position.legal_actions(seat)[0], LATER)
            store.append_soon(table, entry).result()
            assert replayed(store, table).acts == was.acts + 1
    assert set(store.running(0, 100)) <= set(known(version))


@each_version
def test_an_old_file_goes_on(tmp_path: Path, version: int) -> None:
    path = tmp_path / "tables.sqlite"
    shutil.copy(OLD / f"{version}" / "tables.sqlite", path)
    with closing(sqlite3.connect(path)) as old:
        assert old.execute("PRAGMA user_version").fetchone() == (version,)
        assert old.execute("SELECT count(*) FROM tables").fetchone() == (len(known(version)),)
    with closing(open_store(path)) as store:
        check(store, version)


@each_version
def test_an_old_database_of_postgres_goes_on(database: str, version: int) -> None:
    """There is no old PostgreSQL here: the rows of the file stand in the schema of their time."""
    psycopg = pytest.importorskip("psycopg")
    from icetable.server.store.postgres import in_postgres

    with closing(sqlite3.connect(OLD / f"{version}" / "tables.sqlite")) as old, psycopg.connect(database) as new:

        def run(command: str, row: tuple[Any, ...] = ()) -> Any:
            return new.execute(in_postgres(command), row)

        run("CREATE SCHEMA icetable")
        run("SET search_path = icetable")
        run("CREATE TABLE version (version INTEGER NOT NULL)")
        run("INSERT INTO version VALUES (?)", (version,))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(migrations, "MIGRATIONS", migrations.MIGRATIONS[:version])
            assert migrations.migrate(run, 0) == version
        for (table,) in old.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
            rows = old.execute(f"SELECT * FROM {table}")
            columns = [column[0] for column in rows.description]
            places = ", ".join("?" * len(columns))
            for row in rows.fetchall():
                run(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})", row)
    with closing(open_store(database)) as store:
        check(store, version)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: "/".join(path.parts[-2:]))
def test_an_old_record_verifies(path: Path) -> None:
    was = known(int(path.parent.name))[path.stem]
    sound = fairness.verify(path.read_text())
    assert sound.entries in (0, was.entries)  # the first version quoted no log
    assert games.replay(path.read_text()).scores == was.scores


def test_what_was_written_beside_the_logs_is_there(tmp_path: Path) -> None:
    """Chat messages, seats that browsers hold, a series with its wins, and terms."""
    shutil.copytree(OLD / "9", tmp_path, dirs_exist_ok=True)
    first, *_ = tables = list(known(9))
    with closing(open_store(tmp_path / "tables.sqlite")) as store:
        assert store.chat(first) == [ChatMessage(1, 0, "Ann", 1_763_700_005_000, "Hello!", "0:t1")]
        assert store.held("ab" * 32, first) == {"cd" * 32}
        setups = [store.setup(table) for table in tables]
        assert [setup.series.follows for setup in setups if setup is not None and setup.series is not None] == [first]
        assert [setup.id for setup in setups if setup is not None and setup.terms.public] == [tables[4]]


def test_a_record_that_was_opened_is_there(tmp_path: Path) -> None:
    shutil.copytree(OLD / "11", tmp_path, dirs_exist_ok=True)
    with closing(open_store(tmp_path / "tables.sqlite")) as store:
        kept = store.record("k7m2pq9xabcd")
    assert kept is not None
    assert (len(list(games.replay(kept[0]).history())), kept[1]) == (4, 1_763_900_000_000)


def test_every_version_is_known_to_the_migrations() -> None:
    """With a new migration comes a new file, written by the code that has it."""
    assert VERSIONS[-1] == len(migrations.MIGRATIONS)
