"""Threads that replay games for visitors rest now and then, so that the event loop goes on."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from icetable.core import record
from icetable.server import gil, position_cache
from icetable.server.live.fair_queue import FairScheduler
from icetable.server.position_cache import Cache
from icetable.server.table import state
from icetable.server.table.state import TableState

from .table_states import long_game, views

if TYPE_CHECKING:
    from collections.abc import Callable

ACTS = 40

pytestmark = pytest.mark.anyio


@pytest.fixture
def rests(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The thread of each rest; they are due all the time."""
    found: list[int] = []
    monkeypatch.setattr(gil, "INTERVAL_SECONDS", 0.0)
    monkeypatch.setattr("icetable.server.gil.time.sleep", lambda _seconds: found.append(threading.get_ident()))
    return found


async def test_work_through_all_acts_of_a_game_yields_the_interpreter(
    rests: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    table_state, _ = long_game(ACTS)
    monkeypatch.setattr(position_cache, "cache", Cache(1))
    text = views(table_state).record()
    head = record.read_head(text)
    works: dict[str, Callable[[], Any]] = {
        "replayed": lambda: TableState(table_state.setup, table_state.game, table_state.log()),
        "opened": lambda: state.recorded_table(head, text, "k7m2pq9x", 0),
        "written": views(table_state).record,
        "shown": lambda: table_state.positions.preload(ACTS),
        "looked at": table_state.positions._uncached(0).states,
    }
    for name, work in works.items():
        work()
        assert threading.get_ident() not in rests, name
    turns = FairScheduler()
    for name, work in works.items():
        rests.clear()
        await turns.run(work)
        assert len(rests) >= ACTS, name
        assert threading.get_ident() not in rests
    turns.close()


def test_a_thread_rests_no_sooner_than_it_has_worked_for_a_while(
    rests: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gil, "INTERVAL_SECONDS", 3600.0)
    with gil.yielding():
        gil.yield_gil()
    assert threading.get_ident() not in rests
