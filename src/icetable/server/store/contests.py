"""What a store keeps of tournaments: what was settled, and their logs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


class Contests(ABC):
    """The tournaments of a store. Texts are JSON (`table.tournament`)."""

    def create_tournament(self, tournament: str, lock: str, plan: str, created: int) -> Future[None]:
        """Store a new tournament, with the SHA-256 of its organizer's code. Conflict: there is one of that id."""
        command = "INSERT INTO tournaments (id, lock, plan, created) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
        return self._ask(command, (tournament, lock, plan, created), "")

    def append_event(self, tournament: str, seq: int, text: str) -> Future[None]:
        """Store an event of a tournament. Conflict: another one has this number."""
        command = "INSERT INTO tournament_events (tournament, seq, text) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        return self._ask(command, (tournament, seq, text), "")

    def start_tournament(self, tournament: str) -> Future[None]:
        """Store that a tournament is to be looked after. Conflict: it was."""
        return self._ask("UPDATE tournaments SET stage = 1 WHERE id = ? AND stage = 0", (tournament,), "")

    def end_tournament(self, tournament: str) -> Future[None]:
        """Store that a tournament is over, so that nobody looks after it any more."""
        return self._ask("UPDATE tournaments SET stage = 2 WHERE id = ?", (tournament,), "")

    def delete_tournament(self, tournament: str) -> Future[None]:
        """Delete a tournament, but not its tables. Conflict: there is none."""
        self._ask("DELETE FROM tournament_events WHERE tournament = ?", (tournament,), "")
        return self._ask("DELETE FROM tournaments WHERE id = ?", (tournament,), "")

    def delete_tournaments(self, since: int, abandoned: int) -> Future[None]:
        """Delete those opened before `since`, but for those under way that were opened after `abandoned`.

        Conflict: there is none.
        """
        old = "created < ? AND (stage <> 1 OR created < ?)"
        of_old = f"DELETE FROM tournament_events WHERE tournament IN (SELECT id FROM tournaments WHERE {old})"  # noqa: S608
        self._ask(of_old, (since, abandoned), "")
        return self._ask(f"DELETE FROM tournaments WHERE {old}", (since, abandoned), "")  # noqa: S608

    def tournament(self, tournament: str) -> tuple[str, str] | None:
        """The hash of an organizer's code and what was settled; None: there is none. Raises StoreError."""
        rows = self._rows("SELECT lock, plan FROM tournaments WHERE id = ?", (tournament,), tuple[str, str])
        return rows[0] if rows else None

    def tournament_events(self, tournament: str, after: int) -> list[str]:
        """The events of a tournament behind number `after`, in order. Raises StoreError."""
        command = "SELECT text FROM tournament_events WHERE tournament = ? AND seq > ? ORDER BY seq"
        return [text for (text,) in self._rows(command, (tournament, after), tuple[str])]

    def running_tournaments(self, since: int) -> list[str]:
        """The tournaments created since then that are under way. Raises StoreError."""
        command = "SELECT id FROM tournaments WHERE stage = 1 AND created >= ? ORDER BY created"
        return [tournament for (tournament,) in self._rows(command, (since,), tuple[str])]

    def over_among(self, tables: list[str]) -> list[str]:
        """Which of these tables have games that are known to be over. Raises StoreError."""
        if not tables:
            return []
        places = ", ".join("?" * len(tables))
        command = f"SELECT id FROM tables WHERE over = 1 AND id IN ({places})"  # noqa: S608
        return [table for (table,) in self._rows(command, tuple(tables), tuple[str])]

    @abstractmethod
    def _ask(self, command: str, row: tuple[object, ...], table: str) -> Future[None]:
        """Write a row; the future brings None once it is safe, Conflict where nothing changed, or StoreError."""

    @abstractmethod
    def _rows(self, command: str, row: tuple[object, ...], kind: type[T]) -> list[T]:
        """The rows that a query finds, each of this type. Raises StoreError."""
