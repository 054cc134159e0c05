"""The slow twin of Icehouse's geometry, written from the rule text: fractions, and other ways to the same end.

Insides meet when clipping one shape by the other leaves an area. Depth and gap are both distances from the origin to
the outline of all differences between points of the two shapes. A ray is cut down side by side.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache, lru_cache

Number = int | Fraction
Point = tuple[Number, Number]
Corner = tuple[int, int]

HALF_BASES = (2250, 3125, 4000)
"""Half of the base of each size in eighths of a thousandth of an inch (IH-5)."""
LENGTHS = {"face": (1039, 1429, 1820), "height": (1000, 1375, 1750)}
"""The length of each size in thousandths of an inch by the option `length` (IH-4)."""
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494")


@cache
def sine(tenths: int) -> Decimal:
    """The sine of an angle in tenths of a degree, to 40 places: its power series."""
    with localcontext() as context:
        context.prec = 50
        turn = PI * 2
        angle = turn * (tenths % 3600) / 3600
        if angle > PI:
            angle -= turn
        total = term = angle
        for n in range(1, 60):
            term *= -angle * angle / ((2 * n) * (2 * n + 1))
            total += term
        return round(total, 40)


@cache
def direction(tenths: int) -> tuple[int, int]:
    """C and S: the whole numbers nearest to 10⁶·cos and 10⁶·sin."""
    return int((sine(tenths + 900) * 10**6).to_integral_value()), int((sine(tenths) * 10**6).to_integral_value())


@dataclass(frozen=True)
class Piece:
    """A piece on the field: its corners counter-clockwise, and the way that its tip points."""

    corners: tuple[Corner, ...]
    way: tuple[int, int]
    length: int

    @property
    def lying(self) -> bool:
        return len(self.corners) == 3

    @property
    def sides(self) -> list[tuple[Corner, Corner]]:
        return list(zip(self.corners, self.corners[1:] + self.corners[:1], strict=True))


def placed(x: int, y: int, tenths: int, size: int, standing: bool, lengths: Sequence[int]) -> Piece:
    """A piece by IH-5's formula."""
    c, s = direction(tenths)
    h, long = HALF_BASES[size], 4 * lengths[size]
    own = [(h, h), (-h, h), (-h, -h), (h, -h)] if standing else [(long, 0), (-long, h), (-long, -h)]
    corners = tuple(
        (
            x + math.floor(Fraction(u * c - v * s + 4 * 10**6, 8 * 10**6)),
            y + math.floor(Fraction(u * s + v * c + 4 * 10**6, 8 * 10**6)),
        )
        for u, v in own
    )
    return Piece(corners, (c, s), 0 if standing else lengths[size])


def turned(a: Point, b: Point, c: Point) -> Number:
    """Above 0 where a, b, c turn left, 0 where they lie on a line."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def on_field(piece: Piece, width: Number, height: Number) -> bool:
    return all(0 <= x <= width and 0 <= y <= height for x, y in piece.corners)


def area_in_common(a: Piece, b: Piece) -> Number:
    """Twice the area of the part that lies in both."""
    shape: list[Point] = list(a.corners)
    for p, q in b.sides:
        clipped: list[Point] = []
        for one, other in zip(shape[-1:] + shape[:-1], shape, strict=True):
            before, after = turned(p, q, one), turned(p, q, other)
            if before * after < 0:
                part = Fraction(before, before - after)
                clipped.append((one[0] + part * (other[0] - one[0]), one[1] + part * (other[1] - one[1])))
            if after >= 0:
                clipped.append(other)
        shape = clipped
    return sum(p[0] * q[1] - p[1] * q[0] for p, q in zip(shape, shape[1:] + shape[:1], strict=True))


@lru_cache(4)
def overlap(a: Piece, b: Piece) -> bool:
    return are_near(a, b) and area_in_common(a, b) > 0


def are_near(a: Piece, b: Piece) -> bool:
    """Whether neither is all to the left of the other, nor all below it."""
    axes = zip(zip(*a.corners, strict=True), zip(*b.corners, strict=True), strict=True)
    return all(min(p) < max(q) and min(q) < max(p) for p, q in axes)


def outline(points: list[Corner]) -> list[Corner]:
    """The corners of the smallest convex shape around some points, counter-clockwise."""
    ordered = sorted(set(points))
    chains = []
    for way in (ordered, ordered[::-1]):
        chain: list[Corner] = []
        for point in way:
            while len(chain) >= 2 and turned(chain[-2], chain[-1], point) <= 0:
                chain.pop()
            chain.append(point)
        chains.append(chain[:-1])
    return chains[0] + chains[1]


@lru_cache(4)
def shift2(a: Piece, b: Piece) -> Fraction:
    """The squared length of the least shift of `b` that makes outlines of the two just touch, be they apart or not."""
    corners = outline([(p[0] - q[0], p[1] - q[1]) for p in a.corners for q in b.corners])
    return min(distance2(corners[number - 1], corners[number]) for number in range(len(corners)))


def distance2(p: Corner, q: Corner) -> Fraction:
    """The squared distance of the origin from the stretch between two points."""
    ex, ey = q[0] - p[0], q[1] - p[1]
    part = min(Fraction(1), max(Fraction(0), Fraction(-ex * p[0] - ey * p[1], ex * ex + ey * ey)))
    x, y = p[0] + part * ex, p[1] + part * ey
    return x * x + y * y


def depth2(a: Piece, b: Piece) -> Fraction:
    return shift2(a, b) if overlap(a, b) else Fraction(0)


def gap2(a: Piece, b: Piece) -> Fraction:
    return Fraction(0) if overlap(a, b) else shift2(a, b)


def contact(a: Piece, b: Piece, tolerance: int) -> int:
    """0 apart, 1 a lesser overlap, 2 deeper than the tolerance, in millionths of an inch."""
    if not overlap(a, b):
        return 0
    return 2 if depth2(a, b) > Fraction(tolerance, 1000) ** 2 else 1


def stretch(shooter: Piece, piece: Piece, inside: bool) -> tuple[Fraction, Fraction] | None:
    """Where on the line of the ray, in multiples of (C, S) from the tip, the piece lies: its inside, or all of it."""
    (x, y), (c, s) = shooter.corners[0], shooter.way
    away = [c * (v - y) - s * (u - x) for u, v in piece.corners]
    if min(away) > 0 or max(away) < 0:
        return None  # all of it lies on one side of the line
    first, last = Fraction(-(10**9)), Fraction(10**9)
    for (px, py), (qx, qy) in piece.sides:
        # How far left of the side (its inner side) the place t is: at + rate·t.
        at = (qx - px) * (y - py) - (qy - py) * (x - px)
        rate = (qx - px) * s - (qy - py) * c
        if rate > 0:
            first = max(first, Fraction(-at, rate))
        elif rate < 0:
            last = min(last, Fraction(-at, rate))
        elif at < 0 or (inside and at == 0):
            return None
    return (first, last) if first < last or (first == last and not inside) else None


def entry(shooter: Piece, piece: Piece) -> Fraction | None:
    """Where the ray enters the inside of a piece; None if it doesn't, or starts inside of it."""
    found = stretch(shooter, piece, inside=True)
    return found[0] if found and found[0] >= 0 else None


def touch(shooter: Piece, piece: Piece) -> tuple[Fraction, Fraction] | None:
    """Where the ray, which begins at the tip, touches a piece that its line doesn't go through."""
    if stretch(shooter, piece, inside=True):
        return None
    found = stretch(shooter, piece, inside=False)
    return (max(Fraction(0), found[0]), found[1]) if found and found[1] >= 0 else None


def on_left(shooter: Piece, piece: Piece) -> bool:
    """On which side of the line the middle of a piece lies that the line doesn't go through."""
    (x, y), (c, s) = shooter.corners[0], shooter.way
    middle = [Fraction(sum(corner[axis] for corner in piece.corners), len(piece.corners)) for axis in (0, 1)]
    return c * (middle[1] - y) - s * (middle[0] - x) > 0


def crack(shooter: Piece, others: Sequence[Piece]) -> Fraction | None:
    """The first place where the ray touches one piece on its left and another on its right."""
    touches = [(found, on_left(shooter, piece)) for piece in others if (found := touch(shooter, piece))]
    places = [
        max(a[0], b[0])
        for a, left in touches
        for b, too in touches
        if left and not too and max(a[0], b[0]) <= min(a[1], b[1])
    ]
    return min(places, default=None)


def aim(shooter: Piece, others: Sequence[Piece]) -> int:
    """The index of what the ray points at, -1 for nothing (IH-10)."""
    entries = [(found, index) for index, piece in enumerate(others) if (found := entry(shooter, piece)) is not None]
    if not entries:
        return -1
    place, index = min(entries)
    sealed = crack(shooter, others)
    return -1 if sealed is not None and sealed < place else index


def within(a: Piece, b: Piece, length: int) -> bool:
    return gap2(a, b) < length**2


def ray_within(shooter: Piece, piece: Piece, length: int) -> bool:
    place = entry(shooter, piece)
    return place is not None and place**2 * (shooter.way[0] ** 2 + shooter.way[1] ** 2) < length**2


def judge(piece: Piece, others: Sequence[Piece], tolerance: int, by_ray: bool) -> tuple[int, int, bool]:
    """As `geometry.judge_placement`."""
    worst = max((contact(piece, other, tolerance) for other in others), default=0)
    if worst or not piece.lying:
        return worst, -1, False
    target = aim(piece, others)
    if target < 0:
        return 0, -1, False
    reaches = ray_within if by_ray else within
    return 0, target, reaches(piece, others[target], piece.length)
