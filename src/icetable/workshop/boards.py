"""Boards for workshop games: spaces with their places, and the directions between them."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from icetable.core.errors import GameError
from icetable.core.options import short_repr
from icetable.kernels.boards import LETTERS, HexBoard

ORTHOGONALS = ("n", "e", "s", "w")
DIAGONALS = ("ne", "se", "sw", "nw")
ALL_EIGHT = (*ORTHOGONALS, *DIAGONALS)
SIX = ("e", "ne", "nw", "w", "sw", "se")
"""The directions of hexagons."""
OPPOSITE = {"n": "s", "e": "w", "s": "n", "w": "e", "ne": "sw", "se": "nw", "sw": "ne", "nw": "se"}

SQUARE_STEPS = {
    "n": (0, 1),
    "e": (1, 0),
    "s": (0, -1),
    "w": (-1, 0),
    "ne": (1, 1),
    "se": (1, -1),
    "sw": (-1, -1),
    "nw": (-1, 1),
}
HEX_STEPS = {"e": (2, 0), "ne": (1, 1), "nw": (-1, 1), "w": (-2, 0), "sw": (-1, -1), "se": (1, -1)}
MAX_SIDE = 26
MAX_SPACES = 1000
"""The maximum number of spaces of a board."""
MIN_RING = 2
ROW_HEIGHT = 3**0.5 / 2
"""The distance between rows of hexagons, relative to the width of a hexagon."""


class Place(NamedTuple):
    """The place of a space in a drawing."""

    x: float
    """The steps to the right."""
    y: float
    """The steps up."""
    zone: int | None = None
    """The seat that the space belongs to, or another number; None for no zone."""
    colour: str | None = None
    """The name of its colour; None for that of the board."""


class Board:
    """Spaces by name, with the rays from each: the spaces that follow in a direction.

    `shape`: the shape of a space, "square", "hexagon" or "circle". `lines`: pairs of spaces to draw lines between.
    `forward`: by zone, the direction that arrows on its spaces point in.
    """

    def __init__(
        self,
        shape: str,
        places: Mapping[str, Place],
        rays: Mapping[str, Mapping[str, tuple[str, ...]]],
        lines: Collection[tuple[str, str]] = (),
        forward: Mapping[int, str] | None = None,
    ) -> None:
        _check_number(len(places))
        self.shape, self.places, self.rays, self.lines = shape, dict(places), rays, tuple(lines)
        self.forward = dict(forward or {})
        self.names: tuple[str, ...] = tuple(places)
        self.ranks = {name: rank for rank, name in enumerate(self.names)}
        """The place of each space among `names`."""
        self.zones: dict[int, tuple[str, ...]] = {}
        for name, place in places.items():
            if place.zone is not None:
                self.zones[place.zone] = (*self.zones.get(place.zone, ()), name)
        self.neighbours: dict[str, tuple[str, ...]] = {
            name: tuple(rays[direction][name][0] for direction in rays if rays[direction][name]) for name in places
        }
        """The spaces one step away from each, in the order of the directions."""
        self.lines_from: dict[tuple[str, tuple[str, ...], int], tuple[tuple[str, ...], ...]] = {}
        """Lines that tables have asked for, by the space where they begin, their directions and their length."""

    def __getstate__(self) -> dict[str, object]:
        return {**vars(self), "lines_from": {}}


def squares(
    columns: str | int,
    rows: int,
    *,
    zones: Mapping[int, Iterable[int | str]] | None = None,
    blocked: Collection[str] = (),
    coloured: Mapping[str, str] | None = None,
    forward: Mapping[int, str] | None = None,
) -> Board:
    """A board of squares, named as on a chessboard: `a1` is at the lower left.

    `columns`: their letters or their number. `zones`: the rows or squares of each zone, by seat or any other number.
    `blocked`: missing squares. `coloured`: the colours of squares, by name. `forward`: the directions of arrows on the
    squares of zones.
    """
    letters = LETTERS[:columns] if isinstance(columns, int) else columns
    count = columns if isinstance(columns, int) else len(set(letters))
    if not 1 <= len(letters) == count or not 1 <= rows <= MAX_SIDE:
        raise GameError(
            f"a board has 1 to {MAX_SIDE} columns and rows, not {short_repr(columns)} and {short_repr(rows)}"
        )
    zone_of = {one: zone for zone, of in (zones or {}).items() for one in of}
    places = {
        f"{letter}{row}": Place(
            x, row - 1, zone_of.get(row, zone_of.get(f"{letter}{row}")), (coloured or {}).get(f"{letter}{row}")
        )
        for row in range(1, rows + 1)
        for x, letter in enumerate(letters)
        if f"{letter}{row}" not in blocked
    }
    _check_spaces("blocked", blocked, {f"{letter}{row}" for letter in letters for row in range(1, rows + 1)})
    _check_spaces("coloured", coloured or (), {*places, *blocked})
    _check_spaces("zones", zone_of, {*places, *blocked, *range(1, rows + 1)})
    return Board("square", places, _rays(places, SQUARE_STEPS), forward=forward)


def hexagons(
    row_lengths: Sequence[int],
    *,
    zones: Mapping[int, Iterable[str]] | None = None,
    coloured: Mapping[str, str] | None = None,
    circles: bool = False,
) -> Board:
    """Centred rows of hexagons, lettered from the bottom and numbered from the left: `hexagons([3, 4, 5, 4, 3])`.

    `zones`: the spaces of each zone, by seat or any other number. `coloured`: the colours of spaces, by name.
    `circles`: the spaces are round, and lie where the hexagons would.
    """
    zone_of = {name: zone for zone, of in (zones or {}).items() for name in of}
    if not row_lengths or len(row_lengths) > MAX_SIDE or min(row_lengths) < 1:
        raise GameError(f"hexagons lie in 1 to {MAX_SIDE} rows of at least one, not {short_repr(row_lengths)}")
    _check_number(sum(row_lengths))
    for row, (length, above) in enumerate(itertools.pairwise(row_lengths)):
        if (length - above) % 2 == 0:
            raise GameError(
                f"rows {LETTERS[row]} and {LETTERS[row + 1]} of hexagons, {length} and {above} long, don't interlock: "
                "their lengths differ by an odd number, as in hexagons([3, 4, 5, 4, 3])"
            )
    places = {
        space.name: Place(space.x / 2, space.y, zone_of.get(space.name), (coloured or {}).get(space.name))
        for space in HexBoard(tuple(row_lengths)).spaces
    }
    _check_spaces("coloured", coloured or (), places)
    _check_spaces("zones", zone_of, places)
    rays = _rays(places, {way: (x / 2, y) for way, (x, y) in HEX_STEPS.items()})
    if not circles:
        return Board("hexagon", places, rays)
    return Board("circle", {name: place._replace(y=place.y * ROW_HEIGHT) for name, place in places.items()}, rays)


def star(*, zones: Mapping[int, Iterable[str]] | None = None) -> Board:
    """The star of IceFrogs: 37 circles in centred rows, with six points. `zones`: as in `hexagons`."""
    return hexagons((1, 2, 7, 6, 5, 6, 7, 2, 1), zones=zones, circles=True)


def graph(places: Mapping[str, tuple[float, float]], lines: Collection[tuple[str, str]]) -> Board:
    """Any spaces, by name with x and y, and the lines between them. The only direction is "on", to the neighbours."""
    for line in lines:
        for end in line:
            if end not in places:
                raise GameError(f"a line leads to {short_repr(end)}, which is not a space")
    found = {name: Place(x, y) for name, (x, y) in places.items()}
    board = Board("circle", found, {"on": dict.fromkeys(found, ())}, lines)
    for start, end in lines:
        board.neighbours[start] = (*board.neighbours[start], end)
        board.neighbours[end] = (*board.neighbours[end], start)
    return board


def ring(length: int) -> Board:
    """Spaces in a circle, numbered from `r1` clockwise from the top, with the directions "on" and "back"."""
    if length < MIN_RING:
        raise GameError(f"a ring has at least {MIN_RING} spaces, not {short_repr(length)}")
    _check_number(length)
    names = [f"r{number}" for number in range(1, length + 1)]
    radius = max(1.0, length / (2 * math.pi))
    places = {
        name: Place(radius * math.sin(math.tau * turn / length), radius * math.cos(math.tau * turn / length))
        for turn, name in enumerate(names)
    }
    rays = {
        "on": {name: (*names[at + 1 :], *names[:at]) for at, name in enumerate(names)},
        "back": {name: (*reversed(names[:at]), *reversed(names[at + 1 :])) for at, name in enumerate(names)},
    }
    lines = [(name, names[(at + 1) % length]) for at, name in enumerate(names)]
    return Board("circle", places, rays, lines)


def _check_number(spaces: int) -> None:
    """Raise GameError if a board is to have too many spaces."""
    if spaces > MAX_SPACES:
        raise GameError(f"a board has at most {MAX_SPACES:,} spaces, not {spaces:,}")


def _check_spaces(what: str, named: Iterable[object], spaces: Collection[object]) -> None:
    """Raise GameError if an argument names a space that the board lacks."""
    for name in named:
        if name not in spaces:
            raise GameError(f"{what} names {short_repr(name)}, which is no space of this board")


def _rays(
    places: Mapping[str, Place], steps: Mapping[str, tuple[float, float]]
) -> dict[str, dict[str, tuple[str, ...]]]:
    at = {(place.x, place.y): name for name, place in places.items()}

    @functools.cache
    def ray(name: str, way: str) -> tuple[str, ...]:
        place, (x, y) = places[name], steps[way]
        following = at.get((place.x + x, place.y + y))
        return () if following is None else (following, *ray(following, way))

    return {way: {name: ray(name, way) for name in places} for way in steps}


def headings_of(board: Board) -> dict[str, float]:
    """The directions of a board as angles, in degrees counter-clockwise from the right.

    A direction that varies, as on a ring, has an angle for each space, as "on r1".
    """
    found = {}
    for way, rays in board.rays.items():
        angles = {name: angle_of(board, name, ray[0]) for name, ray in rays.items() if ray}
        if len(set(angles.values())) == 1:
            found[way] = next(iter(angles.values()))
        else:
            found |= {f"{way} {name}": angle for name, angle in angles.items()}
    return found


def angle_of(board: Board, here: str, there: str) -> float:
    """The angle from one space to another, in degrees counter-clockwise from the right."""
    start, end = board.places[here], board.places[there]
    rise = (end.y - start.y) * (ROW_HEIGHT if board.shape == "hexagon" else 1.0)
    return round(math.degrees(math.atan2(rise, end.x - start.x)), 1)
