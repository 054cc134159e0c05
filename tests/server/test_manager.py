"""Open tables with people, bots and nature at them, without a network."""

from __future__ import annotations

import asyncio
import functools
import gc
import itertools
import json
import sqlite3
import threading
import time
import weakref
from contextlib import closing
from typing import TYPE_CHECKING, Any, ParamSpec

import pytest
from msgspec import UNSET

from icetable import games
from icetable.core.errors import GameError
from icetable.server import messages
from icetable.server.live import worker
from icetable.server.live.autoplay import BotPool
from icetable.server.live.manager import TableManager, TableNotFound
from icetable.server.store import waits
from icetable.server.store.errors import StoreError
from icetable.server.store.sqlite import SqliteStore
from icetable.server.table import fairness
from icetable.server.table import presence as attendance
from icetable.server.table.log import Entry
from icetable.server.table.state import TableState

from . import toy
from .fakes import PATIENCE, FakeBrains, Listener, SlowDisk
from .gates import ANYBODY
from .toy import TOY

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from pathlib import Path

    from icetable.core.game import State

P = ParamSpec("P")
Messages = list[dict[str, Any]]
ids = itertools.count()

PERSON, BOT = messages.SeatRequest("person", "Ann", None), messages.SeatRequest("bot", "Robot", "easy")


def in_a_loop(test: Callable[P, Awaitable[None]]) -> Callable[P, None]:
    @functools.wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        async def body() -> None:
            async with asyncio.timeout(3 * PATIENCE):
                await test(*args, **kwargs)

        asyncio.run(body())

    return run


@pytest.fixture(autouse=True)
def _toy(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = games.list_games()
    monkeypatch.setattr(games, "list_games", lambda: (*shipped, TOY))


@pytest.fixture
def brains() -> FakeBrains:
    return FakeBrains()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.sqlite"


def new_hall(path: Path, brains: FakeBrains) -> TableManager:
    return TableManager(SqliteStore(path), BotPool(brains, pause=0))


def forget_entry(path: Path, table: str, seq: int) -> str:
    """The text of an entry that is taken out of the log, as if it had never been kept."""
    path.with_name(f"{path.name}-tips").unlink()
    with closing(sqlite3.connect(path)) as database:
        row = (table, seq)
        (text,) = database.execute("SELECT text FROM acts WHERE table_id = ? AND seq = ?", row).fetchone()
        database.execute("DELETE FROM acts WHERE table_id = ? AND seq = ?", row)
        database.commit()
    return str(text)


async def create_table(
    manager: TableManager, game: str, *seats: messages.SeatRequest, **options: Any
) -> tuple[str, list[str]]:
    """A new table: its id, and the codes of the persons' seats in order."""
    created = await manager.create_table(messages.TableRequest(game, messages.Options(options), list(seats)))
    return created.table, list(created.codes.values())


async def enter(manager: TableManager, table: str, codes: list[str]) -> Listener:
    """Somebody new at a table, welcome included in what they hear."""
    client = Listener()
    await manager.enter(client, table, codes)
    return client


async def hear(client: Listener, until: Callable[[dict[str, Any]], bool]) -> Messages:
    """What comes, up to the first message of this sort; of who is there only what is asked for."""
    heard: Messages = []
    while not heard or not until(heard[-1]):
        message = json.loads(await asyncio.wait_for(client.waiting.get(), PATIENCE))
        if message["type"] != "presence" or until(message):
            heard.append(message)
    return heard


def frame(seq: int) -> Callable[[dict[str, Any]], bool]:
    return lambda message: message["type"] == "frame" and message["frame"]["seq"] == seq


def kind(name: str) -> Callable[[dict[str, Any]], bool]:
    return lambda message: bool(message["type"] == name)


def bots_are(state: str) -> Callable[[dict[str, Any]], bool]:
    return lambda message: message["type"] == "bots" and message["state"] == state


def nothing_more(client: Listener) -> bool:
    """Nothing of the game; who is at the table is no matter."""
    heard = [json.loads(client.waiting.get_nowait()) for _ in range(client.waiting.qsize())]
    return all(message["type"] == "presence" for message in heard)


async def act(client: Listener, seat: int, text: str, request: str = "") -> messages.Ack | messages.Refused:
    """Ask for an act, under a new id where none is given."""
    assert client.table is not None
    return await client.table.ask(client.viewer, messages.Act(request or f"{next(ids)}", seat, text))


async def undo(client: Listener, to: int) -> messages.Ack | messages.Refused:
    assert client.table is not None
    return await client.table.ask(client.viewer, messages.Undo(f"{next(ids)}", to))


def acked(answer: messages.Ack | messages.Refused) -> int:
    assert isinstance(answer, messages.Ack), answer
    return answer.seq


def refused(answer: messages.Ack | messages.Refused) -> messages.Fault:
    assert isinstance(answer, messages.Refused), answer
    return answer.fault


# People


@in_a_loop
async def test_everybody_at_the_table_hears_of_an_act(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann, bob, eve = [await enter(manager, table, held) for held in (codes[:1], codes[1:], [])]
    assert acked(await act(ann, 0, "S@b1")) == 1
    heard = [await hear(client, frame(1)) for client in (ann, bob, eve)]
    assert [[message["type"] for message in messages] for messages in heard] == [["welcome", "frame"]] * 3
    assert [messages[0]["table"]["seats"][0]["mine"] for messages in heard] == [True, False, False]
    assert [list(messages[1]["frame"]["legal"]) for messages in heard] == [[], ["1"], []]
    assert [messages[1]["frame"]["view"]["seat"] for messages in heard] == [0, 1, None]
    await manager.close()


@in_a_loop
async def test_a_table_closes_behind_the_last_and_opens_again(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann, eve = await enter(manager, table, codes), await enter(manager, table, [])
    await act(ann, 0, "S@b1", "first")
    first = ann.table
    await manager.leave(ann)
    again = await enter(manager, table, codes)
    assert again.table is first
    await manager.leave(again)
    await manager.leave(eve)
    back = await enter(manager, table, codes)
    assert back.table is not first
    (welcome,) = await hear(back, kind("welcome"))
    assert [line["text"] for line in welcome["lines"]] == ["S@b1"]
    assert acked(await act(back, 0, "S@b1", "first")) == 1
    await manager.close()


@in_a_loop
async def test_many_who_come_and_go_at_once_meet_at_one_table(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON, turn_limit=0)

    async def come_and_go() -> None:
        client = await enter(manager, table, codes)
        assert client.table is not None
        state = client.table.state.position
        seat = min(state.to_act)
        await act(client, seat, state.legal_actions(seat)[0])
        await manager.leave(client)

    await asyncio.gather(*(come_and_go() for _ in range(60)))
    entries = manager.log.entries(table)
    client = await enter(manager, table, codes)
    assert client.table is not None
    assert client.table.state.entries == len(entries) > 0
    await manager.close()


@in_a_loop
async def test_going_to_another_table_leaves_the_first(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    first, first_codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    second, second_codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann, eve = await enter(manager, first, first_codes), await enter(manager, first, [])
    await manager.enter(ann, second, second_codes)
    await act(ann, 0, "S@b1")
    assert [message["type"] for message in await hear(ann, frame(1))] == ["welcome", "welcome", "frame"]
    assert len(await hear(eve, kind("welcome"))) == 1
    assert nothing_more(eve)
    await manager.enter(ann, first, second_codes)
    assert refused(await act(ann, 0, "S@b1")).code == "not-your-seat"
    with pytest.raises(TableNotFound):
        await manager.enter(ann, "nowhere", [])
    assert ann.table is eve.table
    await manager.close()


# Tables that are not there


@in_a_loop
async def test_tables_that_can_not_be_found_or_founded(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    with pytest.raises(TableNotFound, match="There is no such table"):
        await enter(manager, "nowhere", [])
    with pytest.raises(TableNotFound, match="There is no such table"):
        await manager.record("nowhere")
    with pytest.raises(GameError, match="there is no game 'chess'"):
        await create_table(manager, "chess", PERSON, PERSON)
    wrong: list[dict[str, Any]] = [
        {"players": 7},
        {"colour": "red"},
        {"board": ["star"]},
        {"self": 1},
        {"preset": "x"},
        {"": 1},
    ]
    for options in wrong:
        name = next(iter(options))
        with pytest.raises(GameError, match=f"^{name} can't be|there is no option '{name}'|there is no {name} 'x'"):
            await create_table(manager, "icefrogs", PERSON, PERSON, **options)
    await manager.close()


@in_a_loop
async def test_an_option_that_is_null_is_left_at_its_default(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    table, _ = await create_table(manager, "icefrogs", PERSON, PERSON, board=None, turn_limit=7, players=None)
    (welcome,) = await hear(await enter(manager, table, []), kind("welcome"))
    assert welcome["table"]["options"] == {"players": 2, "board": "star", "turn_limit": 7}
    await manager.close()


@in_a_loop
async def test_a_log_that_does_not_fit_the_rules_opens_no_table(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    setup = manager.log.setup(table)
    assert setup is not None
    table_state = TableState(setup, games.info(setup.game).load(**setup.options))
    await asyncio.wrap_future(manager.log.append(table, table_state.chained(Entry(1, 0, 0, "S@e3"))))
    for _ in range(2):
        with pytest.raises(TableNotFound, match="its log does not fit the rules"):
            await enter(manager, table, codes)
    await manager.close()


@in_a_loop
async def test_a_log_that_somebody_has_changed_opens_no_table(
    path: Path, brains: FakeBrains, caplog: pytest.LogCaptureFixture
) -> None:
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann = await enter(manager, table, codes)
    await act(ann, 0, "S@b1")
    await act(ann, 1, "S@h1")
    await manager.leave(ann)
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE acts SET text = 'S@b2' WHERE seq = 1")
        database.commit()
    with pytest.raises(TableNotFound, match="its log has been changed since it was kept"):
        await enter(manager, table, codes)
    assert f"the log of table {table} was changed: entry 1 of this table's log, 'S@b2', is not what" in caplog.text
    await manager.close()


# Tables go on by themselves


@in_a_loop
async def test_at_the_start_nature_goes_on_and_bots_wait_for_somebody(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    among_bots, _ = await create_table(manager, "icefrogs", BOT, BOT, turn_limit=6)
    with_nature, codes = await create_table(manager, "toy", PERSON, PERSON, target=100)
    ann = await enter(manager, with_nature, codes)
    await act(ann, 0, "take")
    await hear(ann, frame(2))
    idle, _ = await create_table(manager, "icefrogs", PERSON, BOT)
    await manager.close()
    rolled = forget_entry(path, with_nature, 2)  # as if the server had died before the die was kept

    manager = new_hall(path, brains)
    manager.resume()
    while not manager.log.entries(with_nature, 1) or manager._open:
        await asyncio.sleep(0.01)
    assert [entry.text for entry in manager.log.entries(with_nature, 1)] == [rolled]
    assert manager.log.entries(idle) == manager.log.entries(among_bots) == []
    assert brains.thoughts == []
    eve = await enter(manager, among_bots, [])
    await hear(eve, kind("over"))
    await manager.close()


@in_a_loop
async def test_a_bot_does_not_act_when_everybody_has_gone_but_when_somebody_comes_back(
    path: Path, brains: FakeBrains
) -> None:
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "icefrogs", PERSON, BOT)
    ann = await enter(manager, table, codes)
    brains.may_think.clear()
    await act(ann, 0, "S@b1")
    await hear(ann, bots_are("thinking"))
    await manager.leave(ann)
    assert not manager._open
    brains.may_think.set()
    while brains.at_once:
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.05)
    assert [entry.seat for entry in manager.log.entries(table)] == [0]
    again = await enter(manager, table, codes)
    await hear(again, frame(2))
    assert [entry.seat for entry in manager.log.entries(table)] == [0, 1]
    await manager.close()


@in_a_loop
async def test_the_record_of_a_table(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann = await enter(manager, table, codes)
    await act(ann, 0, "S@b1")
    open_record = await manager.record(table)
    await manager.leave(ann)
    assert await manager.record(table) == open_record
    game, record = open_record
    assert game == "icefrogs"
    replayed = games.replay(record)
    assert [state.act for state in replayed.history()] == [None, "S@b1"]
    await manager.close()


# Two servers


@in_a_loop
async def test_two_servers_at_one_table_agree(path: Path, brains: FakeBrains) -> None:
    log = SqliteStore(path)
    halls = [TableManager(log, BotPool(brains, pause=0)) for _ in range(2)]
    table, codes = await create_table(halls[0], "icefrogs", PERSON, PERSON)
    here, there = [await enter(manager, table, codes) for manager in halls]
    await hear(here, kind("welcome"))
    await hear(there, kind("welcome"))
    assert acked(await act(here, 0, "S@b1")) == 1
    # The other server has not heard of it, loses the race, catches up and judges again.
    assert refused(await act(there, 0, "M@b2")).rule == "IF-5"
    (caught_up,) = await hear(there, frame(1))
    assert caught_up["frame"]["line"]["text"] == "S@b1"
    assert acked(await act(there, 1, "S@h1", "this very one")) == 2
    assert acked(await act(there, 0, "S@b2")) == 3
    assert acked(await undo(there, 2)) == 2
    # A retry that reaches the other server gets the first answer, too.
    assert acked(await act(here, 1, "S@h1", "this very one")) == 2
    assert [message["type"] for message in await hear(here, kind("rewound"))] == ["frame"] * 3 + ["rewound"]
    assert here.table is not None
    assert there.table is not None
    assert here.table.views.welcome(here.viewer) == there.table.views.welcome(there.viewer)
    for manager in halls:
        await manager.close()


@in_a_loop
async def test_what_another_server_has_not_kept_rightly_is_not_played(
    path: Path, brains: FakeBrains, caplog: pytest.LogCaptureFixture
) -> None:
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann = await enter(manager, table, codes)
    await asyncio.wrap_future(manager.log.append(table, Entry(1, 0, 0, "S@b1", None, "f" * 64)))
    fault = refused(await act(ann, 0, "S@b1"))
    assert (fault.code, fault.message) == ("not-kept", "This table can't go on: its log is not what was kept.")
    assert "entry 1 of this table's log, 'S@b1', is not what was kept" in caplog.text
    await manager.close()


@in_a_loop
async def test_news_of_other_servers_are_read_once_however_many_come(path: Path, brains: FakeBrains) -> None:
    log = SqliteStore(path)
    halls = [TableManager(log, BotPool(brains, pause=0)) for _ in range(2)]
    table, codes = await create_table(halls[0], "icefrogs", PERSON, PERSON)
    here, there = [await enter(manager, table, codes) for manager in halls]
    await act(here, 0, "S@b1")
    await act(here, 1, "S@h1")
    for news in (table, None, table, "another"):
        halls[1]._hear(news)
    assert len(halls[1]._errands) == 1
    assert [message["type"] for message in await hear(there, frame(2))] == ["welcome", "frame", "frame"]
    for manager in halls:
        await manager.close()


# When nothing can be kept


class BrokenLog(SqliteStore):
    """Fails as often as `failures` says."""

    failures = 0

    async def keep(self, table: str, entry: Entry) -> None:
        if self.failures:
            self.failures -= 1
            raise StoreError("The disk is full, so nothing more can be kept.")
        await super().keep(table, entry)


@in_a_loop
async def test_an_act_that_can_not_be_kept_is_refused_and_may_be_tried_again(path: Path, brains: FakeBrains) -> None:
    log = BrokenLog(path)
    manager = TableManager(log, BotPool(brains, pause=0))
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann = await enter(manager, table, codes)
    log.failures = 1
    assert refused(await act(ann, 0, "S@b1", "mine")) == messages.Fault(
        "not-kept", "The disk is full, so nothing more can be kept.", None, []
    )
    assert acked(await act(ann, 0, "S@b1", "mine")) == 1
    assert [message["type"] for message in await hear(ann, frame(1))] == ["welcome", "frame"]
    await manager.close()


@in_a_loop
async def test_an_act_that_is_kept_after_all_is_shown(
    path: Path, brains: FakeBrains, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = SlowDisk(monkeypatch)
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann = await enter(manager, table, codes)
    monkeypatch.setattr(waits, "PATIENCE", 0.1)
    for _ in range(2):  # the second time nothing is asked of the disk any more
        fault = refused(await act(ann, 0, "S@b1", "mine"))
        assert (fault.code, fault.message) == ("not-kept", "The database does not answer; please try again.")
    disk.may_keep.set()
    assert [message["type"] for message in await hear(ann, frame(1))] == ["welcome", "frame"]
    monkeypatch.undo()
    assert acked(await act(ann, 0, "S@b1", "mine")) == 1
    assert acked(await act(ann, 1, "S@h1")) == 2
    await manager.close()


@in_a_loop
async def test_a_hall_closes_while_its_disk_stands_still(
    path: Path, brains: FakeBrains, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = SlowDisk(monkeypatch)
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann = await enter(manager, table, codes)
    acting = asyncio.create_task(act(ann, 0, "S@b1"))
    while not disk.keeps.is_set():
        await asyncio.sleep(0.001)
    await asyncio.wait_for(manager.close(), PATIENCE)
    disk.may_keep.set()
    assert acked(await acting) == 1


@in_a_loop
async def test_tables_that_can_not_be_read_are_not_listed_and_tell_nothing(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    damaged, sound, odd = [(await found_open(manager, public=True)).table for _ in range(3)]
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE tables SET seats = CAST(x'5b7bff' AS TEXT) WHERE id = ?", (damaged,))
        database.execute("UPDATE tables SET seats = '[]' WHERE id = ?", (odd,))
        database.commit()
    assert [listing.id for listing in await manager.lobby()] == [sound]
    for table in (damaged, odd):
        with pytest.raises(StoreError, match=r"^The database is damaged\.$"):
            await enter(manager, table, [])
    await manager.close()


@in_a_loop
async def test_nature_and_bots_try_again_until_their_act_is_kept(
    path: Path, brains: FakeBrains, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "RETRY", 0)
    log = BrokenLog(path)
    manager = TableManager(log, BotPool(brains, pause=0))
    table, codes = await create_table(manager, "toy", PERSON, BOT, target=100)
    ann = await enter(manager, table, codes)
    brains.may_think.clear()
    await act(ann, 0, "take")
    await hear(ann, frame(2))
    log.failures = 3
    brains.may_think.set()
    heard = await hear(ann, frame(4))
    assert [message["message"] for message in heard if message["type"] == "error"] == [
        "The disk is full, so nothing more can be kept."
    ] * 3
    await manager.close()


# Nature


@in_a_loop
async def test_nature_acts_at_once_and_the_same_after_a_restart(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "toy", PERSON, PERSON, target=100)
    ann = await enter(manager, table, codes)
    for seq in (1, 3, 5):
        await act(ann, (seq // 2) % 2, "take", f"{seq}")
        await hear(ann, frame(seq + 1))
    await manager.close()
    rolled = forget_entry(path, table, 6)  # as if the server had died before the last die was kept
    manager = new_hall(path, brains)
    ann = await enter(manager, table, [])
    heard = await hear(ann, frame(6))
    assert heard[-1]["frame"]["line"] == {
        "seq": 6,
        "seat": -1,
        "text": rolled,
        "effects": [{"kind": "rolled", "spaces": [], "value": rolled}],
    }
    await manager.close()


# Bots


@in_a_loop
async def test_a_bot_acts_when_it_is_to_act_and_says_that_it_thinks(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "icefrogs", PERSON, BOT)
    ann = await enter(manager, table, codes)
    await hear(ann, bots_are("ready"))
    await act(ann, 0, "S@b1")
    heard = await hear(ann, bots_are("ready"))
    assert [message["type"] for message in heard] == ["frame", "bots", "frame", "bots"]
    assert heard[1] == {"type": "bots", "state": "thinking", "seat": 1}
    assert heard[2]["frame"]["line"]["seat"] == 1
    assert list(heard[2]["frame"]["legal"]) == ["0"]
    assert brains.thoughts == [("easy", 1)]
    await manager.close()


@in_a_loop
async def test_bots_wait_for_their_kernels_and_people_do_not(path: Path, brains: FakeBrains) -> None:
    brains.may_wake.clear()
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "icefrogs", PERSON, BOT)
    ann = await enter(manager, table, codes)
    heard = await hear(ann, bots_are("waking"))
    assert [message["type"] for message in heard] == ["welcome", "bots"]
    assert acked(await act(ann, 0, "S@b1")) == 1
    assert acked(await undo(ann, 0)) == 0
    assert acked(await act(ann, 0, "M@b1")) == 1
    late = await enter(manager, table, [])
    assert (await hear(late, bots_are("waking")))[0]["type"] == "welcome"
    assert brains.thoughts == []
    brains.may_wake.set()
    heard = await hear(late, frame(2))
    assert [message.get("state") for message in heard if message["type"] == "bots"] == ["ready", "thinking"]
    await manager.close()


@in_a_loop
async def test_a_game_wakes_once_and_tables_without_bots_say_nothing_of_it(path: Path, brains: FakeBrains) -> None:
    brains.may_wake.clear()
    manager = new_hall(path, brains)
    clients = []
    for _ in range(3):
        table, _ = await create_table(manager, "icefrogs", PERSON, PERSON)
        clients.append(await enter(manager, table, []))
    brains.may_wake.set()
    await asyncio.wait_for(manager.bot_pool.wake(games.load("icefrogs")), PATIENCE)
    await asyncio.sleep(0)
    assert brains.woken == ["icefrogs"]
    for client in clients:
        await hear(client, kind("welcome"))
        assert nothing_more(client)
    await manager.close()


@in_a_loop
async def test_kernels_that_do_not_compile_leave_the_bots_slow_but_playing(
    path: Path, brains: FakeBrains, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_game: object) -> None:
        raise RuntimeError("no compiler")

    monkeypatch.setattr(brains, "warm", fail)
    manager = new_hall(path, brains)
    table, _ = await create_table(manager, "icefrogs", BOT, PERSON)
    await hear(await enter(manager, table, []), frame(1))
    assert "do not compile" in caplog.text
    await manager.close()


@in_a_loop
async def test_bots_play_a_whole_game_among_themselves(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    table, _ = await create_table(manager, "icefrogs", BOT, BOT, BOT, players=3, turn_limit=30)
    eve = await enter(manager, table, [])
    heard = await hear(eve, lambda message: message["type"] == "frame" and message["frame"]["view"]["over"])
    assert [seat for _, seat in brains.thoughts] == [seq % 3 for seq in range(len(brains.thoughts))]
    assert heard[-1]["frame"]["seq"] == len(brains.thoughts) > 5
    assert (await hear(eve, bots_are("ready")))[-1]["seat"] is None
    assert brains.most_at_once == 1
    await manager.close()


@in_a_loop
async def test_an_undo_ends_a_thought_and_the_next_one_waits_for_its_end(path: Path, brains: FakeBrains) -> None:
    def choose(state: State, seat: int) -> str:
        return "S@h1" if state.act == "S@b1" else "M@h2"

    brains.choose = choose
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "icefrogs", PERSON, BOT)
    ann = await enter(manager, table, codes)
    brains.may_think.clear()
    await act(ann, 0, "S@b1")
    await hear(ann, bots_are("thinking"))
    while not brains.thoughts:
        await asyncio.sleep(0.001)
    await undo(ann, 0)
    heard = await hear(ann, bots_are("ready"))
    assert [message["type"] for message in heard] == ["rewound", "bots"]
    await act(ann, 0, "L@b2")
    await hear(ann, bots_are("thinking"))
    brains.may_think.set()
    heard = await hear(ann, frame(2))
    assert heard[-1]["frame"]["line"]["text"] == "M@h2"
    assert len(brains.thoughts) == 2
    assert brains.most_at_once == 1
    assert [entry.text for entry in manager.log.entries(table)] == ["S@b1", "undo 0", "L@b2", "M@h2"]
    await manager.close()


@in_a_loop
async def test_an_undo_to_a_bots_turn_makes_it_think_again(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "icefrogs", BOT, PERSON)
    ann = await enter(manager, table, codes)
    await hear(ann, frame(1))
    await undo(ann, 0)
    heard = await hear(ann, frame(1))
    assert "rewound" in [message["type"] for message in heard]
    assert len(brains.thoughts) == 2
    await manager.close()


@in_a_loop
async def test_bots_play_on_after_a_restart(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "icefrogs", PERSON, BOT)
    ann = await enter(manager, table, codes)
    brains.may_think.clear()
    await act(ann, 0, "S@b1")
    await hear(ann, bots_are("thinking"))
    await manager.close()
    brains.may_think.set()

    manager = new_hall(path, brains)
    assert brains.most_at_once <= 1
    ann = await enter(manager, table, codes)
    heard = await hear(ann, frame(2))
    assert heard[0]["frame"]["seq"] == 1
    assert heard[-1]["frame"]["line"]["seat"] == 1
    await manager.close()


@in_a_loop
async def test_a_bot_that_fails_is_told_and_play_goes_on(
    path: Path, brains: FakeBrains, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_state: State, _seat: int) -> str:
        raise ZeroDivisionError

    brains.choose = fail
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "icefrogs", PERSON, BOT)
    ann = await enter(manager, table, codes)
    await act(ann, 0, "S@b1")
    assert "failed" in (await hear(ann, kind("error")))[-1]["message"]
    assert "ZeroDivisionError" in caplog.text
    brains.choose = lambda state, seat: "castle"  # a bot is judged like everybody
    await undo(ann, 0)
    await act(ann, 0, "M@b1")
    assert "failed" in (await hear(ann, kind("error")))[-1]["message"]
    brains.choose = lambda state, seat: state.legal_actions(seat)[0]
    await undo(ann, 0)
    assert acked(await act(ann, 0, "L@b1")) == 1
    await hear(ann, frame(2))
    await manager.close()


# What acts are worth


@pytest.fixture
def _slow_solver() -> Iterator[None]:
    toy.solver_may_think.clear()
    yield
    toy.solver_may_think.set()


@in_a_loop
async def test_the_worth_of_acts_is_told_to_who_asks(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "toy", PERSON, PERSON)
    ann, eve = await enter(manager, table, codes), await enter(manager, table, [])
    assert ann.table is not None
    ann.table.solve(ann, 0)
    solved = (await hear(ann, kind("solved")))[-1]
    assert solved == {"type": "solved", "seq": 0, "values": {"take": "loss", "stop": "win"}}
    ann.table.solve(eve, 0)
    (error,) = (await hear(eve, kind("error")))[1:]
    assert error["message"] == "The values of acts are shown when the game is over."
    await manager.close()


@pytest.mark.usefixtures("_slow_solver")
@in_a_loop
async def test_play_goes_on_while_acts_are_valued_and_only_the_last_question_counts(
    path: Path, brains: FakeBrains
) -> None:
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "toy", PERSON, PERSON)
    ann = await enter(manager, table, codes)
    assert ann.table is not None
    ann.table.solve(ann, 0)
    await asyncio.sleep(0)
    threads = sum(thread.name == "solve" for thread in threading.enumerate())
    assert acked(await act(ann, 0, "take")) == 1
    await hear(ann, frame(2))
    for number in (1, 0, 2):
        ann.table.solve(ann, number)
    assert sum(thread.name == "solve" for thread in threading.enumerate()) == threads == 1
    toy.solver_may_think.set()
    heard = await hear(ann, lambda message: message["type"] == "solved" and message["seq"] == 2)
    assert [message["seq"] for message in heard] == [0, 2]
    await manager.close()


@pytest.mark.usefixtures("_slow_solver")
@in_a_loop
async def test_nobody_is_told_of_acts_that_were_taken_back(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "toy", PERSON, PERSON)
    ann = await enter(manager, table, codes)
    assert ann.table is not None
    await act(ann, 0, "take")
    await hear(ann, frame(2))
    ann.table.solve(ann, 2)
    await asyncio.sleep(0)
    await undo(ann, 0)
    await act(ann, 0, "stop")
    toy.solver_may_think.set()
    ann.table.solve(ann, 0)
    heard = await hear(ann, kind("solved"))
    assert heard[-1]["seq"] == 0
    assert [message["message"] for message in heard if message["type"] == "error"] == ["Only 1 acts have been made."]
    await manager.close()


@in_a_loop
async def test_a_solver_that_fails_is_told(
    path: Path, brains: FakeBrains, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_state: State) -> None:
        raise RuntimeError("no idea")

    monkeypatch.setattr(toy, "values", fail)
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "toy", PERSON, PERSON)
    ann = await enter(manager, table, codes)
    assert ann.table is not None
    ann.table.solve(ann, 0)
    assert (await hear(ann, kind("error")))[-1]["message"] == "What the acts are worth could not be worked out."
    assert "no idea" in caplog.text
    assert acked(await act(ann, 0, "take")) == 1
    await manager.close()


# Seats by a link


def codes_of(created: messages.TableCreated, seat: int) -> list[str]:
    return [(created.codes | created.invites)[str(seat)]]


async def found_open(manager: TableManager, public: bool = False, **options: Any) -> messages.TableCreated:
    open_seat = messages.SeatRequest("open", "", None)
    request = messages.TableRequest("icefrogs", messages.Options(options), [PERSON, open_seat], public)
    return await manager.create_table(request)


async def sit(client: Listener, seat: int, code: str) -> messages.Ack | messages.Refused:
    assert client.table is not None
    client.know(code)
    return await client.table.ask(client.viewer, messages.Sit(f"{next(ids)}", seat, "Bob", code))


@in_a_loop
async def test_taking_a_seat_is_told_to_all_and_the_seat_is_theirs_at_once(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    created = await found_open(manager)
    ann, bob, eve = [
        await enter(manager, created.table, codes_of(created, 0)),
        *[await enter(manager, created.table, held) for held in (codes_of(created, 1), [])],
    ]
    acked(await sit(bob, 1, "ab" * 16))
    for client, mine, legal in ((ann, [True, False], True), (bob, [False, True], False), (eve, [False] * 2, False)):
        (told,) = (await hear(client, kind("changed")))[-1:]
        assert [seat["mine"] for seat in told["table"]["seats"]] == mine
        assert bool(told["frame"]["legal"]) is legal
    acked(await act(ann, 0, "S@b1"))
    acked(await act(bob, 1, "S@h1"))
    await manager.close()


@in_a_loop
async def test_a_seat_handed_over_is_lost_to_every_browser_at_once(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    desk, phone = await enter(manager, table, codes[:1]), await enter(manager, table, codes[:1])
    assert desk.table is not None
    desk.know("cd" * 16)
    acked(await desk.table.ask(desk.viewer, messages.HandOver("h", 0, "cd" * 16)))
    assert (list(desk.viewer.seats), list(desk.viewer.guest)) == ([], [0])
    assert (not phone.viewer.seats, not phone.viewer.guest) == (True, True)
    assert refused(await act(phone, 0, "S@b1")).code == "not-your-seat"
    await manager.close()


@in_a_loop
async def test_a_code_is_void_for_what_was_asked_while_its_seat_was_handed_over(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    desk, phone = await enter(manager, table, codes[:1]), await enter(manager, table, codes[:1])
    assert desk.table is not None
    handed, acted = await asyncio.gather(
        desk.table.ask(desk.viewer, messages.HandOver("h", 0, "cd" * 16)), act(phone, 0, "S@b1")
    )
    acked(handed)
    assert refused(acted).code == "not-your-seat"
    await manager.close()


@in_a_loop
async def test_of_two_who_take_a_seat_at_once_one_gets_it(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    created = await found_open(manager, public=True)
    bob, cem = [await enter(manager, created.table, []) for _ in range(2)]
    answers = await asyncio.gather(sit(bob, 1, "ab" * 16), sit(cem, 1, "cd" * 16))
    acked(answers[0])
    assert refused(answers[1]).code == "no-invitation"
    assert (list(bob.viewer.seats), list(cem.viewer.seats)) == ([1], [])
    await manager.close()


def here(*seats: int) -> Callable[[dict[str, Any]], bool]:
    return lambda message: message == {"type": "presence", "here": list(seats), "replaceable": []}


@in_a_loop
async def test_who_is_here_and_who_is_away(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann = await enter(manager, table, codes[:1])
    await hear(ann, here(0))
    bob = await enter(manager, table, codes[1:])
    await hear(ann, here(0, 1))
    await hear(bob, here(0, 1))
    await manager.leave(bob)
    await hear(ann, here(0))
    acked(await act(ann, 0, "S@b1"))  # nobody forfeits by being away
    again = await enter(manager, table, codes[1:])
    acked(await act(again, 1, "S@h1"))
    await manager.close()


@in_a_loop
async def test_who_is_away_for_long_may_be_replaced(
    path: Path, brains: FakeBrains, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attendance, "GRACE", 0.05)
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann = await enter(manager, table, codes[:1])
    assert ann.table is not None
    fill = messages.Fill("too early", 1, "easy")
    assert refused(await ann.table.ask(ann.viewer, fill)).code == "not-now"
    await hear(ann, lambda message: message["type"] == "presence" and message["replaceable"] == [1])
    assert refused(await ann.table.ask(ann.viewer, messages.Fill("a", 1, "huge"))).code == "no-level"
    acked(await ann.table.ask(ann.viewer, messages.Fill("b", 1, "easy")))
    acked(await act(ann, 0, "S@b1"))
    await hear(ann, frame(2))
    await manager.close()


def held(seat: int, what: str | None) -> Callable[[dict[str, Any]], bool]:
    return lambda message: message == {"type": "held", "seat": seat, "what": what}


def hold(client: Listener, seat: int, what: str | None) -> None:
    assert client.table is not None
    assert client.table.hold(client, seat, what) is None


def told_meanwhile(client: Listener) -> Messages:
    return [json.loads(client.waiting.get_nowait()) for _ in range(client.waiting.qsize())]


@in_a_loop
async def test_the_others_see_what_somebody_has_in_hand(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann, window, bob, eve = [await enter(manager, table, held) for held in (codes[:1], codes[:1], codes[1:], [])]
    everybody = (ann, window, bob, eve)
    for client in everybody:
        told_meanwhile(client)
    hold(ann, 0, "S")
    hold(ann, 0, "S")
    hold(ann, 0, "M")
    hold(window, 0, None)  # it holds nothing
    hold(ann, 0, None)
    hold(ann, 0, None)
    for client in (window, bob, eve):
        assert [message["what"] for message in told_meanwhile(client)] == ["S", "M", None]
    hold(ann, 0, "S")
    late = await enter(manager, table, [])
    assert held(0, "S")(told_meanwhile(late)[-1])
    for client in everybody:
        told_meanwhile(client)
    acked(await act(ann, 0, "S@b1"))
    hold(ann, 0, None)  # all hands are empty since the act
    hold(bob, 1, "S")
    assert [message["type"] for message in told_meanwhile(eve)] == ["frame", "held"]
    await manager.leave(bob)
    (let_go, _) = await hear(eve, held(1, None)), None
    assert let_go
    assert [message["type"] for message in told_meanwhile(ann)] == ["frame", "held", "held", "presence"]
    assert manager.log.entries(table)[-1].text == "S@b1"
    await manager.close()


@in_a_loop
async def test_what_can_not_be_acted_with_is_not_held(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann, bob, eve = [await enter(manager, table, held) for held in (codes[:1], codes[1:], [])]
    for client in (ann, bob, eve):
        told_meanwhile(client)
    assert ann.table is not None
    for client, seat in ((eve, 0), (bob, 0), (ann, 1), (ann, -1), (eve, 99)):
        refusal = ann.table.hold(client, seat, "S")
        assert refusal is not None
        assert refusal.message == "This browser does not hold that seat."
    for client, seat, what in ((bob, 1, "S"), (ann, 0, "i1"), (ann, 0, "buy now"), (ann, 0, "S@b1"), (ann, 0, "")):
        hold(client, seat, what)
    assert [told_meanwhile(client) for client in (ann, bob, eve)] == [[], [], []]
    hold(ann, 0, "S")
    hold(ann, 0, "a word")  # the hand is empty then
    assert [message["what"] for message in told_meanwhile(eve)] == ["S", None]
    await manager.close()


@in_a_loop
async def test_hands_are_empty_after_an_undo_in_a_pause_and_when_a_seat_is_given_away(
    path: Path, brains: FakeBrains
) -> None:
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    both, eve = await enter(manager, table, codes), await enter(manager, table, [])
    assert both.table is not None
    acked(await act(both, 0, "S@b1"))
    hold(both, 1, "S")
    await hear(eve, held(1, "S"))
    acked(await undo(both, 0))
    assert (await hear(eve, kind("rewound")))[-1]["frame"]["seq"] == 0
    assert all(message["type"] != "held" for message in told_meanwhile(await enter(manager, table, [])))
    hold(both, 0, "S")
    acked(await both.table.ask(both.viewer, messages.Offer("p", "pause")))
    await hear(eve, held(0, None))
    acked(await both.table.ask(both.viewer, messages.Offer("r", "resume")))
    hold(both, 0, "M")
    acked(await both.table.ask(both.viewer, messages.HandOver("h", 0, "ab" * 16)))
    await hear(eve, held(0, None))
    await manager.close()


@in_a_loop
async def test_who_does_not_see_the_game_does_not_see_what_is_held(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    request = messages.TableRequest("icefrogs", messages.Options({}), [PERSON, PERSON], live=False)
    created = await manager.create_table(request)
    ann, eve = await enter(manager, created.table, [*created.codes.values()]), await enter(manager, created.table, [])
    hold(ann, 0, "S")
    late = await enter(manager, created.table, [])
    assert all(message["type"] in ("welcome", "presence") for message in told_meanwhile(eve) + told_meanwhile(late))
    await manager.close()


@in_a_loop
async def test_lots_are_drawn_when_all_are_there_and_a_restart_keeps_them(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    request = messages.TableRequest("icefrogs", messages.Options({}), [PERSON, PERSON], lots=True)
    created = await manager.create_table(request)
    codes = codes_of(created, 0)
    ann = await enter(manager, created.table, codes)
    await hear(ann, lambda message: message["type"] == "changed" and message["table"]["started"])
    seats = ann.viewer.seats
    await manager.close()
    manager = new_hall(path, brains)
    assert (await enter(manager, created.table, codes)).viewer.seats == seats
    await manager.close()


@in_a_loop
async def test_the_lobby_lists_public_tables_until_they_are_over(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    await found_open(manager)
    created = await found_open(manager, public=True)
    (waiting,) = await manager.lobby()
    assert (waiting.id, waiting.started, [seat.kind for seat in waiting.seats]) == (
        created.table,
        False,
        ["person", "open"],
    )
    bob = await enter(manager, created.table, [])
    acked(await sit(bob, 1, "ab" * 16))
    (running,) = await manager.lobby()
    assert (running.started, [seat.name for seat in running.seats]) == (True, ["Ann", "Bob"])
    await manager.close()


@in_a_loop
async def test_the_next_game_by_link_is_told_to_all_and_there_is_one(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "toy", PERSON, PERSON, target=5)
    ann, bob = await enter(manager, table, codes[:1]), await enter(manager, table, codes[1:])
    acked(await act(ann, 0, "stop"))
    opened = [await manager.follow(table, messages.NextRequest([code], rotate=False)) for code in codes]
    assert opened[0] == opened[1]
    assert (await hear(bob, kind("next")))[-1]["table"] == opened[0].table
    there = await enter(manager, opened[0].table, codes[1:])
    assert there.viewer.seats == {1}
    await manager.close()


# Games without turns


def lifted(by: int) -> Callable[[dict[str, Any]], bool]:
    return lambda message: (
        message["type"] == "frame"
        and message["frame"]["line"]
        == {
            **message["frame"]["line"],
            "seat": by,
            "text": "lift S",
        }
    )


async def nobody_acts(table_state: TableState) -> None:
    """Wait until for some time nothing has come; an act may still have been on its way."""
    entries = -1
    while entries != table_state.entries:
        entries = table_state.entries
        await asyncio.sleep(0.1)


@in_a_loop
async def test_bots_act_when_they_mean_to_while_somebody_is_there(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    table_id, codes = await create_table(manager, "icehouse", PERSON, BOT, BOT, players=3)
    ann = await enter(manager, table_id, codes)
    await hear(ann, lambda message: message["type"] == "frame" and message["frame"]["view"]["ready"] == [1, 2])
    acked(await act(ann, 0, "ready"))
    for seat in (1, 2):
        await hear(ann, lifted(seat))
    acked(await act(ann, 0, "lift L"))
    assert ann.table is not None
    table_state = ann.table.state
    await manager.leave(ann)
    await asyncio.wait_for(nobody_acts(table_state), PATIENCE)
    assert table_state.due is not None
    again = await enter(manager, table_id, codes)
    for seat in (1, 2):
        await hear(again, lifted(seat))
    await manager.close()


@in_a_loop
async def test_a_bot_that_was_too_late_looks_again(path: Path, brains: FakeBrains) -> None:
    """Its hand is empty when it wants to put something back: somebody has called."""
    manager = new_hall(path, brains)
    table_id, codes = await create_table(manager, "icehouse", PERSON, BOT, players=2, false_call="free")
    ann = await enter(manager, table_id, codes)
    await hear(ann, lambda message: message["type"] == "frame" and message["frame"]["view"]["ready"] == [1])
    assert ann.table is not None
    acked(await act(ann, 0, "ready"))
    await hear(ann, lifted(1))
    table = ann.table
    async with table._lock:
        while not table._lock._waiters:  # it asks, and waits for its turn
            await asyncio.sleep(0.001)
        await table._enter(table.state.act(ANYBODY, 0, "icehouse", time.time_ns() // 10**6))
    heard = await hear(ann, lifted(1))
    assert brains.refused == 0
    assert {message["type"] for message in heard} <= {"frame", "ack"}
    await manager.close()


@in_a_loop
async def test_whoever_leaves_a_table_of_bots_at_any_moment_comes_in_again(path: Path, brains: FakeBrains) -> None:
    """Bots act, think and wait for their moments meanwhile."""
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "icehouse", PERSON, BOT, BOT, BOT, players=4, timer=0.0)
    ann = await enter(manager, table, codes)
    for visit in range(60):
        await hear(ann, kind("welcome"))
        if not visit:
            acked(await act(ann, 0, "ready"))
        await asyncio.sleep(0.002 * (visit % 13))
        await manager.leave(ann)
        assert not manager._open
        ann = await enter(manager, table, codes)
    await manager.close()


@in_a_loop
async def test_bots_play_the_seats_that_the_lots_gave_them_and_no_others(path: Path, brains: FakeBrains) -> None:
    for _ in range(12):
        manager = new_hall(path, brains)
        seats = [PERSON, BOT, messages.SeatRequest("bot", "Robot", "hard")]
        created = await manager.create_table(
            messages.TableRequest("icehouse", messages.Options({"players": 3}), seats, lots=True)
        )
        ann = await enter(manager, created.table, list(created.codes.values()))
        await hear(ann, lambda message: message["type"] == "changed" and message["table"]["started"])
        (mine,) = ann.viewer.seats
        acked(await act(ann, mine, "ready"))
        for seat in {0, 1, 2} - {mine}:
            await hear(ann, lifted(seat))
        asked = [entry.client_id is not None for entry in manager.log.entries(created.table) if entry.seat == mine]
        assert asked == [True]
        assert ann.table is not None
        hands = ann.table.autoplayer._hands
        assert hands is not None
        assert {seat: player.level for seat, player in hands._players.items()} == ann.table.state.bots
        await manager.close()


@in_a_loop
async def test_bots_among_themselves_play_while_somebody_watches(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    table, _ = await create_table(manager, "icefrogs", BOT, BOT, turn_limit=0)
    eve = await enter(manager, table, [])
    await hear(eve, frame(3))
    await manager.leave(eve)
    assert not manager._open
    kept = len(manager.log.entries(table))
    await asyncio.sleep(0.1)
    assert len(manager.log.entries(table)) == kept
    manager.resume()
    await asyncio.sleep(0.1)
    assert len(manager.log.entries(table)) == kept
    again = await enter(manager, table, [])
    await hear(again, frame(kept + 2))
    await manager.close()


@in_a_loop
async def test_nature_does_not_act_behind_an_end_or_in_a_pause_that_was_agreed_at_its_moment(
    path: Path, brains: FakeBrains
) -> None:
    for what in ("draw", "pause"):
        manager = new_hall(path, brains)
        table_id, codes = await create_table(manager, "toy", PERSON, PERSON, target=100)
        ann, bob = await enter(manager, table_id, codes[:1]), await enter(manager, table_id, codes[1:])
        table = ann.table
        assert table is not None
        acked(await table.ask(ann.viewer, messages.Offer(f"{next(ids)}", what)))
        number = table.state.entries
        taking = asyncio.create_task(act(ann, 0, "take"))
        agreeing = asyncio.create_task(table.ask(bob.viewer, messages.Vote(f"{next(ids)}", number, agree=True)))
        acked(await taking)
        acked(await agreeing)
        await manager.leave(ann)
        await manager.leave(bob)
        texts = [entry.text for entry in manager.log.entries(table_id)]
        assert [text for text in texts if text.startswith("die")] == []
        assert texts[1] == "take"
        if what == "draw":
            assert fairness.verify((await manager.record(table_id))[1]).entries == 3
        await manager.close()


@in_a_loop
async def test_what_chance_drew_from_is_shown_at_the_end_and_from_then_on_nothing_is_taken_back(
    path: Path, brains: FakeBrains
) -> None:
    manager = new_hall(path, brains)
    table, codes = await create_table(manager, "toy", PERSON, PERSON)
    both = await enter(manager, table, codes)
    await act(both, 0, "stop")
    over = await hear(both, kind("over"))
    assert both.table is not None
    assert over[-1]["ending"]["secret"] == both.table.state.setup.secret.hex()
    refused = await undo(both, 0)
    assert isinstance(refused, messages.Refused)
    assert refused.fault.code == "not-now"
    assert both.table.views.frame(both.viewer).undo is UNSET
    await manager.close()


@in_a_loop
async def test_a_closed_table_is_freed_without_a_search_for_garbage(path: Path, brains: FakeBrains) -> None:
    manager = new_hall(path, brains)
    gc.disable()
    try:
        for game, seats in (("icehouse", [PERSON, BOT, BOT]), ("toy", [PERSON, BOT]), ("icefrogs", [PERSON, PERSON])):
            table, codes = await create_table(manager, game, *seats, players=len(seats))
            ann = await enter(manager, table, codes)
            await act(ann, 0, "ready" if game == "icehouse" else "take" if game == "toy" else "S@b1")
            await hear(ann, kind("frame"))
            assert ann.table is not None
            gone = weakref.ref(ann.table), weakref.ref(ann.table.state)
            await manager.leave(ann)
            del ann
            while any(one() is not None for one in gone):
                await asyncio.sleep(0.01)  # a thought may be under way
    finally:
        gc.enable()
    await manager.close()
