"""The schema of the database, as migrations from each version to the next.

A database of any older version is migrated when it is opened. `tests/server/old_databases` has some.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from icetable.server.store import setups
from icetable.server.table import fairness

Run = Callable[..., Iterable[Any]]
"""Runs an SQL command with its parameters, if any, and returns the rows."""


def chain_old_entries(run: Run) -> None:
    """Add links to entries written before logs had them."""
    for table, secret in list(run("SELECT id, secret FROM tables")):
        link = fairness.commitment(bytes(secret))
        entries = list(run("SELECT seq, seat, at, text FROM acts WHERE table_id = ? ORDER BY seq", (table,)))
        for seq, seat, at, text in entries:
            link = fairness.link(link, table, seq, seat, at, text)
            run("UPDATE acts SET link = ? WHERE table_id = ? AND seq = ?", (link, table, seq))


def count_wins(run: Run) -> None:
    """Add zero wins to series written before wins were counted."""
    for table, series in list(run("SELECT id, series FROM tables WHERE series IS NOT NULL")):
        counted = json.loads(series)
        counted.setdefault("wins", [0] * len(counted["scores"]))
        run("UPDATE tables SET series = ? WHERE id = ?", (json.dumps(counted), table))


def digest_setups(run: Run) -> None:
    """Add a digest to every setup."""
    run("ALTER TABLE tables ADD COLUMN digest TEXT NOT NULL DEFAULT ''")
    for row in list(run("SELECT id, game, options, seats, secret, created, series, terms, start, form FROM tables")):
        run("UPDATE tables SET digest = ? WHERE id = ?", (setups.digest(row), row[0]))


MIGRATIONS: tuple[str | Callable[[Run], None], ...] = (
    """
    CREATE TABLE tables (
        id TEXT PRIMARY KEY,
        game TEXT NOT NULL,
        options TEXT NOT NULL,
        seats TEXT NOT NULL,
        secret BLOB NOT NULL,
        created INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE acts (
        table_id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        at INTEGER NOT NULL,
        text TEXT NOT NULL,
        client_id TEXT,
        PRIMARY KEY (table_id, seq),
        UNIQUE (table_id, client_id)
    ) STRICT, WITHOUT ROWID;
    """,
    "ALTER TABLE tables ADD COLUMN series TEXT",
    """
    ALTER TABLE acts ADD COLUMN link TEXT NOT NULL DEFAULT '';
    ALTER TABLE tables ADD COLUMN over INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX running_tables ON tables (created) WHERE over = 0;
    """,
    chain_old_entries,
    """
    ALTER TABLE tables ADD COLUMN public INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tables ADD COLUMN terms TEXT NOT NULL DEFAULT '{}';
    CREATE INDEX public_tables ON tables (created) WHERE public = 1;
    """,
    "ALTER TABLE tables ADD COLUMN start TEXT",
    count_wins,
    """
    CREATE TABLE held (
        browser TEXT NOT NULL,
        table_id TEXT NOT NULL,
        lock TEXT NOT NULL,
        PRIMARY KEY (browser, table_id, lock)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE talk (
        table_id TEXT NOT NULL,
        number INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        name TEXT NOT NULL,
        at INTEGER NOT NULL,
        text TEXT NOT NULL,
        client_id TEXT NOT NULL,
        PRIMARY KEY (table_id, number),
        UNIQUE (table_id, client_id)
    ) STRICT, WITHOUT ROWID
    """,
    "ALTER TABLE tables ADD COLUMN form INTEGER NOT NULL DEFAULT 1",
    """
    CREATE TABLE records (
        table_id TEXT PRIMARY KEY,
        text TEXT NOT NULL,
        opened INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    digest_setups,
    """
    ALTER TABLE records ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE records ADD COLUMN bucket INTEGER NOT NULL DEFAULT -1;
    UPDATE records SET bytes = length(text)
    """,
    """
    ALTER TABLE talk ADD COLUMN remark INTEGER;
    CREATE TABLE playtests (
        id TEXT PRIMARY KEY,
        lock TEXT NOT NULL,
        request TEXT NOT NULL,
        created INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE playtest_tables (
        playtest TEXT NOT NULL,
        created INTEGER NOT NULL,
        table_id TEXT NOT NULL,
        PRIMARY KEY (playtest, created, table_id)
    ) STRICT, WITHOUT ROWID
    """,
    """
    ALTER TABLE tables ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tables ADD COLUMN bucket INTEGER NOT NULL DEFAULT -1;
    UPDATE tables SET seen = created + (SELECT COALESCE(MAX(at), 0) FROM acts WHERE table_id = id);
    CREATE TABLE orders (
        id TEXT PRIMARY KEY,
        at INTEGER NOT NULL,
        text TEXT NOT NULL,
        answer TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE policies (
        name TEXT PRIMARY KEY
    ) STRICT, WITHOUT ROWID
    """,
    """
    ALTER TABLE tables ADD COLUMN in_days INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE tables ADD COLUMN due INTEGER;
    CREATE INDEX due_tables ON tables (due) WHERE due IS NOT NULL
    """,
    """
    ALTER TABLE tables ADD COLUMN names TEXT NOT NULL DEFAULT '[]';
    ALTER TABLE acts ADD COLUMN name TEXT;
    CREATE INDEX named_acts ON acts (table_id, seq) WHERE name IS NOT NULL
    """,
    """
    ALTER TABLE tables ADD COLUMN waiting INTEGER NOT NULL DEFAULT -1;
    ALTER TABLE tables ADD COLUMN wish TEXT;
    CREATE UNIQUE INDEX wishes ON tables (wish) WHERE wish IS NOT NULL
    """,
    """
    CREATE TABLE subscriptions (
        table_id TEXT NOT NULL,
        lock TEXT NOT NULL,
        endpoint TEXT NOT NULL,
        p256dh TEXT NOT NULL,
        auth TEXT NOT NULL,
        told INTEGER NOT NULL,
        at INTEGER NOT NULL,
        until INTEGER NOT NULL,
        bucket INTEGER NOT NULL,
        PRIMARY KEY (table_id, lock, endpoint)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX endpoints ON subscriptions (endpoint);
    CREATE INDEX subscribers ON subscriptions (bucket)
    """,
    """
    CREATE TABLE tournaments (
        id TEXT PRIMARY KEY,
        lock TEXT NOT NULL,
        plan TEXT NOT NULL,
        created INTEGER NOT NULL,
        stage INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX running_tournaments ON tournaments (created) WHERE stage = 1;
    CREATE TABLE tournament_events (
        tournament TEXT NOT NULL,
        seq INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (tournament, seq)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE parcels (
        id TEXT PRIMARY KEY,
        sealed BLOB NOT NULL,
        until INTEGER NOT NULL,
        bucket INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
)
"""The migration from each version of the schema to the next, in SQLite's dialect. Append only."""


def migrate(run: Run, version: int) -> int:
    """Run the migrations after this version and return the new version."""
    for migration in MIGRATIONS[version:]:
        if isinstance(migration, str):
            for command in migration.split(";"):
                if command.strip():
                    run(command)
        else:
            migration(run)
    return len(MIGRATIONS)
