"""The geometry of a view's pieces, for drawings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from icetable.games.icehouse import geometry
from icetable.games.icehouse.notation import SIZE_LETTERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from icetable.games.icehouse.view import FieldPiece, Layout
    from icetable.kernels.jit import Ints

Point = tuple[float, float]


def corners(layout: Layout, piece: FieldPiece) -> list[tuple[int, int]]:
    """The corners of a piece, counter-clockwise, in thousandths of an inch; those of a lying one begin with the tip."""
    return geometry.corners_of(footprint(layout, piece))


def footprint(layout: Layout, piece: FieldPiece) -> Ints:
    """The row of a piece in `geometry`."""
    row = np.zeros(geometry.FOOTPRINT_WORDS, np.int64)
    lengths = np.array([layout["lengths"][size] for size in SIZE_LETTERS], np.int64)
    size, heading = SIZE_LETTERS.index(piece["size"]), round(10 * piece["heading"])
    geometry.footprint(row, piece["x"], piece["y"], heading, size, piece["standing"], lengths)
    return row


def rays(layout: Layout, view: Mapping[str, Any]) -> dict[str, tuple[Point, Point]]:
    """The start and the end of each lying piece's ray, by the piece's id."""
    pieces = view["field"]
    field = np.array([footprint(layout, piece) for piece in pieces])
    found: dict[str, tuple[Point, Point]] = {}
    for number, piece in enumerate(pieces):
        if not piece["standing"]:
            width, height = layout["width"], layout["height"]
            ray = geometry.trace(field, len(pieces), field[number], width, height)
            found[piece["id"]] = (ray.start, ray.end)
    return found


def covers(outline: list[tuple[int, int]], x: float, y: float) -> bool:
    """Whether a point lies within an outline."""
    following = outline[1:] + outline[:1]
    return all(
        (qx - px) * (y - py) >= (qy - py) * (x - px) for (px, py), (qx, qy) in zip(outline, following, strict=True)
    )
