"""Erases names of players in the database, at open tables and in caches; the hash chain of the log stays valid."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

import msgspec

from icetable.server.live.lobby import seating_after
from icetable.server.store.database import written
from icetable.server.store.errors import Conflict
from icetable.server.table.log import Place

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from icetable.server.live.table import LiveTable
    from icetable.server.store.store import Store
    from icetable.server.table.seats import Seat, Seating
    from icetable.server.table.setup import TableSetup
    from icetable.server.table.state import TableState

TABLES_PER_BATCH = 16
"""Number of tables handled concurrently, so that they share commits."""

_places_decoder = msgspec.json.Decoder(dict[str, list[Place]])


class NotErased(Exception):
    """A name can't be erased; the text says why, in one sentence."""


class Erasing:
    """Erases names at the tables of a store, some of which are open in this process."""

    def __init__(
        self,
        store: Store,
        open_tables: Mapping[str, LiveTable],
        forget: Sequence[Callable[[], None]] = (),
        lock: Callable[[str], asyncio.Lock] = lambda _: asyncio.Lock(),
    ) -> None:
        """`forget`: called to drop the caches in this process that contain names.

        `lock` returns the lock that is held while a table is opened.
        """
        self._has_erased = False
        self._store = store
        self._open_tables = open_tables
        self._forget = forget
        self._lock = lock

    async def refresh(self, state: TableState) -> None:
        """Erase the names at a table being opened that were erased since it was read. Raises StoreError."""
        if self._has_erased:
            stored = await asyncio.to_thread(self._store.tables.names, state.setup.id)
            state.erase({*names_at(state).values()} - {*stored.values()})

    async def erase_seat(self, table: str, seat: int) -> None:
        """Erase the name of a seat everywhere at its table, and the seat's subscriptions.

        Raises NotErased and StoreError.
        """
        setup = await asyncio.to_thread(self._store.tables.setup, table)
        if setup is None:
            raise NotErased(f"There is no table {table}.")
        seating = await self._seating(setup)
        if not 0 <= seat < len(seating.seats):
            raise NotErased(f"Table {table} has the seats 0 to {len(seating.seats) - 1}.")
        await self._erase(table, {seating.seats[seat].name} - {""})
        self._forget_subscribers(table, [seating.seats[seat]])

    async def erase_places(self, places: str) -> int:
        """Erase the names entered at some places of tables, and the subscriptions of seats with these names.

        `places` is JSON: for each table a list of entry numbers and seats, with 0 for the setup. Returns the number of
        tables. Raises StoreError.
        """
        tables = list(_places_decoder.decode(places).items())
        for first in range(0, len(tables), TABLES_PER_BATCH):
            await asyncio.gather(*(self._erase_at_places(*item) for item in tables[first : first + TABLES_PER_BATCH]))
        return len(tables)

    async def _erase_at_places(self, table: str, places: Iterable[Place]) -> None:
        known = await asyncio.to_thread(self._store.tables.names, table)
        if table in self._open_tables:
            known |= names_at(self._open_tables[table].state)
        erased = {known[place] for place in places if place in known}
        setup = await asyncio.to_thread(self._store.tables.setup, table)
        seats = () if setup is None else (await self._seating(setup)).seats
        await self._erase(table, erased)
        self._forget_subscribers(table, [seat for seat in seats if seat.name in erased])

    def _forget_subscribers(self, table: str, seats: Iterable[Seat]) -> None:
        for seat in seats:
            if seat.code_hash is not None:
                self._store.subscriptions.delete_of_seat(table, seat.code_hash)

    async def _seating(self, setup: TableSetup) -> Seating:
        if setup.id in self._open_tables:
            return self._open_tables[setup.id].state.seating
        return seating_after(setup, await asyncio.to_thread(self._store.logs.seating, setup.id))

    async def _erase(self, table: str, names: Collection[str]) -> None:
        """Erase names at a table, here first, so that nothing more is stored with them. Raises StoreError."""
        self._has_erased = True
        async with self._lock(table):
            if table in self._open_tables:
                await self._open_tables[table].erase(names)
            for done in await asyncio.to_thread(self._store.tables.erase_names, table, names):
                with contextlib.suppress(Conflict):  # another process has erased it
                    await written(done)
            for forget in self._forget:
                forget()


def names_at(state: TableState) -> dict[Place, str]:
    """The names at an open table that can be erased, by the place where they were entered."""
    in_setup = {(0, seat): name.name for seat, name in enumerate(state.setup.names) if name is not None}
    return in_setup | {(entry.seq, 0): entry.name.name for entry in state.log() if entry.name is not None}
