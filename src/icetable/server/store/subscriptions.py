"""Which browsers are told of which seats, and what they have been told."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from icetable.server.store.overview import Overview

if TYPE_CHECKING:
    from concurrent.futures import Future


class Subscription(NamedTuple):
    """A browser that is told of a seat, which `lock` holds: where its push service is, and by which keys.

    `told`: the entry of the table's log that it was told of last, -1 for none. `at`: when the last notice went out, in
    milliseconds since 1970.
    """

    lock: str
    endpoint: str
    p256dh: str
    auth: str
    told: int
    at: int


class Subscriptions(Overview):
    """Subscriptions by table, seat and browser."""

    def add_subscription(self, table: str, one: Subscription, until: int, bucket: int) -> Future[None]:
        """Store a subscription until then; what a browser was told stays known. `bucket`: whose it counts as."""
        return self._ask(
            "INSERT INTO subscriptions (table_id, lock, endpoint, p256dh, auth, told, at, until, bucket)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (table_id, lock, endpoint)"
            " DO UPDATE SET p256dh = excluded.p256dh, auth = excluded.auth, until = excluded.until",
            (table, *one, until, bucket),
            table,
        )

    def drop_subscription(self, table: str, lock: str, endpoint: str) -> Future[None]:
        """Delete a subscription. Conflict: there is none."""
        command = "DELETE FROM subscriptions WHERE table_id = ? AND lock = ? AND endpoint = ?"
        return self._ask(command, (table, lock, endpoint), table)

    def forget_subscribers(self, table: str, lock: str) -> Future[None]:
        """Delete the subscriptions of a seat. Conflict: there are none."""
        return self._ask("DELETE FROM subscriptions WHERE table_id = ? AND lock = ?", (table, lock), table)

    def forget_endpoint(self, endpoint: str) -> Future[None]:
        """Delete all subscriptions of a browser that its push service knows no more. Conflict: there are none."""
        return self._ask("DELETE FROM subscriptions WHERE endpoint = ?", (endpoint,), "")

    def claim_notice(self, table: str, one: Subscription, told: int, at: int) -> Future[None]:
        """Store that a browser is told of an entry. Conflict: it was told, maybe by another process."""
        command = (
            "UPDATE subscriptions SET told = ?, at = ? WHERE table_id = ? AND lock = ? AND endpoint = ? AND told < ?"
        )
        return self._ask(command, (told, at, table, one.lock, one.endpoint, told), table)

    def move_subscriptions(self, table: str, following: str, until: int) -> Future[None]:
        """Who is told of a table's seats is told of those of the next game by the same codes. Conflict: nobody."""
        command = (
            "UPDATE subscriptions SET table_id = ?, told = -1, until = ? WHERE table_id = ? AND NOT EXISTS"
            " (SELECT 1 FROM subscriptions AS others WHERE others.table_id = ? AND others.lock = subscriptions.lock"
            " AND others.endpoint = subscriptions.endpoint)"
        )
        return self._ask(command, (following, until, table, following), following)

    def end_subscriptions(self, table: str, until: int) -> Future[None]:
        """Keep the subscriptions of a table no longer than that. Conflict: so it is."""
        return self._ask(
            "UPDATE subscriptions SET until = ? WHERE table_id = ? AND until > ?", (until, table, until), ""
        )

    def forget_subscriptions(self, until: int) -> Future[None]:
        """Delete the subscriptions that were to be kept until then. Conflict: there are none."""
        return self._ask("DELETE FROM subscriptions WHERE until < ?", (until,), "")

    def subscriptions(self, table: str) -> list[Subscription]:
        """The subscriptions of a table, the oldest notices first. Raises StoreError."""
        command = (
            "SELECT lock, endpoint, p256dh, auth, told, at FROM subscriptions WHERE table_id = ? ORDER BY at, lock"
        )
        rows = self._rows(command, (table,), tuple[str, str, str, str, int, int])
        return [Subscription(*row) for row in rows]

    def subscribed_tables(self) -> list[str]:
        """The tables that some browser is told of. Raises StoreError."""
        command = "SELECT DISTINCT table_id FROM subscriptions ORDER BY table_id"
        return [table for (table,) in self._rows(command, (), tuple[str])]

    def subscriptions_of(self, bucket: int) -> int:
        """How many subscriptions there are of a bucket. Raises StoreError."""
        ((count,),) = self._rows("SELECT count(*) FROM subscriptions WHERE bucket = ?", (bucket,), tuple[int])
        return count
