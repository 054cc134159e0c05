"""The pieces of a table: pyramids, and tokens of any other kind."""

from __future__ import annotations

from typing import NamedTuple, Self

from icetable.core.errors import GameError
from icetable.core.options import short_repr
from icetable.core.parts import COLOURS

MAX_PIECES = 10_000
"""The maximum number of pieces on a space or a pad."""
NAMED_COLOURS = (*COLOURS, "black", "clear", "grey")
"""The colours that pages and drawings know."""
PIPS = {"S": 1, "M": 2, "L": 3}


_new = tuple.__new__  # found here, not in the class each time: games make pyramids all the time


class _PyramidFields(NamedTuple):
    size: str
    colour: int | str
    heading: str | None = None


class Pyramid(_PyramidFields):
    """A pyramid of size "S", "M" or "L". It stands, or lies and points in the direction of its `heading`.

    `colour` is a seat, for that seat's colour, or the name of any other colour. `heading` is a direction of the board,
    such as "n". Raises GameError for another size.

    >>> Pyramid("M", 0).pips
    2
    >>> Pyramid("L", "black", "ne")
    Pyramid(size='L', colour='black', heading='ne')
    """

    __slots__ = ()

    def __new__(cls, size: str, colour: int | str, heading: str | None = None) -> Self:
        if size in PIPS:
            return _new(cls, (size, colour, heading))
        raise GameError(f"a pyramid is 'S', 'M' or 'L', not {short_repr(size)}{_size_meant(size, colour)}")

    @property
    def pips(self) -> int:
        """1 for a small, 2 for a medium, 3 for a large pyramid."""
        return PIPS[self.size]

    @property
    def stands(self) -> bool:
        """Whether it stands upright."""
        return self.heading is None

    def __str__(self) -> str:
        return f"{self.colour}{self.size}" + (f">{self.heading}" if self.heading else "")


class Token(NamedTuple):
    """Any other piece: a stone, a marker, a die with its face. `colour` is as in `Pyramid`."""

    name: str
    colour: int | str

    def __str__(self) -> str:
        return f"{self.colour}{self.name}"


Piece = Pyramid | Token


def _size_meant(size: object, colour: object) -> str:
    """What was meant by a size that is none, for an error message."""
    if colour in PIPS:
        return f"; the size comes first: Pyramid({colour!r}, {size!r})"
    letter = size[:1].upper() if isinstance(size, str) else ""
    return f"; did you mean {letter!r}?" if letter in PIPS else ""


def check_piece(piece: object) -> None:
    """Raise GameError for a value that is no piece."""
    if not isinstance(piece, Pyramid | Token):
        raise GameError(f"{short_repr(piece)} is no piece: pieces are such as Pyramid('M', 0) or Token('stone', 1)")
