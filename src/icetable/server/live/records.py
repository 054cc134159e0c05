"""Records that visitors upload; anyone with the link can view them for a while."""

from __future__ import annotations

import asyncio
import functools
import hashlib
from typing import TYPE_CHECKING

from icetable import games
from icetable.core import record
from icetable.core.errors import GameError
from icetable.server import messages
from icetable.server.live.fair_scheduler import client_address
from icetable.server.store.database import written
from icetable.server.table import fairness
from icetable.server.table.clock import now
from icetable.server.table.setup import new_id
from icetable.server.table.state import recorded_table

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from icetable.server.live.fair_scheduler import FairScheduler
    from icetable.server.store.store import Store
    from icetable.server.table.state import TableState

MAX_BYTES_PER_BUCKET = 6_000_000
MAX_BYTES = 150_000_000
"""Maximum size of the stored records, per bucket of visitors and in total."""
MIN_COUNTED_BYTES = 1_000
"""A shorter record counts as this many bytes."""
MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000
"""Maximum age of a record."""
BUCKET_BYTES = 2
"""Length of the hash of an address that is stored with a record. It separates visitors without identifying them: about
65,000 IPv4 addresses share each bucket."""
ACTS_PER_RECORD = 300
"""A record with more acts counts as several."""


class Records:
    """The uploaded records. `find` returns the current state of a table, None if it does not exist."""

    def __init__(
        self,
        store: Store,
        scheduler: FairScheduler,
        find: Callable[[str], Awaitable[TableState | None]],
        max_age_ms: int | None = None,
    ) -> None:
        """`max_age_ms`: a limit below MAX_AGE_MS, if any."""
        self._store = store
        self._max_age_ms = max_age_ms
        self._scheduler = scheduler
        self._find = find

    async def open(self, text: str, admit: Callable[[int], None]) -> messages.TableCreated:
        """Open a record at the table where it was played, if the hash chain proves it; otherwise at a new table.

        `admit` is called with the number of short records that it counts as, and may raise an error to refuse it.
        Raises GameError for an invalid record, and StoreError.
        """
        head = await self._scheduler.run(functools.partial(record.read_head, text))
        admit(1 + sum(1 for _ in head.acts()) // ACTS_PER_RECORD)
        table, opened = new_id(), now()
        table_state = await self._scheduler.run(
            functools.partial(recorded_table, head, text, table, opened), games.info(head.game)
        )
        text = table_state.setup.record or text
        played = await self._find_table(text, head.nature or "")
        if played is not None:
            return messages.TableCreated(played, {}, {}, None)
        size = max(MIN_COUNTED_BYTES, len(text.encode()))
        await written(self._store.records.create(table, text, opened, size, bucket_of(client_address.get())))
        await self.forget_old()
        return messages.TableCreated(table, {}, {}, None)

    async def forget_old(self) -> None:
        """Delete the records that exceed the limits. Raises StoreError."""
        since = now() - min(MAX_AGE_MS, self._max_age_ms or MAX_AGE_MS)
        for table in await asyncio.to_thread(self._store.records.surplus, since, MAX_BYTES_PER_BUCKET, MAX_BYTES):
            self._store.records.delete(table)

    async def _find_table(self, text: str, nature: str) -> str | None:
        """The table of this server whose finished game has this record. Raises StoreError."""
        pledge = fairness.NATURE.fullmatch(nature)
        state = await self._find(pledge[1]) if pledge else None
        if state is None or not state.is_over or state.setup.record is not None:
            return None
        try:
            sound = await self._scheduler.run(functools.partial(fairness.verify, text), state.game.info)
        except (fairness.Broken, GameError):
            return None
        return state.setup.id if sound.link == state.closing else None


def bucket_of(address: str) -> int:
    """The bucket of visitors that an address belongs to."""
    return int.from_bytes(hashlib.sha256(address.encode()).digest()[:BUCKET_BYTES])
