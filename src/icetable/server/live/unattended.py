"""What goes on at tables where nobody is: chance, clocks that run out, and the bots of a game of days."""

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
RESUMED_SINCE = 30 * 24 * 60 * 60 * 1000
"""How many tables the server resumes when it starts, and how many milliseconds ago they were created at most.

Those whose clocks of days run are resumed whenever they were created, as soon as it is time for them.
"""
EVERY_SECONDS = 60 * 60
"""How many seconds lie between two looks for clocks of days that run out."""

logger = logging.getLogger(__name__)


class Unattended:
    """Resumes tables at which nobody is, at the start and when their clocks of days run out."""

    def __init__(self, store: Store, resume: Callable[[str], Awaitable[None]]) -> None:
        """`resume` does what is due at a table, or sets its alarm. It raises TableNotFound or StoreError."""
        self._store = store
        self._resume = resume

    async def run(self) -> None:
        """Resume the games that are not over, and from now on look again and again for clocks that run out."""
        await self._resume_found(lambda: self._store.running(now() - RESUMED_SINCE, MAX_RESUMED))
        while True:  # by any process: one may have ended that would have done it
            await self.resume_due()
            await asyncio.sleep(EVERY_SECONDS)

    async def resume_due(self) -> None:
        """Resume the tables whose clocks of days run out before the next look."""
        await self._resume_found(lambda: self._store.due(now() + EVERY_SECONDS * MS_PER_SECOND))

    async def resume(self, table_id: str) -> None:
        """Do what is due at a table; what fails is logged."""
        try:
            await self._resume(table_id)
        except (TableNotFound, StoreError) as error:
            logger.error("a table does not go on by itself", extra=about(str(error), table=table_id))

    async def _resume_found(self, find: Callable[[], Iterable[str]]) -> None:
        try:
            found = await asyncio.to_thread(find)
        except StoreError as error:
            logger.error("no table goes on by itself", extra=about(str(error)))
            return
        for table_id in found:
            await self.resume(table_id)


def note_due(store: Store, table_state: TableState) -> None:
    """Store when a clock of days runs out, by which any later process finds the table."""
    if table_state.timing.in_days:
        store.note_due(table_state.setup.id, ends_at(table_state))


def ends_at(table_state: TableState) -> int | None:
    """When the time of a player who is to act is up, in milliseconds since 1970; None where no clock runs."""
    return table_state.timing.ends_at(table_state.to_act & table_state.thinking, table_state.setup.created)


def bots_play_on(table_state: TableState) -> bool:
    """Whether it is a bot's turn in a game of days with people: it acts though nobody is there."""
    bots = table_state.bots.keys()
    return table_state.timing.in_days and bool(table_state.to_act & bots) and len(bots) < table_state.game.players
