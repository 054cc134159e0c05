"""Retention: uploaded records are deleted after a while, tables only if the operator sets a time.

A play-test is deleted at that age once its last table is deleted, a tournament once it is over as well.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING

from icetable.server.live.tournaments import ACTIVE_MS
from icetable.server.logs import about
from icetable.server.store.database import written
from icetable.server.store.errors import Conflict, StoreError
from icetable.server.table.clock import now

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection

    from icetable.server.live.records import Records
    from icetable.server.store.store import Store

DAY = 24 * 60 * 60 * 1000
"""A day in milliseconds."""
UNPLAYED_DAYS = 7
"""Maximum age of a table without acts, if the operator sets a time for tables."""
SWEEP_SECONDS = 60 * 60
"""Interval between deletions."""
TABLES_PER_BATCH = 20
"""Number of tables deleted together, in one commit or a few: players' acts wait for no more."""
BATCH_PAUSE_SECONDS = 0.1
"""Pause between batches, in which only players use the database."""

logger = logging.getLogger(__name__)


class Retention:
    """Deletes what has expired, at the start and every hour. Tables that are open here stay."""

    def __init__(
        self,
        store: Store,
        records: Records,
        is_open: Collection[str],
        delete: Callable[[str], Awaitable[bool]],
        keep_days: int | None,
    ) -> None:
        """`delete` deletes a table unless it is open, and returns whether it did."""
        self._store = store
        self._records = records
        self._open = is_open
        self._delete = delete
        self._keep_days = keep_days

    async def run(self) -> None:
        """Delete what has expired, periodically."""
        while True:
            await self.delete_all()
            await asyncio.sleep(SWEEP_SECONDS)

    async def delete_all(self) -> None:
        """Delete what has expired. Errors are logged; the next sweep retries."""
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
        """Return the number of deleted tables. Raises StoreError."""
        for table in list(self._open):  # other processes search for old ones, too
            self._store.tables.set_seen(table, now())
        seen, unplayed = (now() - DAY * min(days, most) for most in (days, UNPLAYED_DAYS))
        deleted = 0
        while tables := await asyncio.to_thread(self._store.tables.expired, seen, unplayed, TABLES_PER_BATCH):
            batch = sum(await asyncio.gather(*map(self._delete, tables)))
            deleted += batch
            if not batch:  # all have been opened, or another process is deleting them
                break
            await asyncio.sleep(BATCH_PAUSE_SECONDS)
        since = now() - DAY * days
        tournaments = self._store.tournaments.delete_old(since, abandoned=min(since, now() - ACTIVE_MS))
        for done in (self._store.playtests.delete_old(since), tournaments):
            with contextlib.suppress(Conflict):  # there are none
                await written(done)
        return deleted
