"""Files that a command writes: new ones only, so that nothing is lost."""

from __future__ import annotations

from pathlib import Path

from icetable.core.errors import GameError


def new_file(name: str, what: str) -> Path:
    """An empty file of a name. Raises GameError where there can be no new one; `what` says what it is for."""
    path = Path(name)
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        raise GameError(f"{name} is there already; a {what} needs a new file") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "no file can have such a name"
        raise GameError(f"no {what} can be kept in {name}: {reason}") from None
    return path
