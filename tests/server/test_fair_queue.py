"""Jobs that clients share fairly: in turn by the time used, a few at once, and no more than a share of a core each."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import threading
import time
import weakref
from concurrent.futures import CancelledError, Future
from typing import TYPE_CHECKING

import pytest

from icetable import games
from icetable.server.live import fair_queue
from icetable.server.live.bots import BotPool
from icetable.server.live.fair_queue import MAX_CLIENTS, FairQueue, FairScheduler, client_address

from .fakes import PATIENCE, FakeBots, level

if TYPE_CHECKING:
    from collections.abc import Iterator


class BusyPool:
    """A pool of one thread that is kept busy until `go_on`, and the order in which later jobs are done."""

    def __init__(self, pool: FairQueue) -> None:
        self.pool = pool
        self.order: list[str] = []
        self.may_go_on = threading.Event()
        begun = threading.Event()

        def keep_busy() -> None:
            begun.set()
            assert self.may_go_on.wait(PATIENCE)

        self.first = pool.submit("first", keep_busy)
        assert begun.wait(PATIENCE)

    def submit(self, table: str, seconds: float = 0.0) -> Future[None]:
        def work() -> None:
            self.order.append(table)
            time.sleep(seconds)

        return self.pool.submit(table, work)

    def go_on(self, *jobs: Future[None]) -> None:
        self.may_go_on.set()
        for job in jobs:
            job.result(PATIENCE)


@pytest.fixture
def pool() -> Iterator[FairQueue]:
    pool = FairQueue(1, "test")
    yield pool
    pool.close()


def test_work_of_one_table_is_done_in_order_and_brings_results_and_errors(pool: FairQueue) -> None:
    def fail() -> None:
        raise ValueError("no")

    assert pool.submit("a", lambda: 7).result(PATIENCE) == 7
    with pytest.raises(ValueError, match="no"):
        pool.submit("a", fail).result(PATIENCE)
    assert pool.submit("a", lambda: 8).result(PATIENCE) == 8
    assert pool.load == 0


def test_a_table_that_has_used_little_time_is_served_before_one_that_has_used_much(pool: FairQueue) -> None:
    busy = BusyPool(pool)
    later: list[Future[None]] = []
    greedy, other = busy.submit("greedy", 0.05), busy.submit("other")
    greedy.add_done_callback(lambda _: later.extend([busy.submit("greedy"), busy.submit("modest")]))
    busy.go_on(greedy, other)
    busy.go_on(*later)
    assert busy.order == ["greedy", "other", "modest", "greedy"]
    assert pool.load == 0


def test_a_table_with_few_jobs_is_served_next_however_long_the_queue_is(pool: FairQueue) -> None:
    busy = BusyPool(pool)
    later: list[Future[None]] = []
    jobs = [busy.submit(f"{table}", 0.02) for table in range(9)]
    for table, job in enumerate(jobs):
        job.add_done_callback(lambda _, table=table: later.append(busy.submit(f"{table}")))  # type: ignore[misc]
    jobs[7].add_done_callback(lambda _: later.append(busy.submit("seldom")))
    busy.go_on(*jobs)
    while len(later) < 10:
        time.sleep(0.001)
    busy.go_on(*later)
    assert busy.order[:10] == [*"012345678", "seldom"]


def test_work_that_has_not_begun_can_be_cancelled_and_closing_does_so(pool: FairQueue) -> None:
    busy = BusyPool(pool)
    unwanted, wanted = busy.submit("a"), busy.submit("b")
    assert unwanted.cancel()
    busy.go_on(wanted)
    assert busy.order == ["b"]
    busy = BusyPool(pool)
    waiting = busy.submit("c")
    pool.close()
    busy.may_go_on.set()
    with pytest.raises(CancelledError):
        waiting.result(PATIENCE)
    busy.first.result(PATIENCE)


def test_times_used_are_forgotten_when_the_pool_is_idle_and_take_bounded_memory() -> None:
    pool = FairQueue(2, "test")
    busy = BusyPool(pool)
    for table in range(2 * MAX_CLIENTS):
        pool.submit(f"{table}", lambda: None).result(PATIENCE)
        assert len(pool._times) <= MAX_CLIENTS
    busy.go_on(busy.first)
    assert pool._times == {}
    pool.close()


def test_so_many_jobs_of_a_client_run_at_once_and_others_go_on() -> None:
    queue = FairQueue(3, "test", per_client=2)
    may_end = threading.Event()
    begun: list[str] = []

    def work(client: str) -> None:
        begun.append(client)
        assert may_end.wait(PATIENCE)

    jobs = [queue.submit(client, functools.partial(work, client)) for client in ("a", "a", "a", "b")]
    while len(begun) < 3:
        time.sleep(0.001)
    assert sorted(begun) == ["a", "a", "b"]
    may_end.set()
    for job in jobs:
        job.result(PATIENCE)
    assert begun[3:] == ["a"]
    queue.close()


def test_lanes_of_a_client_take_turns(pool: FairQueue) -> None:
    """A client's analysis does not wait for all of its review."""
    busy = BusyPool(pool)
    order: list[str] = []
    wanted = ["review 1", "review 2", "review 3", "analysis 1", "analysis 2"]
    jobs = [pool.submit("one", functools.partial(order.append, name), name.split()[0]) for name in wanted]
    busy.go_on(*jobs)
    assert order == ["review 1", "analysis 1", "review 2", "analysis 2", "review 3"]


def test_a_turn_lasts_as_long_as_its_context_and_one_that_is_not_awaited_any_more_is_left_out() -> None:
    async def scenario() -> None:
        queue, order = FairQueue(2, "test", per_client=1), list[str]()

        async def take_turn(name: str, may_end: asyncio.Event) -> None:
            async with queue.turn("one"):
                order.append(name)
                await may_end.wait()

        may_end = asyncio.Event()
        first, second, third = (asyncio.create_task(take_turn(name, may_end)) for name in ("a", "b", "c"))
        await asyncio.sleep(0.01)
        assert order == ["a"]
        second.cancel()
        may_end.set()
        await asyncio.gather(first, third)
        assert order == ["a", "c"]
        assert queue.load == 0
        queue.close()

    asyncio.run(scenario())


def test_quick_thoughts_do_not_wait_for_long_ones_and_no_more_think_than_there_are_cores() -> None:
    bot_pool = BotPool(FakeBots().factory, cores=2)
    may_end, threads = threading.Event(), list[int]()

    def think(most: int) -> None:
        threads.append(most)
        assert may_end.wait(PATIENCE)

    long_ones = [bot_pool.submit(f"{table}", level("hard"), think) for table in range(5)]
    quick = bot_pool.submit("quick", level("easy", is_quick=True), lambda most: most)
    assert quick.result(PATIENCE) == 1
    assert len(threads) <= 1
    may_end.set()
    for thought in long_ones:
        thought.result(PATIENCE)
    assert threads[-1] == 2, "the last one has the machine for itself"
    assert all(most == 1 for most in threads[1:4])
    bot_pool.close()


def test_every_game_has_quick_levels_and_games_of_turns_have_slow_ones() -> None:
    import icetable.bots

    for info in games.list_games():
        levels = icetable.bots.levels(info.name)
        assert levels[0].is_quick
        assert levels[-1].is_quick is not info.turns


class Heavy:
    """An object that work holds."""


def test_work_that_fails_leaves_nothing_to_the_garbage_collector() -> None:
    """A server has it run seldom, and the records that visitors bring are long."""
    held: list[weakref.ref[Heavy]] = []

    def fail() -> None:
        heavy = Heavy()
        held.append(weakref.ref(heavy))
        raise ValueError

    pool = FairQueue(1, "test")
    gc.disable()
    try:
        with contextlib.suppress(ValueError):
            pool.submit("table", fail).result(PATIENCE)
        pool.submit("table", lambda: None).result(PATIENCE)  # so that the thread has come so far
        assert held[0]() is None
    finally:
        gc.enable()
        pool.close()


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
