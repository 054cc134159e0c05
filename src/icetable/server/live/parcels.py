"""Parcels: data that a browser moves to another one, encrypted with a key that the server never gets."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from icetable.server import messages
from icetable.server.live.fair_scheduler import client_address
from icetable.server.live.records import bucket_of
from icetable.server.store.database import written
from icetable.server.store.errors import Conflict
from icetable.server.table.clock import now

if TYPE_CHECKING:
    from icetable.server.store.store import Store

PARCEL_MS = 10 * 60 * 1000
"""Lifetime of a parcel."""
MAX_BYTES_PER_BUCKET = 1_200_000
MAX_BYTES = 60_000_000
"""Maximum size of all parcels, per bucket of visitors and in total."""
SWEEP_SECONDS = 60.0
"""Interval between deletions of expired parcels."""
TOO_MANY_ERROR = "Too much is being moved right now; please try again in ten minutes, or save a file."
TAKEN_ERROR = "Something is being moved under this code already; please begin again, with a new code."
NO_PARCEL_ERROR = "There is nothing under this code. It works once, and for ten minutes."


class NoParcel(Exception):
    """The parcel does not exist, or no longer."""


class ParcelTaken(Exception):
    """There is a parcel with this id."""


class TooManyParcels(Exception):
    """The limit of an address or of the server is reached."""


class Parcels:
    """The parcels in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def leave(self, request: messages.TransferRequest) -> messages.TransferLeft:
        """Store a parcel for PARCEL_MS. Raises ParcelTaken, TooManyParcels and StoreError."""
        self._store.transfers.delete_expired(now())
        added = self._store.transfers.add(
            request.transfer,
            request.encrypted,
            now() + PARCEL_MS,
            bucket_of(client_address.get()),
            MAX_BYTES_PER_BUCKET,
            MAX_BYTES,
        )
        try:
            await written(added)
        except Conflict:
            if await asyncio.to_thread(self._store.transfers.get, request.transfer, 0) is not None:
                raise ParcelTaken(TAKEN_ERROR) from None
            raise TooManyParcels(TOO_MANY_ERROR) from None
        return messages.TransferLeft(PARCEL_MS // 1000)

    async def take(self, parcel: str) -> messages.Transfer:
        """Return a parcel to the first request for it. Raises NoParcel and StoreError."""
        sealed = await asyncio.to_thread(self._store.transfers.get, parcel, now())
        if sealed is not None:
            with contextlib.suppress(Conflict):  # another request was faster
                await written(self._store.transfers.delete(parcel))
                return messages.Transfer(sealed)
        raise NoParcel(NO_PARCEL_ERROR)

    async def run(self) -> None:
        """Delete expired parcels, periodically."""
        while True:
            self._store.transfers.delete_expired(now())
            await asyncio.sleep(SWEEP_SECONDS)
