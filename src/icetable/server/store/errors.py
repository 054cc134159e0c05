"""The errors of a store."""

from __future__ import annotations

import asyncio

FAILED = "The database failed."
SHUTTING_DOWN = "The server is shutting down."
NOT_RESPONDING = "The database does not answer; please try again."
LOST_ACTS = "This table has lost acknowledged acts, so it can't go on. The server's log tells its operator what to do."
TABLE_DELETED = "This table was deleted by the operator of the server."
TABLE_CLOSED = "The operator of this server has closed this table."
TABLE_OPENED = "The operator of this server has opened this table again."
NEWER = (
    "The database was written by a newer icetable. Start that version, or restore the backup that was made before the"
    " upgrade; docs/running.md says how."
)
OLDER = (
    "The database was written by an older icetable. Start the server of this version on it once, which brings it up to"
    " date, or use the commands of the version that wrote it."
)
BEFORE_RELEASE = (
    "The database was written by an icetable before 0.2.0, which this one can't read: keep it with that version, and"
    " start this one on a new database."
)
UNREADABLE_ENTRY = (
    "This can't be stored, since its place in the log is taken by an entry that can't be read. The server's log tells"
    " its operator what to do."
)


class StoreError(Exception):
    """The store can't be read or written. The message is one sentence."""


class StoreUnusable(StoreError):
    """This icetable can't use the database as it is: trying again does not help, something must be changed first."""


class StoreDamaged(StoreError):
    """Stored data can't be read any more."""

    def __init__(self, text: str = "The database is damaged.") -> None:
        super().__init__(text)


class StoreTimeout(StoreError):
    """The database did not answer in time. The row may still be written; `done` resolves when that is known."""

    def __init__(self, done: asyncio.Future[None]) -> None:
        super().__init__(NOT_RESPONDING)
        self.done = done


class Conflict(Exception):
    """Another entry has this number or client id, so the log must be read on and the request judged again."""
