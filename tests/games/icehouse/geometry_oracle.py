"""The slow twin of the geometry: footprints, overlaps, gaps and rays, straight from IH-4, IH-5, IH-10 and IH-30.

Whole numbers and fractions throughout, so every answer is exact. It shares no code with the product.
A polygon is a tuple of corners, counter-clockwise and convex; corners are in whole thousandths of an inch.
Lengths are given squared, in square thousandths; places on a ray as multiples of its direction.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain
from typing import NamedTuple

Point = tuple[int, int]
Polygon = tuple[Point, ...]

HALF_BASES = {"S": 2250, "M": 3125, "L": 4000}
"""Half of the base of each size in eighths of a thousandth of an inch (IH-5)."""
LENGTHS = {
    "face": {"S": 1039, "M": 1429, "L": 1820},
    "height": {"S": 1000, "M": 1375, "L": 1750},
}
"""The length of each size in thousandths of an inch by the option `length` (IH-4)."""


def direction(tenths: int) -> Point:
    """C and S of a heading in tenths of a degree: a million times its cosine and sine, rounded (IH-5).

    No sine of a whole tenth of a degree is near enough to a half for floating point to round it wrongly.
    """
    angle = math.radians(tenths / 10)
    return round(1_000_000 * math.cos(angle)), round(1_000_000 * math.sin(angle))


def corner(x: int, y: int, tenths: int, u: int, v: int) -> Point:
    """Where the corner (u, v) of a piece's own frame lies (IH-5)."""
    c, s = direction(tenths)
    return (
        x + math.floor(Fraction(u * c - v * s + 4_000_000, 8_000_000)),
        y + math.floor(Fraction(u * s + v * c + 4_000_000, 8_000_000)),
    )


def square(x: int, y: int, tenths: int, size: str) -> Polygon:
    """The footprint of a standing piece (IH-5)."""
    h = HALF_BASES[size]
    return tuple(corner(x, y, tenths, u, v) for u, v in ((h, h), (-h, h), (-h, -h), (h, -h)))


def triangle(x: int, y: int, tenths: int, size: str, length: int) -> Polygon:
    """The footprint of a lying piece of this length, its tip first (IH-5)."""
    h, half_length = HALF_BASES[size], 4 * length
    return tuple(corner(x, y, tenths, u, v) for u, v in ((half_length, 0), (-half_length, h), (-half_length, -h)))


def is_on_field(polygon: Polygon, width: Fraction, height: Fraction) -> bool:
    """Whether a footprint lies wholly on a field of this many thousandths; it may touch the edges (IH-5)."""
    return all(0 <= x <= width and 0 <= y <= height for x, y in polygon)


def depth_squared(one: Polygon, other: Polygon) -> Fraction:
    """The square of the depth of an overlap, 0 where the insides do not meet (IH-30).

    Convex polygons are parted with the least shift straight away from one of their sides. Away from a side, the
    shift is as long as one reaches beyond the other's nearest corner.
    """
    depths = []
    for shift, normal_squared in chain(shifts_away(one, other), shifts_away(other, one)):
        if shift <= 0:
            return Fraction(0)
        depths.append(Fraction(shift * shift, normal_squared))
    return min(depths)


def shifts_away(one: Polygon, other: Polygon) -> Iterator[tuple[int, int]]:
    """For every side of `one` the shift of `other` that frees it, times the length of the normal, and that squared."""
    for (ax, ay), (bx, by) in sides(one):
        normal = (by - ay, ax - bx)  # outward, as corners are counter-clockwise
        yield max(dot(normal, point) for point in one) - min(dot(normal, point) for point in other), dot(normal, normal)


def gap_squared(one: Polygon, other: Polygon) -> Fraction:
    """The square of the shortest distance between two footprints, 0 where they touch or overlap (IH-11)."""
    if depth_squared(one, other) > 0:
        return Fraction(0)
    pairs = [(one, other), (other, one)]
    return min(to_side_squared(point, side) for first, second in pairs for point in first for side in sides(second))


def to_side_squared(point: Point, side: tuple[Point, Point]) -> Fraction:
    """The square of the distance between a point and a straight side."""
    (ax, ay), (bx, by) = side
    along = (bx - ax, by - ay)
    share = Fraction(dot(along, (point[0] - ax, point[1] - ay)), dot(along, along))
    share = min(max(share, Fraction(0)), Fraction(1))
    dx, dy = ax + share * along[0] - point[0], ay + share * along[1] - point[1]
    return dx * dx + dy * dy


def entry(start: Point, ray: Point, polygon: Polygon) -> Fraction | None:
    """Where a ray enters the inside of a polygon, None where it does not (IH-10)."""
    left_by = [cross(ray, (x - start[0], y - start[1])) for x, y in polygon]
    if not min(left_by) < 0 < max(left_by):
        return None
    crossings = []
    for index, (first, second) in enumerate(sides(polygon)):
        from_side, to_side = left_by[index], left_by[(index + 1) % len(polygon)]
        if from_side == 0 or from_side * to_side < 0:
            share = Fraction(from_side, from_side - to_side) if from_side else Fraction(0)
            x = first[0] + share * (second[0] - first[0])
            y = first[1] + share * (second[1] - first[1])
            crossings.append(((x - start[0]) * ray[0] + (y - start[1]) * ray[1]) / dot(ray, ray))
    return max(min(crossings), Fraction(0)) if max(crossings) > 0 else None


class Touch(NamedTuple):
    """A ray grazes a polygon on one side, from a place to a place; the same twice for a corner."""

    is_left: bool
    first: Fraction
    last: Fraction


def touch(start: Point, ray: Point, polygon: Polygon) -> Touch | None:
    """How a ray grazes a polygon without entering it, None where it does not (IH-10). Its start belongs to it."""
    left_by = [cross(ray, (x - start[0], y - start[1])) for x, y in polygon]
    if min(left_by) < 0 < max(left_by):
        return None
    places = [
        Fraction(dot(ray, (x - start[0], y - start[1])), dot(ray, ray))
        for (x, y), distance in zip(polygon, left_by, strict=True)
        if distance == 0
    ]
    if not places or max(places) < 0:
        return None
    return Touch(max(left_by) > 0, max(min(places), Fraction(0)), max(places))


class Sight(NamedTuple):
    """Where a ray ends: at the polygon of that number, or at a seal; both None where it runs on for ever."""

    target: int | None
    place: Fraction | None


def look(start: Point, ray: Point, polygons: Sequence[Polygon]) -> Sight:
    """What a ray ends at: the first polygon that it enters, or a sealed crack strictly before that (IH-10)."""
    entries = [
        (place, index) for index, polygon in enumerate(polygons) if (place := entry(start, ray, polygon)) is not None
    ]
    touches = [touched for polygon in polygons if (touched := touch(start, ray, polygon))]
    seals = [
        max(left.first, right.first)
        for left in touches
        for right in touches
        if left.is_left and not right.is_left and max(left.first, right.first) <= min(left.last, right.last)
    ]
    if seals and (not entries or min(seals) < min(entries)[0]):
        return Sight(None, min(seals))
    if not entries:
        return Sight(None, None)
    place, index = min(entries)
    return Sight(index, place)


def sides(polygon: Polygon) -> Iterator[tuple[Point, Point]]:
    """The sides of a polygon, the first from its first corner."""
    return zip(polygon, polygon[1:] + polygon[:1], strict=True)


def dot(one: Point, other: Point) -> int:
    """The scalar product."""
    return one[0] * other[0] + one[1] * other[1]


def cross(one: Point, other: Point) -> int:
    """Positive where `other` points to the left of `one`."""
    return one[0] * other[1] - one[1] * other[0]
