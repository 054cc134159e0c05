"""A table is worked out from its log once for all who need it, few at a time, and the lobby needs that for none."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import pytest

from icetable.table import hall as hall_module
from icetable.table import wire
from icetable.table.hall import Hall, NoTable

from .fakes import PATIENCE, FakeBrains, Listener
from .test_hall import PERSON, acked, act, enter, found, found_open, hear, in_a_loop, kind, new_hall, sit

if TYPE_CHECKING:
    from pathlib import Path

    from icetable.table.rooms import Room


class Folds:
    """Counts folds, which end no sooner than they may."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun: list[str] = []
        self.read: list[str] = []
        self.at_once = self.most_at_once = 0
        self.may_end = threading.Event()
        self.may_end.set()
        self._count, fold = threading.Lock(), Hall._fold

        def slow_fold(hall: Hall, table_id: str) -> Room:
            with self._count:
                self.begun.append(table_id)
                self.at_once += 1
                self.most_at_once = max(self.most_at_once, self.at_once)
            try:
                room = fold(hall, table_id)
                self.read.append(table_id)
                assert self.may_end.wait(PATIENCE)
                return room
            finally:
                with self._count:
                    self.at_once -= 1

        monkeypatch.setattr(Hall, "_fold", slow_fold)

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


async def left_table(hall: Hall) -> tuple[str, list[str]]:
    """A table with one act where nobody is any more."""
    table, codes = await found(hall, "icefrogs", PERSON, PERSON)
    ann = await enter(hall, table, codes)
    acked(await act(ann, 0, "S@b1"))
    await hall.leave(ann)
    return table, codes


@in_a_loop
async def test_all_who_need_a_table_share_one_fold(path: Path, folds: Folds) -> None:
    hall = new_hall(path, FakeBrains())
    table, codes = await left_table(hall)
    folds.clear()
    folds.may_end.clear()
    ann, watcher = Listener(), Listener()
    copies = [asyncio.create_task(hall.copy(table, wire.CopyRequest([], 1))) for _ in range(8)]
    entering = asyncio.gather(hall.enter(ann, table, codes), hall.enter(watcher, table, []))
    recording = asyncio.create_task(hall.record(table))
    await folds.until(1)
    folds.may_end.set()
    assert len({(await copy).table for copy in copies}) == 8
    await entering
    game, record = await recording
    assert folds.begun == [table]
    assert (game, "\n0 @" in record) == ("icefrogs", True)
    assert ann.table is watcher.table
    assert (await hear(ann, kind("welcome")))[-1]["frame"]["seq"] == 1
    await hall.close()


@in_a_loop
async def test_a_table_that_went_on_at_the_start_is_not_replayed_again_for_the_first_who_comes(
    path: Path, folds: Folds
) -> None:
    hall = new_hall(path, FakeBrains())
    table, codes = await left_table(hall)
    await hall.close()
    folds.clear()
    hall = new_hall(path, FakeBrains())
    hall.resume()
    await folds.until(1)
    ann = await enter(hall, table, codes)
    acked(await act(ann, 1, "S@h1"))
    await hall.leave(ann)
    assert folds.begun == [table]
    again = await enter(hall, table, codes)
    assert (await hear(again, kind("welcome")))[-1]["frame"]["seq"] == 2
    assert folds.begun == [table] * 2, "what was played meanwhile is in the log"
    await hall.close()


@in_a_loop
async def test_few_tables_are_worked_out_at_the_same_time(path: Path, folds: Folds) -> None:
    hall = new_hall(path, FakeBrains())
    tables = [(await left_table(hall))[0] for _ in range(5)]
    folds.clear()
    folds.may_end.clear()
    waiting = asyncio.gather(*map(hall.record, tables))
    await folds.until(hall_module.MOST_REPLAYED)
    for _ in range(100):
        await asyncio.sleep(0)  # the others would begin now
    folds.may_end.set()
    assert len(await waiting) == 5
    assert sorted(folds.begun) == sorted(tables)
    assert folds.most_at_once == hall_module.MOST_REPLAYED
    await hall.close()


@in_a_loop
async def test_all_hear_that_there_is_no_table_and_may_ask_again(path: Path, folds: Folds) -> None:
    hall = new_hall(path, FakeBrains())
    for asked in (1, 2):
        answers = await asyncio.gather(*(hall.record("none") for _ in range(3)), return_exceptions=True)
        assert {type(answer) for answer in answers} == {NoTable}
        assert len(folds.begun) == asked
    await hall.close()


@in_a_loop
async def test_who_goes_does_not_stop_the_fold_of_the_others(path: Path, folds: Folds) -> None:
    hall = new_hall(path, FakeBrains())
    table, _ = await left_table(hall)
    folds.clear()
    folds.may_end.clear()
    first, second = (asyncio.create_task(hall.record(table)) for _ in range(2))
    await folds.until(1)
    first.cancel()
    await asyncio.wait([first])
    folds.may_end.set()
    assert (await second)[0] == "icefrogs"
    assert folds.begun == [table]
    await hall.close()


@in_a_loop
async def test_the_lobby_works_no_game_out(path: Path, folds: Folds) -> None:
    hall = new_hall(path, FakeBrains())
    created = await found_open(hall, public=True)
    ann = await enter(hall, created.table, [created.codes["0"]])
    bob = await enter(hall, created.table, [])
    acked(await sit(bob, 1, "ab" * 16))
    acked(await act(ann, 0, "S@b1"))
    for number, seat in enumerate((0, 1)):
        visitor = (ann, bob)[seat]
        assert visitor.table is not None
        acked(await visitor.table.ask(visitor.viewer, wire.Leave(f"l{number}", seat)))
    acked(await act(bob, 1, "S@h1"))
    (open_,) = await hall.lobby()
    assert [seat.gone for seat in open_.seats] == [True, False]
    await hall.leave(ann)
    await hall.leave(bob)
    hall._listed.clear()
    folds.clear()
    assert await hall.lobby() == [open_]
    assert folds.begun == []
    await hall.close()


@in_a_loop
async def test_the_lobby_leaves_out_what_is_over(path: Path, folds: Folds) -> None:
    hall = new_hall(path, FakeBrains())
    created = await found_open(hall, public=True)
    ann = await enter(hall, created.table, [created.codes["0"]])
    bob = await enter(hall, created.table, [])
    acked(await sit(bob, 1, "ab" * 16))
    assert len(await hall.lobby()) == 1
    for visitor, request in ((ann, wire.Offer("o", "draw")), (bob, wire.Vote("v", 2, True))):
        assert visitor.table is not None
        acked(await visitor.table.ask(visitor.viewer, request))
    assert await hall.lobby() == []
    await hall.leave(ann)
    await hall.leave(bob)
    folds.clear()
    assert await hall.lobby() == []
    assert folds.begun == []
    await hall.close()
