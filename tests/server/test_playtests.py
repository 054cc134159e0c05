"""Play-tests: visitors come by one link, are seated together, and the designer alone learns what they did."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET

from icetable import games
from icetable.server import messages
from icetable.server.chat import ChatMessage
from icetable.server.errors import BadTable, TableNotFound
from icetable.server.live.manager import TableManager
from icetable.server.live.study import playtests
from icetable.server.table.state import TableState
from icetable.workshop import files
from tests.workshop import designs

from .fakes import FakeBots, Listener
from .support import BOT, PERSON, acked, act, frame, join, new_manager, receive, received, sit
from .table_states import request
from .test_workshop_tables import written

pytestmark = pytest.mark.anyio


@pytest.fixture
async def manager(tmp_path: Path, bots: FakeBots, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[TableManager]:
    monkeypatch.setattr(files, "REGISTERED", {})
    monkeypatch.setattr(playtests, "BOT_GAMES", 3)
    for design in (designs.Race, designs.Hands):
        games.register(written(tmp_path, design))
    one = new_manager(tmp_path / "tables.sqlite", bots)
    yield one
    await one.close()


async def seated(manager: TableManager, table: str, seat: int, code: str) -> Listener:
    client = await join(manager, table, [])
    acked(await sit(client, seat, code * 32))
    return client


async def test_visitors_are_seated_together(manager: TableManager) -> None:
    begun = await manager.study.playtests.begin(request("race", PERSON, PERSON))
    assert await manager.study.playtests.about(begun.playtest) == messages.Playtest(
        "race", "Race", "Run round a ring by a die of four."
    )
    tables = []
    for number in range(5):
        table = (await manager.study.playtests.visit(begun.playtest)).table
        await seated(manager, table, number % 2, "ab"[number % 2])
        tables.append(table)
    assert tables[0] == tables[1] != tables[2] == tables[3] != tables[4]
    assert await manager.lobby.listings() == []


async def test_the_designer_learns_what_they_did(manager: TableManager, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = await manager.study.playtests.begin(request("race", PERSON, PERSON))
    table = (await manager.study.playtests.visit(begun.playtest)).table
    ann, bob = [await seated(manager, table, seat, "ab"[seat]) for seat in (0, 1)]
    await receive(ann, frame(1))
    for number in range(3):
        acked(await act((ann, bob)[number % 2], number % 2, "run"))
        await receive(ann, frame(2 * number + 3))
    acked(await ann.table.say(ann.viewer, messages.Say("1", "Too slow", 4)))
    report = await manager.study.playtests.report(begun.playtest, begun.code, with_records=True)
    (told,) = report.tables
    assert (told.table, told.acts, told.over, told.winners) == (table, 3, False, [])
    assert [(one.seq, one.act, one.text) for one in told.remarks] == [(4, "run", "Too slow")]
    assert all(seconds is not None and seconds >= 0 for seconds in told.thinking)
    assert isinstance(told.record, str)
    assert told.record.startswith("icetable record 1\ngame race\n")
    for code in ("", begun.code[:-1], "0" * 32):
        with pytest.raises(BadTable, match="somebody else"):
            await manager.study.playtests.report(begun.playtest, code, with_records=False)
    with pytest.raises(TableNotFound):
        await manager.study.playtests.report("nothing", begun.code, with_records=False)


async def test_bots_play_it_too(manager: TableManager) -> None:
    begun = await manager.study.playtests.begin(request("race", PERSON, BOT))
    while not isinstance(
        (await manager.study.playtests.report(begun.playtest, begun.code, False)).bots, messages.BotGames
    ):
        await asyncio.sleep(0.05)
    bots = (await manager.study.playtests.report(begun.playtest, begun.code, False)).bots
    assert isinstance(bots, messages.BotGames)
    assert (bots.games, sum(bots.shares)) == (3, 1)


async def test_the_report_shows_a_hidden_game_after_its_end(manager: TableManager) -> None:
    begun = await manager.study.playtests.begin(request("hands", PERSON, PERSON))
    table = (await manager.study.playtests.visit(begun.playtest)).table
    ann, bob = [await seated(manager, table, seat, "ab"[seat]) for seat in (0, 1)]
    shown = (await receive(ann, frame(6)))[-1]["frame"]
    acked(await ann.table.say(ann.viewer, messages.Say("1", "Dull", 6)))
    (told,) = (await manager.study.playtests.report(begun.playtest, begun.code, with_records=True)).tables
    assert (told.scores, told.remarks, told.record) == ([], [], UNSET)
    while not shown["view"]["over"]:
        client = (ann, bob)[shown["view"]["to_act"][0]]
        seat = str(shown["view"]["to_act"][0])
        received(client)
        acked(await act(client, int(seat), client.table.views.frame(client.viewer).legal[seat][0]))
        shown = (await receive(client, lambda one: one["type"] == "frame"))[-1]["frame"]
    (told,) = (await manager.study.playtests.report(begun.playtest, begun.code, with_records=True)).tables
    assert told.over
    assert [one.text for one in told.remarks] == ["Dull"]
    assert len(told.scores) == 2


async def test_a_play_test_has_visitors_and_its_tables_are_its_own(manager: TableManager) -> None:
    for wrong in (request("race", BOT, BOT), request("race", PERSON, PERSON, public=True)):
        with pytest.raises(BadTable, match=r"a play-test (has|needs)"):
            await manager.study.playtests.begin(wrong)


async def test_tables_that_are_deleted_are_left_out(manager: TableManager) -> None:
    begun = await manager.study.playtests.begin(request("race", PERSON, PERSON))
    first = (await manager.study.playtests.visit(begun.playtest)).table
    client = await seated(manager, first, 0, "a")
    assert len((await manager.study.playtests.report(begun.playtest, begun.code, with_records=False)).tables) == 1
    await manager.leave(client)
    assert await manager.tables.delete(first)
    assert (await manager.study.playtests.report(begun.playtest, begun.code, with_records=False)).tables == []
    assert (await manager.study.playtests.visit(begun.playtest)).table != first


async def test_only_tables_that_have_changed_are_replayed(
    manager: TableManager, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    begun = await manager.study.playtests.begin(request("race", PERSON, PERSON))
    tables = []
    for name in "abcd":
        tables.append((await manager.study.playtests.visit(begun.playtest)).table)
        client = await seated(manager, tables[-1], "abcd".index(name) % 2, name)
        if name in "bd":
            await receive(client, frame(1))  # the die that begins the game is told of once it is stored
    reported = list[str]()
    table_report = playtests.table_report

    def counted(state: TableState, chat: list[ChatMessage], with_record: bool) -> messages.PlaytestTable | None:
        reported.append(state.setup.id)
        return table_report(state, chat, with_record)

    async def report(with_records: bool = False) -> list[str]:
        reported.clear()
        await manager.study.playtests.report(begun.playtest, begun.code, with_records)
        return sorted(set(reported))

    monkeypatch.setattr(playtests, "table_report", counted)
    assert await report() == sorted(set(tables))
    assert await report() == []
    acked(await client.table.say(client.viewer, messages.Say("1", "Well")))
    assert await report() == [tables[-1]]
    assert await report(with_records=True) == sorted(set(tables))
    await manager.reload(tmp_path / "race.py")
    assert await report() == sorted(set(tables))


async def test_bots_that_failed_are_asked_again_when_something_has_happened(
    manager: TableManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[str]()

    async def fail(name: str, options: Any) -> None:
        asked.append(name)
        raise BadTable("no")

    begun = await manager.study.playtests.begin(request("race", PERSON, PERSON))
    monkeypatch.setattr(playtests, "load_in_thread", fail)

    async def report() -> int:
        await manager.study.playtests.report(begun.playtest, begun.code, with_records=False)
        await asyncio.gather(*manager.study.playtests._playing.values())
        return len(asked)

    assert [await report(), await report()] == [1, 1]
    await seated(manager, (await manager.study.playtests.visit(begun.playtest)).table, 0, "a")
    assert [await report(), await report()] == [2, 2]
