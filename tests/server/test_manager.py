"""The tables of a server, opened and closed, without a network."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import TYPE_CHECKING, Any

import pytest

from icetable import games
from icetable.core.errors import GameError
from icetable.server import messages
from icetable.server.errors import TableNotFound
from icetable.server.live.manager import TableManager, every
from icetable.server.store import database, open_store
from icetable.server.store.errors import StoreError
from icetable.server.store.store import Store
from icetable.server.table.log import Entry
from icetable.server.table.state import TableState

from .fakes import PATIENCE, BrokenDatabase, FakeBots, SlowDisk
from .support import (
    BOT,
    PERSON,
    acked,
    act,
    codes_of,
    create_open_table,
    create_table,
    forget_entry,
    frame,
    join,
    kind,
    new_manager,
    nothing_more,
    receive,
    refused,
    sit,
    tamper,
    undo,
)
from .table_states import request

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy_game")]


# Clients


async def test_every_client_at_the_table_is_shown_an_act(manager: TableManager) -> None:
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann, bob, eve = [await join(manager, table, held) for held in (codes[:1], codes[1:], [])]
    assert acked(await act(ann, 0, "S@b1")) == 1
    heard = [await receive(client, frame(1)) for client in (ann, bob, eve)]
    assert [[message["type"] for message in messages] for messages in heard] == [["welcome", "frame"]] * 3
    assert [messages[0]["table"]["seats"][0]["mine"] for messages in heard] == [True, False, False]
    assert [list(messages[1]["frame"]["legal"]) for messages in heard] == [[], ["1"], []]
    assert [messages[1]["frame"]["view"]["seat"] for messages in heard] == [0, 1, None]


async def test_a_table_closes_behind_the_last_client_and_opens_again(manager: TableManager) -> None:
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann, eve = await join(manager, table, codes), await join(manager, table, [])
    await act(ann, 0, "S@b1", "first")
    first = ann.table
    await manager.leave(ann)
    again = await join(manager, table, codes)
    assert again.table is first
    await manager.leave(again)
    await manager.leave(eve)
    back = await join(manager, table, codes)
    assert back.table is not first
    (welcome,) = await receive(back, kind("welcome"))
    assert [line["text"] for line in welcome["lines"]] == ["S@b1"]
    assert acked(await act(back, 0, "S@b1", "first")) == 1


async def test_clients_that_join_and_leave_at_the_same_time_meet_at_one_table(manager: TableManager) -> None:
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON, turn_limit=0)

    async def come_and_go() -> None:
        client = await join(manager, table, codes)
        state = client.table.state.position
        seat = min(state.to_act)
        await act(client, seat, state.legal_actions(seat)[0])
        await manager.leave(client)

    await asyncio.gather(*(come_and_go() for _ in range(60)))
    entries = manager.tables.store.logs.entries(table)
    client = await join(manager, table, codes)
    assert client.table.state.entries == len(entries) > 0


async def test_joining_another_table_leaves_the_first(manager: TableManager) -> None:
    first, first_codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    second, second_codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann, eve = await join(manager, first, first_codes), await join(manager, first, [])
    await ann.join(manager, second, second_codes)
    await act(ann, 0, "S@b1")
    assert [message["type"] for message in await receive(ann, frame(1))] == ["welcome", "welcome", "frame"]
    assert len(await receive(eve, kind("welcome"))) == 1
    assert nothing_more(eve)
    await ann.join(manager, first, second_codes)
    assert refused(await act(ann, 0, "S@b1")).code == "not-your-seat"
    with pytest.raises(TableNotFound):
        await ann.join(manager, "nowhere", [])
    assert ann.table is eve.table


# Tables that can't be opened


async def test_tables_that_do_not_exist_or_can_not_be_created(manager: TableManager) -> None:
    with pytest.raises(TableNotFound, match="There is no such table"):
        await join(manager, "nowhere", [])
    with pytest.raises(TableNotFound, match="There is no such table"):
        await manager.tables.record("nowhere")
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


async def test_an_option_that_is_null_is_left_at_its_default(manager: TableManager) -> None:
    table, _ = await create_table(manager, "icefrogs", PERSON, PERSON, board=None, turn_limit=7, players=None)
    (welcome,) = await receive(await join(manager, table, []), kind("welcome"))
    assert welcome["table"]["options"] == {"players": 2, "board": "star", "turn_limit": 7}


async def test_a_log_that_does_not_fit_the_rules_opens_no_table(manager: TableManager) -> None:
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    setup = manager.tables.store.tables.setup(table)
    assert setup is not None
    table_state = TableState(setup, games.info(setup.game).load(**setup.options))
    await asyncio.wrap_future(manager.tables.store.logs.append_soon(table, table_state.chained(Entry(1, 0, 0, "S@e3"))))
    for _ in range(2):
        with pytest.raises(TableNotFound, match="its log does not fit the current rules"):
            await join(manager, table, codes)


async def test_a_log_that_was_changed_opens_no_table(
    manager: TableManager, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann = await join(manager, table, codes)
    await act(ann, 0, "S@b1")
    await act(ann, 1, "S@h1")
    await manager.leave(ann)
    tamper(path, "UPDATE acts SET text = 'S@b2' WHERE seq = 1")
    with pytest.raises(TableNotFound, match="its log has been changed since it was stored"):
        await join(manager, table, codes)
    (told,) = caplog.records
    assert told.__dict__["secrets"] == {
        "table": table,
        "cause": "entry 1 of this table's log, 'S@b2', is not what was stored",
    }


# Restarts


async def test_at_the_start_chance_goes_on_and_bots_wait_for_a_client(path: Path, bots: FakeBots) -> None:
    manager = new_manager(path, bots)
    among_bots, _ = await create_table(manager, "icefrogs", BOT, BOT, turn_limit=6)
    with_chance, codes = await create_table(manager, "toy", PERSON, PERSON, target=100)
    ann = await join(manager, with_chance, codes)
    await act(ann, 0, "take")
    await receive(ann, frame(2))
    idle, _ = await create_table(manager, "icefrogs", PERSON, BOT)
    await manager.close()
    rolled = forget_entry(path, with_chance, 2)  # as if the server had died before the die was kept

    manager = new_manager(path, bots)
    manager.start()
    while not manager.tables.store.logs.entries(with_chance, 1) or manager.tables.open:
        await asyncio.sleep(0.01)
    assert [entry.text for entry in manager.tables.store.logs.entries(with_chance, 1)] == [rolled]
    assert manager.tables.store.logs.entries(idle) == manager.tables.store.logs.entries(among_bots) == []
    assert bots.thoughts == []
    eve = await join(manager, among_bots, [])
    await receive(eve, kind("over"))
    await manager.close()


async def test_lots_are_drawn_when_all_seats_are_taken_and_a_restart_keeps_them(path: Path, bots: FakeBots) -> None:
    manager = new_manager(path, bots)
    created = await manager.tables.create(request("icefrogs", PERSON, PERSON, random_seats=True))
    codes = codes_of(created, 0)
    ann = await join(manager, created.table, codes)
    await receive(ann, lambda message: message["type"] == "changed" and message["table"]["started"])
    seats = ann.viewer.seats
    await manager.close()
    manager = new_manager(path, bots)
    assert (await join(manager, created.table, codes)).viewer.seats == seats
    await manager.close()


# Records, lobby, series


async def test_the_record_of_a_table(manager: TableManager) -> None:
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann = await join(manager, table, codes)
    await act(ann, 0, "S@b1")
    open_record = await manager.tables.record(table)
    await manager.leave(ann)
    assert await manager.tables.record(table) == open_record
    game, record = open_record
    assert game == "icefrogs"
    replayed = games.replay(record)
    assert [state.act for state in replayed.history()] == [None, "S@b1"]


async def test_the_lobby_lists_public_tables_until_they_are_over(manager: TableManager) -> None:
    await create_open_table(manager)
    created = await create_open_table(manager, public=True)
    (waiting,) = await manager.lobby.listings()
    assert (waiting.id, waiting.started, [seat.kind for seat in waiting.seats]) == (
        created.table,
        False,
        ["person", "open"],
    )
    bob = await join(manager, created.table, [])
    acked(await sit(bob, 1, "ab" * 16))
    (running,) = await manager.lobby.listings()
    assert (running.started, [seat.name for seat in running.seats]) == (True, ["Ann", "Bob"])


async def test_the_next_game_is_announced_to_all_and_created_once(manager: TableManager) -> None:
    table, codes = await create_table(manager, "toy", PERSON, PERSON, target=5)
    ann, bob = await join(manager, table, codes[:1]), await join(manager, table, codes[1:])
    acked(await act(ann, 0, "stop"))
    opened = [await manager.tables.create_next(table, messages.NextRequest([code], rotate=False)) for code in codes]
    assert opened[0] == opened[1]
    assert (await receive(bob, kind("next")))[-1]["table"] == opened[0].table
    there = await join(manager, opened[0].table, codes[1:])
    assert there.viewer.seats == {1}


# Two servers


async def test_two_servers_at_one_table_agree(path: Path, bots: FakeBots) -> None:
    store = open_store(path)
    managers = [new_manager(store, bots) for _ in range(2)]
    table, codes = await create_table(managers[0], "icefrogs", PERSON, PERSON)
    here, there = [await join(manager, table, codes) for manager in managers]
    await receive(here, kind("welcome"))
    await receive(there, kind("welcome"))
    assert acked(await act(here, 0, "S@b1")) == 1
    # The other server has not heard of it, loses the race, catches up and judges again.
    assert refused(await act(there, 0, "M@b2")).rule == "IF-5"
    (caught_up,) = await receive(there, frame(1))
    assert caught_up["frame"]["line"]["text"] == "S@b1"
    assert acked(await act(there, 1, "S@h1", "this very one")) == 2
    assert acked(await act(there, 0, "S@b2")) == 3
    assert acked(await undo(there, 2)) == 2
    # A retry that reaches the other server gets the first answer, too.
    assert acked(await act(here, 1, "S@h1", "this very one")) == 2
    assert [message["type"] for message in await receive(here, kind("rewound"))] == ["frame"] * 3 + ["rewound"]
    assert here.table.views.welcome(here.viewer) == there.table.views.welcome(there.viewer)
    for manager in managers:
        await manager.close()


async def test_an_entry_that_does_not_fit_the_log_is_not_applied(
    manager: TableManager, caplog: pytest.LogCaptureFixture
) -> None:
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann = await join(manager, table, codes)
    await asyncio.wrap_future(manager.tables.store.logs.append_soon(table, Entry(1, 0, 0, "S@b1", None, "f" * 64)))
    fault = refused(await act(ann, 0, "S@b1"))
    assert (fault.code, fault.message) == (
        "not-kept",
        "This table can't continue: its log has been changed since it was stored.",
    )
    assert "entry 1 of this table's log, 'S@b1', is not what was stored" in str(caplog.records[-1].__dict__["secrets"])


async def test_notices_of_other_servers_lead_to_one_reading_however_many_come(path: Path, bots: FakeBots) -> None:
    store = open_store(path)
    managers = [new_manager(store, bots) for _ in range(2)]
    table, codes = await create_table(managers[0], "icefrogs", PERSON, PERSON)
    here, there = [await join(manager, table, codes) for manager in managers]
    await act(here, 0, "S@b1")
    await act(here, 1, "S@h1")
    for news in (table, None, table, "another"):
        managers[1].tables._on_entries(news)
    assert len(managers[1].tables._tasks) == 1
    assert [message["type"] for message in await receive(there, frame(2))] == ["welcome", "frame", "frame"]
    for manager in managers:
        await manager.close()


# When nothing can be stored


async def test_an_act_that_can_not_be_stored_is_refused_and_may_be_retried(path: Path, bots: FakeBots) -> None:
    database = BrokenDatabase(path)
    manager = new_manager(Store(database), bots)
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann = await join(manager, table, codes)
    database.failures = 1
    assert refused(await act(ann, 0, "S@b1", "mine")) == messages.Fault(
        "not-kept", "The disk is full, so nothing more can be stored.", None, []
    )
    assert acked(await act(ann, 0, "S@b1", "mine")) == 1
    assert [message["type"] for message in await receive(ann, frame(1))] == ["welcome", "frame"]
    await manager.close()


async def test_an_act_that_is_stored_late_is_shown(manager: TableManager, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = SlowDisk(monkeypatch)
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann = await join(manager, table, codes)
    monkeypatch.setattr(database, "WRITE_TIMEOUT_SECONDS", 0.1)
    for _ in range(2):  # the second time nothing is asked of the disk any more
        fault = refused(await act(ann, 0, "S@b1", "mine"))
        assert (fault.code, fault.message) == ("not-kept", "The database does not answer; please try again.")
    disk.may_keep.set()
    assert [message["type"] for message in await receive(ann, frame(1))] == ["welcome", "frame"]
    monkeypatch.undo()
    assert acked(await act(ann, 0, "S@b1", "mine")) == 1
    assert acked(await act(ann, 1, "S@h1")) == 2


async def test_a_manager_closes_while_its_disk_stands_still(
    path: Path, bots: FakeBots, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("icetable.server.store.database.CLOSE_TIMEOUT_SECONDS", 0.1)
    disk = SlowDisk(monkeypatch)
    manager = new_manager(path, bots)
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann = await join(manager, table, codes)
    acting = asyncio.create_task(act(ann, 0, "S@b1"))
    while not disk.keeps.is_set():
        await asyncio.sleep(0.001)
    await asyncio.wait_for(manager.close(), PATIENCE)
    disk.may_keep.set()
    assert acked(await acting) == 1


async def test_tables_that_can_not_be_read_are_not_listed_and_reveal_nothing(manager: TableManager, path: Path) -> None:
    damaged, sound, odd = [(await create_open_table(manager, public=True)).table for _ in range(3)]
    tamper(path, "UPDATE tables SET seats = CAST(x'5b7bff' AS TEXT) WHERE id = ?", (damaged,))
    tamper(path, "UPDATE tables SET seats = '[]' WHERE id = ?", (odd,))
    assert [listing.id for listing in await manager.lobby.listings()] == [sound]
    for table in (damaged, odd):
        with pytest.raises(StoreError, match=r"^The database is damaged\.$"):
            await join(manager, table, [])


# Memory


async def test_a_closed_table_is_freed_without_the_garbage_collector(
    manager: TableManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("icetable.server.live.tables.replays.REPLAY_SECONDS", 0.01)
    gc.disable()
    try:
        for game, seats in (("icehouse", [PERSON, BOT, BOT]), ("toy", [PERSON, BOT]), ("icefrogs", [PERSON, PERSON])):
            table, codes = await create_table(manager, game, *seats, players=len(seats))
            ann = await join(manager, table, codes)
            await act(ann, 0, "ready" if game == "icehouse" else "take" if game == "toy" else "S@b1")
            await receive(ann, kind("frame"))
            gone = weakref.ref(ann.table), weakref.ref(ann.table.state)
            await manager.leave(ann)
            del ann
            while any(one() is not None for one in gone):
                await asyncio.sleep(0.01)  # a thought may be under way
    finally:
        gc.enable()


async def test_a_closed_table_has_no_timer_left(manager: TableManager) -> None:
    """The seats are drawn while it closes, which gives the seats to other players."""
    await create_table(manager, "icefrogs", PERSON, PERSON, random_seats=True)
    manager.start()
    while not manager.tables.open:
        await asyncio.sleep(0)
    (table,) = manager.tables.open.values()
    while manager.tables.open:
        await asyncio.sleep(0.01)
    assert table.state.seating.started
    assert table._presence._timer is None
    assert table._autoplayer._timer is None


async def test_work_at_intervals_goes_on_after_an_error() -> None:
    done: asyncio.Queue[int] = asyncio.Queue()

    async def work() -> None:
        await done.put(done.qsize())
        raise ValueError

    working = asyncio.create_task(every(0.0, work))
    async with asyncio.timeout(PATIENCE):
        await done.get()
        await done.get()
    working.cancel()
