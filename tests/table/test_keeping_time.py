"""Open tables where time does something, without a network: nobody has to come or act for it."""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, Any

import pytest

from icetable.table import fair, live, meters, timing, wire
from icetable.table.bots import Thinkers
from icetable.table.duties import Duty
from icetable.table.hall import Hall
from icetable.table.live import MOST_DRAWN
from icetable.table.log_sqlite import SqliteLog
from icetable.table.rooms import Room
from icetable.table.seating import lock_of
from icetable.table.timing import now

from .fakes import PATIENCE, FakeBrains, Listener
from .gates import ANYBODY

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SEATS = [wire.SeatRequest("person", name, None) for name in ("Ann", "Bob")]
ICEHOUSE: dict[str, Any] = {"players": 2, "timer": 3.0, "timer_spread": 0.0, "gift_time": 0.1, "call_pause": 0.0}


def new_hall(path: Path) -> Hall:
    return Hall(SqliteLog(path), Thinkers(FakeBrains(), pause=0))


async def found(hall: Hall, game: str, clock: wire.Clock | None = None, **options: Any) -> Listener:
    """Somebody who holds both seats of a new table."""
    wanted = wire.TableRequest(game, wire.Options(options), SEATS)
    if clock is not None:
        wanted = wire.TableRequest(game, wire.Options(options), SEATS, clock=clock)
    created = await hall.found(wanted)
    visitor = Listener()
    await hall.enter(visitor, created.table, list(created.codes.values()))
    return visitor


async def play(visitor: Listener, *acts: tuple[int, str]) -> Room:
    assert visitor.table is not None
    room = visitor.table.room
    for number, (seat, text) in enumerate(acts, room.entries):
        answer = await visitor.table.ask(visitor.viewer, wire.Act(f"{number}", seat, text))
        assert isinstance(answer, wire.Ack), answer
    return room


async def hear(visitor: Listener, until: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(await asyncio.wait_for(visitor.waiting.get(), PATIENCE))
        if until(message):
            return message


async def close(hall: Hall, *visitors: Listener) -> None:
    for visitor in visitors:
        await hall.leave(visitor)
    await hall.close()


def test_a_bell_rings_and_a_debt_settles_though_nobody_acts(tmp_path: Path) -> None:
    async def evening() -> None:
        hall = new_hall(tmp_path / "tables.sqlite")
        visitor = await found(hall, "icehouse", **ICEHOUSE)
        room = await play(visitor, (0, "ready"), (1, "ready"), (0, "icehouse"))
        owing = await hear(visitor, lambda message: message.get("frame", {}).get("seq") == 3)
        assert owing["frame"]["view"]["owed"] == {"0": None}
        settled = await hear(visitor, lambda message: message["type"] == "frame")
        assert (settled["frame"]["seq"], settled["frame"]["view"]["owed"]) == (3, {})
        rung = await hear(visitor, lambda message: message["type"] == "frame")
        assert (rung["frame"]["seq"], rung["frame"]["line"]["text"]) == (4, "bell")
        over = await hear(visitor, lambda message: message["type"] == "over")
        assert (over["ending"]["reason"], over["ending"]["link"]) == (None, room.closing)
        record = (await hall.record(room.charter.id))[1]
        assert fair.verify(record) == fair.Sound(1, 4, room.closing, fair.FORM)
        await close(hall, visitor)

    asyncio.run(evening())


def test_where_no_bell_will_ring_a_settled_debt_is_the_last_that_time_does(tmp_path: Path) -> None:
    async def evening() -> None:
        hall = new_hall(tmp_path / "tables.sqlite")
        visitor = await found(hall, "icehouse", **(ICEHOUSE | {"timer": 0.0}))
        await play(visitor, (0, "ready"), (1, "ready"), (0, "icehouse"))
        third = [await hear(visitor, lambda message: message.get("frame", {}).get("seq") == 3) for _ in range(2)]
        assert [message["frame"]["view"]["owed"] for message in third] == [{"0": None}, {}]
        assert visitor.table is not None
        assert visitor.table.machine._alarm is None
        await play(visitor, (1, "lift L"))
        await close(hall, visitor)

    asyncio.run(evening())


def test_a_clock_that_runs_out_ends_the_game_though_nobody_acts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def evening() -> None:
        hall = new_hall(tmp_path / "tables.sqlite")
        visitor = await found(hall, "icefrogs", wire.Clock("act", 1, 0))
        room = await play(visitor, (0, "S@b1"))
        over = await hear(visitor, lambda message: message["type"] == "over")
        assert over["ending"]["reason"] == "time"
        assert room.end is not None
        assert room.end.winners == (0,)
        await close(hall, visitor)

    monkeypatch.setattr("icetable.table.timing.LAG", 10)
    asyncio.run(evening())


def test_a_table_that_everybody_has_left_leaves_memory_and_still_ends_on_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def evening() -> None:
        hall = new_hall(tmp_path / "tables.sqlite")
        ann = await found(hall, "icefrogs", wire.Clock("act", 1, 0))
        bob = await found(hall, "icehouse", **ICEHOUSE)
        rooms = [await play(ann, (0, "S@b1")), await play(bob, (0, "ready"), (1, "ready"))]
        for visitor in (ann, bob):
            await hall.leave(visitor)
        assert not hall._open
        assert len(hall._alarms) == 2
        for room in rooms:
            while len(hall.log.entries(room.charter.id)) == room.entries:
                await asyncio.sleep(0.01)
            assert Room(room.charter, room.game, hall.log.entries(room.charter.id)).is_over
        while hall._open:
            await asyncio.sleep(0.01)
        assert not hall._alarms
        await hall.close()

    monkeypatch.setattr("icetable.table.timing.LAG", 10)
    asyncio.run(asyncio.wait_for(evening(), 3 * PATIENCE))


def test_what_was_due_while_the_server_was_down_comes_at_the_start_at_its_own_time(tmp_path: Path) -> None:
    async def before() -> Room:
        hall = new_hall(tmp_path / "tables.sqlite")
        visitor = await found(hall, "icehouse", **ICEHOUSE)
        room = await play(visitor, (0, "ready"), (1, "ready"))
        await close(hall)
        return room

    async def after(table: str) -> None:
        open_tables = meters.TABLES._value.get()
        hall = new_hall(tmp_path / "tables.sqlite")
        hall.resume()
        while (entries := hall.log.entries(table))[-1].text != "bell":
            await asyncio.sleep(0.01)
        assert entries[-1].at == entries[1].at + 3000
        while hall._open:
            await asyncio.sleep(0.01)
        assert meters.TABLES._value.get() == open_tables
        await hall.close()

    room = asyncio.run(before())
    assert not room.is_over
    assert room.due is not None
    while now() < room.charter.created + room.due:
        time.sleep(0.1)
    asyncio.run(asyncio.wait_for(after(room.charter.id), PATIENCE))


def test_whoever_would_act_after_the_bell_the_bell_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not only people: the machine, which proposes its acts itself, is late as well."""

    async def evening() -> None:
        hall = new_hall(tmp_path / "tables.sqlite")
        visitor = await found(hall, "icehouse", **(ICEHOUSE | {"timer": 3600.0}))
        room = await play(visitor, (0, "ready"), (1, "ready"))
        assert visitor.table is not None
        moment = room.charter.created + (room.due or 0)
        monkeypatch.setattr(live, "now", lambda: moment)
        await visitor.table.enter(lambda at: room.act(ANYBODY, 1, "lift S", at))
        assert [entry.text for entry in room.log()] == ["ready", "ready", "bell"]
        await close(hall, visitor)

    asyncio.run(evening())


def test_somebody_who_draws_codes_without_end_is_remembered_with_few() -> None:
    async def visit() -> None:
        visitor = Listener()
        visitor.bring(["brought"])
        for number in range(10 * MOST_DRAWN):
            visitor.know(f"{number}")
        assert len(visitor.locks) == MOST_DRAWN + 1
        assert {lock_of("brought"), lock_of(f"{10 * MOST_DRAWN - 1}")} < visitor.locks
        visitor.bring(["another"])
        assert visitor.locks == {lock_of("another")}

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

        hall = new_hall(tmp_path / "tables.sqlite")
        visitor = await found(hall, "icefrogs", players=2)
        assert visitor.table is not None
        duty = Duty(visitor.table, lambda: True, step)
        duty.look()
        await duty.finish()
        assert len(done) == 2
        await close(hall, visitor)

    asyncio.run(scenario())


def test_setting_the_systems_clock_moves_no_clock_of_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    before = now()
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert before <= now() < before + 60_000


def restarted_with_another_clock(
    path: Path, monkeypatch: pytest.MonkeyPatch, seconds: int, game: str, acts: list[tuple[int, str]], **wanted: Any
) -> Room:
    """A table after a restart for which the system's clock was set by so many seconds."""

    async def before() -> str:
        hall = new_hall(path)
        visitor = await found(hall, game, **wanted)
        room = await play(visitor, *acts)
        await close(hall, visitor)
        return room.charter.id

    async def after(table: str) -> Room:
        hall, visitor = new_hall(path), Listener()
        hall.resume()
        await hall.enter(visitor, table, [])
        assert visitor.table is not None
        room = visitor.table.room
        await hall.leave(visitor)
        await hall.enter(visitor, table, [])
        assert visitor.table.room.entries == room.entries, "time is lost once"
        await close(hall, visitor)
        copy = Room(room.charter, room.game, room.log())
        assert (copy.timing, copy.due) == (room.timing, room.due)
        return room

    table = asyncio.run(before())
    monkeypatch.setattr(timing, "STARTED", timing.STARTED + seconds * 10**9)
    return asyncio.run(asyncio.wait_for(after(table), 3 * PATIENCE))


@pytest.mark.parametrize("seconds", [3600, 30 * 24 * 3600])
def test_a_long_standstill_or_a_clock_set_forward_takes_at_most_a_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    path, clock = tmp_path / "tables.sqlite", wire.Clock("game", 300, 0)
    room = restarted_with_another_clock(path, monkeypatch, seconds, "icefrogs", [(0, "S@b1")], clock=clock)
    assert not room.is_over
    assert room.due is not None
    left = room.due - room.time(now())
    assert 300_000 - timing.MOST_LOST - 3 * PATIENCE * 1000 < left <= 300_000 - timing.MOST_LOST + 2 * timing.LAG + 1


def test_a_clock_set_back_does_not_stop_the_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, options = tmp_path / "tables.sqlite", ICEHOUSE | {"timer": 600.0}
    acts = [(0, "ready"), (1, "ready"), (0, "lift L")]
    room = restarted_with_another_clock(path, monkeypatch, -3600, "icehouse", acts, **options)
    assert room.due is not None
    assert room.due - room.time(now()) < 600_000
    assert room.timing.at(now(), room.charter.created) >= room.log()[-1].at


def test_a_short_restart_takes_its_time_from_who_is_to_act(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, clock = tmp_path / "tables.sqlite", wire.Clock("game", 300, 0)
    room = restarted_with_another_clock(path, monkeypatch, 20, "icefrogs", [(0, "S@b1")], clock=clock)
    assert [entry.text for entry in room.log()] == ["S@b1"]
    assert room.due is not None
    assert room.due - room.time(now()) <= 280_000 + 2 * timing.LAG + 1
