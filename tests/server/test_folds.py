"""A table is worked out from its log once for all who need it, few at a time, and the lobby needs that for none."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import pytest

from icetable.server import messages
from icetable.server.live import manager as hall_module
from icetable.server.live.manager import TableManager, TableNotFound

from .fakes import PATIENCE, FakeBrains, Listener
from .test_manager import PERSON, acked, act, create_table, enter, found_open, hear, in_a_loop, kind, new_hall, sit

if TYPE_CHECKING:
    from pathlib import Path

    from icetable.server.table.state import TableState


class Folds:
    """Counts folds, which end no sooner than they may."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun: list[str] = []
        self.read: list[str] = []
        self.at_once = self.most_at_once = 0
        self.may_end = threading.Event()
        self.may_end.set()
        self._count, fold = threading.Lock(), TableManager._fold

        def slow_fold(manager: TableManager, table_id: str) -> TableState:
            with self._count:
                self.begun.append(table_id)
                self.at_once += 1
                self.most_at_once = max(self.most_at_once, self.at_once)
            try:
                table_state = fold(manager, table_id)
                self.read.append(table_id)
                assert self.may_end.wait(PATIENCE)
                return table_state
            finally:
                with self._count:
                    self.at_once -= 1

        monkeypatch.setattr(TableManager, "_fold", slow_fold)

    def clear(self) -> None:
        """Forget those that have ended."""
        self.begun.clear()
        self.read.clear()

    async def until(self, read: int) -> None:
        """Wait until so many have read their logs."""
        async with asyncio.timeout(PATIENCE):
            while len(self.read) < read:
                await asyncio.sleep(0.001)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.sqlite"


@pytest.fixture
def folds(monkeypatch: pytest.MonkeyPatch) -> Folds:
    return Folds(monkeypatch)


async def left_table(manager: TableManager) -> tuple[str, list[str]]:
    """A table with one act where nobody is any more."""
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann = await enter(manager, table, codes)
    acked(await act(ann, 0, "S@b1"))
    await manager.leave(ann)
    return table, codes


@in_a_loop
async def test_all_who_need_a_table_share_one_fold(path: Path, folds: Folds) -> None:
    manager = new_hall(path, FakeBrains())
    table, codes = await left_table(manager)
    folds.clear()
    folds.may_end.clear()
    ann, watcher = Listener(), Listener()
    copies = [asyncio.create_task(manager.copy(table, messages.CopyRequest([], 1))) for _ in range(8)]
    entering = asyncio.gather(manager.enter(ann, table, codes), manager.enter(watcher, table, []))
    recording = asyncio.create_task(manager.record(table))
    await folds.until(1)
    folds.may_end.set()
    assert len({(await copy).table for copy in copies}) == 8
    await entering
    game, record = await recording
    assert folds.begun == [table]
    assert (game, "\n0 @" in record) == ("icefrogs", True)
    assert ann.table is watcher.table
    assert (await hear(ann, kind("welcome")))[-1]["frame"]["seq"] == 1
    await manager.close()


@in_a_loop
async def test_a_table_that_went_on_at_the_start_is_not_replayed_again_for_the_first_who_comes(
    path: Path, folds: Folds
) -> None:
    manager = new_hall(path, FakeBrains())
    table, codes = await left_table(manager)
    await manager.close()
    folds.clear()
    manager = new_hall(path, FakeBrains())
    manager.resume()
    await folds.until(1)
    ann = await enter(manager, table, codes)
    acked(await act(ann, 1, "S@h1"))
    await manager.leave(ann)
    assert folds.begun == [table]
    again = await enter(manager, table, codes)
    assert (await hear(again, kind("welcome")))[-1]["frame"]["seq"] == 2
    assert folds.begun == [table] * 2, "what was played meanwhile is in the log"
    await manager.close()


@in_a_loop
async def test_few_tables_are_worked_out_at_the_same_time(path: Path, folds: Folds) -> None:
    manager = new_hall(path, FakeBrains())
    tables = [(await left_table(manager))[0] for _ in range(5)]
    folds.clear()
    folds.may_end.clear()
    waiting = asyncio.gather(*map(manager.record, tables))
    await folds.until(hall_module.MOST_REPLAYED)
    for _ in range(100):
        await asyncio.sleep(0)  # the others would begin now
    folds.may_end.set()
    assert len(await waiting) == 5
    assert sorted(folds.begun) == sorted(tables)
    assert folds.most_at_once == hall_module.MOST_REPLAYED
    await manager.close()


@in_a_loop
async def test_all_hear_that_there_is_no_table_and_may_ask_again(path: Path, folds: Folds) -> None:
    manager = new_hall(path, FakeBrains())
    for asked in (1, 2):
        answers = await asyncio.gather(*(manager.record("none") for _ in range(3)), return_exceptions=True)
        assert {type(answer) for answer in answers} == {TableNotFound}
        assert len(folds.begun) == asked
    await manager.close()


@in_a_loop
async def test_who_goes_does_not_stop_the_fold_of_the_others(path: Path, folds: Folds) -> None:
    manager = new_hall(path, FakeBrains())
    table, _ = await left_table(manager)
    folds.clear()
    folds.may_end.clear()
    first, second = (asyncio.create_task(manager.record(table)) for _ in range(2))
    await folds.until(1)
    first.cancel()
    await asyncio.wait([first])
    folds.may_end.set()
    assert (await second)[0] == "icefrogs"
    assert folds.begun == [table]
    await manager.close()


@in_a_loop
async def test_the_lobby_works_no_game_out(path: Path, folds: Folds) -> None:
    manager = new_hall(path, FakeBrains())
    created = await found_open(manager, public=True)
    ann = await enter(manager, created.table, [created.codes["0"]])
    bob = await enter(manager, created.table, [])
    acked(await sit(bob, 1, "ab" * 16))
    acked(await act(ann, 0, "S@b1"))
    for number, seat in enumerate((0, 1)):
        client = (ann, bob)[seat]
        assert client.table is not None
        acked(await client.table.ask(client.viewer, messages.Leave(f"l{number}", seat)))
    acked(await act(bob, 1, "S@h1"))
    (open_,) = await manager.lobby()
    assert [seat.gone for seat in open_.seats] == [True, False]
    await manager.leave(ann)
    await manager.leave(bob)
    manager._listed.clear()
    folds.clear()
    assert await manager.lobby() == [open_]
    assert folds.begun == []
    await manager.close()


@in_a_loop
async def test_the_lobby_leaves_out_what_is_over(path: Path, folds: Folds) -> None:
    manager = new_hall(path, FakeBrains())
    created = await found_open(manager, public=True)
    ann = await enter(manager, created.table, [created.codes["0"]])
    bob = await enter(manager, created.table, [])
    acked(await sit(bob, 1, "ab" * 16))
    assert len(await manager.lobby()) == 1
    for client, request in ((ann, messages.Offer("o", "draw")), (bob, messages.Vote("v", 2, True))):
        assert client.table is not None
        acked(await client.table.ask(client.viewer, request))
    assert await manager.lobby() == []
    await manager.leave(ann)
    await manager.leave(bob)
    folds.clear()
    assert await manager.lobby() == []
    assert folds.begun == []
    await manager.close()
