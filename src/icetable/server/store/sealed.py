"""What a store keeps of parcels: how browsers move what is theirs to another one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


class SealedParcels(ABC):
    """Sealed parcels, each until it is taken out, and for a while at most. Times are in milliseconds since 1970."""

    def add_parcel(
        self, parcel: str, sealed: bytes, until: int, bucket: int, most_of_one: int, most: int
    ) -> Future[None]:
        """Store a parcel until then, for the visitors of a bucket.

        Conflict: there is one of that id, or with it there would be more bytes than that, of the bucket or of all.
        """
        kept = "SELECT COALESCE(SUM(length(sealed)), 0) FROM parcels"
        command = (
            "INSERT INTO parcels (id, sealed, until, bucket) SELECT ?, ?, ?, ?"
            f" WHERE ({kept} WHERE bucket = ?) <= ? AND ({kept}) <= ? ON CONFLICT DO NOTHING"
        )
        left = most_of_one - len(sealed), most - len(sealed)
        return self._ask(command, (parcel, sealed, until, bucket, bucket, *left), "")

    def parcel(self, parcel: str, at: int) -> bytes | None:
        """A parcel that is kept at that time; None: there is none. Raises StoreError."""
        rows = self._rows("SELECT sealed FROM parcels WHERE id = ? AND until >= ?", (parcel, at), tuple[bytes])
        return rows[0][0] if rows else None

    def drop_parcel(self, parcel: str) -> Future[None]:
        """Delete a parcel. Conflict: there is none, so somebody else has taken it out."""
        return self._ask("DELETE FROM parcels WHERE id = ?", (parcel,), "")

    def forget_parcels(self, until: int) -> Future[None]:
        """Delete the parcels that were to be kept until then. Conflict: there are none."""
        return self._ask("DELETE FROM parcels WHERE until < ?", (until,), "")

    @abstractmethod
    def _ask(self, command: str, row: tuple[object, ...], table: str) -> Future[None]:
        """Write a row; the future brings None once it is safe, Conflict where nothing changed, or StoreError."""

    @abstractmethod
    def _rows(self, command: str, row: tuple[object, ...], kind: type[T]) -> list[T]:
        """The rows that a query finds, each of this type. Raises StoreError."""
