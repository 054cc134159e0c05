"""Helpers shared by all terminal drawings."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from icetable.core.errors import GameError
from icetable.core.options import short_repr

LINE_WIDTH = 78

Paint = Callable[[str, int], str]
"""A function that gives a text the colour of a seat."""


def no_paint(text: str, _seat: int) -> str:
    """Return the text unchanged: the `Paint` without colours."""
    return text


def check_view(view: object, game: str) -> None:
    """Raise GameError unless the argument is a view of the named game."""
    if hasattr(view, "view"):
        raise GameError("to draw, pass a view, not a state: state.view(), or state.view(seat)")
    if not isinstance(view, Mapping) or "game" not in view:
        raise GameError(f"to draw, pass the view of a state, not {short_repr(view)}")
    if view["game"] != game:
        raise GameError(f"this is a view of {short_repr(view['game'])}, not of {game!r}")
