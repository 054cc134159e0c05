"""Queries over all tables of a store (public, running, finished, expired) and the operator's orders."""

from __future__ import annotations

from abc import ABC, abstractmethod
from concurrent.futures import Future
from typing import TYPE_CHECKING, TypeVar

from icetable.server.store import setups
from icetable.server.table.salted_names import Place, read_name

if TYPE_CHECKING:
    from collections.abc import Collection

SIT_NAMES = "SELECT seq, name FROM acts WHERE table_id = ? AND name IS NOT NULL"

T = TypeVar("T")


class Overview(ABC):
    """Queries over all tables, and the orders of the operator."""

    def surplus_records(self, since: int, max_per_bucket: int, max_total: int) -> list[str]:
        """The tables whose records were opened before `since`, and the oldest ones beyond the limits in bytes, per
        bucket and in total. Raises StoreError.
        """
        command = (
            "SELECT table_id FROM (SELECT table_id, opened,"
            " SUM(bytes) OVER (PARTITION BY bucket ORDER BY opened DESC, table_id) AS of_one,"
            " SUM(bytes) OVER (ORDER BY opened DESC, table_id) AS of_all FROM records) AS summed"
            " WHERE opened < ? OR of_one > ? OR of_all > ?"
        )
        return [table for (table,) in self._rows(command, (since, max_per_bucket, max_total), tuple[str])]

    def expired(self, seen: int, never_begun: int, limit: int) -> list[str]:
        """Tables not visited since `seen`, or since `never_begun` if no act was made. Raises StoreError.

        Tables with a running correspondence clock are left out.
        """
        command = (
            "SELECT id FROM tables WHERE (due IS NULL OR due < ?) AND (seen < ? OR (seen < ? AND NOT EXISTS"
            " (SELECT 1 FROM acts WHERE table_id = id AND substr(text, 1, 1) <> '/'))) ORDER BY seen LIMIT ?"
        )
        return [table for (table,) in self._rows(command, (seen, seen, never_begun, limit), tuple[str])]

    def due(self, until: int) -> list[str]:
        """The tables whose correspondence clocks run out by then, earliest first. Raises StoreError."""
        command = "SELECT id FROM tables WHERE due <= ? ORDER BY due"
        return [table for (table,) in self._rows(command, (until,), tuple[str])]

    def note_due(self, table: str, due: int | None) -> Future[None]:
        """Store when a correspondence clock runs out, in milliseconds since 1970; None if none runs."""
        return self._submit("UPDATE tables SET due = ? WHERE id = ?", (due, table), table)

    def public_tables(
        self, since: int, seen: int, max_per_bucket: int, limit: int, waited: int = 0
    ) -> list[tuple[str, int]]:
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
        return self._rows(command, (since, seen, seen, waited, max_per_bucket, limit), tuple[str, int])

    def has_tables(self, number: int) -> bool:
        """Whether there are at least `number` tables. Raises StoreError."""
        command = "SELECT count(*) FROM (SELECT id FROM tables LIMIT ?) AS counted"
        return self._rows(command, (number,), tuple[int]) == [(number,)]

    def note_waiting(self, table: str, at: int) -> Future[None]:
        """Store when a player was last waiting at a table, in milliseconds since 1970. Conflict: no such table."""
        return self._submit("UPDATE tables SET waiting = ?, seen = ? WHERE id = ?", (at, at, table), table)

    def leave_waiting(self, table: str, since: int) -> Future[None]:
        """Store that nobody waits at a table any more. Conflict: nobody did, or somebody did after `since`."""
        command = "UPDATE tables SET waiting = 0 WHERE id = ? AND waiting > 0 AND waiting <= ?"
        return self._submit(command, (table, since), table)

    def end_waiting(self, table: str) -> Future[None]:
        """Store that a table's game has begun. Conflict: no such table."""
        return self._submit(f"UPDATE tables SET waiting = {setups.BEGUN}, wish = NULL WHERE id = ?", (table,), table)  # noqa: S608

    def drop_wish(self, table: str) -> Future[None]:
        """Free the wish of a table where nobody waits, for another table. Conflict: it has none."""
        return self._submit("UPDATE tables SET wish = NULL WHERE id = ? AND wish IS NOT NULL", (table,), table)

    def wished(self, wish: str, seen: int) -> tuple[str, bool] | None:
        """The table with this wish, and whether it is public and somebody has waited there since `seen`.

        None if there is no such table. Raises StoreError.
        """
        command = "SELECT id, public, over, waiting FROM tables WHERE wish = ?"
        for table, public, over, waiting in self._rows(command, (wish,), tuple[str, int, int, int]):
            return table, bool(public and not over and waiting >= seen)
        return None

    def orders(self) -> list[tuple[str, str]]:
        """The ids and texts of the operator's orders, oldest first. Raises StoreError."""
        return self._rows("SELECT id, text FROM orders ORDER BY at, id", (), tuple[str, str])

    def policies(self) -> set[str]:
        """The names of the permanent settings that the operator has switched on. Raises StoreError."""
        return {name for (name,) in self._rows("SELECT name FROM policies", (), tuple[str])}

    def hide(self, table: str) -> Future[None]:
        """Take a table out of the lobby. Conflict: no such table."""
        return self._submit("UPDATE tables SET public = 0 WHERE id = ?", (table,), table)

    def erase_chat(self, table: str) -> Future[None]:
        """Delete the chat of a table. Conflict: it has none."""
        return self._submit("DELETE FROM talk WHERE table_id = ?", (table,), table)

    def names(self, table: str) -> dict[Place, str]:
        """The names at a table that can be erased, by place. Raises StoreError."""
        rows = self._rows("SELECT names FROM tables WHERE id = ?", (table,), tuple[str])
        setup_names = setups.names_in(rows[0][0]) if rows else ()
        sit_names = self._rows(SIT_NAMES, (table,), tuple[int, str])
        names = {(seq, 0): read_name(name).name for seq, name in sit_names}
        return names | {(0, seat): name.name for seat, name in enumerate(setup_names) if name is not None}

    def erase_names(self, table: str, names: Collection[str]) -> list[Future[None]]:
        """Erase names at a table, in its chat too. A future raises Conflict if there is nothing to erase.

        Raises StoreError.
        """
        done: list[Future[None]] = []
        for (stored,) in self._rows("SELECT names FROM tables WHERE id = ?", (table,), tuple[str]):
            remaining = setups.names_without(stored, names)
            done.append(self._submit("UPDATE tables SET names = ? WHERE id = ?", (remaining, table), table))
        for seq, name in self._rows(SIT_NAMES, (table,), tuple[int, str]):
            if read_name(name).name in names:
                command = "UPDATE acts SET name = NULL WHERE table_id = ? AND seq = ?"
                done.append(self._submit(command, (table, seq), table))
        return done + [
            self._submit("UPDATE talk SET name = '' WHERE table_id = ? AND name = ?", (table, name), table)
            for name in names
        ]

    def delete_playtests(self, since: int) -> Future[None]:
        """Delete play-tests created before then that have no tables left. Conflict: none found."""
        command = (
            "DELETE FROM playtests WHERE created < ?"
            " AND NOT EXISTS (SELECT 1 FROM playtest_tables WHERE playtest = playtests.id)"
        )
        return self._submit(command, (since,), "")

    def answer_order(self, number: str, answer: str) -> Future[None]:
        """Store the answer to an order. Conflict: it is answered already."""
        return self._submit("UPDATE orders SET answer = ? WHERE id = ? AND answer IS NULL", (answer, number), "")

    def set_policy(self, name: str) -> Future[None]:
        """Switch a permanent setting on. Conflict: it is on."""
        return self._submit("INSERT INTO policies (name) VALUES (?) ON CONFLICT DO NOTHING", (name,), "")

    def drop_policy(self, name: str) -> Future[None]:
        """Switch a permanent setting off. Conflict: it is off."""
        return self._submit("DELETE FROM policies WHERE name = ?", (name,), "")

    @abstractmethod
    def _submit(self, command: str, row: tuple[object, ...], table: str) -> Future[None]:
        """Queue a write. The future raises Conflict if no row changed, or StoreError."""

    def running(self, since: int, limit: int) -> list[str]:
        """The newest tables created since then whose games are not known to be over. Raises StoreError."""
        command = "SELECT id FROM tables WHERE over = 0 AND created >= ? ORDER BY created DESC LIMIT ?"
        return [table for (table,) in self._rows(command, (since, limit), tuple[str])]

    def finished(self) -> list[str]:
        """The tables whose games are known to be over, oldest first. Raises StoreError."""
        return [
            table for (table,) in self._rows("SELECT id FROM tables WHERE over = 1 ORDER BY created", (), tuple[str])
        ]

    @abstractmethod
    def _rows(self, command: str, row: tuple[object, ...], kind: type[T]) -> list[T]:
        """The rows of a query, converted to this type. Raises StoreError."""
