"""What all drawings for terminals share."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from icetable.core.errors import GameError
from icetable.core.options import short_repr

WIDTH = 78
"""The length of a line, in characters."""

Paint = Callable[[str, int], str]
"""Gives a text the colour of a seat."""


def no_paint(text: str, _seat: int) -> str:
    """The `Paint` that uses no colours."""
    return text


def check_view(view: object, game: str) -> None:
    """Raise GameError for anything but a view of the game with a name."""
    if hasattr(view, "view"):
        raise GameError("what is drawn is a view, not a state: state.view(), or state.view(seat)")
    if not isinstance(view, Mapping) or "game" not in view:
        raise GameError(f"what is drawn is a view of a state, not {short_repr(view)}")
    if view["game"] != game:
        raise GameError(f"this is a view of {short_repr(view['game'])}, not of {game!r}")
