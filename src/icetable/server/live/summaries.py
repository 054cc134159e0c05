"""Summaries and pictures for lists of tables, produced without opening a table or starting its bots."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from icetable.server.live.lru_cache import LRUCache
from icetable.server.store.database import written
from icetable.server.store.errors import Conflict
from icetable.server.table import setup, viewers
from icetable.server.table.clock import now
from icetable.server.table.viewers import Viewer
from icetable.server.table.views import TableViews, seats_shown

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from icetable.server import messages
    from icetable.server.live.fair_scheduler import FairScheduler
    from icetable.server.live.table import LiveTable
    from icetable.server.store.store import Store
    from icetable.server.table.seats import Seating
    from icetable.server.table.setup import Terms
    from icetable.server.table.state import TableState

MAX_SUMMARIES = 1024
MAX_PICTURE_CHARACTERS = 4 * 2**20
"""Limits of the caches."""
ANY_SEAT = frozenset({0})
"""The seats of a viewer who may see the game."""


class CachedSummary(NamedTuple):
    """The summaries of a table at a length of its log: for viewers who may see the game, and for others.

    `following`: the id of the next game's table, if there ever is one.
    """

    length: int
    terms: Terms
    following: str
    seating: Seating
    seen: messages.Summary
    unseen: messages.Summary


class Summaries:
    """Summaries and pictures, cached until a table's log grows. `read` returns the state of a table."""

    def __init__(
        self,
        store: Store,
        open_tables: Mapping[str, LiveTable],
        read: Callable[[str], Awaitable[TableState]],
        scheduler: FairScheduler,
    ) -> None:
        self._store = store
        self._scheduler = scheduler
        self._open = open_tables
        self._read = read
        self._summaries: LRUCache[str, CachedSummary] = LRUCache(MAX_SUMMARIES)
        self._pictures: LRUCache[tuple[str, bool], tuple[int, str]] = LRUCache(MAX_PICTURE_CHARACTERS)

    async def summary(self, table_id: str, browser: str | None) -> messages.Summary:
        """The summary of a table for a browser, by the seats that it holds. Raises TableNotFound or StoreError."""
        cached = await self._cached(table_id)
        return await self._shown(cached, await self._viewer(table_id, browser, cached))

    async def hold(self, table_id: str, browser: str | None, code_hashes: frozenset[str]) -> messages.Summary:
        """Store that a browser, if it has a cookie, holds the seats of these codes; return its summary.

        Raises TableNotFound or StoreError.
        """
        cached = await self._cached(table_id)
        viewer = viewers.identify(cached.terms, cached.seating, code_hashes)
        if browser is not None:
            for lock in viewers.code_hashes_of(cached.terms, cached.seating, viewer):
                with contextlib.suppress(Conflict):  # already stored
                    await written(self._store.codes.hold(browser, table_id, lock))
        return await self._shown(cached, viewer)

    async def picture(self, table_id: str, browser: str | None) -> str:
        """The position that watchers see; the start if the browser may not see the game.

        Raises TableNotFound or StoreError.
        """
        cached = await self._cached(table_id)
        viewer = await self._viewer(table_id, browser, cached)
        key = table_id, bool(viewer.seats) or not cached.unseen.hidden
        length, picture = self._pictures.get(key) or (-1, "")
        if length != cached.length:
            views = TableViews(await self._read(table_id), now)
            draw = functools.partial(views.picture, is_shown=key[1])
            length, picture = cached.length, await self._scheduler.run(draw, views.state.game.info)
            self._pictures.put(key, (length, picture), len(picture))
        return picture

    def forget(self) -> None:
        """Drop the cached summaries, after names were erased."""
        self._summaries = LRUCache(MAX_SUMMARIES)

    async def _cached(self, table_id: str) -> CachedSummary:
        summaries = self._summaries  # `forget` may replace them meanwhile
        cached = summaries.get(table_id)
        length = await self._length(table_id)
        if cached is None or cached.length != length:
            table_state = await self._read(table_id)
            views = TableViews(table_state, now)
            seen, unseen = views.summary(Viewer(ANY_SEAT)), views.summary(Viewer())
            following = setup.id_after(table_state.setup)
            cached = CachedSummary(length, table_state.setup.terms, following, table_state.seating, seen, unseen)
            summaries.put(table_id, cached)
        return cached

    async def _length(self, table_id: str) -> int:
        table = self._open.get(table_id)
        return await asyncio.to_thread(self._store.logs.length, table_id) if table is None else table.state.entries

    async def _viewer(self, table_id: str, browser: str | None, cached: CachedSummary) -> Viewer:
        held = frozenset[str]()
        if browser is not None:
            held = await asyncio.to_thread(self._store.codes.held, browser, table_id)
        return viewers.identify(cached.terms, cached.seating, held)

    async def _shown(self, cached: CachedSummary, viewer: Viewer) -> messages.Summary:
        summary = cached.seen if viewer.seats else cached.unseen
        follows = bool(viewer.seats) and summary.over and await is_open(self._store, cached.following)
        following = cached.following if follows else None
        return msgspec.structs.replace(summary, seats=seats_shown(cached.seating, viewer.seats), next=following)


async def is_open(store: Store, table_id: str) -> bool:
    """Whether there is a table with this id. Raises StoreError."""
    return await asyncio.to_thread(store.tables.setup, table_id) is not None
