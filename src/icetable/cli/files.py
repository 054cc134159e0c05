"""The files that commands write: only new ones, so that no file is overwritten."""

from __future__ import annotations

from pathlib import Path

from icetable.core.errors import GameError


def new_file(name: str, what: str) -> Path:
    """Create an empty file. Raises GameError where it can't, with a message that calls the content `what`."""
    path = Path(name)
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        raise GameError(f"{name} is there already; a {what} needs a new file") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "no file can have such a name"
        raise GameError(f"no {what} can be kept in {name}: {reason}") from None
    return path
