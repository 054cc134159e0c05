"""The tables that a server has stored, for commands that only read them."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from icetable.cli.failure import Failure
from icetable.lab.pace import Thoughts
from icetable.server.store import is_postgres, open_store
from icetable.server.store.backup import NoBackup, back_up
from icetable.server.store.errors import StoreError
from icetable.server.table.thinking import thinking_times

if TYPE_CHECKING:
    from icetable.server.store.store import Store


def finished_tables(place: str) -> list[Thoughts]:
    """How long people have thought at each table whose game is over. Raises Failure."""
    try:
        with opened(place) as store:
            return list(_finished(store))
    except (NoBackup, StoreError) as error:
        raise Failure(str(error)) from None


@contextlib.contextmanager
def opened(place: str) -> Iterator[Store]:
    """The store at a place, also while a server uses it. Of a file a copy is read, for two processes can't share it.

    Raises NoBackup and StoreError.
    """
    with contextlib.ExitStack() as stack:
        if not is_postgres(place):
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            copy = folder / "tables.sqlite"
            copy.touch()
            back_up(Path(place), copy)
            place = str(copy)
        store = open_store(place)
        stack.callback(store.close)
        yield store


def _finished(store: Store) -> Iterator[Thoughts]:
    for table in store.finished():
        setup = store.setup(table)
        if setup is not None:
            yield Thoughts(setup.game, thinking_times(setup, store.entries(table)))
