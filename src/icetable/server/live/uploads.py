"""What clients upload for others, for a while: records of games, and data that a browser sends to another one."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from typing import TYPE_CHECKING

from icetable import games
from icetable.core import record
from icetable.core.errors import GameError
from icetable.server import messages
from icetable.server.live.fair_queue import client_address
from icetable.server.rate_limits import client_bucket
from icetable.server.store.database import written
from icetable.server.store.errors import Conflict
from icetable.server.table import fairness
from icetable.server.table.clock import now
from icetable.server.table.setup import new_id
from icetable.server.table.state import recorded_table

if TYPE_CHECKING:
    from collections.abc import Callable

    from icetable.server.live.tables.tables import Tables
    from icetable.server.store.store import Store


MAX_BYTES_PER_BUCKET = 6_000_000
MAX_BYTES = 150_000_000
"""Maximum size of the stored records, per bucket of addresses and in total."""
MIN_COUNTED_BYTES = 1_000
"""A shorter record counts as this many bytes."""
DAY = 24 * 60 * 60 * 1000
"""A day in milliseconds."""
MAX_AGE_MS = 30 * DAY
"""Maximum age of a record."""
ACTS_PER_RECORD = 300
"""A record with more acts counts as several."""

TRANSFER_MS = 10 * 60 * 1000
"""Lifetime of a transfer."""
MAX_TRANSFER_BYTES_PER_BUCKET = 1_200_000
MAX_TRANSFER_BYTES = 60_000_000
"""Maximum size of all transfers, per bucket of addresses and in total."""
TRANSFER_SWEEP_SECONDS = 60.0
"""Interval between deletions of expired transfers."""
TOO_MANY_ERROR = "Too much is being moved right now; please try again in ten minutes, or save a file."
TAKEN_ERROR = "Something is being moved under this code already; please begin again, with a new code."
NO_TRANSFER_ERROR = "There is nothing under this code. It works once, and for ten minutes."


class Records:
    """The uploaded records."""

    def __init__(self, tables: Tables, keep_days: int | None = None) -> None:
        """`keep_days`: the maximum age of a record, if it is below MAX_AGE_MS."""
        self._tables = tables
        self._store = tables.store
        self._keep_days = keep_days

    async def open(self, text: str, admit: Callable[[int], None]) -> messages.TableCreated:
        """Open a record at the table where it was played, if the hash chain proves it; otherwise at a new table.

        `admit` is called with the number of short records that it counts as, and may raise an error to refuse it.
        Raises GameError for an invalid record, and StoreError.
        """
        head = await self._tables.scheduler.run(functools.partial(record.read_head, text))
        admit(1 + sum(1 for _ in head.acts()) // ACTS_PER_RECORD)
        table, opened = new_id(), now()
        table_state = await self._tables.scheduler.run(
            functools.partial(recorded_table, head, text, table, opened), games.info(head.game)
        )
        text = table_state.setup.record or text
        played = await self._find_table(text, head.nature or "")
        if played is not None:
            return messages.TableCreated(played, {}, {}, None)
        size = max(MIN_COUNTED_BYTES, len(text.encode()))
        await written(self._store.records.create(table, text, opened, size, client_bucket(client_address.get())))
        await self.forget_old()
        return messages.TableCreated(table, {}, {}, None)

    async def forget_old(self) -> None:
        """Delete the records that exceed the limits. Raises StoreError."""
        since = now() - (MAX_AGE_MS if self._keep_days is None else min(MAX_AGE_MS, self._keep_days * DAY))
        for table in await asyncio.to_thread(self._store.records.surplus, since, MAX_BYTES_PER_BUCKET, MAX_BYTES):
            self._store.records.delete(table)

    async def _find_table(self, text: str, nature: str) -> str | None:
        """The table of this server whose finished game has this record. Raises StoreError."""
        pledge = fairness.NATURE.fullmatch(nature)
        state = await self._tables.find(pledge[1]) if pledge else None
        if state is None or not state.is_over or state.setup.record is not None:
            return None
        try:
            sound = await self._tables.scheduler.run(functools.partial(fairness.verify, text), state.game.info)
        except (fairness.Broken, GameError):
            return None
        return state.setup.id if sound.link == state.closing else None


class NoTransfer(Exception):
    """The transfer does not exist, or no longer."""


class TransferTaken(Exception):
    """There is a transfer with this id."""


class TooManyTransfers(Exception):
    """The limit of an address or of the server is reached."""


class Transfers:
    """Encrypted data that browsers send to others, with keys that the server never gets."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def leave(self, request: messages.TransferRequest) -> messages.TransferLeft:
        """Store a transfer for TRANSFER_MS. Raises TransferTaken, TooManyTransfers and StoreError."""
        self._store.transfers.delete_expired(now())
        added = self._store.transfers.add(
            request.transfer,
            request.encrypted,
            now() + TRANSFER_MS,
            client_bucket(client_address.get()),
            MAX_TRANSFER_BYTES_PER_BUCKET,
            MAX_TRANSFER_BYTES,
        )
        try:
            await written(added)
        except Conflict:
            if await asyncio.to_thread(self._store.transfers.get, request.transfer, 0) is not None:
                raise TransferTaken(TAKEN_ERROR) from None
            raise TooManyTransfers(TOO_MANY_ERROR) from None
        return messages.TransferLeft(TRANSFER_MS // 1000)

    async def take(self, transfer: str) -> messages.Transfer:
        """Return a transfer to the first request for it. Raises NoTransfer and StoreError."""
        encrypted = await asyncio.to_thread(self._store.transfers.get, transfer, now())
        if encrypted is not None:
            with contextlib.suppress(Conflict):  # another request was faster
                await written(self._store.transfers.delete(transfer))
                return messages.Transfer(encrypted)
        raise NoTransfer(NO_TRANSFER_ERROR)

    def forget_expired(self) -> None:
        """Delete expired transfers."""
        self._store.transfers.delete_expired(now())
