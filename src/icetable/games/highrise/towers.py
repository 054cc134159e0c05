"""Pyramids and towers: their places, the stashes, what is visible, and what can have been built."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from icetable.core.errors import BadRecord
from icetable.core.options import short_repr
from icetable.core.turns import SIZE_LETTERS
from icetable.games.highrise import rules
from icetable.games.highrise.rules import COLOURS_PER_STASH, PLAYERS, SIZES
from icetable.games.highrise.view import Colour, Stash

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ALL_COLOURS: tuple[Colour, ...] = get_args(Colour)
COLOURS = ALL_COLOURS[:COLOURS_PER_STASH], ALL_COLOURS[COLOURS_PER_STASH:]
MAX_STEPS = 20_000
"""Limit of the search for an order in which towers can have been built."""


class Pyramid(NamedTuple):
    """A pyramid: its seat, its size, and the index of its colour in `ALL_COLOURS`."""

    seat: int
    size: int
    colour: int

    def __str__(self) -> str:
        return f"{self.seat}{SIZE_LETTERS[self.size]}:{ALL_COLOURS[self.colour]}"


PYRAMIDS_BY_NAME = {
    str(pyramid): pyramid
    for colour in range(len(ALL_COLOURS))
    for size in range(SIZES)
    for pyramid in [Pyramid(colour // COLOURS_PER_STASH, size, colour)]
}


class Table:
    """The towers on the squares, from bottom to top, and the pyramids left in the stashes."""

    def __init__(self, squares: int) -> None:
        self.towers: list[list[Pyramid]] = [[] for _ in range(squares)]
        self._left = [[rules.copies(squares, size)] * len(ALL_COLOURS) for size in range(SIZES)]

    def left(self, pyramid: Pyramid) -> int:
        """The number of pyramids of this size and colour left."""
        return self._left[pyramid.size][pyramid.colour]

    def after(self, square: int, seat: int, size: int, colour: int) -> Table:
        """A copy after a call of `place`."""
        table = Table.__new__(Table)
        table.towers, table._left = [tower[:] for tower in self.towers], [left[:] for left in self._left]
        table.place(square, seat, size, colour)
        return table

    def place(self, square: int, seat: int, size: int, colour: int) -> None:
        """Place a pyramid. A negative `colour` selects the first of the colours with the most pyramids left (HR-6)."""
        left = self._left[size]
        if colour < 0:
            colour = max(range(seat * COLOURS_PER_STASH, (seat + 1) * COLOURS_PER_STASH), key=left.__getitem__)
        left[colour] -= 1
        self.towers[square].append(Pyramid(seat, size, colour))

    def stashes(self) -> list[Stash]:
        """For each seat the number of pyramids left, by size and colour."""
        return [
            {
                letter: {ALL_COLOURS[colour]: left[colour] for colour in range(first, first + COLOURS_PER_STASH)}
                for letter, left in zip(SIZE_LETTERS, self._left, strict=True)
            }
            for first in range(0, PLAYERS * COLOURS_PER_STASH, COLOURS_PER_STASH)
        ]


def read_stacks(squares: Sequence[str], stacks: Any) -> Table:
    """Read the stacks of a saved position, by the names of their squares. Raises BadRecord."""
    if not isinstance(stacks, dict):
        raise BadRecord(f"stacks is a table of squares, not {short_repr(stacks)}")
    table = Table(len(squares))
    for name, stack in stacks.items():
        if name not in squares:
            raise BadRecord(f"the board has no square {short_repr(name)} (HR-1)")
        if not isinstance(stack, list) or not stack:
            shape = "a list of pyramids from bottom to top"
            raise BadRecord(f"the stack on {name} is {shape}, not {short_repr(stack)}")
        for text in stack:
            pyramid = PYRAMIDS_BY_NAME.get(text) if isinstance(text, str) else None
            if pyramid is None:
                message = "a pyramid is written as seat, size and colour of that seat, such as 0L:red"
                raise BadRecord(f"{message}, not {short_repr(text)}")
            if not table.left(pyramid):
                raise BadRecord(f"there are more pyramids {text} than the stash has (HR-3)")
            table.place(squares.index(name), *pyramid)
    return table


def in_sight(tower: Sequence[Pyramid]) -> list[Pyramid | None]:
    """The visible pyramids of a tower, with None for each pyramid that has a larger one above it (HR-7)."""
    shown: list[Pyramid | None] = []
    largest = 0
    for pyramid in reversed(tower):
        largest = max(largest, pyramid.size)
        shown.append(pyramid if pyramid.size == largest else None)
    return shown[::-1]


def can_be_built(towers: Sequence[Sequence[Pyramid]]) -> bool:
    """Whether the seats can have placed these towers in turn, seat 0 first (HR-5).

    Also returns True if MAX_STEPS steps neither find an order nor prove that there is none, which can't happen on
    boards of the default size.
    """
    seats = [[pyramid.seat for pyramid in tower] for tower in towers]
    total = sum(map(len, seats))
    if sum(map(sum, seats)) != total // PLAYERS:
        return False
    bounds = [_bounds(tower) for tower in seats]
    heights, dead = [0] * len(seats), set()
    order: list[int] = []
    ways = [_ways(seats, bounds, heights)]
    for _ in range(MAX_STEPS):
        if len(order) == total:
            return True
        tower = next(ways[-1], None)
        if tower is None:
            dead.add(tuple(heights))
            ways.pop()
            if not order:
                return False
            heights[order.pop()] -= 1
            continue
        heights[tower] += 1
        if tuple(heights) in dead:
            heights[tower] -= 1
        else:
            order.append(tower)
            ways.append(_ways(seats, bounds, heights))
    return True


def _bounds(tower: Sequence[int]) -> list[tuple[int, int]]:
    """For each height of a tower: the lowest and the highest lead of seat 0 from there upwards."""
    leads = list(accumulate((1 - 2 * seat for seat in tower), initial=0))[::-1]
    return list(zip(accumulate(leads, min), accumulate(leads, max), strict=True))[::-1]


def _ways(
    seats: Sequence[Sequence[int]], bounds: Sequence[Sequence[tuple[int, int]]], heights: list[int]
) -> Iterator[int]:
    """The towers that may grow next, those with the most missing pyramids first; none if no order can work.

    Seat 0 is never behind and never ahead by more than one, so the other towers together must be able to balance its
    lead in each tower.
    """
    leads = [bound[height] for bound, height in zip(bounds, heights, strict=True)]
    lowest, highest = (sum(lead) for lead in zip(*leads, strict=True))
    if any(high + lowest - low > 1 or low + highest - high < 0 for low, high in leads):
        return iter(())
    seat = sum(heights) % PLAYERS
    open_towers = [n for n, height in enumerate(heights) if height < len(seats[n]) and seats[n][height] == seat]
    return iter(sorted(open_towers, key=lambda n: heights[n] - len(seats[n])))
