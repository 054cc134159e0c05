"""What lists of tables show of each: a summary and a picture, made without opening a table or waking its bots."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from icetable.server.live.recent import Recent
from icetable.server.store.errors import Conflict
from icetable.server.store.waits import written
from icetable.server.table import viewers
from icetable.server.table.clock import now
from icetable.server.table.viewers import Viewer
from icetable.server.table.views import TableViews, seats_shown

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from icetable.server import messages
    from icetable.server.live.table import LiveTable
    from icetable.server.live.turns import Turns
    from icetable.server.store.store import Store
    from icetable.server.table.seats import Seating
    from icetable.server.table.setup import Terms
    from icetable.server.table.state import TableState

MAX_SUMMARIES = 1024
"""How many summaries are remembered."""
MAX_PICTURES = 4 * 2**20
"""How many characters of pictures are."""
ANYBODY = frozenset({0})
"""Seats of a viewer who may see the game."""


class Known(NamedTuple):
    """What lists show of a table since its log has this length: to who may see the game, and to who may not yet."""

    length: int
    terms: Terms
    seating: Seating
    seen: messages.Summary
    unseen: messages.Summary


class Summaries:
    """Summaries and pictures, remembered until a table's log grows. `read` replays a table that is not open."""

    def __init__(
        self,
        store: Store,
        open_tables: Mapping[str, LiveTable],
        read: Callable[[str], Awaitable[TableState]],
        turns: Turns,
    ) -> None:
        self._store = store
        self._turns = turns
        self._open = open_tables
        self._read = read
        self._summaries: Recent[str, Known] = Recent(MAX_SUMMARIES)
        self._pictures: Recent[tuple[str, bool], tuple[int, str]] = Recent(MAX_PICTURES)

    async def summary(self, table_id: str, browser: str | None) -> messages.Summary:
        """A table as a browser may see it, by the seats that it holds. Raises TableNotFound or StoreError."""
        known = await self._known(table_id)
        return _shown(known, await self._viewer(table_id, browser, known))

    async def hold(self, table_id: str, browser: str | None, code_hashes: frozenset[str]) -> messages.Summary:
        """The same for a browser that holds the seats of these codes from now on, if it has a cookie.

        Raises TableNotFound or StoreError.
        """
        known = await self._known(table_id)
        viewer = viewers.identify(known.terms, known.seating, code_hashes)
        if browser is not None:
            for lock in viewers.code_hashes_of(known.terms, known.seating, viewer):
                with contextlib.suppress(Conflict):  # it holds it already
                    await written(self._store.hold(browser, table_id, lock))
        return _shown(known, viewer)

    async def picture(self, table_id: str, browser: str | None) -> str:
        """What a watcher sees of a table; the start as long as the browser may not see the game.

        Raises TableNotFound or StoreError.
        """
        known = await self._known(table_id)
        viewer = await self._viewer(table_id, browser, known)
        key = table_id, bool(viewer.seats) or not known.unseen.hidden
        length, picture = self._pictures.get(key) or (-1, "")
        if length != known.length:
            views = TableViews(await self._read(table_id), now)
            length, picture = known.length, await self._turns.run(functools.partial(views.picture, is_shown=key[1]))
            self._pictures.put(key, (length, picture), len(picture))
        return picture

    def forget(self) -> None:
        """Read all tables anew: names were erased."""
        self._summaries = Recent(MAX_SUMMARIES)

    async def _known(self, table_id: str) -> Known:
        summaries = self._summaries  # while it is read, they may be forgotten
        known = summaries.get(table_id)
        length = await self._length(table_id)
        if known is None or known.length != length:
            table_state = await self._read(table_id)
            views = TableViews(table_state, now)
            seen, unseen = views.summary(Viewer(ANYBODY)), views.summary(Viewer())
            known = Known(length, table_state.setup.terms, table_state.seating, seen, unseen)
            summaries.put(table_id, known)
        return known

    async def _length(self, table_id: str) -> int:
        table = self._open.get(table_id)
        return await asyncio.to_thread(self._store.length, table_id) if table is None else table.state.entries

    async def _viewer(self, table_id: str, browser: str | None, known: Known) -> Viewer:
        held = frozenset[str]()
        if browser is not None:
            held = await asyncio.to_thread(self._store.held, browser, table_id)
        return viewers.identify(known.terms, known.seating, held)


def _shown(known: Known, viewer: Viewer) -> messages.Summary:
    told = known.seen if viewer.seats else known.unseen
    return msgspec.structs.replace(told, seats=seats_shown(known.seating, viewer.seats))
