"""What a store tells of all its tables: which are listed, under way, over, or too old; and the operator's orders."""

from __future__ import annotations

from abc import ABC, abstractmethod
from concurrent.futures import Future
from typing import TYPE_CHECKING, TypeVar

from icetable.server.store import setups
from icetable.server.table.salted_names import Place, read_name

if TYPE_CHECKING:
    from collections.abc import Collection

NAMED = "SELECT seq, name FROM acts WHERE table_id = ? AND name IS NOT NULL"

T = TypeVar("T")


class Overview(ABC):
    """Queries over all tables, and the orders of the operator."""

    def surplus_records(self, since: int, most_of_one: int, most: int) -> list[str]:
        """The tables whose records were opened before then, and all but the newest ones of that many bytes: of each
        bucket, and of all together. Raises StoreError.
        """
        command = (
            "SELECT table_id FROM (SELECT table_id, opened,"
            " SUM(bytes) OVER (PARTITION BY bucket ORDER BY opened DESC, table_id) AS of_one,"
            " SUM(bytes) OVER (ORDER BY opened DESC, table_id) AS of_all FROM records) AS summed"
            " WHERE opened < ? OR of_one > ? OR of_all > ?"
        )
        return [table for (table,) in self._rows(command, (since, most_of_one, most), tuple[str])]

    def expired(self, seen: int, never_begun: int, most: int) -> list[str]:
        """Tables where nobody has been since `seen`, or since `never_begun` and no act was made. Raises StoreError.

        Those where a clock of days runs are left out.
        """
        command = (
            "SELECT id FROM tables WHERE (due IS NULL OR due < ?) AND (seen < ? OR (seen < ? AND NOT EXISTS"
            " (SELECT 1 FROM acts WHERE table_id = id AND substr(text, 1, 1) <> '/'))) ORDER BY seen LIMIT ?"
        )
        return [table for (table,) in self._rows(command, (seen, seen, never_begun, most), tuple[str])]

    def due(self, until: int) -> list[str]:
        """The tables whose clocks of days run out until then, the first one first. Raises StoreError."""
        command = "SELECT id FROM tables WHERE due <= ? ORDER BY due"
        return [table for (table,) in self._rows(command, (until,), tuple[str])]

    def note_due(self, table: str, due: int | None) -> Future[None]:
        """Store when a clock of days runs out, in milliseconds since 1970; None where none runs."""
        return self._ask("UPDATE tables SET due = ? WHERE id = ?", (due, table), table)

    def public_tables(
        self, since: int, seen: int, most_of_one: int, most: int, waited: int = 0
    ) -> list[tuple[str, int]]:
        """The public tables created since then, and the number of entries of each. Raises StoreError.

        First those that wait for players, then those where a game is played; the newest first. Somebody waits there or
        was there since `seen`, and of each bucket there are `most_of_one` at most. Those whose games are known to be
        over are left out. A game of days is listed however old it is; as long as its clock does not run yet, it is
        enough that somebody was there since `waited`.
        """
        command = (
            "SELECT id, (SELECT COALESCE(MAX(seq), 0) FROM acts WHERE table_id = id) FROM (SELECT id, created, bucket,"
            " waiting, ROW_NUMBER() OVER (PARTITION BY bucket ORDER BY created DESC, id) AS place FROM tables"
            " WHERE public = 1 AND over = 0 AND ((created >= ? OR in_days = 1)"
            " AND (waiting >= ? OR (waiting < 0 AND seen >= ?)) OR in_days = 1 AND due IS NULL AND seen >= ?))"
            " AS placed WHERE place <= ? OR bucket < 0 ORDER BY waiting < 0, created DESC LIMIT ?"
        )
        return self._rows(command, (since, seen, seen, waited, most_of_one, most), tuple[str, int])

    def has_tables(self, number: int) -> bool:
        """Whether so many tables are kept. Raises StoreError."""
        command = "SELECT count(*) FROM (SELECT id FROM tables LIMIT ?) AS counted"
        return self._rows(command, (number,), tuple[int]) == [(number,)]

    def note_waiting(self, table: str, at: int) -> Future[None]:
        """Store that a player waits at a table, in milliseconds since 1970. Conflict: there is none."""
        return self._ask("UPDATE tables SET waiting = ?, seen = ? WHERE id = ?", (at, at, table), table)

    def leave_waiting(self, table: str, since: int) -> Future[None]:
        """Store that nobody waits at a table any more. Conflict: nobody did, or somebody was seen after `since`."""
        command = "UPDATE tables SET waiting = 0 WHERE id = ? AND waiting > 0 AND waiting <= ?"
        return self._ask(command, (table, since), table)

    def end_waiting(self, table: str) -> Future[None]:
        """Store that a table's game has begun. Conflict: there is none."""
        return self._ask(f"UPDATE tables SET waiting = {setups.BEGUN}, wish = NULL WHERE id = ?", (table,), table)  # noqa: S608

    def drop_wish(self, table: str) -> Future[None]:
        """Let another table have the wish of one where nobody waits. Conflict: it has none."""
        return self._ask("UPDATE tables SET wish = NULL WHERE id = ? AND wish IS NOT NULL", (table,), table)

    def wished(self, wish: str, seen: int) -> tuple[str, bool] | None:
        """The table with this wish, and whether it is listed and somebody has waited there since `seen`; None: there
        is none. Raises StoreError.
        """
        command = "SELECT id, public, over, waiting FROM tables WHERE wish = ?"
        for table, public, over, waiting in self._rows(command, (wish,), tuple[str, int, int, int]):
            return table, bool(public and not over and waiting >= seen)
        return None

    def orders(self) -> list[tuple[str, str]]:
        """The orders of the operator, each with its number, the oldest first. Raises StoreError."""
        return self._rows("SELECT id, text FROM orders ORDER BY at, id", (), tuple[str, str])

    def policies(self) -> set[str]:
        """What the operator has ordered for good. Raises StoreError."""
        return {name for (name,) in self._rows("SELECT name FROM policies", (), tuple[str])}

    def hide(self, table: str) -> Future[None]:
        """Take a table out of the lobby. Conflict: there is none."""
        return self._ask("UPDATE tables SET public = 0 WHERE id = ?", (table,), table)

    def erase_chat(self, table: str) -> Future[None]:
        """Delete what was said at a table. Conflict: nothing was."""
        return self._ask("DELETE FROM talk WHERE table_id = ?", (table,), table)

    def names(self, table: str) -> dict[Place, str]:
        """The names at a table that can be erased, by where they were given. Raises StoreError."""
        rows = self._rows("SELECT names FROM tables WHERE id = ?", (table,), tuple[str])
        settled = setups.names_in(rows[0][0]) if rows else ()
        taken = self._rows(NAMED, (table,), tuple[int, str])
        given = {(seq, 0): read_name(name).name for seq, name in taken}
        return given | {(0, seat): name.name for seat, name in enumerate(settled) if name is not None}

    def erase_names(self, table: str, names: Collection[str]) -> list[Future[None]]:
        """Erase names at a table, those over its chat too. The futures bring None, or Conflict where there is nothing.

        Raises StoreError.
        """
        done: list[Future[None]] = []
        for (stored,) in self._rows("SELECT names FROM tables WHERE id = ?", (table,), tuple[str]):
            left = setups.names_without(stored, names)
            done.append(self._ask("UPDATE tables SET names = ? WHERE id = ?", (left, table), table))
        for seq, name in self._rows(NAMED, (table,), tuple[int, str]):
            if read_name(name).name in names:
                command = "UPDATE acts SET name = NULL WHERE table_id = ? AND seq = ?"
                done.append(self._ask(command, (table, seq), table))
        return done + [
            self._ask("UPDATE talk SET name = '' WHERE table_id = ? AND name = ?", (table, name), table)
            for name in names
        ]

    def delete_playtests(self, since: int) -> Future[None]:
        """Delete the play-tests begun before then that have no tables any more. Conflict: there is none."""
        command = (
            "DELETE FROM playtests WHERE created < ?"
            " AND NOT EXISTS (SELECT 1 FROM playtest_tables WHERE playtest = playtests.id)"
        )
        return self._ask(command, (since,), "")

    def answer_order(self, number: str, answer: str) -> Future[None]:
        """Store what became of an order. Conflict: that is known."""
        return self._ask("UPDATE orders SET answer = ? WHERE id = ? AND answer IS NULL", (answer, number), "")

    def set_policy(self, name: str) -> Future[None]:
        """Store what is ordered for good. Conflict: it was so."""
        return self._ask("INSERT INTO policies (name) VALUES (?) ON CONFLICT DO NOTHING", (name,), "")

    def drop_policy(self, name: str) -> Future[None]:
        """Store that something is ordered no more. Conflict: it was not."""
        return self._ask("DELETE FROM policies WHERE name = ?", (name,), "")

    @abstractmethod
    def _ask(self, command: str, row: tuple[object, ...], table: str) -> Future[None]:
        """Write a row; the future brings None once it is safe, Conflict where nothing changed, or StoreError."""

    def running(self, since: int, most: int) -> list[str]:
        """The newest tables created since then whose games are not known to be over. Raises StoreError."""
        command = "SELECT id FROM tables WHERE over = 0 AND created >= ? ORDER BY created DESC LIMIT ?"
        return [table for (table,) in self._rows(command, (since, most), tuple[str])]

    def finished(self) -> list[str]:
        """The tables whose games are known to be over, oldest first. Raises StoreError."""
        return [
            table for (table,) in self._rows("SELECT id FROM tables WHERE over = 1 ORDER BY created", (), tuple[str])
        ]

    @abstractmethod
    def _rows(self, command: str, row: tuple[object, ...], kind: type[T]) -> list[T]:
        """The rows that a query finds, each of this type. Raises StoreError."""
