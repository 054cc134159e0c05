"""How long things are kept: records from files for a while, tables for good or as long as the operator says.

A play-test goes when it is as old and the last of its tables has gone, a tournament when it is over too.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING

from icetable.server.live.tournaments import LOOKED_AFTER
from icetable.server.logs import about
from icetable.server.store.errors import Conflict, StoreError
from icetable.server.store.waits import written
from icetable.server.table.clock import now

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection

    from icetable.server.live.records import Records
    from icetable.server.store.store import Store

DAY = 24 * 60 * 60 * 1000
"""A day in milliseconds."""
NEVER_BEGUN_DAYS = 7
"""For how many days a table is kept where no act was made, if others are not kept for good."""
EVERY_SECONDS = 60 * 60
"""How many seconds lie between two times."""
MAX_AT_ONCE = 20
"""How many tables are deleted together, in one commit or a few: acts of players wait for no more."""
PAUSE_SECONDS = 0.1
"""For how many seconds players have the database for themselves after that."""

logger = logging.getLogger(__name__)


class Retention:
    """Deletes what is kept no longer, at the start and every hour. Tables that are open here stay."""

    def __init__(
        self,
        store: Store,
        records: Records,
        is_open: Collection[str],
        delete: Callable[[str], Awaitable[bool]],
        keep_days: int | None,
    ) -> None:
        """`delete` deletes a table unless somebody is there, and tells whether it did."""
        self._store = store
        self._records = records
        self._open = is_open
        self._delete = delete
        self._keep_days = keep_days

    async def run(self) -> None:
        """Delete from now on, again and again."""
        while True:
            await self.delete_all()
            await asyncio.sleep(EVERY_SECONDS)

    async def delete_all(self) -> None:
        """Delete what is too old now. What can't be deleted is logged, and is due the next time."""
        try:
            await self._records.forget_old()
        except StoreError as error:
            logger.error("old records are not deleted", extra=about(str(error)))
        if self._keep_days is None:
            return
        try:
            deleted = await self._delete_tables(self._keep_days)
        except StoreError as error:
            logger.error("old tables are not deleted", extra=about(str(error)))
            return
        if deleted:
            logger.info("old tables were deleted", extra=about(tables=deleted))

    async def _delete_tables(self, days: int) -> int:
        """The number of tables that were deleted. Raises StoreError."""
        for table in list(self._open):  # another process may look for old ones, too
            self._store.note_seen(table, now())
        seen, never_begun = (now() - DAY * min(days, most) for most in (days, NEVER_BEGUN_DAYS))
        deleted = 0
        while tables := await asyncio.to_thread(self._store.expired, seen, never_begun, MAX_AT_ONCE):
            gone = sum(await asyncio.gather(*map(self._delete, tables)))
            deleted += gone
            if not gone:  # somebody has come to them all, or another process deletes them
                break
            await asyncio.sleep(PAUSE_SECONDS)
        since = now() - DAY * days
        tournaments = self._store.delete_tournaments(since, abandoned=min(since, now() - LOOKED_AFTER))
        for done in (self._store.delete_playtests(since), tournaments):
            with contextlib.suppress(Conflict):  # there is none
                await written(done)
        return deleted
