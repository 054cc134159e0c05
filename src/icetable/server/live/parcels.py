"""Parcels: what a browser moves to another one. They are sealed there, by a key that never comes to the server."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from icetable.server import messages
from icetable.server.live.records import bucket_of
from icetable.server.live.turns import visitor
from icetable.server.store.errors import Conflict
from icetable.server.store.waits import written
from icetable.server.table.clock import now

if TYPE_CHECKING:
    from icetable.server.store.store import Store

KEPT_FOR = 10 * 60 * 1000
"""For how many milliseconds a parcel waits."""
MAX_OF_ONE = 1_200_000
MAX_KEPT = 60_000_000
"""How many bytes of parcels wait, of one address and of all."""
EVERY_SECONDS = 60.0
"""How many seconds lie between two times that those are deleted which have waited too long."""
TOO_MANY = "Too much is being moved right now; please try again in ten minutes, or save a file."
GONE = "There is nothing under this code. It works once, and for ten minutes."


class NoParcel(Exception):
    """There is no such parcel any more."""


class TooManyParcels(Exception):
    """As many wait as may, of one address or of all."""


class Parcels:
    """The parcels that wait in a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def leave(self, request: messages.ParcelRequest) -> messages.ParcelLeft:
        """Keep a parcel for a while. Raises TooManyParcels and StoreError."""
        self._store.forget_parcels(now())
        added = self._store.add_parcel(
            request.parcel, request.sealed, now() + KEPT_FOR, bucket_of(visitor.get()), MAX_OF_ONE, MAX_KEPT
        )
        try:
            await written(added)
        except Conflict:
            raise TooManyParcels(TOO_MANY) from None
        return messages.ParcelLeft(KEPT_FOR // 1000)

    async def take(self, parcel: str) -> messages.Parcel:
        """A parcel, for the first one who asks. Raises NoParcel and StoreError."""
        sealed = await asyncio.to_thread(self._store.parcel, parcel, now())
        if sealed is not None:
            with contextlib.suppress(Conflict):  # somebody else was faster
                await written(self._store.drop_parcel(parcel))
                return messages.Parcel(sealed)
        raise NoParcel(GONE)

    async def run(self) -> None:
        """Delete from now on what has waited too long."""
        while True:
            self._store.forget_parcels(now())
            await asyncio.sleep(EVERY_SECONDS)
