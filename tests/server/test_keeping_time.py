"""Open tables where time does something, without a network: nobody has to come or act for it."""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, Any

import pytest

from icetable.server import messages, metrics
from icetable.server.live import table as live
from icetable.server.live.autoplay import BotPool
from icetable.server.live.manager import TableManager
from icetable.server.live.table import MOST_DRAWN
from icetable.server.live.worker import Worker
from icetable.server.store.sqlite import SqliteStore
from icetable.server.table import clock, fairness
from icetable.server.table.clock import now
from icetable.server.table.seats import hash_code
from icetable.server.table.state import TableState

from .fakes import PATIENCE, FakeBrains, Listener
from .gates import ANYBODY

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SEATS = [messages.SeatRequest("person", name, None) for name in ("Ann", "Bob")]
ICEHOUSE: dict[str, Any] = {"players": 2, "timer": 3.0, "timer_spread": 0.0, "gift_time": 0.1, "call_pause": 0.0}


def new_hall(path: Path) -> TableManager:
    return TableManager(SqliteStore(path), BotPool(FakeBrains(), pause=0))


async def create_table(
    manager: TableManager, game: str, clock: messages.Clock | None = None, **options: Any
) -> Listener:
    """Somebody who holds both seats of a new table."""
    wanted = messages.TableRequest(game, messages.Options(options), SEATS)
    if clock is not None:
        wanted = messages.TableRequest(game, messages.Options(options), SEATS, clock=clock)
    created = await manager.create_table(wanted)
    client = Listener()
    await manager.enter(client, created.table, list(created.codes.values()))
    return client


async def play(client: Listener, *acts: tuple[int, str]) -> TableState:
    assert client.table is not None
    table_state = client.table.state
    for number, (seat, text) in enumerate(acts, table_state.entries):
        answer = await client.table.ask(client.viewer, messages.Act(f"{number}", seat, text))
        assert isinstance(answer, messages.Ack), answer
    return table_state


async def hear(client: Listener, until: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(await asyncio.wait_for(client.waiting.get(), PATIENCE))
        if until(message):
            return message


async def close(manager: TableManager, *clients: Listener) -> None:
    for client in clients:
        await manager.leave(client)
    await manager.close()


def test_a_bell_rings_and_a_debt_settles_though_nobody_acts(tmp_path: Path) -> None:
    async def evening() -> None:
        manager = new_hall(tmp_path / "tables.sqlite")
        client = await create_table(manager, "icehouse", **ICEHOUSE)
        table_state = await play(client, (0, "ready"), (1, "ready"), (0, "icehouse"))
        owing = await hear(client, lambda message: message.get("frame", {}).get("seq") == 3)
        assert owing["frame"]["view"]["owed"] == {"0": None}
        settled = await hear(client, lambda message: message["type"] == "frame")
        assert (settled["frame"]["seq"], settled["frame"]["view"]["owed"]) == (3, {})
        rung = await hear(client, lambda message: message["type"] == "frame")
        assert (rung["frame"]["seq"], rung["frame"]["line"]["text"]) == (4, "bell")
        over = await hear(client, lambda message: message["type"] == "over")
        assert (over["ending"]["reason"], over["ending"]["link"]) == (None, table_state.closing)
        record = (await manager.record(table_state.setup.id))[1]
        assert fairness.verify(record) == fairness.Sound(1, 4, table_state.closing, fairness.FORM)
        await close(manager, client)

    asyncio.run(evening())


def test_where_no_bell_will_ring_a_settled_debt_is_the_last_that_time_does(tmp_path: Path) -> None:
    async def evening() -> None:
        manager = new_hall(tmp_path / "tables.sqlite")
        client = await create_table(manager, "icehouse", **(ICEHOUSE | {"timer": 0.0}))
        await play(client, (0, "ready"), (1, "ready"), (0, "icehouse"))
        third = [await hear(client, lambda message: message.get("frame", {}).get("seq") == 3) for _ in range(2)]
        assert [message["frame"]["view"]["owed"] for message in third] == [{"0": None}, {}]
        assert client.table is not None
        assert client.table.autoplayer._alarm is None
        await play(client, (1, "lift L"))
        await close(manager, client)

    asyncio.run(evening())


def test_a_clock_that_runs_out_ends_the_game_though_nobody_acts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def evening() -> None:
        manager = new_hall(tmp_path / "tables.sqlite")
        client = await create_table(manager, "icefrogs", messages.Clock("act", 1, 0))
        table_state = await play(client, (0, "S@b1"))
        over = await hear(client, lambda message: message["type"] == "over")
        assert over["ending"]["reason"] == "time"
        assert table_state.end is not None
        assert table_state.end.winners == (0,)
        await close(manager, client)

    monkeypatch.setattr("icetable.server.table.clock.LAG", 10)
    asyncio.run(evening())


def test_a_table_that_everybody_has_left_leaves_memory_and_still_ends_on_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def evening() -> None:
        manager = new_hall(tmp_path / "tables.sqlite")
        ann = await create_table(manager, "icefrogs", messages.Clock("act", 1, 0))
        bob = await create_table(manager, "icehouse", **ICEHOUSE)
        rooms = [await play(ann, (0, "S@b1")), await play(bob, (0, "ready"), (1, "ready"))]
        for client in (ann, bob):
            await manager.leave(client)
        assert not manager._open
        assert len(manager._alarms) == 2
        for table_state in rooms:
            while len(manager.log.entries(table_state.setup.id)) == table_state.entries:
                await asyncio.sleep(0.01)
            assert TableState(table_state.setup, table_state.game, manager.log.entries(table_state.setup.id)).is_over
        while manager._open:
            await asyncio.sleep(0.01)
        assert not manager._alarms
        await manager.close()

    monkeypatch.setattr("icetable.server.table.clock.LAG", 10)
    asyncio.run(asyncio.wait_for(evening(), 3 * PATIENCE))


def test_what_was_due_while_the_server_was_down_comes_at_the_start_at_its_own_time(tmp_path: Path) -> None:
    async def before() -> TableState:
        manager = new_hall(tmp_path / "tables.sqlite")
        client = await create_table(manager, "icehouse", **ICEHOUSE)
        table_state = await play(client, (0, "ready"), (1, "ready"))
        await close(manager)
        return table_state

    async def after(table: str) -> None:
        open_tables = metrics.TABLES._value.get()
        manager = new_hall(tmp_path / "tables.sqlite")
        manager.resume()
        while (entries := manager.log.entries(table))[-1].text != "bell":
            await asyncio.sleep(0.01)
        assert entries[-1].at == entries[1].at + 3000
        while manager._open:
            await asyncio.sleep(0.01)
        assert metrics.TABLES._value.get() == open_tables
        await manager.close()

    table_state = asyncio.run(before())
    assert not table_state.is_over
    assert table_state.due is not None
    while now() < table_state.setup.created + table_state.due:
        time.sleep(0.1)
    asyncio.run(asyncio.wait_for(after(table_state.setup.id), PATIENCE))


def test_whoever_would_act_after_the_bell_the_bell_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not only people: the machine, which proposes its acts itself, is late as well."""

    async def evening() -> None:
        manager = new_hall(tmp_path / "tables.sqlite")
        client = await create_table(manager, "icehouse", **(ICEHOUSE | {"timer": 3600.0}))
        table_state = await play(client, (0, "ready"), (1, "ready"))
        assert client.table is not None
        moment = table_state.setup.created + (table_state.due or 0)
        monkeypatch.setattr(live, "now", lambda: moment)
        await client.table.enter(lambda at: table_state.act(ANYBODY, 1, "lift S", at))
        assert [entry.text for entry in table_state.log()] == ["ready", "ready", "bell"]
        await close(manager, client)

    asyncio.run(evening())


def test_somebody_who_draws_codes_without_end_is_remembered_with_few() -> None:
    async def visit() -> None:
        client = Listener()
        client.bring(["brought"])
        for number in range(10 * MOST_DRAWN):
            client.know(f"{number}")
        assert len(client.locks) == MOST_DRAWN + 1
        assert {hash_code("brought"), hash_code(f"{10 * MOST_DRAWN - 1}")} < client.locks
        client.bring(["another"])
        assert client.locks == {hash_code("another")}

    asyncio.run(visit())


def test_a_duty_that_is_done_is_done_once(tmp_path: Path) -> None:
    """A step may end without an entry, and must not keep the server busy for ever; but news leads to another one."""
    done = []

    async def scenario() -> None:
        async def step() -> None:
            done.append(True)
            assert len(done) < 3
            if len(done) == 1:
                duty.look()

        manager = new_hall(tmp_path / "tables.sqlite")
        client = await create_table(manager, "icefrogs", players=2)
        assert client.table is not None
        duty = Worker(client.table, lambda: True, step)
        duty.look()
        await duty.finish()
        assert len(done) == 2
        await close(manager, client)

    asyncio.run(scenario())


def test_setting_the_systems_clock_moves_no_clock_of_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    before = now()
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert before <= now() < before + 60_000


def restarted_with_another_clock(
    path: Path, monkeypatch: pytest.MonkeyPatch, seconds: int, game: str, acts: list[tuple[int, str]], **wanted: Any
) -> TableState:
    """A table after a restart for which the system's clock was set by so many seconds."""

    async def before() -> str:
        manager = new_hall(path)
        client = await create_table(manager, game, **wanted)
        table_state = await play(client, *acts)
        await close(manager, client)
        return table_state.setup.id

    async def after(table: str) -> TableState:
        manager, client = new_hall(path), Listener()
        manager.resume()
        await manager.enter(client, table, [])
        assert client.table is not None
        table_state = client.table.state
        await manager.leave(client)
        await manager.enter(client, table, [])
        assert client.table.state.entries == table_state.entries, "time is lost once"
        await close(manager, client)
        copy = TableState(table_state.setup, table_state.game, table_state.log())
        assert (copy.timing, copy.due) == (table_state.timing, table_state.due)
        return table_state

    table = asyncio.run(before())
    monkeypatch.setattr(clock, "STARTED", clock.STARTED + seconds * 10**9)
    return asyncio.run(asyncio.wait_for(after(table), 3 * PATIENCE))


@pytest.mark.parametrize("seconds", [3600, 30 * 24 * 3600])
def test_a_long_standstill_or_a_clock_set_forward_takes_at_most_a_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    path, timed = tmp_path / "tables.sqlite", messages.Clock("game", 300, 0)
    table_state = restarted_with_another_clock(path, monkeypatch, seconds, "icefrogs", [(0, "S@b1")], clock=timed)
    assert not table_state.is_over
    assert table_state.due is not None
    left = table_state.due - table_state.time(now())
    assert 300_000 - clock.MOST_LOST - 3 * PATIENCE * 1000 < left <= 300_000 - clock.MOST_LOST + 2 * clock.LAG + 1


def test_a_clock_set_back_does_not_stop_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, options = tmp_path / "tables.sqlite", ICEHOUSE | {"timer": 600.0}
    acts = [(0, "ready"), (1, "ready"), (0, "lift L")]
    table_state = restarted_with_another_clock(path, monkeypatch, -3600, "icehouse", acts, **options)
    assert table_state.due is not None
    assert table_state.due - table_state.time(now()) < 600_000
    assert table_state.timing.at(now(), table_state.setup.created) >= table_state.log()[-1].at


def test_a_short_restart_takes_its_time_from_who_is_to_act(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, timed = tmp_path / "tables.sqlite", messages.Clock("game", 300, 0)
    table_state = restarted_with_another_clock(path, monkeypatch, 20, "icefrogs", [(0, "S@b1")], clock=timed)
    assert [entry.text for entry in table_state.log()] == ["S@b1"]
    assert table_state.due is not None
    assert table_state.due - table_state.time(now()) <= 280_000 + 2 * clock.LAG + 1
