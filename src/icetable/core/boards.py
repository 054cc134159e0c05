"""Boards of spaces: their names, where they lie, and the bits that stand for them in kernels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

ROW_STRIDE = 8
"""How far apart in the bits two neighbouring spaces of a hexagonal board lie: 1 in a row, ROW_STRIDE or ROW_STRIDE - 1
from row to row. Boards leave a gap between rows, so that no shift by one of these leads from the end of one
row to the start of another."""

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Space:
    """A space of a board: its name, its place, and its bit in kernels."""

    name: str
    x: int
    y: int
    square: int


@dataclass(frozen=True)
class HexBoard:
    """Rows of spaces, centred, each space touching six others; rows are lettered from the bottom, spaces numbered
    from the left. Two spaces of a row lie 2 apart in x, rows 1 apart in y, neighbouring rows shifted by 1."""

    row_lengths: tuple[int, ...]

    @cached_property
    def spaces(self) -> tuple[Space, ...]:
        """All spaces, from the bottom row up, each row from the left."""
        first_x = 1 - self.row_lengths[0]
        return tuple(
            Space(f"{LETTERS[y]}{place + 1}", x, y, ROW_STRIDE * y + (x - y - first_x) // 2)
            for y, length in enumerate(self.row_lengths)
            for place in range(length)
            for x in (2 * place + 1 - length,)
        )

    @cached_property
    def by_name(self) -> dict[str, Space]:
        """The spaces by their names."""
        return {space.name: space for space in self.spaces}

    @cached_property
    def names(self) -> dict[int, str]:
        """The names of the spaces by their bits."""
        return {space.square: space.name for space in self.spaces}

    @cached_property
    def mask(self) -> int:
        """The set of all spaces."""
        return sum(1 << space.square for space in self.spaces)


@dataclass(frozen=True)
class SquareBoard:
    """Squares in columns, lettered from the left, and rows, numbered from the bottom: at most 8 of either.

    A square's bit is `ROW_STRIDE * y + x`. Boards of fewer than 8 columns have a gap between rows.
    """

    columns: int
    rows: int

    @cached_property
    def spaces(self) -> tuple[Space, ...]:
        """All squares, from the bottom row up, each row from the left."""
        return tuple(
            Space(f"{LETTERS[x]}{y + 1}", x, y, ROW_STRIDE * y + x)
            for y in range(self.rows)
            for x in range(self.columns)
        )

    @cached_property
    def by_name(self) -> dict[str, Space]:
        """The squares by their names."""
        return {space.name: space for space in self.spaces}

    @cached_property
    def names(self) -> dict[int, str]:
        """The names of the squares by their bits."""
        return {space.square: space.name for space in self.spaces}

    @cached_property
    def mask(self) -> int:
        """The set of all squares."""
        return sum(1 << space.square for space in self.spaces)


STAR = HexBoard((1, 2, 7, 6, 5, 6, 7, 2, 1))
HEXAGON = HexBoard((4, 5, 6, 7, 6, 5, 4))
