"""Saved positions: JSON that is exact and versioned."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from icetable.core.errors import BadRecord
from icetable.core.numbers import is_integer
from icetable.core.options import short_repr

FORMAT_VERSION = 1
PARTS = {"icetable", "game", "options", "position"}


def written(game: str, options: Mapping[str, Any], position: object) -> str:
    """Write a saved position as text."""
    saved = {"icetable": FORMAT_VERSION, "game": game, "options": options, "position": position}
    return json.dumps(saved, separators=(",", ":"))


def decoded(text: object) -> object:
    """Decode the JSON of a saved position. Raises BadRecord."""
    if not isinstance(text, str):
        raise BadRecord(f"a saved position is a text, not {short_repr(text)}")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise BadRecord("a saved position is JSON, and this is not") from None


def checked(saved: object, game: str | None = None) -> dict[str, Any]:
    """The parts of a saved position, which must be of `game` if that is given. Raises BadRecord."""
    if not isinstance(saved, dict) or set(saved) != PARTS:
        raise BadRecord("a saved position has the entries icetable, game, options and position")
    if not is_integer(saved["icetable"]) or saved["icetable"] != FORMAT_VERSION:
        raise BadRecord(f"this position is of version {short_repr(saved['icetable'])}; known: {FORMAT_VERSION}")
    if game is not None and saved["game"] != game:
        raise BadRecord(f"this position is of {short_repr(saved['game'])}, not of {game!r}")
    return saved
