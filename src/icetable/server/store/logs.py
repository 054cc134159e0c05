"""The logs of tables in the database. A log that lacks an acknowledged entry is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.server.store.errors import UNREADABLE_ENTRY, StoreDamaged
from icetable.server.table.log import Entry, read_name

if TYPE_CHECKING:
    from concurrent.futures import Future

    from icetable.server.store.database import Database

COLUMNS = "seq, seat, at, text, client_id, link, name"


class LogStore:
    """The log of each table."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def append_soon(self, table: str, entry: Entry) -> Future[None]:
        """Queue an entry. The future resolves once it is committed, or raises Conflict or StoreError."""
        return self._database.append_soon(table, entry)

    async def append(self, table: str, entry: Entry) -> None:
        """Store an entry and wait until it is committed.

        Raises Conflict or StoreError; StoreTimeout if the entry may still be stored.
        """
        await self._database.append(table, entry)

    def entries(self, table: str, after: int = 0) -> list[Entry]:
        """The entries of a table after number `after`, in order.

        Raises StoreError; StoreDamaged if one is missing or the last acknowledged one differs.
        """
        noted = self._database.noted(table)  # before the entries are read, while more may be written
        command = f"SELECT {COLUMNS} FROM acts WHERE table_id = ? AND seq > ? ORDER BY seq"  # noqa: S608
        entries = self._read(command, table, after)
        if [entry.seq for entry in entries] != list(range(after + 1, after + 1 + len(entries))):
            raise self._database.loss(table)
        if noted is not None and noted.seq > after:
            at_noted = entries[noted.seq - after - 1 : noted.seq - after]
            if [entry.link for entry in at_noted] != [noted.link]:
                raise self._database.loss(table)
        return entries

    def length(self, table: str) -> int:
        """The number of entries in a table's log; 0 if there is no such table. Raises StoreError."""
        noted = self._database.noted(table)
        length = self._database.value(int, "SELECT COALESCE(MAX(seq), 0) FROM acts WHERE table_id = ?", table)
        if noted is not None and length < noted.seq:
            raise self._database.loss(table)
        return length

    def seating(self, table: str) -> list[Entry]:
        """The entries that determine who sits at a table and who has left, in order. Raises StoreError.

        These are all events, and the last act of each seat, since a player who acts after leaving is back.
        """
        counting = "SELECT COUNT(substr(text, 1, 1)), COALESCE(MAX(seq), 0) FROM acts WHERE table_id = ?"
        ((count, length),) = self._database.rows(tuple[int, int], counting, table)
        if count < max(length, self.length(table)):
            raise self._database.loss(table)
        command = (
            f"SELECT {COLUMNS} FROM acts WHERE table_id = ? AND (substr(text, 1, 1) = '/'"  # noqa: S608
            " OR seq IN (SELECT MAX(seq) FROM acts WHERE table_id = ? AND substr(text, 1, 1) <> '/'"
            " AND substr(text, 1, 5) <> 'undo ' GROUP BY seat)) ORDER BY seq"
        )
        return self._read(command, table, table)

    def unreadable_entry(self, table: str) -> StoreDamaged:
        """The error of a write that conflicts with an entry that can't be read."""
        what = "a table can't go on: its next place is taken, and can't be read; see docs/running.md"
        self._database.report(table, what)
        return StoreDamaged(UNREADABLE_ENTRY)

    def _read(self, command: str, *row: object) -> list[Entry]:
        rows = self._database.rows(tuple[int, int, int, str, str | None, str, str | None], command, *row)
        with self._database.explained(StoreDamaged()):
            return [Entry(*row[:-1], None if row[-1] is None else read_name(row[-1])) for row in rows]
