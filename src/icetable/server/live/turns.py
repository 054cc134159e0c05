"""Who is served next where work waits for a thread: visitors take turns, by their addresses.

An address that asks for much waits for itself. What others ask for is next as soon as a thread is free, and one thread
always is: an address has one at a time.
"""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakValueDictionary

from icetable.server.live.fair_pool import FairPool

if TYPE_CHECKING:
    from collections.abc import Callable

    from icetable.server.table.state import TableState

THREADS = 2
"""How many logs are replayed, or written as records, at the same time: a long one takes memory and much of a core."""

T = TypeVar("T")

visitor: ContextVar[str] = ContextVar("visitor", default="")
"""The address that the present request comes from (`rate_limits.network_of`); empty for what the server does itself."""


class Turns:
    """A few threads that visitors share fairly, by the time that their work takes."""

    def __init__(self) -> None:
        self._pool = FairPool(THREADS, "turn")
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def run(self, work: Callable[[], T]) -> T:
        """What `work` returns, done in a thread at the visitor's turn. Work that has not begun can be cancelled."""
        address = visitor.get()
        async with self._locks.setdefault(address, asyncio.Lock()):
            return await asyncio.wrap_future(self._pool.submit(address, work))

    async def work_out(self, table_state: TableState, first: int, last: int) -> None:
        """Work out the positions after `first` to `last` acts that are not in memory."""
        for stretch in table_state.missing(first, last):
            table_state.keep(stretch, await self.run(stretch.states))

    def close(self) -> None:
        """Begin no more work."""
        self._pool.close()
