"""Boards from the side, as on the pages: pyramids stand on a tilted ground. Lengths as in `picture`."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

from icetable.extras.picture import BASE, PIPS, Picture, Piece
from icetable.extras.svg import circle, number, polygon, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from icetable.extras.svg import Point

ELEVATION = math.radians(48)
SQUASH, RISE = math.sin(ELEVATION), math.cos(ELEVATION)
"""The factors by which lengths into the picture, and heights, shrink."""
HEIGHT = {"S": 64, "M": 88, "L": 112}
THICKNESS = 15
"""Of the ground."""
STEP, MAX_LOOSE = 23, 5
"""The uncovered height of an equal pyramid beneath, and the pyramids above which stacks are compressed."""
MAX_COUNTABLE = 4
DIE_EDGE, DIE_HEADING = 66.0, -22.0
LYING_SCALE = 0.85
LIGHT = (-0.56, 0.37, 0.74)
MARK_RADIUS, PIP_RADIUS, LABEL_HEIGHT = 5.4, 2.6, 7.6

Vector = tuple[float, float, float]


class Facet(NamedTuple):
    """A side that faces the viewer: its corners, the last of which is the tip, and its light, from 0 to 1."""

    corners: tuple[Point, Point, Point]
    light: float
    facing: float

    def at(self, along: float, up: float) -> Point:
        """The point at these distances from the middle of the lower edge."""
        (ax, ay), (bx, by), (tx, ty) = self.corners
        fx, fy = (ax + bx) / 2, (ay + by) / 2
        width, height = math.hypot(bx - ax, by - ay), math.hypot(tx - fx, ty - fy)
        sign = 1 if bx > ax else -1
        return (
            fx + sign * along * (bx - ax) / width + up * (tx - fx) / height,
            fy + sign * along * (by - ay) / width + up * (ty - fy) / height,
        )

    @property
    def height(self) -> float:
        (ax, ay), (bx, by), (tx, ty) = self.corners
        return math.hypot(tx - (ax + bx) / 2, ty - (ay + by) / 2)


def projected(x: float, y: float, z: float = 0.0) -> Point:
    """The point of the picture of a point over the table: x to the right, y away from the viewer, z up."""
    return x, -y * SQUASH - z * RISE


def facets(base: Sequence[Vector], tip: Vector) -> list[Facet]:
    """The sides of a solid with a tip that face the viewer, from left to right."""
    found = []
    for start, end in zip(base, [*base[1:], base[0]], strict=True):
        u = [b - a for a, b in zip(start, end, strict=True)]
        v = [b - a for a, b in zip(start, tip, strict=True)]
        normal = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        length = math.hypot(*normal)
        facing = (normal[2] * SQUASH - normal[1] * RISE) / length
        if facing > 1e-9:
            light = 0.5 + 0.46 * sum(a * b for a, b in zip(normal, LIGHT, strict=True)) / length
            found.append(Facet((projected(*start), projected(*end), projected(*tip)), light, facing))
    return sorted(found, key=lambda facet: facet.corners[0][0] + facet.corners[1][0])


def turned(points: Sequence[Vector], degrees: float) -> list[Vector]:
    """Points turned about the middle, counter-clockwise."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return [(x * c - y * s, x * s + y * c, z) for x, y, z in points]


@functools.cache
def standing(size: str) -> tuple[Facet, ...]:
    """A pyramid that stands with a corner in front."""
    h = BASE[size] / 2
    return tuple(facets(turned([(-h, -h, 0), (h, -h, 0), (h, h, 0), (-h, h, 0)], 45), (0, 0, HEIGHT[size])))


@functools.cache
def lying(size: str, heading: float) -> tuple[tuple[Facet, ...], tuple[Point, ...]]:
    """A pyramid that lies with its tip at a heading in degrees: its sides, and its base if that faces the viewer."""
    h, length = BASE[size] / 2, math.hypot(HEIGHT[size], BASE[size] / 2)
    back, top, up = -length / 2, -length / 2 + BASE[size] * h / length, BASE[size] * HEIGHT[size] / length
    *base, tip = turned([(back, -h, 0), (top, -h, up), (top, h, up), (back, h, 0), (length / 2, 0, 0)], heading)
    sides = facets(base[::-1], tip)
    outline = tuple(projected(*corner) for corner in base)
    area = sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(outline, [*outline[1:], outline[0]], strict=True))
    return tuple(sides), outline if area > 0 else ()


@functools.cache
def die_facets() -> tuple[Facet, ...]:
    """A die of four sides, turned to show two of them."""
    r = DIE_EDGE / math.sqrt(3)
    corners = [(r * math.cos(a), r * math.sin(a), 0.0) for a in map(math.radians, (-150, -30, 90))]
    return tuple(facets(turned(corners, DIE_HEADING), (0.0, 0.0, DIE_EDGE * math.sqrt(2 / 3))))


def heights(sizes: Sequence[str]) -> list[float]:
    """The heights of the bases of stacked pyramids: each slides over the one beneath."""
    spacing = min(1, (MAX_LOOSE - 1) / max(1, len(sizes) - 1))
    found: list[float] = []
    for index, size in enumerate(sizes):
        rests = (
            below + HEIGHT[lower] * (1 - BASE[size] / BASE[lower]) + STEP * spacing
            for lower, below in zip(sizes[:index], found, strict=True)
            if BASE[size] <= BASE[lower]
        )
        found.append(max((0.0, *rests)))
    return found


class SideView(Picture):
    """A picture from the side. `highest`: the highest point of the pieces drawn so far, in the picture."""

    def __init__(self, title: str) -> None:
        super().__init__(title)
        self.highest = math.inf

    def tilted(self, parts: Sequence[str], stretch: float = 1.0) -> None:
        """Add the ground, drawn as from above and then enlarged, with its edge in front."""
        tilt = f"scale({stretch:g} {stretch * SQUASH:g})"
        sides = [part.replace('"water"', '"edge"') for part in parts if '"water"' in part]
        if not sides:
            self._shapes["side"] = self._shapes["water"].replace('"water"', '"edge"')
            sides = [part.replace("#water", "#side") for part in parts if "#water" in part]
        self.add(f'<g transform="translate(0 {number(THICKNESS * RISE)}) {tilt}">', *sides, "</g>")
        self.add(f'<g transform="{tilt}">', *parts, "</g>")

    def stack(self, where: str, place: Point, pieces: Sequence[Piece], hidden: int = 0) -> None:
        beneath = len(pieces) + hidden - 1
        words = f"{pieces[-1].words}{f' on {beneath} more' if beneath else ''}"
        self.add(f"<g><title>{escape(f'{where}: {words}')}</title>")
        sizes = [piece.size for piece in pieces]
        for index, (piece, up) in enumerate(zip(pieces, heights(sizes), strict=True)):
            if all(BASE[above] <= BASE[piece.size] for above in sizes[index + 1 :]):
                y = place[1] - up * RISE
                self.highest = min(self.highest, y - HEIGHT[piece.size] * RISE)
                self.add(self._pyramid(piece, (place[0], y), topmost=True))
        if beneath + 1 > MAX_COUNTABLE or hidden:
            self._count((place[0] + 34, place[1] + 26), beneath + 1)
        self.add("</g>")

    def _pyramid(self, piece: Piece, place: Point, topmost: bool) -> str:
        size, colour, mark = piece.size, piece.colour, piece.mark or piece.colour
        sides = standing(size)
        row = [(index - (PIPS[size] - 1) / 2) * PIP_RADIUS * 2.75 for index in range(PIPS[size])]
        parts = [
            *self._sides(sides, colour),
            f'<g class="{colour}-mark">',
            self._mark(mark, sides[0].at(0, LABEL_HEIGHT), MARK_RADIUS),
            *(circle(sides[-1].at(along, LABEL_HEIGHT), PIP_RADIUS) for along in row),
            "</g>",
        ]
        return self.use(f"{size}-{colour}-{mark}", "".join(parts), place)

    def _sides(self, sides: Sequence[Facet], colour: str) -> list[str]:
        """Glass: its colour, and the light and shade of its sides."""
        self.paint(colour)
        parts = []
        for side in sides:
            shade = side.light - 0.5
            tint = {"fill": "#fff" if shade > 0 else "#000", "fill_opacity": min(0.36, abs(shade) * 0.8)}
            parts.append(polygon(side.corners, class_=colour, stroke_width=1.2, stroke_linejoin="round"))
            parts.append(polygon(side.corners, **tint))
        return parts

    def lie(self, where: str, place: Point, size: str, heading: float, colour: str) -> None:
        """Draw a lying pyramid; `heading` in degrees counter-clockwise from the right."""
        sides, base = lying(size, heading)
        x, y = number(place[0]), number(place[1])
        self.add(f'<g transform="translate({x} {y}) scale({LYING_SCALE})"><title>{escape(where)}</title>')
        self.add(*self._sides(sides, colour))
        if base:
            self.add(polygon(base, class_=colour), polygon(base, fill="#000", fill_opacity=0.3))
        if sides:
            side = max(sides, key=lambda one: one.facing)
            row = [(index - (PIPS[size] - 1) / 2) * PIP_RADIUS * 2.75 for index in range(PIPS[size])]
            self.add(f'<g class="{colour}-mark">', self._mark(colour, side.at(0, side.height * 0.17), MARK_RADIUS))
            self.add(*(circle(side.at(along, side.height * 0.4), PIP_RADIUS) for along in row), "</g>")
        self.add("</g>")
        self.highest = min(self.highest, place[1] - BASE[size])

    def die(self, where: str, place: Point, colour: str, name: str, face: int) -> None:
        sides = die_facets()
        front = max(sides, key=lambda side: side.facing)
        x, y = number(place[0]), number(place[1])
        self.add(f'<g transform="translate({x} {y})"><title>{escape(f"{where}: {colour} {name}, {face}")}</title>')
        self.add(*self._sides(sides, colour), f'<g class="{colour}-mark">')
        self.add(self._mark(colour, front.at(0, front.height * 0.12), 3.2))
        at = front.at(0, front.height * 0.48)
        self.add(text((at[0], at[1] + 8.5), str(face), font_size=24), "</g></g>")
        self.highest = min(self.highest, place[1] - DIE_EDGE)

    def token(self, place: Point, letters: str, colour: str) -> None:
        """Draw a chip of glass with its letters."""
        x, y = number(place[0]), number(place[1])
        chip = circle((0, 0), 26, class_=self.paint(colour))
        self.add(f'<g transform="translate({x} {y}) scale(1 {number(SQUASH)})">{chip}</g>')
        self.add(text((place[0], place[1] + 6), letters, class_="ink"))
