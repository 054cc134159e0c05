"""Games with a bell that everybody has left: bots and the bell go on together, and then rest together."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from icetable.server import messages
from icetable.server.live.tables import autoplay, tables
from icetable.server.live.tables import table as live
from icetable.server.store.store import Store
from icetable.server.table import fairness
from icetable.server.table.log import HOST, Pause, Resume, read_event

from .fakes import BrokenDatabase
from .support import BOT, PERSON, acked, act, create_table, ids, join, kind, new_manager, receive

if TYPE_CHECKING:
    from pathlib import Path

    from icetable.server.live.manager import TableManager

    from .fakes import FakeBots, Listener

pytestmark = pytest.mark.anyio


async def begin(manager: TableManager, *seats: messages.SeatRequest) -> tuple[str, list[str], Listener]:
    """A game of Icehouse under way: its table, the codes of the persons, and a client that holds them all."""
    table_id, codes = await create_table(manager, "icehouse", *seats, players=len(seats))
    client = await join(manager, table_id, codes)
    for seat, one in enumerate(seats):
        if one.kind == "person":
            acked(await act(client, seat, "ready"))
    while not client.table.state.bell_is_pending:
        await asyncio.sleep(0.001)
    return table_id, codes, client


async def play_on(store: Store, table_id: str) -> None:
    """Wait until bots have acted."""
    length = store.logs.length(table_id)
    while store.logs.length(table_id) < length + 3:
        await asyncio.sleep(0.01)


async def let_the_minute_pass(manager: TableManager) -> None:
    others = set(manager.tables._tasks)
    manager.tables._pause_timers.end_first()
    while manager.tables._tasks - others:
        await asyncio.sleep(0.001)


def is_paused(store: Store, table_id: str) -> bool:
    last = store.logs.entries(table_id)[-1]
    return last.seat == HOST and isinstance(read_event(last.text), Pause)


async def test_bots_play_on_while_a_page_is_loaded_again(manager: TableManager) -> None:
    table_id, codes, client = await begin(manager, PERSON, BOT)
    await manager.leave(client)
    await play_on(manager.tables.store, table_id)
    again = await join(manager, table_id, codes)
    assert not (await receive(again, kind("welcome")))[-1]["table"]["paused"]
    assert not manager.tables._pause_timers


async def test_after_a_minute_bots_and_bell_rest_together_until_a_player_goes_on(
    manager: TableManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id, codes, client = await begin(manager, PERSON, BOT)
    due = client.table.state.due
    assert due is not None
    await manager.leave(client)
    await let_the_minute_pass(manager)
    assert is_paused(manager.tables.store, table_id)
    assert not manager.tables.open
    assert not manager.tables._clock_timers
    again = await join(manager, table_id, codes)
    table = (await receive(again, kind("welcome")))[-1]["table"]
    assert (table["paused"], table["unattended"]) == (True, True)
    assert again.table.state.due is None
    acked(await again.table.handle(again.viewer, messages.Offer(f"{next(ids)}", "resume")))
    await play_on(manager.tables.store, table_id)
    table_state = again.table.state
    assert table_state.due == due
    acked(await again.table.handle(again.viewer, messages.Offer(f"{next(ids)}", "pause")))
    paused = await receive(again, lambda message: message.get("table", {}).get("paused", False))
    assert not paused[-1]["table"]["unattended"]
    acked(await again.table.handle(again.viewer, messages.Offer(f"{next(ids)}", "resume")))
    rung = table_state.setup.created + table_state.timing.skipped + due
    for module in (live, autoplay):
        monkeypatch.setattr(module, "now", lambda: rung)
    again.table._autoplayer.update()
    await receive(again, kind("over"))
    assert manager.tables.store.logs.entries(table_id)[-1].at == due
    assert fairness.verify((await manager.tables.record(table_id))[1]).drawn == 1


async def test_bots_alone_go_on_when_somebody_watches_again(manager: TableManager) -> None:
    table_id, _, client = await begin(manager, BOT, BOT)
    await manager.leave(client)
    await let_the_minute_pass(manager)
    assert is_paused(manager.tables.store, table_id)
    await join(manager, table_id, [])
    await play_on(manager.tables.store, table_id)
    assert sum(isinstance(read_event(entry.text), Resume) for entry in manager.tables.store.logs.entries(table_id)) == 1


async def test_a_watcher_does_not_resume_a_game_of_others(manager: TableManager) -> None:
    table_id, _, client = await begin(manager, PERSON, BOT)
    await manager.leave(client)
    await let_the_minute_pass(manager)
    eve = await join(manager, table_id, [])
    assert eve.table._autoplayer._resumption._running is None
    assert is_paused(manager.tables.store, table_id)


async def test_a_game_that_was_under_way_goes_on_after_a_restart_and_then_rests(path: Path, bots: FakeBots) -> None:
    manager = new_manager(path, bots)
    table_id, codes, _ = await begin(manager, PERSON, BOT)
    await manager.close()
    manager = new_manager(path, bots)
    manager.start()
    await play_on(manager.tables.store, table_id)
    await let_the_minute_pass(manager)
    await manager.close()
    manager = new_manager(path, bots)
    manager.start()
    again = await join(manager, table_id, codes)
    assert (await receive(again, kind("welcome")))[-1]["table"]["paused"]
    assert not manager.tables._pause_timers
    await manager.close()


async def test_of_many_games_that_were_left_the_first_rests_at_once(
    manager: TableManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "MAX_UNATTENDED", 1)
    first, _, ann = await begin(manager, PERSON, BOT)
    second, _, bob = await begin(manager, PERSON, BOT)
    await manager.leave(ann)
    await manager.leave(bob)
    while first in manager.tables.open:
        await asyncio.sleep(0.001)
    assert is_paused(manager.tables.store, first)
    assert not is_paused(manager.tables.store, second)


async def test_a_game_goes_on_while_a_player_is_there_by_another_process(manager: TableManager) -> None:
    table_id, _, client = await begin(manager, PERSON, BOT)
    presence = client.table._presence
    await manager.leave(client)
    presence._tracker.receive("another", {0}, {}, asyncio.get_running_loop().time())
    presence.update()
    await let_the_minute_pass(manager)
    assert not manager.tables.open
    assert not is_paused(manager.tables.store, table_id)
    assert manager.tables._clock_timers


async def test_where_no_bell_rings_nothing_has_to_rest(manager: TableManager) -> None:
    table_id, codes = await create_table(manager, "icehouse", PERSON, BOT, players=2, timer=0.0)
    client = await join(manager, table_id, codes)
    acked(await act(client, 0, "ready"))
    await manager.leave(client)
    assert not manager.tables.open
    again = await join(manager, table_id, codes)
    assert not (await receive(again, kind("welcome")))[-1]["table"]["paused"]


async def test_a_pause_that_could_not_be_stored_comes_a_minute_later(
    path: Path, bots: FakeBots, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autoplay, "RETRY_SECONDS", 0.01)
    database = BrokenDatabase(path)
    manager = new_manager(Store(database), bots)
    table_id, _, client = await begin(manager, PERSON, BOT)
    await manager.leave(client)
    database.failures = 10**6
    await let_the_minute_pass(manager)
    assert len(manager.tables._pause_timers) == len(manager.tables.open) == 1
    database.failures = 0
    await let_the_minute_pass(manager)
    assert is_paused(manager.tables.store, table_id)
    await manager.close()
