"""Output of commands: standard output for `-`, otherwise only new files, so that no file is overwritten."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from icetable.core.errors import GameError

if TYPE_CHECKING:
    from collections.abc import Callable

STANDARD_OUTPUT = "-"


def new_output(name: str, what: str) -> Callable[[str], object]:
    """A function that writes text to standard output for `-`, otherwise to a new file. Raises GameError."""
    if name == STANDARD_OUTPUT:
        return sys.stdout.write
    return partial(new_file(name, what).write_text, encoding="utf-8")


def new_file(name: str, what: str) -> Path:
    """Create an empty file. Raises GameError with a message that calls the content `what`."""
    if name == STANDARD_OUTPUT:
        raise GameError(f"a {what} can't be written to standard output")
    path = Path(name)
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        raise GameError(f"{name} already exists; a {what} needs a new file") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "invalid file name"
        raise GameError(f"the {what} can't be written to {name}: {reason}") from None
    return path
