"""Deletion of tables that everybody has left and of those that were never begun, and of nothing else."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import httpx
import pytest

from icetable.server.chat import ChatMessage
from icetable.server.errors import TableNotFound
from icetable.server.live import administration
from icetable.server.live.administration import UNPLAYED_DAYS
from icetable.server.live.bots import BotPool
from icetable.server.live.manager import TableManager
from icetable.server.live.settings import Settings
from icetable.server.live.tournaments import ACTIVE_MS
from icetable.server.live.uploads import DAY
from icetable.server.store import open_store
from icetable.server.store.errors import Conflict
from icetable.server.store.sqlite import SqliteDatabase
from icetable.server.table.clock import now
from icetable.server.table.log import Entry
from icetable.server.table.setup import TableSetup

from .fakes import FakeBots
from .serving import Running
from .support import PERSON, act, create_table, join

if TYPE_CHECKING:
    from pathlib import Path

KEEP_DAYS = 30


def opened(where: str, keep_days: int | None = KEEP_DAYS) -> TableManager:
    return TableManager(open_store(where), BotPool(FakeBots().factory, pause=0), Settings(keep_days=keep_days))


def age(manager: TableManager, table: str, days: float) -> None:
    """Nobody has been at a table for this number of days."""
    seen = now() - int(days * DAY)
    manager.tables.store.database.write(table, "UPDATE tables SET seen = ? WHERE id = ?", seen, table).result()


def is_there(manager: TableManager, table: str) -> bool:
    return manager.tables.store.tables.setup(table) is not None


@pytest.mark.anyio
async def test_a_table_goes_when_nobody_was_there_for_so_long(where: str) -> None:
    """With everything that belongs to it, and so that no later start takes it for lost."""
    manager = opened(where)
    tables = {}
    for name, days in (("old", KEEP_DAYS + 1), ("young", KEEP_DAYS - 1), ("open", KEEP_DAYS + 1)):
        table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
        ann = await join(manager, table, codes)
        await act(ann, 0, "S@b1")
        if name != "open":
            await manager.leave(ann)
        age(manager, table, days)
        tables[name] = table
    manager.tables.store.chat.append_message(tables["old"], ChatMessage(1, 0, "Ann", 0, "Hello!", "0:1")).result()
    await manager.retention.delete_all()
    left = {name: is_there(manager, table) for name, table in tables.items()}
    assert left == {"old": False, "young": True, "open": True}
    store = manager.tables.store
    assert (store.logs.entries(tables["old"]), store.chat.messages(tables["old"])) == ([], [])
    with pytest.raises(TableNotFound):
        await join(manager, tables["old"], [])
    await manager.close()
    manager = opened(where)
    assert manager.tables.store.database.lost == set()
    assert [entry.text for entry in manager.tables.store.logs.entries(tables["young"])] == ["S@b1"]
    await manager.close()


@pytest.mark.anyio
async def test_a_table_that_was_never_begun_goes_sooner(where: str) -> None:
    manager = opened(where)
    tables = [(await create_table(manager, "icefrogs", PERSON, PERSON))[0] for _ in range(3)]
    manager.tables.store.logs.append_soon(tables[2], Entry(1, 0, 0, "S@b1")).result()
    for table, days in zip(tables, (UNPLAYED_DAYS - 1, UNPLAYED_DAYS + 1, UNPLAYED_DAYS + 1), strict=True):
        age(manager, table, days)
    await manager.retention.delete_all()
    assert [is_there(manager, table) for table in tables] == [True, False, True]
    await manager.close()


@pytest.mark.anyio
async def test_however_many_there_are_they_all_go(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(administration, "DELETED_PER_BATCH", 2)
    manager = opened(where)
    tables = [(await create_table(manager, "icefrogs", PERSON, PERSON))[0] for _ in range(5)]
    for table in tables:
        age(manager, table, KEEP_DAYS + 1)
    await manager.retention.delete_all()
    assert not any(is_there(manager, table) for table in tables)
    await manager.close()


@pytest.mark.anyio
async def test_a_play_test_goes_with_its_last_table(where: str) -> None:
    manager = opened(where)
    names = ("old", "visited", "young")
    for name, begun, seen in zip(names, (KEEP_DAYS + 1, KEEP_DAYS + 1, 1), (KEEP_DAYS + 1, 0, 1), strict=True):
        manager.tables.store.tables.create(TableSetup(name, "icefrogs", {}, (), b"s" * 32, 0)).result()
        manager.tables.store.playtests.create(name, "", "", now() - begun * DAY).result()
        manager.tables.store.playtests.add_table(name, name, 0).result()
        age(manager, name, seen)
    await manager.retention.delete_all()
    assert [manager.tables.store.playtests.get(name) is not None for name in names] == [False, True, True]
    await manager.close()


@pytest.mark.anyio
async def test_a_tournament_goes_when_it_is_over(where: str) -> None:
    with closing(open_store(where)) as store:
        for number, (age, stage) in enumerate([(10, 0), (10, 1), (10, 2), (70, 1), (1, 2)]):
            store.tournaments.create(f"t{number}", "", "{}", now() - age * DAY).result()
            store.tournaments.append_event(f"t{number}", 1, "{}").result()
            if stage:
                store.tournaments.start(f"t{number}").result()
            if stage == 2:
                store.tournaments.end(f"t{number}").result()
        store.tournaments.delete_old(now() - 7 * DAY, now() - ACTIVE_MS).result()
        left = [f"t{number}" for number in range(5) if store.tournaments.get(f"t{number}") is not None]
        assert left == ["t1", "t4"]
        assert [number for number in range(5) if store.tournaments.events(f"t{number}", 0)] == [1, 4]


@pytest.mark.anyio
async def test_without_the_setting_all_is_kept(where: str) -> None:
    manager = opened(where, None)
    table, _ = await create_table(manager, "icefrogs", PERSON, PERSON)
    age(manager, table, 10_000)
    await manager.retention.delete_all()
    assert is_there(manager, table)
    await manager.close()


def test_a_visit_is_noted_twice_a_day_at_most(where: str) -> None:
    with closing(open_store(where)) as store:
        store.tables.create(TableSetup("k7m2", "icefrogs", {}, (), b"s" * 32, 0)).result()
        store.tables.set_seen("k7m2", DAY).result()
        with pytest.raises(Conflict):
            store.tables.set_seen("k7m2", DAY + 1000).result()
        assert (store.tables.expired(DAY, 0, 9), store.tables.expired(DAY + 1, 0, 9)) == ([], ["k7m2"])


def test_a_crash_before_the_deletion_loses_nothing(path: Path) -> None:
    """The note of the last entry goes first: without it a table is whole, and without the table it would be lost."""
    with closing(open_store(path)) as store:
        store.logs.append_soon("k7m2", Entry(1, 0, 0, "S@b1", None, "f" * 64)).result()
        assert isinstance(store.database, SqliteDatabase)
        store.database._last_entries.forget({"k7m2"})
    with closing(open_store(path)) as store:
        assert (len(store.logs.entries("k7m2")), store.database.lost) == (1, set())


def test_the_page_names_the_notices_of_the_operator(tmp_path: Path) -> None:
    with Running(tmp_path / "tables.sqlite") as running:
        before = httpx.get(running.url)
        running.site.settings = replace(running.site.settings, links={"imprint": 'https://example.org/"imprint'})
        page = httpx.get(running.url)
    if before.status_code == 503:
        pytest.skip("the front end is not built")
    assert "icetable-imprint" not in before.text
    assert '<meta name="icetable-imprint" content="https://example.org/&quot;imprint" />' in page.text
    assert page.headers["etag"] != before.headers["etag"]
