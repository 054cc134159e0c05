"""Joining public tables: one that a player chooses, or one that fits a request.

For equal requests one table waits: the database's index of wishes is unique. The other players take the seats of that
table, and a seat is one entry of the table's log; so no two players get the same seat, even through different server
processes.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from icetable.server import messages
from icetable.server.live.lobby import PRESENT_MS
from icetable.server.store.database import written
from icetable.server.store.errors import Conflict, StoreError
from icetable.server.table.clock import now
from icetable.server.table.errors import BadTable, SeatTaken, TableNotFound
from icetable.server.table.seats import hash_code
from icetable.server.table.setup import for_seeker, matchmaking_key

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from contextlib import AbstractAsyncContextManager

    from icetable.server.live.lobby import Lobby
    from icetable.server.live.table import LiveTable
    from icetable.server.store.store import Store
    from icetable.server.table.setup import TableSetup

MAX_TRIES = 50
"""Maximum number of attempts when other players are faster."""

NO_SEAT_ERROR = "somebody else was faster: no seat is free at this table any more"
CROWDED_ERROR = "Too many players are looking for this game right now; please try again."


class Joining:
    """`create_setup` converts a request, `store_table` stores a table with its wish, `opened` holds a table open."""

    def __init__(
        self,
        store: Store,
        create_setup: Callable[[messages.TableRequest], Awaitable[tuple[TableSetup, messages.TableCreated]]],
        store_table: Callable[[TableSetup, str], Awaitable[None]],
        opened: Callable[[str], AbstractAsyncContextManager[LiveTable]],
        lobby: Lobby,
    ) -> None:
        self._store = store
        self._create_setup = create_setup
        self._store_table = store_table
        self._opened = opened
        self._lobby = lobby

    async def join(self, table_id: str, name: str, code: str, browser: str | None) -> messages.Seated:
        """Take the first open seat of a public table; a repeated request with the same code returns the same seat.

        `browser`: the SHA-256 of the browser's cookie. Raises TableNotFound, BadTable, SeatTaken or StoreError.
        """
        async with self._opened(table_id) as table:
            seat = await self._sit(table, name, code)
        await self._remember(browser, table_id, code)
        return messages.Seated(table_id, seat, None, {})

    async def seek(self, request: messages.TableRequest, code: str, browser: str | None) -> messages.Seated:
        """Take a seat at a table that waits with this request, or at a new one. Raises GameError or StoreError.

        A browser that already waits there gets its seat back.
        """
        setup, created = await self._create_setup(request)
        setup = for_seeker(setup, code)
        seat = next(number for number, holder in enumerate(setup.seats) if holder.kind == "person")
        wish = matchmaking_key(setup)
        for _ in range(MAX_TRIES):
            seated = await self._find(wish, setup.seats[seat].name, code, browser)
            if seated is not None:
                return seated
            with contextlib.suppress(Conflict):  # another request with this wish was faster
                await self._store_table(setup, wish)
                await self._remember(browser, setup.id, code)
                self._lobby.note_opened(setup.id)
                return messages.Seated(setup.id, seat, created.host, created.invites)
        raise StoreError(CROWDED_ERROR)

    async def _find(self, wish: str, name: str, code: str, browser: str | None) -> messages.Seated | None:
        """Take a seat at the table that waits with this wish; None if there is none. Raises StoreError."""
        waiting = await asyncio.to_thread(self._store.tables.matching, wish, now() - PRESENT_MS)
        if waiting is None:
            return None
        table_id, is_waiting = waiting
        if is_waiting:
            with contextlib.suppress(SeatTaken, TableNotFound):
                if browser is not None and (held := await asyncio.to_thread(self._store.codes.held, browser, table_id)):
                    return await self._held_seat(table_id, held)
                return await self.join(table_id, name, code, browser)
        with contextlib.suppress(Conflict):  # another process has dropped it
            await written(self._store.tables.drop_key(table_id))
        return None

    async def _held_seat(self, table_id: str, held: frozenset[str]) -> messages.Seated:
        """The seat that a browser holds. Raises TableNotFound, SeatTaken if it has none, or StoreError."""
        async with self._opened(table_id) as table:
            seats = table.state.viewer_with(held).seats
        if not seats:
            raise SeatTaken(NO_SEAT_ERROR)
        return messages.Seated(table_id, min(seats), None, {})

    async def _sit(self, table: LiveTable, name: str, code: str) -> int:
        """Take the first open seat. Raises BadTable, SeatTaken or StoreError."""
        while True:
            viewer = table.state.viewer_with(frozenset({hash_code(code)}))
            if viewer.seats:
                return min(viewer.seats)
            if not viewer.guest:
                raise SeatTaken(NO_SEAT_ERROR)
            seat = min(viewer.guest)
            request = messages.Sit(f"join {hash_code(code)[:32]}", seat, name, code)
            answer = await table.handle(viewer, request)
            if isinstance(answer, messages.Refused) and answer.fault.code == "not-kept":
                raise StoreError(answer.fault.message)
            if isinstance(answer, messages.Refused) and seat in table.state.viewer_with(frozenset()).guest:
                raise BadTable(answer.fault.message)

    async def _remember(self, browser: str | None, table_id: str, code: str) -> None:
        """Store that a browser holds the code. Raises StoreError."""
        if browser is not None:
            with contextlib.suppress(Conflict):  # already stored
                await written(self._store.codes.hold(browser, table_id, hash_code(code)))
