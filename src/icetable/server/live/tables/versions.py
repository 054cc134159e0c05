"""Versions of games whose files have changed since: what tables were played by is stored, and opened again."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from icetable.server.apart import games as apart
from icetable.server.apart.games import ApartInfo
from icetable.server.store.database import written
from icetable.server.store.errors import Conflict

if TYPE_CHECKING:
    from icetable.core.game import GameInfo
    from icetable.server.store.store import Store

_loaded: WeakValueDictionary[tuple[Path, str], ApartInfo] = WeakValueDictionary()
"""The games by file and source, which tables of the same version share."""


async def store_source(store: Store, info: GameInfo) -> None:
    """Store what the file of a game contains, for tables that are played by it. Raises StoreError."""
    if isinstance(info, ApartInfo):
        _loaded[info.file, info.source] = info
        contents = {os.path.relpath(path, info.file.parent): text for path, text in info.code.texts.items()}
        with contextlib.suppress(Conflict):  # it is stored already
            await written(store.sources.add(info.source, contents))


def version_of(store: Store, info: GameInfo, source: str | None) -> GameInfo | None:
    """A game as it was when its file had another source; None if it is not stored, or no other.

    Raises UnknownGame or DesignError if the file of then fails, or StoreError.
    """
    if not isinstance(info, ApartInfo) or source is None or source == info.source:
        return None
    found = _loaded.get((info.file, source))
    contents = store.sources.get(source) if found is None else None
    if contents is not None:
        texts = {os.path.normpath(info.file.parent / path): text for path, text in contents.items()}
        found = _loaded[info.file, source] = apart.open_file(info.file, texts=texts)
    return found
