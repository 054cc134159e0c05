"""Boards: the names, coordinates and bits of their spaces."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

ROW_STRIDE = 8
"""The distance in bits between neighbours is 1 in a row, and ROW_STRIDE or (on hexagonal boards) ROW_STRIDE - 1 between
rows. Hexagonal boards leave a gap between rows, so that no such shift leads from the end of a row to another row."""

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Space:
    """A space of a board: its name, its coordinates, and its bit in kernels."""

    name: str
    x: int
    y: int
    square: int


class Board(ABC):
    """A board, defined by its spaces."""

    @property
    @abstractmethod
    def spaces(self) -> tuple[Space, ...]:
        """All spaces, from the bottom row up, each row from the left."""

    @cached_property
    def by_name(self) -> dict[str, Space]:
        return {space.name: space for space in self.spaces}

    @cached_property
    def names(self) -> dict[int, str]:
        """The names of the spaces by bit."""
        return {space.square: space.name for space in self.spaces}

    @cached_property
    def mask(self) -> int:
        """The set of all spaces."""
        return sum(1 << space.square for space in self.spaces)


@dataclass(frozen=True)
class HexBoard(Board):
    """Centred rows of spaces, each space with up to six neighbours.

    Rows are lettered from the bottom, spaces numbered from the left. Neighbours in a row are 2 apart in x, rows 1 apart
    in y, and each row is shifted by 1 against the next.
    """

    row_lengths: tuple[int, ...]

    @cached_property
    def spaces(self) -> tuple[Space, ...]:
        first_x = 1 - self.row_lengths[0]
        return tuple(
            Space(f"{LETTERS[y]}{place + 1}", x, y, ROW_STRIDE * y + (x - y - first_x) // 2)
            for y, length in enumerate(self.row_lengths)
            for place in range(length)
            for x in (2 * place + 1 - length,)
        )


@dataclass(frozen=True)
class SquareBoard(Board):
    """Squares in columns, lettered from the left, and rows, numbered from the bottom: at most 8 of each.

    A square's bit is `ROW_STRIDE * y + x`. Boards of fewer than 8 columns have a gap between rows.
    """

    columns: int
    rows: int

    @cached_property
    def spaces(self) -> tuple[Space, ...]:
        return tuple(
            Space(f"{LETTERS[x]}{y + 1}", x, y, ROW_STRIDE * y + x)
            for y in range(self.rows)
            for x in range(self.columns)
        )
