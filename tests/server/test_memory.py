"""Memory that is free goes back to the system."""

from __future__ import annotations

import asyncio
import sys

import pytest

from icetable.server import memory


@pytest.mark.skipif(sys.platform != "linux", reason="other systems give memory back by themselves")
def test_the_allocator_of_linux_is_told() -> None:
    trim = memory.find_trim()
    assert trim is None or trim(0) in (0, 1)  # musl has none


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

    monkeypatch.setattr(memory, "EVERY", 0.0)
    monkeypatch.setattr(memory, "find_trim", lambda: trim)
    giving_back = asyncio.create_task(memory.give_back())
    await thrice.wait()
    giving_back.cancel()
    assert set(told) == {0}


@pytest.mark.anyio
async def test_nothing_is_done_where_the_allocator_needs_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "find_trim", lambda: None)
    await memory.give_back()
