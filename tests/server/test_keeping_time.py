"""Open tables where time does something, without a network: no client has to join or act for it."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import pytest

from icetable.server import messages, metrics
from icetable.server.live.tables import table as live
from icetable.server.live.tables.client import MAX_NEW_CODES
from icetable.server.live.tables.host import Worker
from icetable.server.table import clock, fairness
from icetable.server.table.clock import now
from icetable.server.table.seats import hash_code
from icetable.server.table.state import TableState

from .fakes import PATIENCE, Listener
from .support import Message, acked, act, create_table, join, new_manager, receive
from .table_states import ANYBODY, person

if TYPE_CHECKING:
    from pathlib import Path

    from icetable.server.live.manager import TableManager

pytestmark = pytest.mark.anyio

ICEHOUSE: dict[str, Any] = {"players": 2, "timer": 3.0, "timer_spread": 0.0, "gift_time": 0.1, "call_pause": 0.0}


async def join_new_table(manager: TableManager, game: str, **chosen: Any) -> Listener:
    """A client that holds both seats of a new table."""
    return await join(manager, *await create_table(manager, game, person("Ann"), person("Bob"), **chosen))


async def play(client: Listener, *acts: tuple[int, str]) -> TableState:
    for seat, text in acts:
        acked(await act(client, seat, text))
    return client.table.state


async def test_a_bell_rings_and_a_debt_settles_without_an_act(manager: TableManager) -> None:
    client = await join_new_table(manager, "icehouse", **ICEHOUSE)
    table_state = await play(client, (0, "ready"), (1, "ready"), (0, "icehouse"))
    owing = (await receive(client, lambda message: message.get("frame", {}).get("seq") == 3))[-1]
    assert owing["frame"]["view"]["owed"] == {"0": None}
    settled = (await receive(client, lambda message: message["type"] == "frame"))[-1]
    assert (settled["frame"]["seq"], settled["frame"]["view"]["owed"]) == (3, {})
    rung = (await receive(client, lambda message: message["type"] == "frame"))[-1]
    assert (rung["frame"]["seq"], rung["frame"]["line"]["text"]) == (4, "bell")
    over = (await receive(client, lambda message: message["type"] == "over"))[-1]
    assert (over["ending"]["reason"], over["ending"]["link"]) == (None, table_state.closing)
    record = (await manager.tables.record(table_state.setup.id))[1]
    assert fairness.verify(record) == fairness.VerifiedRecord(1, 4, table_state.closing)


async def test_where_no_bell_will_ring_a_settled_debt_is_the_last_that_time_does(manager: TableManager) -> None:
    client = await join_new_table(manager, "icehouse", **(ICEHOUSE | {"timer": 0.0}))
    await play(client, (0, "ready"), (1, "ready"), (0, "icehouse"))

    def is_third(message: Message) -> bool:
        return bool(message.get("frame", {}).get("seq") == 3)

    third = [(await receive(client, is_third))[-1] for _ in range(2)]
    assert [message["frame"]["view"]["owed"] for message in third] == [{"0": None}, {}]
    assert client.table._autoplayer._timer is None
    await play(client, (1, "lift L"))


async def test_a_clock_that_runs_out_ends_the_game_without_an_act(
    manager: TableManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("icetable.server.table.clock.MAX_LAG_MS", 10)
    client = await join_new_table(manager, "icefrogs", clock=messages.Clock("act", 1, 0))
    table_state = await play(client, (0, "S@b1"))
    over = (await receive(client, lambda message: message["type"] == "over"))[-1]
    assert over["ending"]["reason"] == "time"
    assert table_state.end is not None
    assert table_state.end.winners == (0,)


async def test_a_table_without_clients_leaves_memory_and_still_ends_on_time(
    manager: TableManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("icetable.server.table.clock.MAX_LAG_MS", 10)
    ann = await join_new_table(manager, "icefrogs", clock=messages.Clock("act", 1, 0))
    table_state = await play(ann, (0, "S@b1"))
    await manager.leave(ann)
    assert not manager.tables.open
    assert len(manager.tables._clock_timers) == 1
    assert await ended(manager, table_state, 2)
    while manager.tables.open:
        await asyncio.sleep(0.01)
    assert not manager.tables._clock_timers


async def test_a_bell_rings_on_time_at_a_table_without_clients(manager: TableManager) -> None:
    bob = await join_new_table(manager, "icehouse", **(ICEHOUSE | {"timer": 1.0}))
    table_state = await play(bob, (0, "ready"), (1, "ready"))
    await manager.leave(bob)
    assert await ended(manager, table_state, 3)


async def ended(manager: TableManager, table_state: TableState, length: int) -> bool:
    """Whether the entry of this number ends the game."""
    logs = manager.tables.store.logs
    while logs.length(table_state.setup.id) < length:
        await asyncio.sleep(0.01)
    return TableState(table_state.setup, table_state.game, logs.entries(table_state.setup.id)).is_over


async def test_an_act_that_fell_due_while_the_server_was_down_comes_at_the_start_with_its_own_time(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = new_manager(path)
    client = await join_new_table(manager, "icehouse", **ICEHOUSE)
    table_state = await play(client, (0, "ready"), (1, "ready"))
    await manager.close()
    assert not table_state.is_over
    assert table_state.due is not None
    monkeypatch.setattr(clock, "MONOTONIC_EPOCH_NS", clock.MONOTONIC_EPOCH_NS + 3 * 10**9)
    open_tables = metrics.TABLES._value.get()
    manager = new_manager(path)
    manager.start()
    while (entries := manager.tables.store.logs.entries(table_state.setup.id))[-1].text != "bell":
        await asyncio.sleep(0.01)
    assert entries[-1].at == entries[1].at + 3000
    while manager.tables.open:
        await asyncio.sleep(0.01)
    assert metrics.TABLES._value.get() == open_tables
    await manager.close()


async def test_the_bell_comes_before_any_act_after_its_moment(
    manager: TableManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same holds for what the autoplayer proposes."""
    client = await join_new_table(manager, "icehouse", **(ICEHOUSE | {"timer": 3600.0}))
    table_state = await play(client, (0, "ready"), (1, "ready"))
    moment = table_state.setup.created + (table_state.due or 0)
    monkeypatch.setattr(live, "now", lambda: moment)
    await client.table.append(lambda at: table_state.entry_for_act(ANYBODY, 1, "lift S", at))
    assert [entry.text for entry in table_state.log()] == ["ready", "ready", "bell"]


async def test_of_the_codes_that_a_client_makes_up_only_the_last_are_remembered() -> None:
    client = Listener()
    client.set_codes(["brought"])
    for number in range(10 * MAX_NEW_CODES):
        client.add_code(f"{number}")
    assert len(client.code_hashes) == MAX_NEW_CODES + 1
    assert {hash_code("brought"), hash_code(f"{10 * MAX_NEW_CODES - 1}")} < client.code_hashes
    client.set_codes(["another"])
    assert client.code_hashes == {hash_code("another")}


async def test_a_step_without_an_entry_is_not_repeated_until_the_table_changes(manager: TableManager) -> None:
    """Otherwise it would keep the server busy for ever."""
    steps = 0

    async def step() -> None:
        nonlocal steps
        steps += 1
        assert steps < 3
        if steps == 1:
            worker.update()

    client = await join_new_table(manager, "icefrogs", players=2)
    worker = Worker(client.table, lambda: True, step)
    worker.update()
    await worker.finish()
    assert steps == 2


def test_setting_the_systems_clock_moves_no_clock_of_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    before = now()
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert before <= now() < before + 60_000


async def restarted_with_another_clock(
    path: Path, monkeypatch: pytest.MonkeyPatch, seconds: int, game: str, acts: list[tuple[int, str]], **wanted: Any
) -> TableState:
    """A table after a restart, before which the system's clock was set forward by a number of seconds."""
    manager = new_manager(path)
    client = await join_new_table(manager, game, **wanted)
    table = (await play(client, *acts)).setup.id
    await manager.leave(client)
    await manager.close()
    monkeypatch.setattr(clock, "MONOTONIC_EPOCH_NS", clock.MONOTONIC_EPOCH_NS + seconds * 10**9)
    manager = new_manager(path)
    manager.start()
    client = await join(manager, table, [])
    table_state = client.table.state
    await manager.leave(client)
    await client.join(manager, table, [])
    assert client.table.state.entries == table_state.entries, "time is lost once"
    await manager.leave(client)
    await manager.close()
    copy = TableState(table_state.setup, table_state.game, table_state.log())
    assert (copy.timing, copy.due) == (table_state.timing, table_state.due)
    return table_state


@pytest.mark.parametrize("seconds", [3600, 30 * 24 * 3600])
async def test_a_long_standstill_or_a_clock_set_forward_takes_at_most_a_minute(
    path: Path, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    timed = messages.Clock("game", 300, 0)
    table_state = await restarted_with_another_clock(path, monkeypatch, seconds, "icefrogs", [(0, "S@b1")], clock=timed)
    assert not table_state.is_over
    assert table_state.due is not None
    left = table_state.due - table_state.time(now())
    assert (
        300_000 - clock.MAX_LOST_MS - 3 * PATIENCE * 1000
        < left
        <= 300_000 - clock.MAX_LOST_MS + 2 * clock.MAX_LAG_MS + 1
    )


async def test_a_clock_set_back_does_not_stop_the_time(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = ICEHOUSE | {"timer": 600.0}
    acts = [(0, "ready"), (1, "ready"), (0, "lift L")]
    table_state = await restarted_with_another_clock(path, monkeypatch, -3600, "icehouse", acts, **options)
    assert table_state.due is not None
    assert table_state.due - table_state.time(now()) < 600_000
    assert table_state.timing.at(now(), table_state.setup.created) >= table_state.log()[-1].at


async def test_a_short_restart_takes_its_time_from_the_player_who_is_to_act(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    timed = messages.Clock("game", 300, 0)
    table_state = await restarted_with_another_clock(path, monkeypatch, 20, "icefrogs", [(0, "S@b1")], clock=timed)
    assert [entry.text for entry in table_state.log()] == ["S@b1"]
    assert table_state.due is not None
    assert table_state.due - table_state.time(now()) <= 280_000 + 2 * clock.MAX_LAG_MS + 1
