"""What acts and views call the faces of the die, the sides of the coin, pyramids and sets of squares."""

from __future__ import annotations

from typing import get_args

from icetable.games.wrecktangle.rules import NAMES
from icetable.games.wrecktangle.view import CoinSide, Roll

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
