"""Memory that is free goes back to the system."""

from __future__ import annotations

import asyncio
import sys

import pytest

from icetable.games import load
from icetable.server import position_cache
from icetable.server.live import memory
from icetable.server.position_cache import Cache

from .fakes import PATIENCE


@pytest.mark.skipif(sys.platform != "linux", reason="other systems give memory back by themselves")
def test_the_allocator_of_linux_is_told() -> None:
    trim = memory.find_trim()
    assert trim is None or trim(0) in (0, 1)  # musl has none


def test_threads_share_few_heaps(monkeypatch: pytest.MonkeyPatch) -> None:
    told = list[tuple[str, int, int]]()
    monkeypatch.setattr(memory, "_allocator_function", lambda name: lambda *limit: told.append((name, *limit)))
    memory.limit_heaps()
    assert told == [("mallopt", memory.M_ARENA_MAX, memory.MAX_HEAPS)]
    monkeypatch.setattr(memory, "_allocator_function", lambda _: None)
    memory.limit_heaps()  # another allocator


@pytest.mark.anyio
async def test_memory_is_given_back_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    told = list[int]()
    thrice = asyncio.Event()
    loop = asyncio.get_running_loop()

    def trim(pad: int) -> int:
        told.append(pad)
        if len(told) == 3:
            loop.call_soon_threadsafe(thrice.set)
        return 1

    monkeypatch.setattr(memory, "INTERVAL_SECONDS", 0.0)
    monkeypatch.setattr(memory, "find_trim", lambda: trim)
    giving_back = asyncio.create_task(memory.trim_memory())
    await thrice.wait()
    giving_back.cancel()
    assert set(told) == {0}


@pytest.mark.anyio
async def test_positions_that_nobody_looks_at_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "INTERVAL_SECONDS", 0.0)
    monkeypatch.setattr(memory, "find_trim", lambda: None)
    monkeypatch.setattr(position_cache, "cache", cache := Cache(10**6))
    states = [load("icefrogs").start()]
    cache.put(1, 0, states)
    cache.put(2, 0, states)
    cache.drop_unused()
    assert (kept := cache.get(2, 0)) is not None
    assert kept.states == states
    cache.drop_unused()
    assert (cache.get(1, 0), cache.positions) == (None, 1)
    giving_back = asyncio.create_task(memory.trim_memory())
    async with asyncio.timeout(PATIENCE):
        while cache.positions:
            await asyncio.sleep(0)
    giving_back.cancel()
