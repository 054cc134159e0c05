"""Long work of visitors: by turns of their addresses, and no more than a share of a core for each."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING

import pytest

from icetable.server.live import fair_queue
from icetable.server.live.fair_queue import FairScheduler, client_address

from .fakes import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable

A_WHILE = 0.05


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Callable[[], str]:
    """Work that takes as much of a core as an address may use in a year."""
    core = iter(range(0, 10**9, 10**7))
    monkeypatch.setattr(time, "thread_time", lambda: float(next(core)))
    return lambda: "done"


def ask(all_turns: FairScheduler, address: str, work: Callable[[], str]) -> asyncio.Task[str]:
    client_address.set(address)
    return asyncio.create_task(all_turns.run(work))


async def is_served(task: asyncio.Task[str], seconds: float) -> bool:
    return task in (await asyncio.wait([task], timeout=seconds))[0]


def test_an_address_that_has_used_up_its_share_waits_and_no_other_does(work: Callable[[], str]) -> None:
    async def scenario() -> None:
        all_turns = FairScheduler()
        assert await is_served(ask(all_turns, "192.0.2.1", work), PATIENCE)
        again = ask(all_turns, "192.0.2.1", work)
        assert await is_served(ask(all_turns, "192.0.2.2", work), PATIENCE)
        assert await is_served(ask(all_turns, "", work), PATIENCE)
        assert await is_served(ask(all_turns, "", work), PATIENCE)
        assert not await is_served(again, A_WHILE)
        again.cancel()
        all_turns.close()

    asyncio.run(scenario())


def test_work_that_nobody_waits_for_any_more_keeps_its_turn() -> None:
    async def scenario() -> None:
        all_turns, has_begun, may_end = FairScheduler(), threading.Event(), threading.Event()

        def work() -> str:
            has_begun.set()
            assert may_end.wait(PATIENCE)
            return "done"

        gone = ask(all_turns, "192.0.2.1", work)
        assert await asyncio.to_thread(has_begun.wait, PATIENCE)
        gone.cancel()
        again = ask(all_turns, "192.0.2.1", lambda: "done")
        assert not await is_served(again, A_WHILE)
        may_end.set()
        assert await is_served(again, PATIENCE)
        all_turns.close()

    asyncio.run(scenario())


def test_short_work_never_waits() -> None:
    async def scenario() -> None:
        all_turns = FairScheduler()
        for _ in range(20):
            assert await is_served(ask(all_turns, "192.0.2.1", lambda: "done"), PATIENCE)
        all_turns.close()

    asyncio.run(scenario())


def test_addresses_that_need_not_wait_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        all_turns = FairScheduler()
        for number in range(50):
            assert await is_served(ask(all_turns, f"192.0.2.{number}", lambda: "done"), PATIENCE)
        assert len(all_turns._paid_until) <= 10
        all_turns.close()

    monkeypatch.setattr(fair_queue, "MIN_PRUNED_ADDRESSES", 10)
    monkeypatch.setattr(fair_queue, "MAX_CORE_SHARE", 1e9)
    asyncio.run(scenario())
