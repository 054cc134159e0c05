"""Games of days: a clock that goes by the calendar, at tables where mostly nobody is."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
import pytest

from icetable.core.errors import GameError
from icetable.server import messages
from icetable.server.live.bots import BotPool
from icetable.server.live.manager import TableManager
from icetable.server.live.settings import Settings
from icetable.server.live.tables.tables import MAX_RESUMED_AGE_MS
from icetable.server.live.uploads import DAY
from icetable.server.store import open_store
from icetable.server.table import clock
from icetable.server.table.clock import MS_PER_SECOND, SECONDS_PER_DAY, now
from icetable.server.table.log import HOST, Pause

from .fakes import PATIENCE, FakeBots, Listener
from .support import BOT, PERSON, acked, act, join, new_manager
from .table_states import OPEN, request

if TYPE_CHECKING:
    from collections.abc import Callable

    from icetable.server.store.store import Store

pytestmark = pytest.mark.anyio

TWO_DAYS = messages.Clock("act", 2 * SECONDS_PER_DAY, 0)


async def create(
    manager: TableManager, *seats: messages.SeatRequest, timed: messages.Clock = TWO_DAYS, public: bool = False
) -> messages.TableCreated:
    return await manager.tables.create(request("icefrogs", *seats, players=len(seats), public=public, clock=timed))


async def begin(manager: TableManager, *seats: messages.SeatRequest) -> tuple[str, Listener]:
    """A game of days in which the first act was made: its table, and a client that holds all seats of people."""
    created = await create(manager, *(seats or (PERSON, PERSON)))
    client = await join(manager, created.table, list(created.codes.values()))
    acked(await act(client, 0, "S@b1"))
    manager.tables.store.database.probe()[-1].result()  # what was noted before is written
    return created.table, client


@pytest.fixture
def pass_time(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Lets milliseconds pass."""

    def jump(milliseconds: int) -> None:
        monkeypatch.setattr(clock, "MONOTONIC_EPOCH_NS", clock.MONOTONIC_EPOCH_NS + milliseconds * 1_000_000)

    return jump


async def ended(store: Store, table: str) -> str:
    """The text of the entry that ends a game, once it is there."""
    async with asyncio.timeout(PATIENCE):
        while not (text := store.logs.entries(table)[-1].text).startswith('/{"type":"end"'):
            await asyncio.sleep(0.01)
    return text


# What is allowed


async def test_the_clock_of_a_game_has_a_day_at_most_and_that_of_an_act_14() -> None:
    with pytest.raises(msgspec.ValidationError, match="<= 1209600"):
        msgspec.json.decode(b'{"per":"act","seconds":1209601,"increment":0}', type=messages.Clock)


async def test_an_impossible_clock_of_days_is_refused(where: str) -> None:
    manager = new_manager(open_store(where))
    with pytest.raises(GameError, match="more than a day is per act"):
        await create(manager, PERSON, PERSON, timed=messages.Clock("game", SECONDS_PER_DAY + 1, 0))
    wanted = request("icehouse", PERSON, PERSON, players=2, clock=TWO_DAYS)
    with pytest.raises(GameError, match="Icehouse has no turns, so no clock can run"):
        await manager.tables.create(wanted)
    await manager.close()


# Time


async def test_time_goes_by_the_calendar_while_no_server_runs(where: str, pass_time: Callable[[int], None]) -> None:
    manager = new_manager(open_store(where))
    table, client = await begin(manager)
    due = client.table.state.due
    await manager.close()
    pass_time(5 * 60 * 60 * 1000)
    manager = new_manager(open_store(where))
    client = await join(manager, table, [])
    table_state = client.table.state
    assert (table_state.due, [entry.text for entry in table_state.log()]) == (due, ["S@b1"])
    assert due is not None
    left = due - table_state.time(now())
    assert 42 * 60 * 60 * 1000 < left < 43 * 60 * 60 * 1000 + MS_PER_SECOND
    summary = await manager.summaries.summary(table, None)
    assert summary.due is not None
    assert abs(summary.due - now() - left) < 2 * MS_PER_SECOND
    await manager.close()


@pytest.mark.parametrize("age", [2 * DAY + MS_PER_SECOND, MAX_RESUMED_AGE_MS + DAY])
async def test_a_game_ends_in_time_after_a_restart_however_old_its_table_is(
    where: str, pass_time: Callable[[int], None], age: int
) -> None:
    manager = new_manager(open_store(where))
    table, _ = await begin(manager)
    await manager.close()
    pass_time(age)
    manager = new_manager(open_store(where))
    manager.start()
    assert '"reason":"time","winners":[0]' in await ended(manager.tables.store, table)
    async with asyncio.timeout(PATIENCE):
        while manager.tables.open or manager.tables.store.tables.due(now() + 1000 * DAY):
            await asyncio.sleep(0.01)
    await manager.close()


async def test_a_process_that_looks_later_ends_what_another_one_left(
    where: str, pass_time: Callable[[int], None]
) -> None:
    """It need not have been there: only the store knows of the table."""
    manager = new_manager(open_store(where))
    await manager.tables.resume_due()
    table, client = await begin(manager)
    await manager.leave(client)
    manager.tables._clock_timers.cancel(table)
    pass_time(2 * DAY + MS_PER_SECOND)
    await manager.tables.resume_due()
    assert '"reason":"time"' in await ended(manager.tables.store, table)
    await manager.close()


async def test_the_moment_is_stored_with_each_act_and_taken_away_by_a_pause(where: str) -> None:
    manager = new_manager(open_store(where))
    table, client = await begin(manager)
    first = manager.tables.store.tables.due(now() + 2 * DAY + 2 * MS_PER_SECOND)
    assert (first, manager.tables.store.tables.due(now() + DAY)) == ([table], [])
    manager.tables.store.tables.set_due(table, 1).result()
    acked(await act(client, 1, str(client.table.state.position.legal_actions(1)[0])))
    manager.tables.store.database.probe()[-1].result()
    assert manager.tables.store.tables.due(now() + DAY) == []
    await client.table.append(lambda at: client.table.state.next_event(HOST, Pause(at), at))
    manager.tables.store.database.probe()[-1].result()
    assert manager.tables.store.tables.due(now() + 1000 * DAY) == []
    await manager.close()


async def test_an_alarm_is_set_where_the_store_is_behind(where: str) -> None:
    """The process may have died between an act and the note of the new moment."""
    manager = new_manager(open_store(where))
    table, client = await begin(manager)
    await manager.leave(client)
    manager.tables._clock_timers.cancel(table)
    manager.tables.store.tables.set_due(table, 1).result()
    await manager.tables.resume_due()
    manager.tables.store.database.probe()[-1].result()
    assert manager.tables.store.tables.due(now() + DAY) == []
    assert len(manager.tables._clock_timers) == 1
    await manager.close()


# Bots


async def test_a_bot_acts_though_nobody_is_there(where: str) -> None:
    """Or a person would wait for a bot that waits for the person."""
    bots = FakeBots()
    bots.may_think.clear()
    manager = new_manager(open_store(where), bots)
    table, client = await begin(manager, PERSON, BOT)
    await manager.leave(client)
    bots.may_think.set()
    async with asyncio.timeout(PATIENCE):
        while not any(entry.seat == 1 for entry in manager.tables.store.logs.entries(table)):
            await asyncio.sleep(0.01)
    manager.tables._pause_timers.end_first()
    async with asyncio.timeout(PATIENCE):
        while manager.tables.open:
            await asyncio.sleep(0.01)
    assert len(manager.tables._clock_timers) == 1
    await manager.close()


async def test_after_a_restart_too(where: str) -> None:
    bots = FakeBots()
    bots.may_think.clear()
    manager = new_manager(open_store(where), bots)
    table, _ = await begin(manager, PERSON, BOT)
    await manager.close()
    bots.may_think.set()
    manager = new_manager(open_store(where))
    manager.start()
    async with asyncio.timeout(PATIENCE):
        while not any(entry.seat == 1 for entry in manager.tables.store.logs.entries(table)):
            await asyncio.sleep(0.01)
    await manager.close()


# What is kept and listed


async def test_a_table_is_kept_while_its_clock_runs_and_for_a_while_after_the_end(
    where: str, pass_time: Callable[[int], None]
) -> None:
    manager = TableManager(open_store(where), BotPool(FakeBots().factory, pause=0), Settings(keep_days=1))
    created = await create(manager, PERSON, PERSON, timed=messages.Clock("act", 14 * SECONDS_PER_DAY, 0))
    table = created.table
    client = await join(manager, table, list(created.codes.values()))
    acked(await act(client, 0, "S@b1"))
    manager.tables.store.database.probe()[-1].result()
    await manager.leave(client)
    pass_time(10 * DAY)
    await manager.retention.delete_all()
    assert manager.tables.store.tables.setup(table) is not None
    pass_time(4 * DAY + MS_PER_SECOND)
    await manager.tables.resume_due()
    await ended(manager.tables.store, table)
    await manager.retention.delete_all()
    assert manager.tables.store.tables.setup(table) is not None
    pass_time(2 * DAY)
    async with asyncio.timeout(PATIENCE):
        while manager.tables.open:
            await asyncio.sleep(0.01)
    await manager.retention.delete_all()
    assert manager.tables.store.tables.setup(table) is None
    await manager.close()


async def test_a_table_that_waits_is_listed_though_nobody_is_there(
    where: str, pass_time: Callable[[int], None]
) -> None:
    """For a week after anybody was; and a game in play only while somebody is."""
    manager = new_manager(open_store(where))
    _left = await create(manager, PERSON, OPEN, public=True)
    pass_time(5 * DAY)
    waiting, begun = [(await create(manager, PERSON, OPEN, public=True)).table for _ in range(2)]
    pass_time(3 * DAY)
    manager.tables.store.tables.set_due(begun, now() + DAY).result()
    assert [one.id for one in await manager.lobby.listings()] == [waiting]
    manager.tables.store.database.write(
        begun, "UPDATE tables SET waiting = -1 WHERE id = ?", begun
    ).result()  # as its game began
    manager.tables.store.tables.set_seen(begun, now(), interval=0).result()
    assert {one.id for one in await manager.lobby.listings()} == {begun, waiting}
    await manager.close()
