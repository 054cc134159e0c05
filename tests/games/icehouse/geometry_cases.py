"""Where pyramids may lie for the tests of the geometry: anywhere, or driven to the boundary of some verdict."""

from __future__ import annotations

import math
import random
from functools import cache
from typing import NamedTuple

from tests.games.icehouse import geometry_oracle as oracle

FACE, HEIGHT = oracle.LENGTHS["face"], oracle.LENGTHS["height"]
LONGEST = 240_000

Way = tuple[int, int]


class Spot(NamedTuple):
    """A piece and where it lies."""

    x: int
    y: int
    heading: int
    size: int
    standing: bool

    def shifted(self, dx: int, dy: int) -> Spot:
        return self._replace(x=self.x + dx, y=self.y + dy)


class Pair(NamedTuple):
    """Two pieces, with what the depth of their overlap and their gap are compared to."""

    a: Spot
    b: Spot
    tolerance: int
    length: int


class Scene(NamedTuple):
    """A lying piece among others."""

    shooter: Spot
    others: tuple[Spot, ...]


@cache
def frame(heading: int, size: int, standing: bool) -> tuple[Way, ...]:
    """The corners of a piece at (0, 0)."""
    return oracle.placed(0, 0, heading, size, standing, FACE).corners


def corners(spot: Spot) -> list[Way]:
    """The corners of a piece where it lies."""
    return [(spot.x + x, spot.y + y) for x, y in frame(*spot[2:])]


@cache
def steps() -> dict[int, Way]:
    """By heading the least whole step along the ray: for those headings where a field has room for one."""
    found = {}
    for heading in range(3600):
        c, s = oracle.direction(heading)
        common = math.gcd(c, s)
        if common * LONGEST > 2 * 10**6:
            found[heading] = (c // common, s // common)
    return found


def some_heading(rng: random.Random) -> int:
    """Any heading; often one at a right angle, halfway between, or along a side of nice slope."""
    return rng.choice((0, 900, 1800, 2700, 450, 1350, 2250, 3150, 300, 600, *(rng.randrange(3600) for _ in range(8))))


def some_spot(rng: random.Random, span: int, standing: bool | None = None) -> Spot:
    """A piece around the origin."""
    upright = rng.random() < 0.5 if standing is None else standing
    return Spot(rng.randint(-span, span), rng.randint(-span, span), some_heading(rng), rng.randrange(3), upright)


def nudged(spot: Spot, rng: random.Random) -> Spot:
    """The piece, as often as not shifted by a thousandth or so."""
    return spot if rng.random() < 0.5 else spot.shifted(rng.randint(-1, 1), rng.randint(-1, 1))


# Pairs


def any_pair(rng: random.Random) -> Pair:
    """Two pieces that may well meet."""
    span = rng.choice((400, 800, 1600))
    a, b = some_spot(rng, span), some_spot(rng, span)
    return Pair(a, b, rng.choice((0, 30_000, 10**6, rng.randrange(10**6))), rng.choice((*FACE, rng.randrange(1, 4000))))


def corner_on_corner(rng: random.Random) -> tuple[Spot, Spot]:
    a, b = some_spot(rng, 0), some_spot(rng, 0)
    (x, y), (u, v) = rng.choice(corners(a)), rng.choice(corners(b))
    return a, b.shifted(x - u, y - v)


def corner_on_side(rng: random.Random) -> tuple[Spot, Spot]:
    """A corner on a point of a side with whole coordinates, of which any but a few sides have some inside."""
    a, b = some_spot(rng, 0), some_spot(rng, 0)
    ends = corners(a)
    number = rng.randrange(len(ends))
    (px, py), (qx, qy) = ends[number - 1], ends[number]
    common = math.gcd(qx - px, qy - py)
    part = rng.randint(0, common)
    x, y = px + (qx - px) // common * part, py + (qy - py) // common * part
    u, v = rng.choice(corners(b))
    return a, b.shifted(x - u, y - v)


def side_on_side(rng: random.Random) -> tuple[Spot, Spot]:
    """Two pieces turned by half or quarter a circle, slid along sides that face each other."""
    a, b = some_spot(rng, 0), some_spot(rng, 0)
    b = b._replace(heading=(a.heading + rng.choice((0, 900, 1800, 2700))) % 3600)
    if rng.random() < 0.4:
        b = b._replace(heading=(a.heading + 1800) % 3600, size=a.size, standing=a.standing)
    facing = []
    for (px, py), (qx, qy) in sides(corners(a)):
        for (tx, ty), (ux, uy) in sides(corners(b)):
            ex, ey, fx, fy = qx - px, qy - py, ux - tx, uy - ty
            if ex * fy == ey * fx and ex * fx + ey * fy < 0:
                common = math.gcd(ex, ey)
                slide = rng.randint(0, common)
                facing.append((qx - tx - ex // common * slide, qy - ty - ey // common * slide))
    return (a, b.shifted(*rng.choice(facing))) if facing else corner_on_side(rng)


def sides(ends: list[Way]) -> list[tuple[Way, Way]]:
    return [(ends[number - 1], ends[number]) for number in range(len(ends))]


def at_a_distance(rng: random.Random) -> tuple[Spot, Spot, int]:
    """Two pieces whose nearest points may well be corners exactly `length` apart, or sides."""
    a, b = some_spot(rng, 0), some_spot(rng, 0)
    length = rng.choice((*FACE, *HEIGHT))
    ways = [(u, v) for u in range(length + 1) for v in [math.isqrt(length**2 - u**2)] if u * u + v * v == length**2]
    u, v = rng.choice(ways)
    u, v = rng.choice((-u, u)), rng.choice((-v, v))
    one = max(corners(a), key=lambda point: point[0] * u + point[1] * v)
    other = min(corners(b), key=lambda point: point[0] * u + point[1] * v)
    return a, b.shifted(one[0] + u - other[0], one[1] + v - other[1]), length


def off_a_side(rng: random.Random) -> tuple[Spot, Spot, int]:
    """A corner straight out from a slanted side, exactly `length` away, beside it or beyond its ends.

    The sides of a large standing piece turned by 16.3° are 40 times (7, 24), so 1000 long.
    """
    a, b, length = Spot(0, 0, 163, 2, True), some_spot(rng, 0), rng.choice(HEIGHT)
    (px, py), (qx, qy) = rng.choice(sides(corners(a)))
    u, v = (qy - py) * length // 1000, (px - qx) * length // 1000
    x, y = min(corners(b), key=lambda point: point[0] * u + point[1] * v)
    part = rng.randint(-4, 44)
    return a, b.shifted(px + (qx - px) // 40 * part + u - x, py + (qy - py) // 40 * part + v - y), length


def edge_pair(rng: random.Random) -> Pair:
    """Two pieces that just touch, or whose depth or gap is just what it is compared to, or nearly so."""
    kind = rng.randrange(5)
    length = rng.choice(FACE)
    if kind == 0:
        a, b = corner_on_corner(rng)
    elif kind == 1:
        a, b = corner_on_side(rng)
    elif kind == 2:
        a, b = side_on_side(rng)
    elif kind == 3:
        a, b, length = rng.choice((at_a_distance, off_a_side))(rng)
    else:
        a, b, _, _ = any_pair(rng)
        b = b._replace(heading=(a.heading + 900 * rng.randrange(4)) % 3600)
    b = nudged(b, rng)
    one, other = (oracle.placed(*spot, FACE) for spot in (a, b))
    shift2 = oracle.shift2(one, other)
    if kind in (2, 4):
        length = max(1, math.isqrt(math.floor(shift2)) + rng.randint(0, 1))
    tolerance = math.isqrt(math.floor(shift2 * 10**6)) - rng.randint(0, 1)
    return Pair(a, b, min(10**6, max(0, tolerance)), length)


# Rays


def any_scene(rng: random.Random) -> Scene:
    """A lying piece and some others, which may overlap."""
    span = rng.choice((1500, 3000, 6000))
    others = (some_spot(rng, span) for _ in range(rng.randint(1, 5)))
    return Scene(some_spot(rng, span // 4, standing=False), tuple(others))


def edge_scene(rng: random.Random) -> Scene:
    """Pieces with a corner or a side right on the ray, some of them two at the same point, and maybe a target."""
    heading = rng.choice((0, 450, 900, 1350, 2700, rng.choice(list(steps()))))
    shooter = some_spot(rng, 0, standing=False)._replace(heading=heading)
    (x, y), (dx, dy) = corners(shooter)[0], steps()[heading]
    most = max(1, 4000 // math.isqrt(dx**2 + dy**2))

    def on_ray(part: int) -> Way:
        return x + dx * part, y + dy * part

    points = [on_ray(rng.choice((0, -1, rng.randint(-most // 4, most), rng.randint(0, most)))) for _ in range(2)]
    others = [
        nudged(touching(some_spot(rng, 0), rng.choice(points), (dx, dy), rng), rng) for _ in range(rng.randint(2, 4))
    ]
    target = some_spot(rng, 0)
    if rng.random() < 0.5:
        u, v = on_ray(rng.randint(0, most))
        others.append(target.shifted(u + rng.randint(-500, 500), v + rng.randint(-500, 500)))
    else:
        (x, y), (u, v) = rng.choice(points), rng.choice(corners(target))
        others.append(target.shifted(x - u, y - v))
    rng.shuffle(others)
    return Scene(shooter, tuple(others))


def touching(spot: Spot, point: Way, step: Way, rng: random.Random) -> Spot:
    """The piece with one of its outermost corners, seen across the ray, on a point of the ray."""
    if rng.random() < 0.3:
        heading = round(math.degrees(math.atan2(step[1], step[0])) * 10) + 900 * rng.randrange(4)
        spot = spot._replace(heading=heading % 3600)
    across = {corner: step[0] * corner[1] - step[1] * corner[0] for corner in corners(spot)}
    outermost = rng.choice((min, max))(across.values())
    u, v = rng.choice([corner for corner, way in across.items() if way == outermost])
    return spot.shifted(point[0] - u, point[1] - v)


def scenes(seed: int, count: int) -> list[Scene]:
    """Scenes, half of them at the boundary, moved to where all lies on the longest field."""
    rng = random.Random(seed)
    made = []
    for number in range(count):
        shooter, others = (edge_scene if number % 2 else any_scene)(rng)
        spots = moved((shooter, *others), rng)
        made.append(Scene(spots[0], spots[1:]))
    return made


def pairs(seed: int, count: int) -> list[Pair]:
    """Pairs, half of them at the boundary, moved to where both lie on the longest field."""
    rng = random.Random(seed)
    made = []
    for number in range(count):
        a, b, tolerance, length = (edge_pair if number % 2 else any_pair)(rng)
        one, other = moved((a, b), rng)
        made.append(Pair(one, other, tolerance, length))
    return made


def moved(spots: tuple[Spot, ...], rng: random.Random) -> tuple[Spot, ...]:
    """The same pieces elsewhere: in any corner of the longest field, or anywhere on it."""
    points = [corner for spot in spots for corner in corners(spot)]
    dx, dy = (
        rng.choice((-least, LONGEST - most, rng.randint(-least, LONGEST - most)))
        for least, most in ((min(axis), max(axis)) for axis in zip(*points, strict=True))
    )
    return tuple(spot.shifted(dx, dy) for spot in spots)


def piece(spot: Spot) -> oracle.Piece:
    """The piece as the oracle sees it, with the usual lengths."""
    return oracle.Piece(tuple(corners(spot)), oracle.direction(spot.heading), 0 if spot.standing else FACE[spot.size])
