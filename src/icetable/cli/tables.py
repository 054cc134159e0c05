"""Read-only access to a server's stored tables."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from icetable.cli.failure import Failure
from icetable.lab.measures import Thoughts
from icetable.server.store import is_postgres, open_store
from icetable.server.store.backup import NoBackup, back_up
from icetable.server.store.errors import StoreError
from icetable.server.table.thinking import thinking_times

if TYPE_CHECKING:
    from icetable.server.store.store import Store


def finished_tables(db: str) -> list[Thoughts]:
    """The thinking times of people at each finished table. Raises Failure."""
    try:
        with open_read_only(db) as store:
            return list(_finished(store))
    except (NoBackup, StoreError) as error:
        raise Failure(str(error)) from None


@contextlib.contextmanager
def open_read_only(db: str) -> Iterator[Store]:
    """Open a store even while a server uses it: a file, which two processes can't share, is copied first.

    Raises NoBackup and StoreError.
    """
    with contextlib.ExitStack() as stack:
        if not is_postgres(db):
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            copy = folder / "tables.sqlite"
            copy.touch()
            back_up(Path(db), copy)
            db = str(copy)
        store = open_store(db)
        stack.callback(store.close)
        yield store


def _finished(store: Store) -> Iterator[Thoughts]:
    for table in store.finished():
        setup = store.setup(table)
        if setup is not None:
            yield Thoughts(setup.game, thinking_times(setup, store.entries(table)))
