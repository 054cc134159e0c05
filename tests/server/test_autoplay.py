"""Chance and bots, which act at a table by themselves."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import pytest
from msgspec import UNSET

from icetable import games
from icetable.server import messages
from icetable.server.live.manager import TableManager
from icetable.server.live.tables import autoplay, host
from icetable.server.live.tables import table as live
from icetable.server.store.store import Store
from icetable.server.table import clock, fairness
from icetable.server.table.state import TableState

from .fakes import PATIENCE, BrokenDatabase, FakeBots
from .support import (
    BOT,
    PERSON,
    Message,
    acked,
    act,
    bots_are,
    create_table,
    forget_entry,
    frame,
    ids,
    join,
    kind,
    new_manager,
    nothing_more,
    receive,
    undo,
)
from .table_states import ANYBODY, bot

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from icetable.core.game import State

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("toy_game")]


# Chance


async def test_chance_acts_at_once_and_the_same_after_a_restart(path: Path, bots: FakeBots) -> None:
    manager = new_manager(path, bots)
    table, codes = await create_table(manager, "toy", PERSON, PERSON, target=100)
    ann = await join(manager, table, codes)
    for seq in (1, 3, 5):
        await act(ann, (seq // 2) % 2, "take", f"{seq}")
        await receive(ann, frame(seq + 1))
    await manager.close()
    rolled = forget_entry(path, table, 6)  # as if the server had died before the last die was kept
    manager = new_manager(path, bots)
    ann = await join(manager, table, [])
    heard = await receive(ann, frame(6))
    assert heard[-1]["frame"]["line"] == {
        "seq": 6,
        "seat": -1,
        "text": rolled,
        "effects": [{"kind": "rolled", "spaces": [], "value": rolled}],
    }
    await manager.close()


async def test_chance_and_bots_retry_until_their_act_is_stored(
    path: Path, bots: FakeBots, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "RETRY_SECONDS", 0)
    database = BrokenDatabase(path)
    manager = new_manager(Store(database), bots)
    table, codes = await create_table(manager, "toy", PERSON, BOT, target=100)
    ann = await join(manager, table, codes)
    bots.may_think.clear()
    await act(ann, 0, "take")
    await receive(ann, frame(2))
    database.failures = 3
    bots.may_think.set()
    heard = await receive(ann, frame(4))
    assert [message["message"] for message in heard if message["type"] == "error"] == [
        "The disk is full, so nothing more can be stored."
    ] * 3
    await manager.close()


async def test_chance_does_not_act_after_an_end_or_in_a_pause_that_was_agreed_at_its_moment(
    path: Path, bots: FakeBots
) -> None:
    for what in ("draw", "pause"):
        manager = new_manager(path, bots)
        table_id, codes = await create_table(manager, "toy", PERSON, PERSON, target=100)
        ann, bob = await join(manager, table_id, codes[:1]), await join(manager, table_id, codes[1:])
        table = ann.table
        assert table is not None
        acked(await table.handle(ann.viewer, messages.Offer(f"{next(ids)}", what)))
        number = table.state.entries
        taking = asyncio.create_task(act(ann, 0, "take"))
        agreeing = asyncio.create_task(table.handle(bob.viewer, messages.Vote(f"{next(ids)}", number, agree=True)))
        acked(await taking)
        acked(await agreeing)
        await manager.leave(ann)
        await manager.leave(bob)
        texts = [entry.text for entry in manager.tables.store.logs.entries(table_id)]
        assert [text for text in texts if text.startswith("die")] == []
        assert texts[1] == "take"
        if what == "draw":
            assert fairness.verify((await manager.tables.record(table_id))[1]).entries == 3
        await manager.close()


async def test_the_secret_of_chance_is_shown_at_the_end_and_then_no_act_is_taken_back(
    manager: TableManager,
) -> None:
    table, codes = await create_table(manager, "toy", PERSON, PERSON)
    both = await join(manager, table, codes)
    await act(both, 0, "stop")
    over = await receive(both, kind("over"))
    assert over[-1]["ending"]["secret"] == both.table.state.setup.secret.hex()
    refused = await undo(both, 0)
    assert isinstance(refused, messages.Refused)
    assert refused.fault.code == "not-now"
    assert both.table.views.frame(both.viewer).undo is UNSET


# Bots in games of turns


async def test_a_bot_acts_when_it_is_to_act_and_is_shown_to_think(manager: TableManager, bots: FakeBots) -> None:
    table, codes = await create_table(manager, "icefrogs", PERSON, BOT)
    ann = await join(manager, table, codes)
    await act(ann, 0, "S@b1")
    heard = await receive(ann, bots_are("ready"))
    assert [message["type"] for message in heard] == ["welcome", "frame", "bots", "frame", "bots"]
    assert heard[2] == {"type": "bots", "state": "thinking", "seat": 1, "warming_up": None}
    assert heard[3]["frame"]["line"]["seat"] == 1
    assert list(heard[3]["frame"]["legal"]) == ["0"]
    assert bots.thoughts == [("easy", 1)]


async def test_bots_play_while_their_kernels_compile_and_strong_ones_say_so(
    manager: TableManager, bots: FakeBots
) -> None:
    bots.may_compile.clear()
    strong = bot("hard")
    table, codes = await create_table(manager, "icefrogs", PERSON, strong)
    ann = await join(manager, table, codes)
    heard = await receive(ann, kind("bots"))
    assert [message["type"] for message in heard] == ["welcome", "bots"]
    assert heard[-1]["state"] == "ready"
    assert heard[-1]["warming_up"] % 5 == 0 < heard[-1]["warming_up"]
    late = await join(manager, table, [])
    assert (await receive(late, kind("bots")))[-1] == heard[-1]
    await act(ann, 0, "S@b1")
    await receive(ann, frame(2))
    assert (await receive(ann, bots_are("ready")))[-1]["warming_up"] is not None
    bots.may_compile.set()
    heard = await receive(ann, kind("bots"))
    assert heard == [{"type": "bots", "state": "ready", "seat": None, "warming_up": None}]
    await act(ann, 0, "S@b1")
    assert bots.thoughts == [("hard", 1)]


async def test_a_game_is_compiled_once_and_tables_without_strong_bots_are_not_told(
    manager: TableManager, bots: FakeBots
) -> None:
    bots.may_compile.clear()
    clients = []
    for second in (PERSON, PERSON, BOT):
        table, _ = await create_table(manager, "icefrogs", PERSON, second)
        clients.append(await join(manager, table, []))
    bots.may_compile.set()
    await asyncio.wait_for(manager.tables.bot_pool.kernels.prepare(games.info("icefrogs")).ready, PATIENCE)
    await asyncio.sleep(0)
    assert bots.compiled == ["icefrogs"]
    for client in clients:
        await receive(client, kind("welcome"))
        assert nothing_more(client)


async def test_kernels_that_do_not_compile_leave_the_bots_slow_but_playing(
    manager: TableManager, bots: FakeBots, caplog: pytest.LogCaptureFixture
) -> None:
    bots.compile_error = RuntimeError("no compiler")
    table, _ = await create_table(manager, "icefrogs", BOT, PERSON)
    await receive(await join(manager, table, []), frame(1))
    assert "do not compile" in caplog.text


async def test_bots_play_a_whole_game_among_themselves(manager: TableManager, bots: FakeBots) -> None:
    table, _ = await create_table(manager, "icefrogs", BOT, BOT, BOT, players=3, turn_limit=30)
    eve = await join(manager, table, [])
    heard = await receive(eve, lambda message: message["type"] == "frame" and message["frame"]["view"]["over"])
    assert [seat for _, seat in bots.thoughts] == [seq % 3 for seq in range(len(bots.thoughts))]
    assert heard[-1]["frame"]["seq"] == len(bots.thoughts) > 5
    assert (await receive(eve, bots_are("ready")))[-1]["seat"] is None
    assert bots.most_at_once == 1


async def test_an_undo_ends_a_thought_and_the_next_one_waits_for_its_end(manager: TableManager, bots: FakeBots) -> None:
    def choose(state: State, seat: int) -> str:
        return "S@h1" if state.act == "S@b1" else "M@h2"

    bots.choose = choose
    table, codes = await create_table(manager, "icefrogs", PERSON, BOT)
    ann = await join(manager, table, codes)
    bots.may_think.clear()
    await act(ann, 0, "S@b1")
    await receive(ann, bots_are("thinking"))
    while not bots.thoughts:
        await asyncio.sleep(0.001)
    await undo(ann, 0)
    heard = await receive(ann, bots_are("ready"))
    assert [message["type"] for message in heard] == ["rewound", "bots"]
    await act(ann, 0, "L@b2")
    await receive(ann, frame(1))
    assert nothing_more(ann)
    bots.may_think.set()
    await receive(ann, bots_are("thinking"))
    heard = await receive(ann, frame(2))
    assert heard[-1]["frame"]["line"]["text"] == "M@h2"
    assert len(bots.thoughts) == 2
    assert bots.most_at_once == 1
    assert [entry.text for entry in manager.tables.store.logs.entries(table)] == ["S@b1", "undo 0", "L@b2", "M@h2"]


async def test_an_undo_to_a_bots_turn_makes_it_think_again(manager: TableManager, bots: FakeBots) -> None:
    table, codes = await create_table(manager, "icefrogs", BOT, PERSON)
    ann = await join(manager, table, codes)
    await receive(ann, frame(1))
    await undo(ann, 0)
    heard = await receive(ann, frame(1))
    assert "rewound" in [message["type"] for message in heard]
    assert len(bots.thoughts) == 2


async def test_bots_play_on_after_a_restart(path: Path, bots: FakeBots) -> None:
    manager = new_manager(path, bots)
    table, codes = await create_table(manager, "icefrogs", PERSON, BOT)
    ann = await join(manager, table, codes)
    bots.may_think.clear()
    await act(ann, 0, "S@b1")
    await receive(ann, bots_are("thinking"))
    await manager.close()
    bots.may_think.set()

    manager = new_manager(path, bots)
    assert bots.most_at_once <= 1
    ann = await join(manager, table, codes)
    heard = await receive(ann, frame(2))
    assert heard[0]["frame"]["seq"] == 1
    assert heard[-1]["frame"]["line"]["seat"] == 1
    await manager.close()


async def test_clients_are_told_of_a_bot_that_fails_and_play_goes_on(
    manager: TableManager, bots: FakeBots, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(_state: State, _seat: int) -> str:
        raise ZeroDivisionError

    bots.choose = fail
    table, codes = await create_table(manager, "icefrogs", PERSON, BOT)
    ann = await join(manager, table, codes)
    await act(ann, 0, "S@b1")
    assert "failed" in (await receive(ann, kind("error")))[-1]["message"]
    assert "ZeroDivisionError" in caplog.text
    bots.choose = lambda state, seat: "castle"  # a bot's act is judged like a person's
    await undo(ann, 0)
    await act(ann, 0, "M@b1")
    assert "failed" in (await receive(ann, kind("error")))[-1]["message"]
    bots.choose = lambda state, seat: state.legal_actions(seat)[0]
    await undo(ann, 0)
    assert acked(await act(ann, 0, "L@b1")) == 1
    await receive(ann, frame(2))


async def test_a_bot_does_not_act_after_the_last_client_has_left_until_one_comes_back(
    manager: TableManager, bots: FakeBots
) -> None:
    table, codes = await create_table(manager, "icefrogs", PERSON, BOT)
    ann = await join(manager, table, codes)
    bots.may_think.clear()
    await act(ann, 0, "S@b1")
    await receive(ann, bots_are("thinking"))
    await manager.leave(ann)
    assert not manager.tables.open
    bots.may_think.set()
    while bots.at_once:
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.05)
    assert [entry.seat for entry in manager.tables.store.logs.entries(table)] == [0]
    again = await join(manager, table, codes)
    await receive(again, frame(2))
    assert [entry.seat for entry in manager.tables.store.logs.entries(table)] == [0, 1]


async def test_bots_among_themselves_play_while_a_client_watches(manager: TableManager) -> None:
    table, _ = await create_table(manager, "icefrogs", BOT, BOT, turn_limit=0)
    eve = await join(manager, table, [])
    await receive(eve, frame(3))
    await manager.leave(eve)
    assert not manager.tables.open
    kept = len(manager.tables.store.logs.entries(table))
    await asyncio.sleep(0.1)
    assert len(manager.tables.store.logs.entries(table)) == kept
    manager.start()
    await asyncio.sleep(0.1)
    assert len(manager.tables.store.logs.entries(table)) == kept
    again = await join(manager, table, [])
    await receive(again, frame(kept + 2))


# Bots in games without turns


def lifted(by: int) -> Callable[[Message], bool]:
    return lambda message: (
        message["type"] == "frame"
        and message["frame"]["line"]
        == {
            **message["frame"]["line"],
            "seat": by,
            "text": "lift S",
        }
    )


async def settled(table_state: TableState) -> None:
    """Wait until no entry comes any more; an act may have been on its way."""
    entries = -1
    while entries != table_state.entries:
        entries = table_state.entries
        await asyncio.sleep(0.1)


async def test_bots_act_at_moments_of_their_choice_while_a_client_is_there(manager: TableManager) -> None:
    table_id, codes = await create_table(manager, "icehouse", PERSON, BOT, BOT, players=3, timer=0.0)
    ann = await join(manager, table_id, codes)
    await receive(ann, lambda message: message["type"] == "frame" and message["frame"]["view"]["ready"] == [1, 2])
    acked(await act(ann, 0, "ready"))
    for seat in (1, 2):
        await receive(ann, lifted(seat))
    acked(await act(ann, 0, "lift L"))
    table_state = ann.table.state
    await manager.leave(ann)
    await asyncio.wait_for(settled(table_state), PATIENCE)
    again = await join(manager, table_id, codes)
    for seat in (1, 2):
        await receive(again, lifted(seat))


async def test_a_bot_that_was_too_late_looks_again(manager: TableManager, bots: FakeBots) -> None:
    """Its hand is empty when it wants to put something back: the other player has called."""
    table_id, codes = await create_table(manager, "icehouse", PERSON, BOT, players=2, false_call="free")
    ann = await join(manager, table_id, codes)
    await receive(ann, lambda message: message["type"] == "frame" and message["frame"]["view"]["ready"] == [1])
    acked(await act(ann, 0, "ready"))
    await receive(ann, lifted(1))
    table = ann.table
    async with table._lock:
        while not table._lock._waiters:  # it asks, and waits for its turn
            await asyncio.sleep(0.001)
        await table._append(table.state.entry_for_act(ANYBODY, 0, "icehouse", time.time_ns() // 10**6))
    heard = await receive(ann, lifted(1))
    assert bots.refused == 0
    assert {message["type"] for message in heard} <= {"frame", "ack"}


async def test_bots_stand_still_at_a_call_and_then_go_on(
    manager: TableManager, bots: FakeBots, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id, codes = await create_table(manager, "icehouse", PERSON, BOT, players=2, timer=0.0)
    ann = await join(manager, table_id, codes)
    await receive(ann, lambda message: message["type"] == "frame" and message["frame"]["view"]["ready"] == [1])
    acked(await act(ann, 0, "ready"))
    await receive(ann, lifted(1))
    hour, start = 3600 * clock.MS_PER_SECOND, clock.now()
    monkeypatch.setattr(autoplay, "STANDSTILL_MS", hour)
    for module in (autoplay, live):
        monkeypatch.setattr(module, "now", lambda: start)
    acked(await act(ann, 0, "icehouse"))
    realtime = ann.table._autoplayer._realtime_bots
    assert realtime is not None
    bot = realtime._bots[1]
    while bot._timer is None:
        await asyncio.sleep(0.001)
    assert round(bot._timer.when() - asyncio.get_running_loop().time(), -1) == 3600
    for module in (autoplay, live):
        monkeypatch.setattr(module, "now", lambda: start + hour)
    bot.update()
    await receive(ann, lifted(1))
    called, resumed = [entry.at for entry in manager.tables.store.logs.entries(table_id)][-2:]
    assert resumed == called + hour


async def test_a_client_may_leave_a_table_of_bots_at_any_moment_and_join_again(manager: TableManager) -> None:
    """Bots act, think and wait for their moments meanwhile."""
    table, codes = await create_table(manager, "icehouse", PERSON, BOT, BOT, BOT, players=4, timer=0.0)
    ann = await join(manager, table, codes)
    for visit in range(60):
        await receive(ann, kind("welcome"))
        if not visit:
            acked(await act(ann, 0, "ready"))
        await asyncio.sleep(0.002 * (visit % 13))
        await manager.leave(ann)
        assert not manager.tables.open
        ann = await join(manager, table, codes)


async def test_bots_play_the_seats_that_the_lots_gave_them_and_no_others(path: Path, bots: FakeBots) -> None:
    for _ in range(12):
        manager = new_manager(path, bots)
        table, codes = await create_table(manager, "icehouse", PERSON, BOT, bot("hard"), players=3, random_seats=True)
        ann = await join(manager, table, codes)
        await receive(ann, lambda message: message["type"] == "changed" and message["table"]["started"])
        (mine,) = ann.viewer.seats
        acked(await act(ann, mine, "ready"))
        for seat in {0, 1, 2} - {mine}:
            await receive(ann, lifted(seat))
        entries = manager.tables.store.logs.entries(table)
        asked = [entry.client_id is not None for entry in entries if entry.seat == mine]
        assert asked == [True]
        autoplay = ann.table._autoplayer._realtime_bots
        assert autoplay is not None
        assert {seat: bot.level for seat, bot in autoplay._bots.items()} == ann.table.state.bots
        await manager.close()
