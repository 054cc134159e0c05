"""The names of die faces, coin sides, pyramids and sets of squares in acts and views."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from icetable.games.wrecktangle.rules import LAST, MAX_FORMED, NAMES
from icetable.games.wrecktangle.view import CoinSide, Roll

if TYPE_CHECKING:
    from icetable.kernels.jit import Ints

FACES: tuple[Roll, ...] = get_args(Roll)
COINS: tuple[CoinSide, ...] = get_args(CoinSide)
SIZE_LETTERS = "PDQ"


def names_of(squares: int) -> list[str]:
    """The names of a set of squares, the lower ones first."""
    names, left = [], int(squares)
    while left:
        square = left & -left
        names.append(NAMES[square.bit_length() - 1])
        left -= square
    return names


def last_of(position: Ints, seat: int) -> list[int]:
    """The rectangles of a seat that captured last, as sets of squares."""
    first = LAST + seat * MAX_FORMED
    return [int(corners) for corners in position[first : first + MAX_FORMED] if corners]
