"""Prometheus metrics of the server process. They reveal nothing about individual players or games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import Counter, Gauge, Histogram, Info

if TYPE_CHECKING:
    from collections.abc import Callable

TABLES = Gauge("icetable_tables_open", "Open tables: a client is connected, or the table has work to do.")
SOCKETS = Gauge("icetable_sockets", "Open WebSockets.")
TABLES_CREATED = Counter("icetable_tables_created", "Tables created.")
ACKNOWLEDGED = Counter("icetable_requests_acknowledged", "Requests of players that were stored and acknowledged.")
REFUSED = Counter("icetable_requests_refused", "Requests of players that were refused.")
COMMITS = Histogram(
    "icetable_commit_seconds",
    "Time from the validation of an entry until it is safely on disk.",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
COMMITS_FAILED = Counter("icetable_commits_failed", "Entries that could not be stored.")
SLOW_READERS = Counter("icetable_slow_readers_dropped", "Slow readers that were disconnected.")
REJECTED = Counter("icetable_rejected", "Requests, messages and sockets that were rejected unread.", ["reason"])
GAMES_COMPILING = Gauge(
    "icetable_games_compiling", "Games whose kernels are not ready yet; their bots play in plain mode."
)
BUILD = Info("icetable_build", "The version of icetable.")
REQUESTS = Counter("icetable_http_requests", "Requests that were answered.", ["route", "status"])
REQUEST_SECONDS = Histogram(
    "icetable_http_seconds",
    "Time from the head of a request until it is answered.",
    ["route"],
    buckets=(0.005, 0.02, 0.1, 0.5, 2, 10),
)
ANSWERS = Histogram(
    "icetable_answer_seconds",
    "Time from the arrival of a player's request (act, undo, seat, proposal) until it is acknowledged or refused.",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
EXCEPTIONS = Counter("icetable_exceptions", "Errors in the program itself; see the log.")
DATABASE_UP = Gauge("icetable_database_up", "1 if the last database operation succeeded, else 0.")
RECONNECTS = Counter("icetable_database_connections_lost", "Connections to PostgreSQL that were lost.")
LAG = Gauge(
    "icetable_database_lag_seconds",
    "Time that the last message between server processes took through PostgreSQL; 0 with SQLite.",
)
NOTICES = Counter("icetable_notices", "Push notifications to closed browsers, by outcome.", ["outcome"])
QUEUES = Gauge("icetable_waiting", "Jobs that are queued or running.", ["queue"])


def watch_queue(name: str, length: Callable[[], float]) -> None:
    """Export the length of a queue, read at each scrape."""
    QUEUES.labels(name).set_function(length)
