"""Storage of push subscriptions: which browsers follow which seats, and which notices they have been sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from icetable.server.store.queries import Overview

if TYPE_CHECKING:
    from concurrent.futures import Future


class Subscription(NamedTuple):
    """A browser's subscription to the seat held by `lock`: its push endpoint and keys.

    `sent`: the log entry of the last notice, -1 for none. `at`: when that was sent, in milliseconds since 1970.
    """

    lock: str
    endpoint: str
    p256dh: str
    auth: str
    sent: int
    at: int


class Subscriptions(Overview):
    """Subscriptions by table, seat and browser."""

    def add_subscription(self, table: str, subscription: Subscription, until: int, bucket: int) -> Future[None]:
        """Store or renew a subscription, valid until then. `bucket`: the visitors whose limit it counts against."""
        return self._submit(
            "INSERT INTO subscriptions (table_id, lock, endpoint, p256dh, auth, told, at, until, bucket)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (table_id, lock, endpoint)"
            " DO UPDATE SET p256dh = excluded.p256dh, auth = excluded.auth, until = excluded.until",
            (table, *subscription, until, bucket),
            table,
        )

    def drop_subscription(self, table: str, lock: str, endpoint: str) -> Future[None]:
        """Delete a subscription. Conflict: no such subscription."""
        command = "DELETE FROM subscriptions WHERE table_id = ? AND lock = ? AND endpoint = ?"
        return self._submit(command, (table, lock, endpoint), table)

    def forget_subscribers(self, table: str, lock: str) -> Future[None]:
        """Delete the subscriptions of a seat. Conflict: it has none."""
        return self._submit("DELETE FROM subscriptions WHERE table_id = ? AND lock = ?", (table, lock), table)

    def forget_endpoint(self, endpoint: str) -> Future[None]:
        """Delete all subscriptions of an endpoint that its push service has closed. Conflict: it has none."""
        return self._submit("DELETE FROM subscriptions WHERE endpoint = ?", (endpoint,), "")

    def claim_notice(self, table: str, subscription: Subscription, entry: int, at: int) -> Future[None]:
        """Store that a browser is sent the notice of an entry. Conflict: it has been, maybe by another process."""
        command = (
            "UPDATE subscriptions SET told = ?, at = ? WHERE table_id = ? AND lock = ? AND endpoint = ? AND told < ?"
        )
        return self._submit(command, (entry, at, table, subscription.lock, subscription.endpoint, entry), table)

    def move_subscriptions(self, table: str, following: str, until: int, lock: str | None = None) -> Future[None]:
        """Move a table's subscriptions, or those with this lock, to the next game, whose seats have the same codes.

        Conflict: it has none.
        """
        command = (
            "UPDATE subscriptions SET table_id = ?, told = -1, until = ? WHERE table_id = ? AND NOT EXISTS"
            " (SELECT 1 FROM subscriptions AS others WHERE others.table_id = ? AND others.lock = subscriptions.lock"
            " AND others.endpoint = subscriptions.endpoint)"
        )
        row = (following, until, table, following)
        if lock is None:
            return self._submit(command, row, following)
        return self._submit(f"{command} AND lock = ?", (*row, lock), following)

    def end_subscriptions(self, table: str, until: int) -> Future[None]:
        """Let the subscriptions of a table expire by then. Conflict: all expire sooner."""
        return self._submit(
            "UPDATE subscriptions SET until = ? WHERE table_id = ? AND until > ?", (until, table, until), ""
        )

    def forget_subscriptions(self, until: int) -> Future[None]:
        """Delete the subscriptions that expired before then. Conflict: none did."""
        return self._submit("DELETE FROM subscriptions WHERE until < ?", (until,), "")

    def subscriptions(self, table: str) -> list[Subscription]:
        """The subscriptions of a table, by the time of the last notice. Raises StoreError."""
        command = (
            "SELECT lock, endpoint, p256dh, auth, told, at FROM subscriptions WHERE table_id = ? ORDER BY at, lock"
        )
        rows = self._rows(command, (table,), tuple[str, str, str, str, int, int])
        return [Subscription(*row) for row in rows]

    def subscribed_tables(self) -> list[str]:
        """The tables with subscriptions. Raises StoreError."""
        command = "SELECT DISTINCT table_id FROM subscriptions ORDER BY table_id"
        return [table for (table,) in self._rows(command, (), tuple[str])]

    def count_subscriptions(self, bucket: int) -> int:
        """The number of subscriptions of a bucket. Raises StoreError."""
        ((count,),) = self._rows("SELECT count(*) FROM subscriptions WHERE bucket = ?", (bucket,), tuple[int])
        return count
