"""What can go wrong with a store."""

from __future__ import annotations

import asyncio

FAILED = "The database failed."
CLOSED = "The server is closing down."
SILENT = "The database does not answer; please try again."
LOST = (
    "This table has lost acts that were acknowledged, so it can't go on. The server's operator finds in the log what"
    " to do."
)
DELETED = "This table was deleted by the operator of the server."
CLOSED_TABLE = "The operator of this server has closed this table."
TAKEN = (
    "This can't be kept, since its place is taken by something that can't be read. The server's operator finds in the"
    " log what to do."
)


class StoreError(Exception):
    """The store can't be read or written; the text says why, in one sentence."""


class StoreDamaged(StoreError):
    """What was stored can't be read any more."""

    def __init__(self, text: str = "The database is damaged.") -> None:
        super().__init__(text)


class StoreTimeout(StoreError):
    """The database did not answer in time. The row may still be written; `done` tells when that is known."""

    def __init__(self, done: asyncio.Future[None]) -> None:
        super().__init__(SILENT)
        self.done = done


class Conflict(Exception):
    """Another entry has this number or this client id: read the log on, and judge again."""
