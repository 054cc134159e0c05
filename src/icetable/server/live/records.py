"""Records that visitors open from files: they are kept for a while, for everybody who has the link."""

from __future__ import annotations

import asyncio
import functools
import hashlib
from typing import TYPE_CHECKING

from icetable.core import record
from icetable.core.errors import GameError
from icetable.server import messages
from icetable.server.live.turns import visitor
from icetable.server.store.waits import written
from icetable.server.table import fairness, recorded
from icetable.server.table.clock import now
from icetable.server.table.setup import new_id

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from icetable.server.live.turns import Turns
    from icetable.server.store.store import Store
    from icetable.server.table.state import TableState

MAX_OF_ONE = 6_000_000
MAX_KEPT = 150_000_000
"""How many bytes of records are kept, of one address and of all."""
LEAST = 1_000
"""A shorter record counts as this many bytes."""
KEPT_FOR = 30 * 24 * 60 * 60 * 1000
"""For how many milliseconds records are kept."""
BUCKET_BYTES = 2
"""Of the hash of an address this is kept with a record. It tells visitors apart, and says of no address that it was
here: some 65,000 of all IPv4 addresses share each bucket."""
ACTS_OF_A_RECORD = 300
"""A record of more acts counts as several."""


class Records:
    """The records that were opened. `find` gives the state of a table as it is now, None where there is none."""

    def __init__(
        self,
        store: Store,
        turns: Turns,
        find: Callable[[str], Awaitable[TableState | None]],
        kept_for: int | None = None,
    ) -> None:
        """`kept_for`: for how many milliseconds records are kept at most; KEPT_FOR, if that is less."""
        self._store = store
        self._kept_for = kept_for
        self._turns = turns
        self._find = find

    async def open(self, text: str, admit: Callable[[int], None]) -> messages.TableCreated:
        """The table that shows a record: the one where it was played, if it is proven to be that; else a new one.

        `admit` may refuse a record, which counts as a number of short ones, by raising an error. Raises GameError for
        what is no record, and StoreError.
        """
        head = await self._turns.run(functools.partial(record.read_head, text))
        admit(1 + sum(1 for _ in head.acts()) // ACTS_OF_A_RECORD)
        table, opened = new_id(), now()
        shown = await self._turns.run(functools.partial(recorded.table_of, head, text, table, opened))
        text = shown.setup.record or text
        played = await self._played_at(text, head.nature or "")
        if played is not None:
            return messages.TableCreated(played, {}, {}, None)
        size = max(LEAST, len(text.encode()))
        await written(self._store.create_record(table, text, opened, size, bucket_of(visitor.get())))
        await self.forget_old()
        return messages.TableCreated(table, {}, {}, None)

    async def forget_old(self) -> None:
        """Delete the records that are too old or too many. Raises StoreError."""
        since = now() - min(KEPT_FOR, self._kept_for or KEPT_FOR)
        for table in await asyncio.to_thread(self._store.surplus_records, since, MAX_OF_ONE, MAX_KEPT):
            self._store.delete_record(table)

    async def _played_at(self, text: str, nature: str) -> str | None:
        """The table of this server whose game, which is over, has this record. Raises StoreError."""
        parts = fairness.NATURE.fullmatch(nature)
        state = await self._find(parts[1]) if parts else None
        if state is None or not state.is_over or state.setup.record is not None:
            return None
        try:
            sound = await self._turns.run(functools.partial(fairness.verify, text))
        except (fairness.Broken, GameError):
            return None
        return state.setup.id if sound.link == state.closing else None


def bucket_of(address: str) -> int:
    """Among which visitors an address counts."""
    return int.from_bytes(hashlib.sha256(address.encode()).digest()[:BUCKET_BYTES])
