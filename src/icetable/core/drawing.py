"""What all drawings for terminals share."""

from __future__ import annotations

from collections.abc import Callable

WIDTH = 78
"""The length of a line, in characters."""

Paint = Callable[[str, int], str]
"""Gives a text the colour of a seat."""


def no_paint(text: str, _seat: int) -> str:
    """The `Paint` that uses no colours."""
    return text
