"""The metrics of a server, for Prometheus. They count for the whole process and say nothing of players or games."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

TABLES = Gauge("icetable_tables_open", "Open tables: a client is there, or the table has something to do.")
SOCKETS = Gauge("icetable_sockets", "Open WebSockets.")
TABLES_CREATED = Counter("icetable_tables_created", "Tables created.")
ACKNOWLEDGED = Counter("icetable_requests_acknowledged", "Requests of players that were stored and acknowledged.")
REFUSED = Counter("icetable_requests_refused", "Requests of players that were refused.")
COMMITS = Histogram(
    "icetable_commit_seconds",
    "Time from the judgement of an entry until it is safe on the disk.",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
NOT_KEPT = Counter("icetable_commits_failed", "Entries that could not be stored.")
SLOW = Counter("icetable_slow_readers_dropped", "Slow readers that were disconnected.")
REJECTED = Counter("icetable_rejected", "Requests, messages and sockets that were rejected unread.", ["reason"])
GAMES_COMPILING = Gauge(
    "icetable_games_compiling", "Games whose kernels are not ready yet; their bots play in plain mode."
)
