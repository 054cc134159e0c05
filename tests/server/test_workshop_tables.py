"""Tables of workshop games: secret choices reach nobody before all have chosen, and faults stay at their table."""

from __future__ import annotations

import asyncio
import inspect
import json
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from icetable import UnknownGame, games
from icetable.server import messages
from icetable.server.apart.games import open_file
from icetable.server.errors import Hidden, TableNotFound
from icetable.server.live.manager import TableManager, every
from icetable.server.live.tables import shared_games, versions
from icetable.server.live.tables.table import LiveTable
from icetable.server.table.fairness import Broken, verify
from icetable.workshop import Game, files
from tests.workshop import designs

from .fakes import FakeBots
from .support import PERSON, acked, act, create_table, frame, ids, join, new_manager, receive, received, refused

UNSEEN = ["hidden", "hidden", "hidden"]
pytestmark = pytest.mark.anyio


def written(tmp_path: Path, design: type[Game]) -> Path:
    """A file of its own for a game."""
    head = inspect.getsource(designs).partition("\n\n\nclass ")[0]
    parents = [base for base in reversed(design.__mro__[1:]) if base.__module__ == designs.__name__]
    path = tmp_path / f"{design.__name__.lower()}.py"
    path.write_text("\n\n\n".join([head, *map(inspect.getsource, [*parents, design])]), encoding="utf-8")
    return path


@pytest.fixture
def _brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "REGISTERED", {})
    monkeypatch.setattr(games, "_load_file", open_file)
    for design in (designs.Duel, designs.Race, designs.Clumsy, designs.Looping, designs.Hands):
        games.register(written(tmp_path, design))
    shared_games.forget()  # the games of these names in the files of other tests


@pytest.fixture
async def manager(tmp_path: Path, bots: FakeBots, _brought: None) -> AsyncIterator[TableManager]:
    one = new_manager(tmp_path / "tables.sqlite", bots)
    yield one
    await one.close()


async def test_a_secret_choice_reaches_nobody(manager: TableManager) -> None:
    table, codes = await create_table(manager, "duel", PERSON, PERSON)
    ann, bob, eve = [await join(manager, table, held) for held in (codes[:1], codes[1:], [])]
    for client in (ann, bob, eve):
        received(client)
    acked(await act(ann, 0, "choose:high"))
    for client, seat in ((bob, "1"), (eve, None)):
        heard = await receive(client, frame(1))
        shown = heard[-1]["frame"]
        assert shown["line"]["text"] == "chooses"
        legal = shown["legal"].pop(seat, None) if seat else None
        assert legal == (["choose:high", "choose:low"] if seat else None)
        assert "high" not in json.dumps(heard)
    with pytest.raises(Hidden):
        await manager.tables.record(table)
    acked(await act(bob, 1, "choose:low"))
    told = (await receive(eve, frame(2)))[-1]["frame"]["line"]
    assert [effect["value"] for effect in told["effects"]][:2] == ["0:high", "1:low"]


async def test_a_hand_reaches_nobody_else(manager: TableManager) -> None:
    """Secret draws are in no message to others, and in no answer to them, until the game ends."""
    table, codes = await create_table(manager, "hands", PERSON, PERSON)
    ann, bob, eve = [await join(manager, table, held) for held in (codes[:1], codes[1:], [])]
    shown = {client: (await receive(client, frame(6)))[-1]["frame"] for client in (ann, bob, eve)}
    assert shown[eve]["line"]["text"] == "draws a card"
    assert shown[eve]["line"]["effects"] == []
    hands = [
        [
            [card.removeprefix("grey").removeprefix("white") for card, count in pad.items() for _ in range(count)]
            for pad in shown[one]["view"]["pads"]
        ]
        for one in (ann, bob, eve)
    ]
    assert (hands[0][1], hands[1][0], hands[2]) == (UNSEEN, UNSEEN, [UNSEEN, UNSEEN])
    assert shown[ann]["legal"] == {"0": sorted(f"play:{pips}" for pips in hands[0][0])}
    assert shown[bob]["legal"] == shown[eve]["legal"] == {}
    with pytest.raises(Hidden):
        await manager.tables.record(table)
    with pytest.raises(Hidden):
        await manager.tables.copy(table, messages.CopyRequest(codes=[], seq=3))


async def test_dice_are_proven_and_a_table_goes_on_after_a_restart(
    manager: TableManager, tmp_path: Path, bots: FakeBots
) -> None:
    table, codes = await create_table(manager, "race", PERSON, PERSON, length=4)
    client = await join(manager, table, codes)
    number = 1
    shown = (await receive(client, frame(number)))[-1]["frame"]
    assert shown["line"]["text"].startswith("die:")
    before = games.info("race").source
    save(tmp_path / "race.py", "Run round", "Run around")
    await manager.reload(tmp_path / "race.py")
    await manager.close()
    again = new_manager(tmp_path / "tables.sqlite", bots)
    client = await join(again, table, codes)
    received(client)
    while not shown["view"]["over"]:
        acked(await act(client, shown["view"]["to_act"][0], "run"))
        number += 1
        shown = (await receive(client, frame(number)))[-1]["frame"]
        if not shown["view"]["over"]:
            number += 1
            shown = (await receive(client, frame(number)))[-1]["frame"]
    _, text = await again.tables.record(table)
    await asyncio.to_thread(verify, text)
    assert f"\nsource {games.info('race').source}\n" in text
    assert f'"source":"{before}"' in text
    forged = text.replace(f"source {games.info('race').source}", f"source {before}", 1)
    with pytest.raises(Broken, match="names the source"):
        await asyncio.to_thread(verify, forged)
    await again.close()


@pytest.mark.usefixtures("_brought")
def test_no_file_is_read_for_a_visitor(tmp_path: Path) -> None:
    path = written(tmp_path, designs.Lonely)
    with pytest.raises(UnknownGame):
        games.info(str(path))
    with pytest.raises(UnknownGame):
        games.replay(f"icetable record 1\ngame {path}\noption players 1\n\n0 a1\n")


async def test_a_remark_goes_to_the_designer_alone(manager: TableManager) -> None:
    table, codes = await create_table(manager, "race", PERSON, PERSON)
    ann, bob = [await join(manager, table, held) for held in (codes[:1], codes[1:])]
    await receive(bob, frame(1))
    for said in (messages.Say("1", "Too long", 1), messages.Say("2", "Hello")):
        acked(await ann.table.say(ann.viewer, said))
    heard = await receive(bob, lambda one: one["type"] == "said")
    assert [one["text"] for one in heard[-1]["remarks"]] == ["Hello"]
    _, record = await manager.tables.record(table, with_chat=True)
    assert " remarks on act 1: Too long\n" in record
    other, codes = await create_table(manager, "squad", PERSON, PERSON)
    client = await join(manager, other, codes)
    answer = await client.table.say(client.viewer, messages.Say("3", "Too long", 0))
    assert "for the designers" in refused(answer).message


def save(file: Path, old: str, new: str) -> None:
    """Save a file with a change."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


async def roll_on(client: Any, turns: int) -> dict[str, Any]:
    """Run in each of so many turns of Race; the newest frame."""
    shown: dict[str, Any] = {}
    for number in range(turns):
        acked(await act(client, number % 2, "run"))
        shown = (await receive(client, frame(2 * number + 3)))[-1]["frame"]
    return shown


async def race_under_way(manager: TableManager, turns: int) -> tuple[str, list[str], Any]:
    """A table of a long Race after so many turns, its codes, and the client of both players."""
    table, codes = await create_table(manager, "race", PERSON, PERSON, length=40)
    client = await join(manager, table, codes)
    await receive(client, frame(1))
    await roll_on(client, turns)
    return table, codes, client


def notice(client: Any) -> dict[str, Any] | None:
    """The newest notice of the rules that a client received."""
    found: dict[str, Any] | None = next(one["table"]["rules"] for one in reversed(received(client)) if "table" in one)
    return found


async def choose(client: Any, choice: messages.RulesChoice) -> messages.Ack | messages.Refused:
    table: LiveTable = client.table
    return await table.choose_rules(client.viewer, messages.Rules(f"r{next(ids)}", choice))


REFUSING = 'return ["run", "stay"]', 'return ["walk" if table.turn == 2 else "run"]'


async def test_rules_that_refuse_a_move_ask_first(manager: TableManager, tmp_path: Path, bots: FakeBots) -> None:
    """Nothing changes until a player has chosen; what is taken back can be had again, also after a restart."""
    file = tmp_path / "race.py"
    table, codes = await create_table(manager, "race", PERSON, PERSON, length=40)
    client, eve = await join(manager, table, codes), await join(manager, table, [])
    await receive(client, frame(1))
    before = await roll_on(client, 3)
    save(file, *REFUSING)
    await manager.reload(file)
    told, seen = notice(client), notice(eve)
    assert told is not None
    assert seen is not None
    assert "refuse move 6, “run”" in told["message"]
    assert (told["choices"], seen["choices"]) == (["back", "keep"], [])
    assert client.table.state.acts == 7
    assert isinstance(await choose(eve, "back"), messages.Refused)
    acked(await choose(client, "back"))
    shown = [one for one in received(client) if one["type"] == "welcome"][-1]
    assert (shown["frame"]["seq"], shown["frame"]["legal"]) == (5, {"0": ["walk"]})
    assert shown["table"]["rules"]["choices"] == ["again"]
    assert refused(await choose(client, "again")).code == "not-now"
    save(file, *reversed(REFUSING))
    await manager.close()
    games.register(file)
    again = new_manager(tmp_path / "tables.sqlite", bots)
    client = await join(again, table, codes)
    acked(await choose(client, "again"))
    shown = (await receive(client, frame(7)))[-1]["frame"]
    assert shown["view"] == before["view"]
    assert isinstance(await choose(client, "again"), messages.Refused)
    await again.close()


async def test_a_table_may_keep_the_old_rules(manager: TableManager, tmp_path: Path, bots: FakeBots) -> None:
    """It does so even if everybody leaves meanwhile or the server starts anew, until the newest rules fit again."""
    file = tmp_path / "race.py"
    table, codes, client = await race_under_way(manager, 3)
    save(file, *REFUSING)
    await manager.reload(file)
    acked(await choose(client, "keep"))
    assert notice(client) is None
    assert refused(await choose(client, "back")).code == "not-now"
    acked(await act(client, 1, "stay"))
    await manager.leave(client)
    client = await join(manager, table, codes)
    assert client.table.state.acts >= 8
    await manager.close()
    again = new_manager(tmp_path / "tables.sqlite", bots)
    client = await join(again, table, codes)
    assert client.table.state.acts >= 8
    save(file, REFUSING[1], 'return ["run", "stay", "walk"]')
    await again.reload(file)
    assert client.table.state.acts >= 8
    assert "walk" in client.table.state.position.legal_actions()
    await again.close()


async def test_a_table_whose_rules_are_not_stored_waits_for_its_file(
    manager: TableManager, tmp_path: Path, bots: FakeBots, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "race.py"
    table, codes, client = await race_under_way(manager, 3)
    await manager.leave(client)
    await manager.close()
    with sqlite3.connect(tmp_path / "tables.sqlite") as connection:
        connection.execute("DELETE FROM sources")
    monkeypatch.setattr(versions, "_loaded", {})
    save(file, *REFUSING)
    games.register(file)
    shared_games.forget()
    again = new_manager(tmp_path / "tables.sqlite", bots)
    with pytest.raises(TableNotFound, match=r"race\.py has other rules .*Nothing is lost"):
        await join(again, table, codes)
    await again.close()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('return ["run", "stay"]', 'return ["run", "stay"', "was never closed"),
        ('return ["run", "stay"]', 'return ["run", 9999 // 0]', "(race.py:"),
        ("length = option(12, least=4, most=40", "length = option(12, least=4, most=30", "length can't be 40"),
        ("class Race", "class Chase", "now has the game chase"),
    ],
)
async def test_a_fault_that_is_saved_changes_nothing(
    manager: TableManager, tmp_path: Path, old: str, new: str, told: str
) -> None:
    file = tmp_path / "race.py"
    table, codes, client = await race_under_way(manager, 2)
    save(file, old, new)
    await manager.reload(file)
    news = notice(client)
    assert news is not None
    assert "continues with the old rules" in news["message"]
    assert told in news["message"]
    acked(await act(client, 0, "run"))
    await receive(client, frame(7))
    await manager.leave(client)
    client = await join(manager, table, codes)
    assert client.table.state.acts == 7
    save(file, new, old)
    await manager.reload(file)
    assert notice(client) is None
    assert client.table.state.acts == 7


@pytest.mark.usefixtures("_brought")
async def test_the_files_are_watched(tmp_path: Path) -> None:
    read: asyncio.Queue[Path] = asyncio.Queue()
    watching = asyncio.create_task(every(0.01, shared_games.FileWatcher(read.put).check))
    await asyncio.sleep(0)
    save(tmp_path / "race.py", "stay", "wait")
    assert await read.get() == tmp_path / "race.py"
    (tmp_path / "duel.py").unlink()
    save(tmp_path / "race.py", "wait", "rest")
    assert await read.get() == tmp_path / "race.py"
    (tmp_path / "race.py").write_text((tmp_path / "race.py").read_text("utf-8") + "\n\nimport helper\n", "utf-8")
    assert await read.get() == tmp_path / "race.py"
    (tmp_path / "helper.py").write_text("STEPS = 1\n", encoding="utf-8")
    assert await read.get() == tmp_path / "race.py"
    save(tmp_path / "helper.py", "1", "20")
    assert await read.get() == tmp_path / "race.py"
    watching.cancel()
