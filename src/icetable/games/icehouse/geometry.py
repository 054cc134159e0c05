"""Pyramids on a flat field, seen from above: exact geometry in whole numbers, in both modes of `kernels.jit`.

Lengths and coordinates are whole thousandths of an inch, headings whole tenths of a degree counter-clockwise from +x.
A piece is a row of FOOTPRINT_WORDS numbers, written by `footprint`. A field is a two-dimensional array with a row for
each piece; a row of zeros is an empty slot that nothing hits. The kernels never round: they compare squared distances
as fractions. The plain functions at the end explain their results to people.

Nothing overflows. On a field of at most MAX_FIELD a side, with pieces that lie on it:

- two corners of one piece lie at most 1889 apart: the sides of a large lying piece are √(1820² + 500²) = 1887.5 long,
  and rounding moves either end by at most √½;
- two points of the field lie at most D = 240 000·√2 < 339 412 apart;
- a direction (C, S) is 10⁶ long, give or take √½: less than 1 000 001.

A product of vectors is at most the product of their lengths. That leaves, against 2⁶³ = 9.2·10¹⁸:

- side·side: 1889² < 3.6·10⁶; side·way: 1889·D < 6.5·10⁸, squared 4.2·10¹⁷;
  MAX_FIELD·side, squared 2.1·10¹⁷ (`within`);
- direction·side < 1.9·10⁹; direction·way < 3.4·10¹¹, thrice that in `misses`;
- where a ray enters, as a fraction: numerator < 6.5·10⁸, denominator < 1.9·10⁹; two compared: 1.3·10¹⁸; one
  compared with a touch: less than D times the denominator, or 10⁶ times the numerator, < 6.5·10¹⁴ (`aim`);
- an overlap reaches at most 2·1889 deep: times a side 7.2·10⁶, squared 5.2·10¹³; the tolerance in millionths of an
  inch, at most 10⁶, squared and times the square of a side: 3.6·10¹⁸ (`penetration`).

`nearer` proves its own bounds. A test uses the largest possible numbers, where NumPy would report an overflow.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from icetable.kernels.jit import kernel

if TYPE_CHECKING:
    from icetable.kernels.jit import Ints

MAX_FIELD = 240_000
"""The maximum side of the field, in thousandths of an inch."""
INCH = 1000

HEADINGS = 3600
RADIUS = 1_000_000
# None of these values lies within 10⁻⁵ of a half (a test works them out exactly), so floats give the nearest numbers.
SIN: Ints = np.array([round(RADIUS * math.sin(math.radians(tenths / 10))) for tenths in range(HEADINGS)], np.int64)
COS: Ints = np.array([round(RADIUS * math.cos(math.radians(tenths / 10))) for tenths in range(HEADINGS)], np.int64)

# By size: small, medium, large. Half the base, in eighths of a thousandth; the length of a lying piece.
HALF_BASES: Ints = np.array([2250, 3125, 4000], np.int64)
FACE_LENGTHS: Ints = np.array([1039, 1429, 1820], np.int64)
HEIGHT_LENGTHS: Ints = np.array([1000, 1375, 1750], np.int64)

# The row of a piece. Its corners go counter-clockwise; those of a lying piece begin with the tip.
TIP_X, TIP_Y = 0, 1
CORNERS = 8
"""The number of corners: LYING or STANDING. Each corner takes two of the first words."""
DIRECTION_X, DIRECTION_Y = 9, 10
LEFT, BOTTOM, RIGHT, TOP = 11, 12, 13, 14
"""The bounding box."""
RANGE = 15
"""The length of a lying piece, 0 for a standing one."""
FOOTPRINT_WORDS = 16
LYING, STANDING = 3, 4

NO_OVERLAP, SHALLOW, DEEP = 0, 1, 2
"""The overlap of two pieces: none, within the tolerance, beyond it."""

MISSES, CROSSES, ON_LEFT, ON_RIGHT = 0, 1, 2, 3
"""How a line meets a piece: not at all, through its interior, or touching it on the line's left or right."""

NOTHING = -1


@kernel
def footprint(out: Ints, x: int, y: int, heading: int, size: int, standing: bool, lengths: Ints) -> None:
    """Write the row of a piece (IH-4, IH-5): `heading` in tenths of a degree, `size` 0 … 2, `lengths` by size."""
    c, s = COS[heading], SIN[heading]
    half, length = HALF_BASES[size], lengths[size]
    out[DIRECTION_X], out[DIRECTION_Y] = c, s
    if standing:
        out[CORNERS], out[RANGE] = STANDING, 0
        corner(out, 0, x, y, c, s, half, half)
        corner(out, 1, x, y, c, s, -half, half)
        corner(out, 2, x, y, c, s, -half, -half)
        corner(out, 3, x, y, c, s, half, -half)
    else:
        out[CORNERS], out[RANGE] = LYING, length
        corner(out, 0, x, y, c, s, 4 * length, 0)
        corner(out, 1, x, y, c, s, -4 * length, half)
        corner(out, 2, x, y, c, s, -4 * length, -half)
        out[6] = out[7] = 0
    out[LEFT] = out[RIGHT] = out[0]
    out[BOTTOM] = out[TOP] = out[1]
    for number in range(1, out[CORNERS]):
        out[LEFT] = min(out[LEFT], out[2 * number])
        out[RIGHT] = max(out[RIGHT], out[2 * number])
        out[BOTTOM] = min(out[BOTTOM], out[2 * number + 1])
        out[TOP] = max(out[TOP], out[2 * number + 1])


@kernel
def corner(out: Ints, number: int, x: int, y: int, c: int, s: int, u: int, v: int) -> None:
    """Write a corner, from (u, v) in the piece's own frame, by the formula of IH-5."""
    out[2 * number] = x + (u * c - v * s + 4 * RADIUS) // (8 * RADIUS)
    out[2 * number + 1] = y + (u * s + v * c + 4 * RADIUS) // (8 * RADIUS)


@kernel
def on_field(piece: Ints, width: int, height: int) -> bool:
    """Whether the whole piece is on the field, which begins at (0, 0) (IH-5)."""
    return piece[LEFT] >= 0 and piece[RIGHT] <= width and piece[BOTTOM] >= 0 and piece[TOP] <= height


# Overlap: two convex shapes are apart if one lies outside some side of the other. Otherwise the least shift that
# separates them is at a right angle to a side: their Minkowski difference has no other sides than theirs.


@kernel
def contact(a: Ints, b: Ints, tolerance: int) -> int:
    """NO_OVERLAP, SHALLOW or DEEP: the overlap compared with `tolerance`, in millionths of an inch (IH-30).

    Pieces that only touch don't overlap.
    """
    if a[RIGHT] <= b[LEFT] or b[RIGHT] <= a[LEFT] or a[TOP] <= b[BOTTOM] or b[TOP] <= a[BOTTOM]:
        return NO_OVERLAP
    return min(penetration(a, b, tolerance), penetration(b, a, tolerance))


@kernel
def penetration(a: Ints, b: Ints, tolerance: int) -> int:
    """The least overlap, as in `contact`, of `b` with the half-planes behind the sides of `a`."""
    least = DEEP
    last = 2 * a[CORNERS] - 2
    px, py = a[last], a[last + 1]
    for number in range(a[CORNERS]):
        qx, qy = a[2 * number], a[2 * number + 1]
        ex, ey = qx - px, qy - py
        deepest = 0
        for other in range(b[CORNERS]):
            deepest = max(deepest, ex * (b[2 * other + 1] - py) - ey * (b[2 * other] - px))
        if deepest == 0:
            return NO_OVERLAP
        # The depth is deepest / |e| thousandths. The left side is an integer, so the right side may be floored.
        if deepest * deepest <= tolerance * tolerance * (ex * ex + ey * ey) // 1_000_000:
            least = SHALLOW
        px, py = qx, qy
    return least


@kernel
def overlap(a: Ints, b: Ints) -> bool:
    """Whether two pieces overlap (IH-5)."""
    return contact(a, b, 0) != NO_OVERLAP


# The gap between two shapes that don't overlap runs from a corner of one to a side of the other.


@kernel
def within(a: Ints, b: Ints, length: int) -> bool:
    """Whether the gap between two pieces is strictly less than `length` thousandths, at most MAX_FIELD (IH-11)."""
    if a[LEFT] - b[RIGHT] >= length or b[LEFT] - a[RIGHT] >= length:
        return False
    if a[BOTTOM] - b[TOP] >= length or b[BOTTOM] - a[TOP] >= length:
        return False
    return near_side(a, b, length) or near_side(b, a, length) or overlap(a, b)


@kernel
def near_side(a: Ints, b: Ints, length: int) -> bool:
    """Whether a corner of `b` lies less than `length` from a side of `a`."""
    last = 2 * a[CORNERS] - 2
    px, py = a[last], a[last + 1]
    for number in range(a[CORNERS]):
        qx, qy = a[2 * number], a[2 * number + 1]
        ex, ey = qx - px, qy - py
        side = ex * ex + ey * ey
        for other in range(b[CORNERS]):
            wx, wy = b[2 * other] - px, b[2 * other + 1] - py
            along, across = ex * wx + ey * wy, ex * wy - ey * wx
            if along <= 0:
                if wx * wx + wy * wy < length * length:
                    return True
            # A corner beyond the far end of the side is compared with the next side.
            elif along < side and across * across < length * length * side:
                return True
        px, py = qx, qy
    return False


# The ray starts at the tip of a lying piece. A place on it is a multiple of (C, S), as a fraction: nearly its distance
# in millionths of an inch, up to a factor that is constant along the ray.


@kernel
def side_of_line(shooter: Ints, piece: Ints) -> int:
    """How the line of a ray meets a piece: MISSES, CROSSES, ON_LEFT or ON_RIGHT."""
    left = right = touched = False
    for number in range(piece[CORNERS]):
        side = left_of_ray(shooter, piece[2 * number], piece[2 * number + 1])
        left |= side > 0
        right |= side < 0
        touched |= side == 0
    if left and right:
        return CROSSES
    if touched:
        return ON_LEFT if left else ON_RIGHT
    return MISSES


@kernel
def left_of_ray(shooter: Ints, x: int, y: int) -> int:
    """The signed distance of a point to the left of the ray, times 10⁶."""
    return shooter[DIRECTION_X] * (y - shooter[TIP_Y]) - shooter[DIRECTION_Y] * (x - shooter[TIP_X])


@kernel
def entry(shooter: Ints, piece: Ints) -> tuple[int, int]:
    """The place where a ray enters a piece: numerator ≥ 0 and denominator > 0, or denominator 0 if it doesn't.

    A ray that starts inside a piece, or on its edge and leads away, doesn't enter it.
    """
    if side_of_line(shooter, piece) != CROSSES:
        return 0, 0
    last = 2 * piece[CORNERS] - 2
    px, py = piece[last], piece[last + 1]
    before = left_of_ray(shooter, px, py)
    for number in range(piece[CORNERS]):
        qx, qy = piece[2 * number], piece[2 * number + 1]
        after = left_of_ray(shooter, qx, qy)
        if before > 0 >= after:  # the only side where the line enters
            along = (qx - px) * (py - shooter[TIP_Y]) - (qy - py) * (px - shooter[TIP_X])
            return (along, before - after) if along >= 0 else (0, 0)
        px, py, before = qx, qy, after
    return 0, 0


@kernel
def aim(field: Ints, count: int, shooter: Ints) -> int:
    """The index of the piece that a lying piece points at among the `count` pieces of the field, or NOTHING (IH-10).

    The shooter may be one of them: its line enters its own base behind the tip, so its ray doesn't enter it.
    """
    target, numerator, denominator = NOTHING, 1, 0
    left = right = False
    for index in range(count):
        if misses(field, index, shooter):
            continue
        side = side_of_line(shooter, field[index])
        left |= side == ON_LEFT
        right |= side == ON_RIGHT
        if side == CROSSES:
            above, below = entry(shooter, field[index])
            if below > 0 and above * denominator < numerator * below:
                target, numerator, denominator = index, above, below
    if left and right and target != NOTHING:
        place = crack(field, count, shooter)[0]
        if place != NOTHING and place * denominator < numerator * axis(shooter):
            return NOTHING
    return target


@kernel
def misses(field: Ints, index: int, shooter: Ints) -> bool:
    """Whether the line of a ray misses the bounding box of a piece."""
    c, s = shooter[DIRECTION_X], shooter[DIRECTION_Y]
    left, bottom, right, top = field[index, LEFT], field[index, BOTTOM], field[index, RIGHT], field[index, TOP]
    middle = c * (bottom + top - 2 * shooter[TIP_Y]) - s * (left + right - 2 * shooter[TIP_X])
    return abs(middle) > abs(c) * (top - bottom) + abs(s) * (right - left)


@kernel
def axis(shooter: Ints) -> int:
    """The larger of |C| and |S|: the length of (C, S) along the axis, x or y, that is nearer to the ray."""
    return max(abs(shooter[DIRECTION_X]), abs(shooter[DIRECTION_Y]))


@kernel
def touch(shooter: Ints, piece: Ints) -> tuple[int, int]:
    """The first and the last place at which the line of a ray touches a piece on its left or right.

    Places are measured along the axis, x or y, that is nearer to the ray. Those below 0 are behind the tip.
    """
    c, s = shooter[DIRECTION_X], shooter[DIRECTION_Y]
    first, last = MAX_FIELD, -MAX_FIELD
    for number in range(piece[CORNERS]):
        x, y = piece[2 * number], piece[2 * number + 1]
        if left_of_ray(shooter, x, y) == 0:
            if abs(c) >= abs(s):
                along = x - shooter[TIP_X] if c > 0 else shooter[TIP_X] - x
            else:
                along = y - shooter[TIP_Y] if s > 0 else shooter[TIP_Y] - y
            first, last = min(first, along), max(last, along)
    return first, last


@kernel
def crack(field: Ints, count: int, shooter: Ints) -> tuple[int, int, int]:
    """The first place at which a ray touches pieces on both sides, and these pieces, left and right; else NOTHING.

    Places are measured as in `touch` (IH-10).
    """
    place, on_left, on_right = NOTHING, NOTHING, NOTHING
    for left in range(count):
        if side_of_line(shooter, field[left]) != ON_LEFT:
            continue
        left_first, left_last = touch(shooter, field[left])
        for right in range(count):
            if side_of_line(shooter, field[right]) != ON_RIGHT:
                continue
            right_first, right_last = touch(shooter, field[right])
            first = max(left_first, right_first, 0)
            if first <= min(left_last, right_last) and (place == NOTHING or first < place):
                place, on_left, on_right = first, left, right
    return place, on_left, on_right


@kernel
def target_of(field: Ints, count: int, me: int) -> int:
    """The index of the piece that piece `me` points at, or NOTHING, as for a standing piece."""
    if field[me, CORNERS] == STANDING:
        return NOTHING
    return aim(field, count, field[me])


@kernel
def ray_within(shooter: Ints, piece: Ints, length: int) -> bool:
    """Whether a ray enters a piece strictly less than `length` thousandths (1 … 2000) from the tip (IH-11)."""
    above, below = entry(shooter, piece)
    return below > 0 and nearer(shooter, above, below, length)


@kernel
def nearer(shooter: Ints, above: int, below: int, length: int) -> bool:
    """Whether the place above / below on a ray is strictly less than `length` (1 … 2000) from the tip."""
    # Its distance is above / below · |(C, S)|, and |(C, S)|² = 10¹² + excess with |excess| < 1.5·10⁶. With
    # rest = length·below - 10⁶·above the test above²·(10¹² + excess) < (length·below)² reduces to
    # above·excess - 2·10⁶·rest < rest²/above. If |rest| ≥ above, even |(C, S)| = 10⁶ ± 1 wouldn't change the result.
    # Otherwise above < 2000·1.9·10⁹ / 999 999 < 3.9·10⁶, so the terms are below 6·10¹², 8·10¹² and 1.6·10¹³.
    rest = length * below - RADIUS * above
    if abs(rest) >= above:
        return rest > 0
    excess = shooter[DIRECTION_X] ** 2 + shooter[DIRECTION_Y] ** 2 - RADIUS**2
    return above * excess - 2 * RADIUS * rest < -(-rest * rest // above)


@kernel
def in_range(shooter: Ints, target: Ints, by_ray: bool) -> bool:
    """Whether a target is within the range of a lying piece, measured along the ray or as the gap (IH-11)."""
    if by_ray:
        return ray_within(shooter, target, shooter[RANGE])
    return within(shooter, target, shooter[RANGE])


@kernel
def judge_placement(field: Ints, count: int, piece: Ints, tolerance: int, by_ray: bool) -> tuple[int, int, bool]:
    """The deepest overlap of a piece with the `count` pieces of the field, its target or NOTHING, and whether that is
    `in_range`. Only a lying piece without overlap has a target.
    """
    worst = NO_OVERLAP
    left, bottom, right, top = piece[LEFT], piece[BOTTOM], piece[RIGHT], piece[TOP]
    for index in range(count):
        if (
            field[index, LEFT] < right
            and left < field[index, RIGHT]
            and field[index, BOTTOM] < top
            and bottom < field[index, TOP]
        ):
            worst = max(worst, contact(field[index], piece, tolerance))
    if worst != NO_OVERLAP or piece[CORNERS] == STANDING:
        return worst, NOTHING, False
    target = aim(field, count, piece)
    return NO_OVERLAP, target, target != NOTHING and in_range(piece, field[target], by_ray)


# Explanations for people


def corners_of(piece: Ints) -> list[tuple[int, int]]:
    """The corners of a piece, counter-clockwise; those of a lying piece begin with the tip."""
    words = piece.tolist()
    return [(words[2 * number], words[2 * number + 1]) for number in range(words[CORNERS])]


def sides_of(piece: Ints) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """The sides of a piece, each by its two corners."""
    corners = corners_of(piece)
    return list(zip(corners, corners[1:] + corners[:1], strict=True))


def depth2(a: Ints, b: Ints) -> Fraction:
    """The squared depth of the overlap of two pieces, in thousandths of an inch (IH-30); 0 if they don't overlap."""
    return min(_penetration2(a, b), _penetration2(b, a))


def _penetration2(a: Ints, b: Ints) -> Fraction:
    depths = []
    for (px, py), (qx, qy) in sides_of(a):
        ex, ey = qx - px, qy - py
        deepest = max(0, *(ex * (y - py) - ey * (x - px) for x, y in corners_of(b)))
        depths.append(Fraction(deepest**2, ex**2 + ey**2))
    return min(depths)


def gap2(a: Ints, b: Ints) -> Fraction:
    """The squared gap between two pieces, in thousandths of an inch (IH-11); 0 if they touch or overlap."""
    return Fraction(0) if overlap(a, b) else min(_gap2(a, b), _gap2(b, a))


def _gap2(a: Ints, b: Ints) -> Fraction:
    gaps = []
    for (px, py), (qx, qy) in sides_of(a):
        ex, ey = qx - px, qy - py
        for x, y in corners_of(b):
            part = Fraction((x - px) * ex + (y - py) * ey, ex**2 + ey**2)
            part = max(Fraction(0), min(Fraction(1), part))
            gaps.append((x - px - part * ex) ** 2 + (y - py - part * ey) ** 2)
    return min(gaps)


def inches(squared: Fraction) -> float:
    """A depth or a gap in inches, from its square in thousandths of an inch."""
    return math.sqrt(squared) / INCH


@dataclass(frozen=True)
class Ray:
    """The ray of a lying piece from `start` to `end`, in thousandths of an inch.

    It ends at the piece `target`, where the two pieces `crack` block it, or at the edge of the field.
    """

    start: tuple[int, int]
    end: tuple[float, float]
    target: int | None
    crack: tuple[int, int] | None

    @property
    def inches(self) -> float:
        return math.dist(self.start, self.end) / INCH


def trace(field: Ints, count: int, shooter: Ints, width: int, height: int) -> Ray:
    """The ray of a lying piece. The piece may be one of the `count` pieces of the field."""
    x, y, c, s = (int(shooter[word]) for word in (TIP_X, TIP_Y, DIRECTION_X, DIRECTION_Y))
    ways = ((x, c, width), (y, s, height))
    place = min(Fraction((limit if way > 0 else 0) - at, way) for at, way, limit in ways if way)
    target, sealed = aim(field, count, shooter), crack(field, count, shooter)
    if target != NOTHING:
        place = Fraction(*map(int, entry(shooter, field[target])))
    elif sealed[0] != NOTHING:
        place = Fraction(int(sealed[0]), int(axis(shooter)))
    return Ray(
        (x, y),
        (float(x + place * c), float(y + place * s)),
        None if target == NOTHING else int(target),
        None if target != NOTHING or sealed[0] == NOTHING else (int(sealed[1]), int(sealed[2])),
    )
