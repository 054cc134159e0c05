"""Storage of tournaments: their plans and their logs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


class TournamentStore(ABC):
    """The tournaments of a store. Plans and events are JSON (`table.tournament`)."""

    def create_tournament(self, tournament: str, lock: str, plan: str, created: int) -> Future[None]:
        """Store a new tournament, with the SHA-256 of its organizer's code. Conflict: the id is in use."""
        command = "INSERT INTO tournaments (id, lock, plan, created) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
        return self._submit(command, (tournament, lock, plan, created), "")

    def append_event(self, tournament: str, seq: int, text: str) -> Future[None]:
        """Store an event of a tournament. Conflict: the number is in use."""
        command = "INSERT INTO tournament_events (tournament, seq, text) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        return self._submit(command, (tournament, seq, text), "")

    def start_tournament(self, tournament: str) -> Future[None]:
        """Mark a tournament as running. Conflict: it was started before."""
        return self._submit("UPDATE tournaments SET stage = 1 WHERE id = ? AND stage = 0", (tournament,), "")

    def end_tournament(self, tournament: str) -> Future[None]:
        """Mark a tournament as over, so that servers stop running it."""
        return self._submit("UPDATE tournaments SET stage = 2 WHERE id = ?", (tournament,), "")

    def delete_tournament(self, tournament: str) -> Future[None]:
        """Delete a tournament, but not its tables. Conflict: it does not exist."""
        self._submit("DELETE FROM tournament_events WHERE tournament = ?", (tournament,), "")
        return self._submit("DELETE FROM tournaments WHERE id = ?", (tournament,), "")

    def delete_tournaments(self, since: int, abandoned: int) -> Future[None]:
        """Delete tournaments created before `since`, or before `abandoned` if they are running. Conflict: none."""
        old = "created < ? AND (stage <> 1 OR created < ?)"
        of_old = f"DELETE FROM tournament_events WHERE tournament IN (SELECT id FROM tournaments WHERE {old})"  # noqa: S608
        self._submit(of_old, (since, abandoned), "")
        return self._submit(f"DELETE FROM tournaments WHERE {old}", (since, abandoned), "")  # noqa: S608

    def tournament(self, tournament: str) -> tuple[str, str] | None:
        """The hash of the organizer's code and the plan; None if there is no such tournament. Raises StoreError."""
        rows = self._rows("SELECT lock, plan FROM tournaments WHERE id = ?", (tournament,), tuple[str, str])
        return rows[0] if rows else None

    def recent_tournaments(self, since: int, limit: int) -> list[tuple[str, str, int]]:
        """The newest tournaments that are not over, created since then: id, plan and time. Raises StoreError."""
        command = (
            "SELECT id, plan, created FROM tournaments WHERE stage < 2 AND created >= ? ORDER BY created DESC LIMIT ?"
        )
        return self._rows(command, (since, limit), tuple[str, str, int])

    def tournament_events(self, tournament: str, after: int) -> list[str]:
        """The events of a tournament after number `after`, in order. Raises StoreError."""
        command = "SELECT text FROM tournament_events WHERE tournament = ? AND seq > ? ORDER BY seq"
        return [text for (text,) in self._rows(command, (tournament, after), tuple[str])]

    def running_tournaments(self, since: int) -> list[str]:
        """The running tournaments created since then. Raises StoreError."""
        command = "SELECT id FROM tournaments WHERE stage = 1 AND created >= ? ORDER BY created"
        return [tournament for (tournament,) in self._rows(command, (since,), tuple[str])]

    def over_among(self, tables: list[str]) -> list[str]:
        """Those of these tables whose games are known to be over. Raises StoreError."""
        if not tables:
            return []
        placeholders = ", ".join("?" * len(tables))
        command = f"SELECT id FROM tables WHERE over = 1 AND id IN ({placeholders})"  # noqa: S608
        return [table for (table,) in self._rows(command, tuple(tables), tuple[str])]

    @abstractmethod
    def _submit(self, command: str, row: tuple[object, ...], table: str) -> Future[None]:
        """Queue a write. The future raises Conflict if no row changed, or StoreError."""

    @abstractmethod
    def _rows(self, command: str, row: tuple[object, ...], kind: type[T]) -> list[T]:
        """The rows of a query, converted to this type. Raises StoreError."""
