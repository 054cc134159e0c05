"""The queries of everything but tables and their logs, by subject. Times are in milliseconds since 1970.

Reads raise StoreError. The future of a write raises StoreError, or Conflict if no row changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from icetable.server.chat import ChatMessage

if TYPE_CHECKING:
    from collections.abc import Mapping
    from concurrent.futures import Future

    from icetable.server.store.database import Database


_files = msgspec.json.Decoder(dict[str, bytes]).decode


class ChatStore:
    """The chat of each table."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def append_message(self, table: str, message: ChatMessage) -> Future[None]:
        """Store a message. Conflict: the number or the request's id is in use."""
        command = (
            "INSERT INTO talk (table_id, number, seat, name, at, text, client_id, remark)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        )
        return self._database.write(table, command, table, *msgspec.structs.astuple(message))

    def has(self, table: str, client_id: str) -> bool:
        """Whether there is a message of this request."""
        command = "SELECT number FROM talk WHERE table_id = ? AND client_id = ?"
        return bool(self._database.values(int, command, table, client_id))

    def messages(self, table: str, after: int = 0, limit: int = 10**9) -> list[ChatMessage]:
        """The last messages after number `after`, in order."""
        command = (
            "SELECT number, seat, name, at, text, client_id, remark FROM talk WHERE table_id = ? AND number > ?"
            " ORDER BY number DESC LIMIT ?"
        )
        rows = self._database.rows(tuple[int, int, str, int, str, str, int | None], command, table, after, limit)
        return [ChatMessage(*row) for row in reversed(rows)]

    def delete(self, table: str) -> Future[None]:
        """Delete the chat of a table. Conflict: it has none."""
        return self._database.write(table, "DELETE FROM talk WHERE table_id = ?", table)


class CodeStore:
    """Which browser (the SHA-256 of its cookie) holds which codes of seats and hosts, by their SHA-256."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def hold(self, browser: str, table: str, code_hash: str) -> Future[None]:
        """Store that a browser holds a code. Conflict: it does already."""
        command = "INSERT INTO held VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        return self._database.write(table, command, browser, table, code_hash)

    def held(self, browser: str, table: str) -> frozenset[str]:
        """The hashes of the codes of a table that a browser holds."""
        command = "SELECT lock FROM held WHERE browser = ? AND table_id = ?"
        return frozenset(self._database.values(str, command, browser, table))


class RecordStore:
    """The records that tables show."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, table: str, text: str, opened: int, size: int, bucket: int) -> Future[None]:
        """Store the record of a table. Conflict: it has one.

        `size`: its bytes; `bucket`: the bucket of clients whose limits it counts against (`surplus`).
        """
        command = (
            "INSERT INTO records (table_id, text, opened, bytes, bucket) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        )
        return self._database.write(table, command, table, text, opened, size, bucket)

    def get(self, table: str) -> tuple[str, int] | None:
        """The record of a table, and when it was opened; None if it has none."""
        return self._database.row(tuple[str, int], "SELECT text, opened FROM records WHERE table_id = ?", table)

    def delete(self, table: str) -> Future[None]:
        """Delete the record of a table. Conflict: it has none."""
        return self._database.write(table, "DELETE FROM records WHERE table_id = ?", table)

    def surplus(self, since: int, max_per_bucket: int, max_total: int) -> list[str]:
        """The tables whose records were opened before `since`, and the oldest ones beyond the limits in bytes, per
        bucket and in total.
        """
        command = (
            "SELECT table_id FROM (SELECT table_id, opened,"
            " SUM(bytes) OVER (PARTITION BY bucket ORDER BY opened DESC, table_id) AS of_one,"
            " SUM(bytes) OVER (ORDER BY opened DESC, table_id) AS of_all FROM records) AS summed"
            " WHERE opened < ? OR of_one > ? OR of_all > ?"
        )
        return self._database.values(str, command, since, max_per_bucket, max_total)


class SourceStore:
    """What the files of games contained when tables were played by them, by the hash of their source."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, source: str, files: Mapping[str, bytes]) -> Future[None]:
        """Store the contents of a file and its neighbours, by path. Conflict: they are stored already."""
        command = "INSERT INTO sources (source, files) VALUES (?, ?) ON CONFLICT DO NOTHING"
        return self._database.write("", command, source, msgspec.json.encode(files).decode())

    def get(self, source: str) -> dict[str, bytes] | None:
        """The contents of files by path; None if they are not stored."""
        found = self._database.values(str, "SELECT files FROM sources WHERE source = ?", source)
        return _files(found[0]) if found else None


class PlaytestStore:
    """Play-tests and their tables."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, playtest: str, lock: str, request: str, created: int) -> Future[None]:
        """Store a play-test, with the SHA-256 of its designer's code and the request for its tables."""
        command = "INSERT INTO playtests (id, lock, request, created) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
        return self._database.write(playtest, command, playtest, lock, request, created)

    def get(self, playtest: str) -> tuple[str, str] | None:
        """The hash of the designer's code and the request of a play-test; None if there is none."""
        return self._database.row(tuple[str, str], "SELECT lock, request FROM playtests WHERE id = ?", playtest)

    def add_table(self, playtest: str, table: str, created: int) -> Future[None]:
        """Store that a table belongs to a play-test. Conflict: it is stored already."""
        command = "INSERT INTO playtest_tables (playtest, created, table_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        return self._database.write(table, command, playtest, created, table)

    def tables(self, playtest: str, limit: int, since: int = 0) -> list[tuple[str, int, int]]:
        """The newest tables of a play-test, created since then, each with the number of its last entry and of its last
        chat message, or 0.
        """
        command = (
            "SELECT table_id, (SELECT COALESCE(MAX(seq), 0) FROM acts WHERE acts.table_id = one.table_id),"
            " (SELECT COALESCE(MAX(number), 0) FROM talk WHERE talk.table_id = one.table_id)"
            " FROM playtest_tables AS one WHERE playtest = ? AND created >= ? ORDER BY created DESC LIMIT ?"
        )
        return self._database.rows(tuple[str, int, int], command, playtest, since, limit)

    def delete_old(self, since: int) -> Future[None]:
        """Delete play-tests created before then that have no tables left. Conflict: none found."""
        command = (
            "DELETE FROM playtests WHERE created < ?"
            " AND NOT EXISTS (SELECT 1 FROM playtest_tables WHERE playtest = playtests.id)"
        )
        return self._database.write("", command, since)


class TournamentStore:
    """Tournaments: their plans and their logs of events, both JSON (`table.tournament`)."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, tournament: str, lock: str, plan: str, created: int) -> Future[None]:
        """Store a new tournament, with the SHA-256 of its organizer's code. Conflict: the id is in use."""
        command = "INSERT INTO tournaments (id, lock, plan, created) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
        return self._database.write("", command, tournament, lock, plan, created)

    def append_event(self, tournament: str, seq: int, text: str) -> Future[None]:
        """Store an event of a tournament. Conflict: the number is in use."""
        command = "INSERT INTO tournament_events (tournament, seq, text) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
        return self._database.write("", command, tournament, seq, text)

    def start(self, tournament: str) -> Future[None]:
        """Mark a tournament as running. Conflict: it was started before."""
        return self._database.write("", "UPDATE tournaments SET stage = 1 WHERE id = ? AND stage = 0", tournament)

    def end(self, tournament: str) -> Future[None]:
        """Mark a tournament as over, so that servers stop running it."""
        return self._database.write("", "UPDATE tournaments SET stage = 2 WHERE id = ?", tournament)

    def delete(self, tournament: str) -> Future[None]:
        """Delete a tournament, but not its tables. Conflict: it does not exist."""
        self._database.write("", "DELETE FROM tournament_events WHERE tournament = ?", tournament)
        return self._database.write("", "DELETE FROM tournaments WHERE id = ?", tournament)

    def delete_old(self, since: int, abandoned: int) -> Future[None]:
        """Delete tournaments created before `since`, or before `abandoned` if they are running. Conflict: none."""
        old = "created < ? AND (stage <> 1 OR created < ?)"
        of_old = f"DELETE FROM tournament_events WHERE tournament IN (SELECT id FROM tournaments WHERE {old})"  # noqa: S608
        self._database.write("", of_old, since, abandoned)
        return self._database.write("", f"DELETE FROM tournaments WHERE {old}", since, abandoned)  # noqa: S608

    def get(self, tournament: str) -> tuple[str, str] | None:
        """The hash of the organizer's code and the plan; None if there is no such tournament."""
        return self._database.row(tuple[str, str], "SELECT lock, plan FROM tournaments WHERE id = ?", tournament)

    def events(self, tournament: str, after: int = 0) -> list[str]:
        """The events of a tournament after number `after`, in order."""
        command = "SELECT text FROM tournament_events WHERE tournament = ? AND seq > ? ORDER BY seq"
        return self._database.values(str, command, tournament, after)

    def recent(self, since: int, limit: int) -> list[tuple[str, str, int]]:
        """The newest tournaments that are not over, created since then: id, plan and time."""
        command = (
            "SELECT id, plan, created FROM tournaments WHERE stage < 2 AND created >= ? ORDER BY created DESC LIMIT ?"
        )
        return self._database.rows(tuple[str, str, int], command, since, limit)

    def running(self, since: int) -> list[str]:
        """The running tournaments created since then."""
        command = "SELECT id FROM tournaments WHERE stage = 1 AND created >= ? ORDER BY created"
        return self._database.values(str, command, since)


class Subscription(NamedTuple):
    """A browser's subscription to push notifications about a seat."""

    lock: str
    """The SHA-256 of the seat's code."""
    endpoint: str
    p256dh: str
    auth: str
    """The push endpoint and the keys."""
    sent: int
    """The log entry of the last notification, -1 for none."""
    at: int
    """When that was sent."""


class SubscriptionStore:
    """Subscriptions to push notifications, by table, seat and browser."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, table: str, subscription: Subscription, until: int, bucket: int) -> Future[None]:
        """Store or renew a subscription, valid until then. `bucket`: the clients whose limit it counts against."""
        command = (
            "INSERT INTO subscriptions (table_id, lock, endpoint, p256dh, auth, sent, at, until, bucket)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (table_id, lock, endpoint)"
            " DO UPDATE SET p256dh = excluded.p256dh, auth = excluded.auth, until = excluded.until"
        )
        return self._database.write(table, command, table, *subscription, until, bucket)

    def at_table(self, table: str) -> list[Subscription]:
        """The subscriptions of a table, by the time of the last notification."""
        command = (
            "SELECT lock, endpoint, p256dh, auth, sent, at FROM subscriptions WHERE table_id = ? ORDER BY at, lock"
        )
        rows = self._database.rows(tuple[str, str, str, str, int, int], command, table)
        return [Subscription(*row) for row in rows]

    def tables(self) -> list[str]:
        """The tables with subscriptions."""
        return self._database.values(str, "SELECT DISTINCT table_id FROM subscriptions ORDER BY table_id")

    def count(self, bucket: int) -> int:
        """The number of subscriptions of a bucket."""
        return self._database.value(int, "SELECT count(*) FROM subscriptions WHERE bucket = ?", bucket)

    def claim(self, table: str, subscription: Subscription, entry: int, at: int) -> Future[None]:
        """Store that a browser is sent the notification of an entry. Conflict: another process has sent it."""
        command = (
            "UPDATE subscriptions SET sent = ?, at = ? WHERE table_id = ? AND lock = ? AND endpoint = ? AND sent < ?"
        )
        return self._database.write(table, command, entry, at, table, subscription.lock, subscription.endpoint, entry)

    def move(self, table: str, following: str, until: int, lock: str | None = None) -> Future[None]:
        """Move a table's subscriptions, or those with this lock, to the next game, whose seats have the same codes.

        Conflict: it has none.
        """
        command = (
            "UPDATE subscriptions SET table_id = ?, sent = -1, until = ? WHERE table_id = ? AND NOT EXISTS"
            " (SELECT 1 FROM subscriptions AS others WHERE others.table_id = ? AND others.lock = subscriptions.lock"
            " AND others.endpoint = subscriptions.endpoint)"
        )
        row = (following, until, table, following)
        if lock is None:
            return self._database.write(following, command, *row)
        return self._database.write(following, f"{command} AND lock = ?", *row, lock)

    def expire(self, table: str, until: int) -> Future[None]:
        """Let the subscriptions of a table expire by then. Conflict: all expire sooner."""
        command = "UPDATE subscriptions SET until = ? WHERE table_id = ? AND until > ?"
        return self._database.write("", command, until, table, until)

    def delete(self, table: str, lock: str, endpoint: str) -> Future[None]:
        """Delete a subscription. Conflict: no such subscription."""
        command = "DELETE FROM subscriptions WHERE table_id = ? AND lock = ? AND endpoint = ?"
        return self._database.write(table, command, table, lock, endpoint)

    def delete_of_seat(self, table: str, lock: str) -> Future[None]:
        """Delete the subscriptions of a seat. Conflict: it has none."""
        return self._database.write(table, "DELETE FROM subscriptions WHERE table_id = ? AND lock = ?", table, lock)

    def delete_of_endpoint(self, endpoint: str) -> Future[None]:
        """Delete all subscriptions of an endpoint that its push service has closed. Conflict: it has none."""
        return self._database.write("", "DELETE FROM subscriptions WHERE endpoint = ?", endpoint)

    def delete_expired(self, until: int) -> Future[None]:
        """Delete the subscriptions that expired before then. Conflict: none did."""
        return self._database.write("", "DELETE FROM subscriptions WHERE until < ?", until)


class TransferStore:
    """Encrypted data on its way from one browser to another, each stored until it is collected or expires."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self, transfer: str, encrypted: bytes, until: int, bucket: int, max_per_bucket: int, max_total: int
    ) -> Future[None]:
        """Store a transfer until then, for a bucket of clients.

        Conflict: the id is in use, or it would exceed the limit in bytes of the bucket or of all.
        """
        stored = "SELECT COALESCE(SUM(length(encrypted)), 0) FROM transfers"
        command = (
            "INSERT INTO transfers (id, encrypted, until, bucket) SELECT ?, ?, ?, ?"
            f" WHERE ({stored} WHERE bucket = ?) <= ? AND ({stored}) <= ? ON CONFLICT DO NOTHING"
        )
        limits = max_per_bucket - len(encrypted), max_total - len(encrypted)
        return self._database.write("", command, transfer, encrypted, until, bucket, bucket, *limits)

    def get(self, transfer: str, at: int) -> bytes | None:
        """A transfer that has not expired at that time; None if there is none."""
        found = self._database.values(
            bytes, "SELECT encrypted FROM transfers WHERE id = ? AND until >= ?", transfer, at
        )
        return found[0] if found else None

    def delete(self, transfer: str) -> Future[None]:
        """Delete a transfer. Conflict: it does not exist, so somebody else has collected it."""
        return self._database.write("", "DELETE FROM transfers WHERE id = ?", transfer)

    def delete_expired(self, until: int) -> Future[None]:
        """Delete the transfers that expired before then. Conflict: none did."""
        return self._database.write("", "DELETE FROM transfers WHERE until < ?", until)


class OrderStore:
    """The orders that the operator leaves for the servers, and the settings that they have made permanent."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[tuple[str, str]]:
        """The ids and texts of all orders, oldest first."""
        return self._database.rows(tuple[str, str], "SELECT id, text FROM orders ORDER BY at, id")

    def answer(self, order: str, answer: str) -> Future[None]:
        """Store the answer to an order. Conflict: it is answered already."""
        return self._database.write("", "UPDATE orders SET answer = ? WHERE id = ? AND answer IS NULL", answer, order)

    def policies(self) -> set[str]:
        """The names of the permanent settings that are switched on."""
        return set(self._database.values(str, "SELECT name FROM policies"))

    def set_policy(self, name: str) -> Future[None]:
        """Switch a permanent setting on. Conflict: it is on."""
        return self._database.write("", "INSERT INTO policies (name) VALUES (?) ON CONFLICT DO NOTHING", name)

    def drop_policy(self, name: str) -> Future[None]:
        """Switch a permanent setting off. Conflict: it is off."""
        return self._database.write("", "DELETE FROM policies WHERE name = ?", name)
