"""The schema of the database, and its migrations from each version to the next.

A database of an older version is migrated when it is opened.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Any

from icetable.server.logs import about
from icetable.server.store.errors import BEFORE_RELEASE, NEWER, OLDER, StoreUnusable

logger = logging.getLogger(__name__)

Run = Callable[..., Iterable[Any]]
"""Runs an SQL command with its parameters, if any, and returns the rows."""

FIRST_VERSION = 24
"""The version of SCHEMA. The versions before were never released."""

SCHEMA = """
    CREATE TABLE tables (
        id TEXT PRIMARY KEY,
        game TEXT NOT NULL,
        options TEXT NOT NULL,
        seats TEXT NOT NULL,
        secret BLOB NOT NULL,
        created INTEGER NOT NULL,
        series TEXT,
        terms TEXT NOT NULL,
        start TEXT,
        digest TEXT NOT NULL,
        names TEXT NOT NULL,
        public INTEGER NOT NULL,
        over INTEGER NOT NULL DEFAULT 0,
        seen INTEGER NOT NULL,
        bucket INTEGER NOT NULL,
        in_days INTEGER NOT NULL,
        due INTEGER,
        waiting INTEGER NOT NULL,
        matchmaking_key TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX running_tables ON tables (created) WHERE over = 0;
    CREATE INDEX public_tables ON tables (created) WHERE public = 1;
    CREATE INDEX due_tables ON tables (due) WHERE due IS NOT NULL;
    CREATE UNIQUE INDEX matchmaking_keys ON tables (matchmaking_key) WHERE matchmaking_key IS NOT NULL;
    CREATE TABLE acts (
        table_id TEXT NOT NULL,
        seq INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        at INTEGER NOT NULL,
        text TEXT NOT NULL,
        client_id TEXT,
        link TEXT NOT NULL,
        name TEXT,
        PRIMARY KEY (table_id, seq),
        UNIQUE (table_id, client_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX named_acts ON acts (table_id, seq) WHERE name IS NOT NULL;
    CREATE TABLE held (
        browser TEXT NOT NULL,
        table_id TEXT NOT NULL,
        lock TEXT NOT NULL,
        PRIMARY KEY (browser, table_id, lock)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE talk (
        table_id TEXT NOT NULL,
        number INTEGER NOT NULL,
        seat INTEGER NOT NULL,
        name TEXT NOT NULL,
        at INTEGER NOT NULL,
        text TEXT NOT NULL,
        client_id TEXT NOT NULL,
        remark INTEGER,
        PRIMARY KEY (table_id, number),
        UNIQUE (table_id, client_id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE records (
        table_id TEXT PRIMARY KEY,
        text TEXT NOT NULL,
        opened INTEGER NOT NULL,
        bytes INTEGER NOT NULL,
        bucket INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE sources (
        source TEXT PRIMARY KEY,
        files TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
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
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE orders (
        id TEXT PRIMARY KEY,
        at INTEGER NOT NULL,
        text TEXT NOT NULL,
        answer TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE policies (
        name TEXT PRIMARY KEY
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE subscriptions (
        table_id TEXT NOT NULL,
        lock TEXT NOT NULL,
        endpoint TEXT NOT NULL,
        p256dh TEXT NOT NULL,
        auth TEXT NOT NULL,
        sent INTEGER NOT NULL,
        at INTEGER NOT NULL,
        until INTEGER NOT NULL,
        bucket INTEGER NOT NULL,
        PRIMARY KEY (table_id, lock, endpoint)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX endpoints ON subscriptions (endpoint);
    CREATE INDEX subscribers ON subscriptions (bucket);
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
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE transfers (
        id TEXT PRIMARY KEY,
        encrypted BLOB NOT NULL,
        until INTEGER NOT NULL,
        bucket INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
"""
"""The first released schema, in SQLite's dialect."""

MIGRATIONS: tuple[str | Callable[[Run], None], ...] = ()
"""The migration from each version of the schema to the next, from FIRST_VERSION on. Append only."""


def current_version() -> int:
    """The version of the schema that this icetable reads and writes."""
    return FIRST_VERSION + len(MIGRATIONS)


def check_version(version: int) -> None:
    """Raise StoreUnusable for a version of the schema that can't be migrated to the current one."""
    if version < FIRST_VERSION:
        raise StoreUnusable(BEFORE_RELEASE)
    if version > current_version():
        raise StoreUnusable(NEWER)


def check_current(version: int) -> None:
    """Raise StoreUnusable for a version of the schema other than the current one."""
    check_version(version)
    if version < current_version():
        raise StoreUnusable(OLDER)


def migrate(run: Run, version: int) -> int:
    """Create the schema (`version` 0) or run the migrations after this version; return the new version.

    Raises StoreUnusable for a version that can't be migrated.
    """
    if version == 0:
        _run_all(run, SCHEMA)
        version = FIRST_VERSION
    check_version(version)
    if version < current_version():
        logger.info("the database is migrated", extra=about(version=version, to=current_version()))
    for migration in MIGRATIONS[version - FIRST_VERSION :]:
        if isinstance(migration, str):
            _run_all(run, migration)
        else:
            migration(run)
    return current_version()


def _run_all(run: Run, commands: str) -> None:
    for command in commands.split(";"):
        if command.strip():
            run(command)
