"""What a server counts, for Prometheus. The numbers are the process's; nothing in them tells who plays what."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

TABLES = Gauge("icetable_tables_open", "Tables where somebody is, or something is to happen.")
SOCKETS = Gauge("icetable_sockets", "WebSockets that are open.")
TABLES_CREATED = Counter("icetable_tables_founded", "Tables that were made.")
ACKNOWLEDGED = Counter("icetable_requests_acknowledged", "Acts and undos of people that were kept and acknowledged.")
REFUSED = Counter("icetable_requests_refused", "Acts and undos of people that were refused.")
COMMITS = Histogram(
    "icetable_commit_seconds",
    "How long an entry waits from its judgement until it is safe on the disk.",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
NOT_KEPT = Counter("icetable_commits_failed", "Entries that could not be kept.")
SLOW = Counter("icetable_slow_readers_dropped", "Sockets that were closed because nobody read them.")
REJECTED = Counter("icetable_turned_away", "What was refused without a look at it, by reason.", ["reason"])
GAMES_COMPILING = Gauge("icetable_games_waking", "Games whose kernels still compile; their bots wait for it.")
