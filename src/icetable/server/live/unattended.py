"""Tables without clients: chance, expiring clocks, and the bots of games of days."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from icetable.server.logs import about
from icetable.server.store.errors import StoreError
from icetable.server.table.clock import MS_PER_SECOND, now
from icetable.server.table.errors import TableNotFound

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from icetable.server.store.store import Store
    from icetable.server.table.state import TableState

MAX_RESUMED = 1000
MAX_RESUMED_AGE_MS = 30 * 24 * 60 * 60 * 1000
"""Maximum number and age of the tables that the server resumes at its start.

Tables whose clocks of days run are resumed at any age, when their time is up.
"""
SWEEP_SECONDS = 60 * 60
"""Interval between searches for clocks of days that run out."""

logger = logging.getLogger(__name__)


class Unattended:
    """Resumes tables without clients, at the start and when their clocks of days run out."""

    def __init__(self, store: Store, resume: Callable[[str], Awaitable[None]]) -> None:
        """`resume` acts at a table if anything is due, or sets its alarm. Raises TableNotFound or StoreError."""
        self._store = store
        self._resume = resume

    async def run(self) -> None:
        """Resume the games that are not over, then periodically those whose clocks run out."""
        await self._resume_all(lambda: self._store.tables.running(now() - MAX_RESUMED_AGE_MS, MAX_RESUMED))
        while True:  # for all processes: one that would have resumed a table may have ended
            await self.resume_due()
            await asyncio.sleep(SWEEP_SECONDS)

    async def resume_due(self) -> None:
        """Resume the tables whose clocks of days run out before the next sweep."""
        await self._resume_all(lambda: self._store.tables.due(now() + SWEEP_SECONDS * MS_PER_SECOND))

    async def resume(self, table_id: str) -> None:
        """Resume a table, unless it has been deleted meanwhile; log errors."""
        try:
            await self._resume(table_id)
        except TableNotFound:
            pass
        except StoreError as error:
            logger.error("a table can't be resumed", extra=about(str(error), table=table_id))

    async def _resume_all(self, find: Callable[[], Iterable[str]]) -> None:
        try:
            table_ids = await asyncio.to_thread(find)
        except StoreError as error:
            logger.error("tables can't be resumed", extra=about(str(error)))
            return
        for table_id in table_ids:
            await self.resume(table_id)


def note_due(store: Store, table_state: TableState) -> None:
    """Store when a clock of days runs out, so that any later process finds the table."""
    if table_state.timing.in_days:
        store.tables.set_due(table_state.setup.id, ends_at(table_state))


def ends_at(table_state: TableState) -> int | None:
    """When the time of the player to act is up, in milliseconds since 1970; None if no clock runs."""
    return table_state.timing.ends_at(table_state.to_act & table_state.thinking, table_state.setup.created)


def bots_play_on(table_state: TableState) -> bool:
    """Whether it is a bot's turn in a game of days with people, where it acts without clients."""
    bots = table_state.bots.keys()
    return table_state.timing.in_days and bool(table_state.to_act & bots) and len(bots) < table_state.game.players
