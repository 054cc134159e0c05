"""Caches drop what was used longest ago, and free memory goes back to the system."""

from __future__ import annotations

import sys

import pytest

from icetable.games import load
from icetable.server import position_cache
from icetable.server.live import memory
from icetable.server.live.memory import LRUCache
from icetable.server.position_cache import Cache


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
async def test_memory_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    pads = list[int]()
    monkeypatch.setattr(memory, "find_trim", lambda: pads.append)
    await memory.trim_memory()
    assert pads == [0]


@pytest.mark.anyio
async def test_positions_that_nobody_looks_at_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
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
    await memory.trim_memory()
    assert cache.positions == 0


def test_the_last_used_entries_stay() -> None:
    recent: LRUCache[str, int] = LRUCache(3)
    for number, key in enumerate("abc"):
        recent.put(key, number)
    assert recent.get("a") == 0
    recent.put("d", 3)
    assert [recent.get(key) for key in "abcd"] == [0, None, 2, 3]


def test_sizes_count() -> None:
    recent: LRUCache[str, int] = LRUCache(10)
    recent.put("a", 1, 4)
    recent.put("a", 2, 6)
    recent.put("b", 3, 4)
    assert (recent.get("a"), recent.get("b")) == (2, 3)
    recent.put("c", 4, 20)
    assert [recent.get(key) for key in "abc"] == [None, None, 4]
    recent.drop("c")
    recent.drop("c")
    recent.put("d", 5, 10)
    assert recent.get("d") == 5
