"""A thread pool that tables share fairly."""

from __future__ import annotations

import contextlib
import gc
import threading
import time
import weakref
from concurrent.futures import CancelledError, Future
from typing import TYPE_CHECKING

import pytest

from icetable import games
from icetable.server.live.bots import BotPool
from icetable.server.live.fair_queue import MAX_CUSTOMERS, FairPool

from .fakes import PATIENCE, FakeBots, level

if TYPE_CHECKING:
    from collections.abc import Iterator


class BusyPool:
    """A pool of one thread that is kept busy until `go_on`, and the order in which later jobs are done."""

    def __init__(self, pool: FairPool) -> None:
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
def pool() -> Iterator[FairPool]:
    pool = FairPool(1, "test")
    yield pool
    pool.close()


def test_work_of_one_table_is_done_in_order_and_brings_results_and_errors(pool: FairPool) -> None:
    def fail() -> None:
        raise ValueError("no")

    assert pool.submit("a", lambda: 7).result(PATIENCE) == 7
    with pytest.raises(ValueError, match="no"):
        pool.submit("a", fail).result(PATIENCE)
    assert pool.submit("a", lambda: 8).result(PATIENCE) == 8
    assert pool.load == 0


def test_a_table_that_has_used_little_time_is_served_before_one_that_has_used_much(pool: FairPool) -> None:
    busy = BusyPool(pool)
    later: list[Future[None]] = []
    greedy, other = busy.submit("greedy", 0.05), busy.submit("other")
    greedy.add_done_callback(lambda _: later.extend([busy.submit("greedy"), busy.submit("modest")]))
    busy.go_on(greedy, other)
    busy.go_on(*later)
    assert busy.order == ["greedy", "other", "modest", "greedy"]
    assert pool.load == 0


def test_a_table_with_few_jobs_is_served_next_however_long_the_queue_is(pool: FairPool) -> None:
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


def test_work_that_has_not_begun_can_be_cancelled_and_closing_does_so(pool: FairPool) -> None:
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
    pool = FairPool(2, "test")
    busy = BusyPool(pool)
    for table in range(2 * MAX_CUSTOMERS):
        pool.submit(f"{table}", lambda: None).result(PATIENCE)
        assert len(pool._finish) <= MAX_CUSTOMERS
    busy.go_on(busy.first)
    assert pool._finish == {}
    pool.close()


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
    """What work has in its hands."""


def test_work_that_fails_leaves_nothing_to_the_garbage_collector() -> None:
    """A server has it run seldom, and the records that visitors bring are long."""
    held: list[weakref.ref[Heavy]] = []

    def fail() -> None:
        heavy = Heavy()
        held.append(weakref.ref(heavy))
        raise ValueError

    pool = FairPool(1, "test")
    gc.disable()
    try:
        with contextlib.suppress(ValueError):
            pool.submit("table", fail).result(PATIENCE)
        pool.submit("table", lambda: None).result(PATIENCE)  # so that the thread has come so far
        assert held[0]() is None
    finally:
        gc.enable()
        pool.close()
