"""A table is replayed from its log once for all requests, few at the same time; the lobby needs no replay."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from icetable.server import messages, position_cache
from icetable.server.errors import TableNotFound
from icetable.server.live.fair_queue import MAX_THREADS, client_address
from icetable.server.live.manager import TableManager
from icetable.server.live.tables import replays as live_replays
from icetable.server.position_cache import Cache
from icetable.server.table.positions import SEGMENT, Segment

from .fakes import PATIENCE, Listener
from .support import PERSON, acked, act, create_open_table, create_table, join, kind, new_manager, receive, sit
from .table_states import long_game, views

if TYPE_CHECKING:
    from pathlib import Path

    from icetable.core.game import State
    from icetable.server.table.state import TableState

T = TypeVar("T")

pytestmark = pytest.mark.anyio


class Replays:
    """Counts replays, which end no sooner than they may."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun: list[str] = []
        self.read: list[str] = []
        self.at_once = self.most_at_once = 0
        self.may_end = threading.Event()
        self.may_end.set()
        self._count, read_state = threading.Lock(), live_replays.Replays._read_state

        def slow_read_state(found: live_replays.Replays, table_id: str) -> TableState:
            with self._count:
                self.begun.append(table_id)
                self.at_once += 1
                self.most_at_once = max(self.most_at_once, self.at_once)
            try:
                table_state = read_state(found, table_id)
                self.read.append(table_id)
                assert self.may_end.wait(PATIENCE)
                return table_state
            finally:
                with self._count:
                    self.at_once -= 1

        monkeypatch.setattr(live_replays.Replays, "_read_state", slow_read_state)

    def clear(self) -> None:
        """Forget those that have ended."""
        self.begun.clear()
        self.read.clear()

    async def until(self, read: int) -> None:
        """Wait until that number of logs is read."""
        async with asyncio.timeout(PATIENCE):
            while len(self.read) < read:
                await asyncio.sleep(0.001)


@pytest.fixture
def replays(monkeypatch: pytest.MonkeyPatch) -> Replays:
    return Replays(monkeypatch)


async def table_without_clients(manager: TableManager) -> tuple[str, list[str]]:
    """A table with one act, from which the only client has left."""
    table, codes = await create_table(manager, "icefrogs", PERSON, PERSON)
    ann = await join(manager, table, codes)
    acked(await act(ann, 0, "S@b1"))
    await manager.leave(ann)
    return table, codes


async def test_requests_for_a_table_share_one_replay(manager: TableManager, replays: Replays) -> None:
    table, codes = await table_without_clients(manager)
    replays.clear()
    replays.may_end.clear()
    ann, watcher = Listener(), Listener()
    copies = [asyncio.create_task(manager.tables.copy(table, messages.CopyRequest([], 1))) for _ in range(8)]
    entering = asyncio.gather(ann.join(manager, table, codes), watcher.join(manager, table, []))
    recording = asyncio.create_task(manager.tables.record(table))
    await replays.until(1)
    replays.may_end.set()
    assert len({(await copy).table for copy in copies}) == 8
    await entering
    game, record = await recording
    assert replays.begun == [table]
    assert (game, "\n0 @" in record) == ("icefrogs", True)
    assert ann.table is watcher.table
    assert (await receive(ann, kind("welcome")))[-1]["frame"]["seq"] == 1


async def test_a_table_that_was_resumed_at_the_start_is_not_replayed_again_for_the_first_client(
    path: Path, replays: Replays
) -> None:
    manager = new_manager(path)
    table, codes = await table_without_clients(manager)
    await manager.close()
    replays.clear()
    manager = new_manager(path)
    manager.start()
    await replays.until(1)
    ann = await join(manager, table, codes)
    acked(await act(ann, 1, "S@h1"))
    await manager.leave(ann)
    assert replays.begun == [table]
    again = await join(manager, table, codes)
    assert (await receive(again, kind("welcome")))[-1]["frame"]["seq"] == 2
    assert replays.begun == [table] * 2, "what was played meanwhile is in the log"
    await manager.close()


async def test_few_tables_are_replayed_at_the_same_time(manager: TableManager, replays: Replays) -> None:
    tables = [(await table_without_clients(manager))[0] for _ in range(5)]
    replays.clear()
    replays.may_end.clear()
    waiting = asyncio.gather(
        *(asked_by(f"10.0.0.{number}", manager.tables.record(table)) for number, table in enumerate(tables))
    )
    await replays.until(MAX_THREADS)
    for _ in range(100):
        await asyncio.sleep(0)  # the others would begin now
    replays.may_end.set()
    assert len(await waiting) == 5
    assert sorted(replays.begun) == sorted(tables)
    assert replays.most_at_once == MAX_THREADS


async def test_a_visitor_who_asks_for_much_holds_up_no_other(manager: TableManager, replays: Replays) -> None:
    tables = [(await table_without_clients(manager))[0] for _ in range(4)]
    mine, _ = await table_without_clients(manager)
    replays.clear()
    replays.may_end.clear()
    many = [asked_by("10.0.0.1", manager.tables.record(table)) for table in (*tables, mine)]
    waiting = asyncio.gather(*many, asked_by("10.0.0.1", Listener().join(manager, mine, [])))
    await replays.until(1)
    (client, _) = await asyncio.gather(asked_by("10.0.0.2", joined(manager, mine)), let_end(replays, 2))
    assert client.table.state.setup.id == mine
    assert replays.begun[:2] == [tables[0], mine]
    await waiting


async def let_end(replays: Replays, read: int) -> None:
    await replays.until(read)
    replays.may_end.set()


async def joined(manager: TableManager, table: str) -> Listener:
    return await join(manager, table, [])


@pytest.mark.parametrize("is_open", [False, True])
async def test_positions_for_a_client_are_replayed_in_a_thread_and_held_until_they_are_sent(
    manager: TableManager, monkeypatch: pytest.MonkeyPatch, is_open: bool
) -> None:
    table = (await manager.records.open(views(long_game(2 * SEGMENT + 5)[0]).record(), lambda price: None)).table
    threads, work_out = list[int](), Segment.states

    def states(segment: Segment) -> list[State]:
        threads.append(threading.get_ident())
        return work_out(segment)

    monkeypatch.setattr(position_cache, "cache", Cache(1))  # others look at other games all the time
    monkeypatch.setattr(Segment, "states", states)
    if is_open:
        await join(manager, table, [])
        threads.clear()
    client = await join(manager, table, [])
    assert len((await receive(client, kind("welcome")))[-1]["lines"]) == messages.LINES_PER_PAGE
    page = await client.table.history(client.viewer, 2 * SEGMENT)
    assert isinstance(page, messages.HistoryPage)
    assert threads
    assert threading.get_ident() not in threads


def asked_by(address: str, request: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """A request from an address."""
    context = contextvars.copy_context()
    context.run(client_address.set, address)
    return asyncio.create_task(request, context=context)


async def test_every_request_for_a_missing_table_is_told_so_and_may_be_repeated(
    manager: TableManager, replays: Replays
) -> None:
    for asked in (1, 2):
        answers = await asyncio.gather(*(manager.tables.record("none") for _ in range(3)), return_exceptions=True)
        assert {type(answer) for answer in answers} == {TableNotFound}
        assert len(replays.begun) == asked


async def test_a_cancelled_request_does_not_stop_the_replay_for_the_others(
    manager: TableManager, replays: Replays
) -> None:
    table, _ = await table_without_clients(manager)
    replays.clear()
    replays.may_end.clear()
    first, second = (asyncio.create_task(manager.tables.record(table)) for _ in range(2))
    await replays.until(1)
    first.cancel()
    await asyncio.wait([first])
    replays.may_end.set()
    assert (await second)[0] == "icefrogs"
    assert replays.begun == [table]


async def test_the_lobby_replays_no_game(manager: TableManager, replays: Replays) -> None:
    created = await create_open_table(manager, public=True)
    ann = await join(manager, created.table, [created.codes["0"]])
    bob = await join(manager, created.table, [])
    acked(await sit(bob, 1, "ab" * 16))
    acked(await act(ann, 0, "S@b1"))
    for number, seat in enumerate((0, 1)):
        client = (ann, bob)[seat]
        acked(await client.table.handle(client.viewer, messages.Leave(f"l{number}", seat)))
    acked(await act(bob, 1, "S@h1"))
    (open_,) = await manager.lobby.listings()
    assert [seat.gone for seat in open_.seats] == [True, False]
    await manager.leave(ann)
    await manager.leave(bob)
    manager.lobby._listed.clear()
    replays.clear()
    assert await manager.lobby.listings() == [open_]
    assert replays.begun == []


async def test_the_lobby_leaves_out_what_is_over(manager: TableManager, replays: Replays) -> None:
    created = await create_open_table(manager, public=True)
    ann = await join(manager, created.table, [created.codes["0"]])
    bob = await join(manager, created.table, [])
    acked(await sit(bob, 1, "ab" * 16))
    assert len(await manager.lobby.listings()) == 1
    for client, request in ((ann, messages.Offer("o", "draw")), (bob, messages.Vote("v", 2, True))):
        acked(await client.table.handle(client.viewer, request))
    assert await manager.lobby.listings() == []
    await manager.leave(ann)
    await manager.leave(bob)
    replays.clear()
    assert await manager.lobby.listings() == []
    assert replays.begun == []
