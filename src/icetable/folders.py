"""The user's own folders for what programs keep. A user may have none: no home, or one that is not to be written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def cache_folder() -> Path | None:
    """Where icetable keeps what it can work out again; None for a user without a home."""
    import platformdirs

    return _own(platformdirs.user_cache_dir)


def data_folder() -> Path | None:
    """Where icetable keeps tables; None for a user without a home."""
    import platformdirs

    return _own(platformdirs.user_data_dir)


def _own(find: Callable[[str], str]) -> Path | None:
    try:
        folder = Path(find("icetable"))
    except RuntimeError:  # no HOME, and the system knows no user of this number
        return None
    return folder if folder.is_absolute() else None
