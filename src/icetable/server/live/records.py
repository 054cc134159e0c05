"""Records that visitors open from files: they are kept for a while, for everybody who has the link."""

from __future__ import annotations

import asyncio
import functools
from typing import TYPE_CHECKING

from icetable.core import record
from icetable.core.errors import GameError
from icetable.server import messages
from icetable.server.store.waits import written
from icetable.server.table import fairness, recorded
from icetable.server.table.clock import now
from icetable.server.table.setup import new_id

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from icetable.server.live.turns import Turns
    from icetable.server.store.store import Store
    from icetable.server.table.state import TableState

MOST_KEPT = 500
KEPT_FOR = 30 * 24 * 60 * 60 * 1000
"""How many records are kept, and for how many milliseconds."""


class Records:
    """The records that were opened. `find` gives the state of a table as it is now, None where there is none."""

    def __init__(self, store: Store, turns: Turns, find: Callable[[str], Awaitable[TableState | None]]) -> None:
        self._store = store
        self._turns = turns
        self._find = find

    async def open(self, text: str) -> messages.TableCreated:
        """The table that shows a record: the one where it was played, if it is proven to be that; else a new one.

        Raises GameError for what is no record, and StoreError.
        """
        table, opened = new_id(), now()
        await self._turns.run(functools.partial(recorded.table_of, text, table, opened))
        played = await self._played_at(text)
        if played is not None:
            return messages.TableCreated(played, {}, {}, None)
        await written(self._store.create_record(table, text, opened))
        await self.forget_old()
        return messages.TableCreated(table, {}, {}, None)

    async def forget_old(self) -> None:
        """Delete the records that are too old or too many. Raises StoreError."""
        for table in await asyncio.to_thread(self._store.surplus_records, now() - KEPT_FOR, MOST_KEPT):
            self._store.delete_record(table)

    async def _played_at(self, text: str) -> str | None:
        """The table of this server whose game, which is over, has this record. Raises StoreError."""
        parts = fairness.PLEDGE.fullmatch(record.read_head(text).nature or "")
        state = await self._find(parts[1]) if parts else None
        if state is None or not state.is_over or state.setup.record is not None:
            return None
        try:
            sound = await self._turns.run(functools.partial(fairness.verify, text))
        except (fairness.Broken, GameError):
            return None
        return state.setup.id if sound.link == state.closing else None
