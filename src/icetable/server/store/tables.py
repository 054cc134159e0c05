"""Tables in the database: their setups and logs, who waits where, what is due, what can be deleted.

A log that lacks an acknowledged entry is refused.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import msgspec

from icetable.server.store.database import DELETE_ACTS
from icetable.server.store.errors import UNREADABLE_ENTRY, StoreDamaged
from icetable.server.table.clock import is_in_days
from icetable.server.table.log import Entry, Place, SaltedName, read_name, unless_erased
from icetable.server.table.seats import Seat
from icetable.server.table.setup import Series, TableSetup, Terms

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from concurrent.futures import Future

    from icetable.server.store.database import Database

SEEN_INTERVAL_MS = 12 * 60 * 60 * 1000
"""Minimum time between two updates of a table's last visit."""
DEPENDENT_TABLES = ("held", "playtest_tables", "records", "subscriptions", "talk")
DELETIONS = (
    DELETE_ACTS,
    *(f"DELETE FROM {name} WHERE table_id = ?" for name in DEPENDENT_TABLES),  # noqa: S608
    "DELETE FROM tables WHERE id = ?",
)
"""The table's own row last, so that an interrupted deletion is repeated."""
ENTRY_COLUMNS = "seq, seat, at, text, client_id, link, name"
COLUMNS = "id, game, options, seats, secret, created, series, terms, start"
SIT_NAMES = "SELECT seq, name FROM acts WHERE table_id = ? AND name IS NOT NULL"

Row = tuple[str, str, str, str, bytes, int, str | None, str, str | None]
"""The columns id, game, options, seats, secret, created, series, terms and start.

Seats hold commitments to names. The names are in a separate column, outside the digest, and can be
erased.
"""

BEGUN = -1
"""The value of the column `waiting` once the game has begun. Before that, it is when a player was last waiting, in
milliseconds since 1970, and 0 if nobody is."""

_options = msgspec.json.Decoder(dict[str, Any])
_seats = msgspec.json.Decoder(tuple[Seat, ...])
_series = msgspec.json.Decoder(Series)
_terms = msgspec.json.Decoder(Terms)


def row_of(setup: TableSetup) -> Row:
    """The stored columns of a setup, without names that can be erased."""
    return (
        setup.id,
        setup.game,
        json.dumps(setup.options),
        msgspec.json.encode(_named(setup.seats, setup.bound)).decode(),
        setup.secret,
        setup.created,
        None if setup.series is None else msgspec.json.encode(setup.series).decode(),
        msgspec.json.encode(setup.terms).decode(),
        setup.start,
    )


def inserted(setup: TableSetup, bucket: int, key: str | None) -> tuple[object, ...]:
    """The parameters of INSERT for a new table."""
    row, names = row_of(setup), msgspec.json.encode(setup.names).decode()
    in_days, is_waiting = int(is_in_days(setup.terms.clock)), any(seat.kind == "open" for seat in setup.seats)
    waiting = setup.created if is_waiting else BEGUN
    return (*row, int(setup.terms.public), digest(row), setup.created, bucket, in_days, names, waiting, key)


INSERT = (
    "INSERT INTO tables (id, game, options, seats, secret, created, series, terms, start,"
    " public, digest, seen, bucket, in_days, names, waiting, matchmaking_key)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
)

names_in = msgspec.json.Decoder(tuple[SaltedName | None, ...]).decode
"""Decodes stored names. Raises msgspec.DecodeError."""


def names_without(stored: str, erased: Collection[str]) -> str:
    """Remove names from a stored list."""
    return msgspec.json.encode(tuple(unless_erased(name, erased) for name in names_in(stored))).decode()


def setup_of(row: Row, stored: str) -> TableSetup:
    """The setup in a row, with its stored names. Raises msgspec.DecodeError, or ValueError if the names don't match."""
    key, game, options, seats, secret, created, series, terms, start = row
    decoded, names = _seats.decode(seats), names_in(stored)
    bound = tuple(seat.name for seat in decoded)
    if any(name is not None and name.commitment != expected for name, expected in zip(names, bound, strict=True)):
        raise ValueError("a name is not the one that was stored")
    return TableSetup(
        key,
        game,
        _options.decode(options),
        _named(decoded, ["" if name is None else name.name for name in names]),
        secret,
        created,
        None if series is None else _series.decode(series),
        _terms.decode(terms),
        start,
        names=names,
        bound=bound,
    )


def _named(seats: tuple[Seat, ...], names: Iterable[str]) -> tuple[Seat, ...]:
    return tuple(msgspec.structs.replace(seat, name=name) for seat, name in zip(seats, names, strict=True))


def digest(row: Sequence[object]) -> str:
    """The SHA-256 of a row, in hexadecimal digits."""
    return hashlib.sha256(json.dumps(row, default=lambda secret: bytes(secret).hex()).encode()).hexdigest()


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
        command = f"SELECT {ENTRY_COLUMNS} FROM acts WHERE table_id = ? AND seq > ? ORDER BY seq"  # noqa: S608
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
            f"SELECT {ENTRY_COLUMNS} FROM acts WHERE table_id = ? AND (substr(text, 1, 1) = '/'"  # noqa: S608
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


class TableStore:
    """The tables. Times are in milliseconds since 1970."""

    def __init__(self, database: Database, logs: LogStore) -> None:
        self._database, self._logs = database, logs

    def create(self, setup: TableSetup, bucket: int = -1, key: str | None = None) -> Future[None]:
        """Store a new table. Conflict: the id or the key is in use.

        `bucket`: the bucket of clients whose limits it counts against (`public`). `key`: its matchmaking key, a digest
        of the kind of game that its player looks for, unique among waiting tables (`matching`).
        """
        return self._database.write(setup.id, INSERT, *inserted(setup, bucket, key))

    def delete(self, table: str) -> Future[None]:
        """Delete a table with all that belongs to it. Conflict: no such table."""
        return [self._database.write(table, command, table) for command in DELETIONS][-1]

    def setup(self, table: str) -> TableSetup | None:
        """The setup of a table; None if there is no such table. Raises StoreError."""
        noted = self._database.noted(table)
        command = f"SELECT {COLUMNS}, digest, names FROM tables WHERE id = ?"  # noqa: S608
        rows = self._database.rows(tuple[Any, ...], command, table)
        if not rows and (noted is not None or self._logs.length(table)):
            raise self._database.loss(table)
        if not rows:
            return None
        *row, stored_digest, names = rows[0]
        if stored_digest != digest(row):
            self._database.report(table, "the setup of a table is not what was stored; see docs/running.md")
            raise StoreDamaged
        with self._database.explained(StoreDamaged()):
            return setup_of(msgspec.convert(row, Row), names)

    # Going on and over

    def running(self, since: int, limit: int) -> list[str]:
        """The newest tables created since then whose games are not known to be over. Raises StoreError."""
        command = "SELECT id FROM tables WHERE over = 0 AND created >= ? ORDER BY created DESC LIMIT ?"
        return self._database.values(str, command, since, limit)

    def finished(self) -> list[str]:
        """The tables whose games are known to be over, oldest first. Raises StoreError."""
        return self._database.values(str, "SELECT id FROM tables WHERE over = 1 ORDER BY created")

    def over_among(self, tables: list[str]) -> list[str]:
        """Those of these tables whose games are known to be over. Raises StoreError."""
        if not tables:
            return []
        places = ", ".join("?" * len(tables))
        command = f"SELECT id FROM tables WHERE over = 1 AND id IN ({places})"  # noqa: S608
        return self._database.values(str, command, *tables)

    def set_over(self, table: str, over: bool) -> Future[None]:
        """Store whether a table's game is over, so that the next start need not read its log."""
        return self._database.write(table, "UPDATE tables SET over = ? WHERE id = ?", int(over), table)

    def due(self, until: int) -> list[str]:
        """The tables whose correspondence clocks run out by then, earliest first. Raises StoreError."""
        return self._database.values(str, "SELECT id FROM tables WHERE due <= ? ORDER BY due", until)

    def set_due(self, table: str, due: int | None) -> Future[None]:
        """Store when a correspondence clock runs out; None if none runs."""
        return self._database.write(table, "UPDATE tables SET due = ? WHERE id = ?", due, table)

    def set_seen(self, table: str, at: int, interval: int = SEEN_INTERVAL_MS) -> Future[None]:
        """Store a visit to a table. Conflict: the last one is less than `interval` ago."""
        command = "UPDATE tables SET seen = ? WHERE id = ? AND seen < ?"
        return self._database.write(table, command, at, table, at - interval)

    def expired(self, seen: int, never_begun: int, limit: int) -> list[str]:
        """Tables not visited since `seen`, or since `never_begun` if no act was made. Raises StoreError.

        Tables with a running correspondence clock are left out.
        """
        command = (
            "SELECT id FROM tables WHERE (due IS NULL OR due < ?) AND (seen < ? OR (seen < ? AND NOT EXISTS"
            " (SELECT 1 FROM acts WHERE table_id = id AND substr(text, 1, 1) <> '/'))) ORDER BY seen LIMIT ?"
        )
        return self._database.values(str, command, seen, seen, never_begun, limit)

    def has_as_many(self, number: int) -> bool:
        """Whether there are at least `number` tables. Raises StoreError."""
        command = "SELECT count(*) FROM (SELECT id FROM tables LIMIT ?) AS counted"
        return self._database.value(int, command, number) == number

    # The lobby

    def public(self, since: int, seen: int, max_per_bucket: int, limit: int, waited: int = 0) -> list[tuple[str, int]]:
        """The public tables created since then with a visit since `seen`, and their numbers of entries.

        Tables waiting for players come first, then games in progress, newest first, at most `max_per_bucket` per
        bucket. Games known to be over are left out. A correspondence game has no age limit, and before its clock starts
        a visit since `waited` is enough. Raises StoreError.
        """
        command = (
            "SELECT id, (SELECT COALESCE(MAX(seq), 0) FROM acts WHERE table_id = id) FROM (SELECT id, created, bucket,"
            " waiting, ROW_NUMBER() OVER (PARTITION BY bucket ORDER BY created DESC, id) AS place FROM tables"
            " WHERE public = 1 AND over = 0 AND ((created >= ? OR in_days = 1)"
            " AND (waiting >= ? OR (waiting < 0 AND seen >= ?)) OR in_days = 1 AND due IS NULL AND seen >= ?))"
            " AS placed WHERE place <= ? OR bucket < 0 ORDER BY waiting < 0, created DESC LIMIT ?"
        )
        return self._database.rows(tuple[str, int], command, since, seen, seen, waited, max_per_bucket, limit)

    def hide(self, table: str) -> Future[None]:
        """Take a table out of the lobby. Conflict: no such table."""
        return self._database.write(table, "UPDATE tables SET public = 0 WHERE id = ?", table)

    def set_waiting(self, table: str, at: int) -> Future[None]:
        """Store when a player was last waiting at a table. Conflict: no such table."""
        return self._database.write(table, "UPDATE tables SET waiting = ?, seen = ? WHERE id = ?", at, at, table)

    def leave_waiting(self, table: str, since: int) -> Future[None]:
        """Store that nobody waits at a table any more. Conflict: nobody did, or somebody did after `since`."""
        command = "UPDATE tables SET waiting = 0 WHERE id = ? AND waiting > 0 AND waiting <= ?"
        return self._database.write(table, command, table, since)

    def end_waiting(self, table: str) -> Future[None]:
        """Store that a table's game has begun. Conflict: no such table."""
        command = "UPDATE tables SET waiting = ?, matchmaking_key = NULL WHERE id = ?"
        return self._database.write(table, command, BEGUN, table)

    def drop_key(self, table: str) -> Future[None]:
        """Free the matchmaking key of a table where nobody waits, for another table. Conflict: it has none."""
        command = "UPDATE tables SET matchmaking_key = NULL WHERE id = ? AND matchmaking_key IS NOT NULL"
        return self._database.write(table, command, table)

    def matching(self, key: str, seen: int) -> tuple[str, bool] | None:
        """The table with this matchmaking key, and whether it is public and somebody has waited there since `seen`.

        None if there is no such table. Raises StoreError.
        """
        command = "SELECT id, public, over, waiting FROM tables WHERE matchmaking_key = ?"
        for table, public, over, waiting in self._database.rows(tuple[str, int, int, int], command, key):
            return table, bool(public and not over and waiting >= seen)
        return None

    # Names

    def names(self, table: str) -> dict[Place, str]:
        """The names at a table that can be erased, by place. Raises StoreError."""
        stored = self._database.values(str, "SELECT names FROM tables WHERE id = ?", table)
        setup_names = names_in(stored[0]) if stored else ()
        sit_names = self._database.rows(tuple[int, str], SIT_NAMES, table)
        names = {(seq, 0): read_name(name).name for seq, name in sit_names}
        return names | {(0, seat): name.name for seat, name in enumerate(setup_names) if name is not None}

    def erase_names(self, table: str, names: Collection[str]) -> list[Future[None]]:
        """Erase names at a table, in its chat too. A future raises Conflict if there is nothing to erase.

        Raises StoreError.
        """
        done: list[Future[None]] = []
        for stored in self._database.values(str, "SELECT names FROM tables WHERE id = ?", table):
            command = "UPDATE tables SET names = ? WHERE id = ?"
            done.append(self._database.write(table, command, names_without(stored, names), table))
        for seq, name in self._database.rows(tuple[int, str], SIT_NAMES, table):
            if read_name(name).name in names:
                command = "UPDATE acts SET name = NULL WHERE table_id = ? AND seq = ?"
                done.append(self._database.write(table, command, table, seq))
        command = "UPDATE talk SET name = '' WHERE table_id = ? AND name = ?"
        return [*done, *(self._database.write(table, command, table, name) for name in names)]
