"""A copy of all tables in another database, of the same kind or the other."""

from __future__ import annotations

import contextlib
import itertools
from typing import NamedTuple

from icetable.server.store import open_store
from icetable.server.store.beside import Beside
from icetable.server.store.errors import StoreError

KEYS = {
    "tables": "id",
    "acts": "table_id, seq",
    "talk": "table_id, number",
    "held": "browser, table_id, lock",
    "records": "table_id",
    "playtests": "id",
    "playtest_tables": "playtest, created, table_id",
    "policies": "name",
}
"""What is copied, and in which order it is compared. Orders of the operator stay."""
AT_ONCE = 5000
"""How many rows are written at once."""


class CopiedTables(NamedTuple):
    """How much was copied and found equal."""

    tables: int
    entries: int


def copy(source: str, target: str) -> CopiedTables:
    """Copy all tables to a database where none is, as they are at one moment, and compare every row.

    Raises StoreError; then the target is not to be used.
    """
    with contextlib.ExitStack() as opened:
        old = opened.enter_context(contextlib.closing(Beside(source)))
        open_store(target).close()  # which makes the schema
        new = opened.enter_context(contextlib.closing(Beside(target)))
        if new.rows("SELECT id FROM tables LIMIT 1"):
            raise StoreError("There are tables in the target already; name a new database.")
        with old.snapshot():
            for table in KEYS:
                columns = old.columns(table)
                rows = old.stream(f"SELECT {', '.join(columns)} FROM {table}")  # noqa: S608
                while batch := list(itertools.islice(rows, AT_ONCE)):
                    new.insert(table, columns, batch)
            with new.snapshot():
                counted = {table: _compared(old, new, table) for table in KEYS}
    return CopiedTables(counted["tables"], counted["acts"])


def _compared(old: Beside, new: Beside, table: str) -> int:
    """How many rows a table has in both databases. Raises StoreError where any differs."""
    columns = ", ".join(old.columns(table))
    count = 0
    for row, other in itertools.zip_longest(
        *(one.stream(f"SELECT {columns} FROM {table} ORDER BY {one.ordered(KEYS[table])}") for one in (old, new))  # noqa: S608
    ):
        if row is None or other is None or tuple(row) != tuple(other):
            raise StoreError("The copy differs from what was copied.")
        count += 1
    return count
