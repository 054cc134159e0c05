"""The user's folders for data and caches. A user without a home folder has none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def cache_folder() -> Path | None:
    """The folder for caches; None for a user without a home folder."""
    import platformdirs

    return _own(platformdirs.user_cache_dir)


def data_folder() -> Path | None:
    """The folder for tables; None for a user without a home folder."""
    import platformdirs

    return _own(platformdirs.user_data_dir)


def _own(find: Callable[[str], str]) -> Path | None:
    try:
        folder = Path(find("icetable"))
    except RuntimeError:  # no HOME, and no entry for the user id
        return None
    return folder if folder.is_absolute() else None
