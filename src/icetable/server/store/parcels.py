"""Storage of parcels, by which a browser moves its data to another one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


class ParcelStore(ABC):
    """Encrypted parcels, each stored until it is collected or expires. Times are in milliseconds since 1970."""

    def add_parcel(
        self, parcel: str, sealed: bytes, until: int, bucket: int, max_per_bucket: int, max_total: int
    ) -> Future[None]:
        """Store a parcel until then, for a bucket of visitors.

        Conflict: the id is in use, or it would exceed the limit in bytes of the bucket or of all.
        """
        stored = "SELECT COALESCE(SUM(length(sealed)), 0) FROM parcels"
        command = (
            "INSERT INTO parcels (id, sealed, until, bucket) SELECT ?, ?, ?, ?"
            f" WHERE ({stored} WHERE bucket = ?) <= ? AND ({stored}) <= ? ON CONFLICT DO NOTHING"
        )
        limits = max_per_bucket - len(sealed), max_total - len(sealed)
        return self._submit(command, (parcel, sealed, until, bucket, bucket, *limits), "")

    def parcel(self, parcel: str, at: int) -> bytes | None:
        """A parcel that has not expired at that time; None if there is none. Raises StoreError."""
        rows = self._rows("SELECT sealed FROM parcels WHERE id = ? AND until >= ?", (parcel, at), tuple[bytes])
        return rows[0][0] if rows else None

    def drop_parcel(self, parcel: str) -> Future[None]:
        """Delete a parcel. Conflict: it does not exist, so somebody else has collected it."""
        return self._submit("DELETE FROM parcels WHERE id = ?", (parcel,), "")

    def forget_parcels(self, until: int) -> Future[None]:
        """Delete the parcels that expired before then. Conflict: none did."""
        return self._submit("DELETE FROM parcels WHERE until < ?", (until,), "")

    @abstractmethod
    def _submit(self, command: str, row: tuple[object, ...], table: str) -> Future[None]:
        """Queue a write. The future raises Conflict if no row changed, or StoreError."""

    @abstractmethod
    def _rows(self, command: str, row: tuple[object, ...], kind: type[T]) -> list[T]:
        """The rows of a query, converted to this type. Raises StoreError."""
