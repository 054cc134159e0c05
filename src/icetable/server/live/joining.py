"""How players who do not know each other come to a table: one that they choose, or one that fits what they ask for.

Of those who ask for the same, the database lets one table wait: its index of wishes has each once. The others take the
seats of that table, and a seat is one entry of the table's log; so no two players get the same, whichever server
processes they ask.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from icetable.server import messages
from icetable.server.live.lobby import PRESENT_FOR
from icetable.server.store.errors import Conflict, StoreError
from icetable.server.store.waits import written
from icetable.server.table.clock import now
from icetable.server.table.errors import BadTable, SeatTaken, TableNotFound
from icetable.server.table.seats import hash_code
from icetable.server.table.setup import for_seeker, wish_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from contextlib import AbstractAsyncContextManager

    from icetable.server.live.lobby import Lobby
    from icetable.server.live.table import LiveTable
    from icetable.server.store.store import Store
    from icetable.server.table.setup import TableSetup

MAX_TRIES = 50
"""How often others may be faster before somebody is asked to try again."""

NO_SEAT = "somebody else was faster: no seat is free at this table any more"
CROWDED = "Too many ask for the same game just now; please try again."


class Joining:
    """`settle` works out what a request settles, `keep` stores a table with a wish, `opened` opens one meanwhile."""

    def __init__(
        self,
        store: Store,
        settle: Callable[[messages.TableRequest], Awaitable[tuple[TableSetup, messages.TableCreated]]],
        keep: Callable[[TableSetup, str], Awaitable[None]],
        opened: Callable[[str], AbstractAsyncContextManager[LiveTable]],
        lobby: Lobby,
    ) -> None:
        self._store = store
        self._settle = settle
        self._keep = keep
        self._opened = opened
        self._lobby = lobby

    async def join(self, table_id: str, name: str, code: str, browser: str | None) -> messages.Seated:
        """Take the first open seat of a table that anybody may join; the same one when asked again with the code.

        `browser`: the SHA-256 of the browser's cookie. Raises TableNotFound, BadTable, SeatTaken or StoreError.
        """
        async with self._opened(table_id) as table:
            seat = await self._sit(table, name, code)
        await self._remember(browser, table_id, code)
        return messages.Seated(table_id, seat, None, {})

    async def seek(self, request: messages.TableRequest, code: str, browser: str | None) -> messages.Seated:
        """A seat at a table that waits for such a player, else at a new one. Raises GameError or StoreError.

        A browser that waits already comes back to where it does.
        """
        settled, created = await self._settle(request)
        settled = for_seeker(settled, code)
        seat = next(number for number, one in enumerate(settled.seats) if one.kind == "person")
        wish = wish_of(settled)
        for _ in range(MAX_TRIES):
            found = await self._find(wish, settled.seats[seat].name, code, browser)
            if found is not None:
                return found
            with contextlib.suppress(Conflict):  # another one with this wish was faster
                await self._keep(settled, wish)
                await self._remember(browser, settled.id, code)
                self._lobby.note_opened(settled.id)
                return messages.Seated(settled.id, seat, created.host, created.invites)
        raise StoreError(CROWDED)

    async def _find(self, wish: str, name: str, code: str, browser: str | None) -> messages.Seated | None:
        """A seat at the table that waits with this wish; None: there is none, or no longer. Raises StoreError."""
        waiting = await asyncio.to_thread(self._store.wished, wish, now() - PRESENT_FOR)
        if waiting is None:
            return None
        table_id, is_waiting = waiting
        if is_waiting:
            with contextlib.suppress(SeatTaken, TableNotFound):
                if browser is not None and (held := await asyncio.to_thread(self._store.held, browser, table_id)):
                    return await self._back(table_id, held)
                return await self.join(table_id, name, code, browser)
        with contextlib.suppress(Conflict):  # another process has done that
            await written(self._store.drop_wish(table_id))
        return None

    async def _back(self, table_id: str, held: frozenset[str]) -> messages.Seated:
        """The seat that a browser has. Raises TableNotFound, SeatTaken where it has none, or StoreError."""
        async with self._opened(table_id) as table:
            seats = table.state.viewer_with(held).seats
        if not seats:
            raise SeatTaken(NO_SEAT)
        return messages.Seated(table_id, min(seats), None, {})

    async def _sit(self, table: LiveTable, name: str, code: str) -> int:
        """Take the first open seat. Raises BadTable, SeatTaken or StoreError."""
        while True:
            viewer = table.state.viewer_with(frozenset({hash_code(code)}))
            if viewer.seats:
                return min(viewer.seats)
            if not viewer.guest:
                raise SeatTaken(NO_SEAT)
            seat = min(viewer.guest)
            request = messages.Sit(f"join {hash_code(code)[:32]}", seat, name, code)
            answer = await table.handle(viewer, request)
            if isinstance(answer, messages.Refused) and answer.fault.code == "not-kept":
                raise StoreError(answer.fault.message)
            if isinstance(answer, messages.Refused) and seat in table.state.viewer_with(frozenset()).guest:
                raise BadTable(answer.fault.message)

    async def _remember(self, browser: str | None, table_id: str, code: str) -> None:
        """Store that a browser has the code. Raises StoreError."""
        if browser is not None:
            with contextlib.suppress(Conflict):  # that is known
                await written(self._store.hold(browser, table_id, hash_code(code)))
