"""The exact geometry: against its slow twin, against Shapely, in both modes, and by hand."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st

from icetable.games.icehouse import geometry
from icetable.games.icehouse.geometry import DEEP, NO_OVERLAP, NOTHING, SHALLOW
from icetable.kernels import jit
from tests.games.icehouse import geometry_cases as cases
from tests.games.icehouse import geometry_oracle as oracle
from tests.games.icehouse.geometry_cases import FACE, LONGEST, Pair, Scene, Spot, piece
from tests.vectors import geometry as vectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from icetable.kernels.jit import Ints

PAIRS = 1_200
SCENES = 1_600
SOME = 1_000


def row(spot: Spot, lengths: Ints = geometry.FACE_LENGTHS) -> Ints:
    """The row of a piece."""
    out = np.full(geometry.FOOTPRINT_WORDS, 99, np.int64)
    geometry.footprint(out, *spot, lengths)
    return out


def rows(spots: Sequence[Spot]) -> Ints:
    """A field with some pieces."""
    field = np.zeros((len(spots), geometry.FOOTPRINT_WORDS), np.int64)
    for number, spot in enumerate(spots):
        field[number] = row(spot)
    return field


def place_of(shooter: Ints, target: Ints) -> Fraction | None:
    """Where a ray enters a piece."""
    above, below = geometry.entry(shooter, target)
    return Fraction(int(above), int(below)) if below else None


# Footprints


def test_sines_are_the_nearest_whole_numbers() -> None:
    tables = zip(geometry.COS.tolist(), geometry.SIN.tolist(), strict=True)
    assert list(tables) == [oracle.direction(heading) for heading in range(3600)]


def test_no_sine_is_nearly_a_half() -> None:
    """So that floats of any machine, which are right to 10⁻⁹, give the nearest whole number."""
    values = [oracle.sine(heading) * 10**6 for heading in range(3600)]
    assert min(abs(value % 1 - Decimal("0.5")) for value in values) > Decimal("1e-5")


def test_footprints_follow_the_formula() -> None:
    for heading in range(3600):
        size, standing = heading % 3, heading % 2 == 0
        for lengths in (FACE, cases.HEIGHT):
            footprint = row(Spot(12_000, 8_500, heading, size, standing), np.array(lengths, np.int64))
            expected = oracle.placed(12_000, 8_500, heading, size, standing, lengths)
            assert geometry.corners_of(footprint) == list(expected.corners)
            x, y = zip(*expected.corners, strict=True)
            words = footprint.tolist()
            assert words[geometry.LEFT : geometry.TOP + 1] == [min(x), min(y), max(x), max(y)]
            assert (words[geometry.DIRECTION_X], words[geometry.DIRECTION_Y]) == expected.way
            assert words[geometry.RANGE] == expected.length
            assert words[geometry.CORNERS] == len(expected.corners)


@pytest.mark.parametrize("standing", [True, False])
@pytest.mark.parametrize("lengths", [geometry.FACE_LENGTHS, geometry.HEIGHT_LENGTHS], ids=["face", "height"])
def test_all_footprints_are_convex_and_within_the_bounds(standing: bool, lengths: Ints) -> None:
    """Every heading and size: corners counter-clockwise, sides of at most 1889, as the proof of no overflow says."""
    for size in range(3):
        for heading in range(3600):
            ends = geometry.corners_of(row(Spot(0, 0, heading, size, standing), lengths))
            for number, corner in enumerate(ends):
                assert oracle.turned(ends[number - 2], ends[number - 1], corner) > 0
                assert math.dist(ends[number - 1], corner) < 1889


def test_a_footprint_by_hand() -> None:
    assert geometry.corners_of(row(Spot(1000, 1000, 0, 2, True))) == [
        (1500, 1500),
        (500, 1500),
        (500, 500),
        (1500, 500),
    ]
    # 281.25 and 519.5 are rounded to the nearest, halves upwards
    assert geometry.corners_of(row(Spot(0, 0, 0, 0, False))) == [(520, 0), (-519, 281), (-519, -281)]
    assert geometry.corners_of(row(Spot(0, 0, 1800, 0, False))) == [(-519, 0), (520, -281), (520, 281)]


@pytest.mark.parametrize(
    ("dx", "dy", "expected"), [(0, 0, True), (-1, 0, False), (1, 0, False), (0, -1, False), (0, 1, False)]
)
def test_the_edge_of_the_field(dx: int, dy: int, expected: bool) -> None:
    """A large piece just fits on a field of its own size."""
    assert geometry.on_field(row(Spot(500 + dx, 500 + dy, 0, 2, True)), 1000, 1000) == expected


# Against the slow twin


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    return cases.pairs(1, PAIRS)


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    return cases.scenes(4, SCENES)


def test_pairs_agree_with_the_oracle(pairs: list[Pair]) -> None:
    seen = dict.fromkeys(("apart", "lesser", "deeper", "touch", "gap at the limit", "depth at the limit"), 0)
    for a, b, tolerance, length in pairs:
        one, other, p, q = row(a), row(b), piece(a), piece(b)
        depth, gap, contact = oracle.depth2(p, q), oracle.gap2(p, q), oracle.contact(p, q, tolerance)
        assert geometry.contact(one, other, tolerance) == contact
        assert geometry.overlap(one, other) == (depth > 0)
        assert geometry.within(one, other, length) == (gap < length**2)
        assert geometry.depth2(one, other) == depth
        assert geometry.gap2(one, other) == gap
        seen[("apart", "lesser", "deeper")[contact]] += 1
        seen["touch"] += depth == gap == 0
        seen["gap at the limit"] += gap == length**2
        seen["depth at the limit"] += contact > 0 and depth == Fraction(tolerance, 1000) ** 2
    assert min(seen.values()) > PAIRS // 200, seen


def test_rays_agree_with_the_oracle(scenes: list[Scene]) -> None:
    seen = dict.fromkeys(("hit", "missed", "sealed", "crack behind", "crack at the entry", "crack at the tip"), 0)
    seen |= dict.fromkeys(("in range", "out of range"), 0)
    for shooter, others in scenes:
        field, p, qs = rows((shooter, *others)), piece(shooter), [piece(other) for other in others]
        places = [oracle.entry(p, q) for q in qs]
        assert [place_of(field[0], other) for other in field[1:]] == places
        target, crack = oracle.aim(p, qs), oracle.crack(p, qs)
        assert geometry.aim(field[1:], len(others), field[0]) == target
        assert geometry.target_of(field, len(field), 0) == (NOTHING if target == NOTHING else target + 1)
        found = geometry.crack(field, len(field), field[0])[0]
        assert (None if found == NOTHING else Fraction(int(found), int(geometry.axis(field[0])))) == crack
        entered = [place for place in places if place is not None]
        for other, q, place in zip(field[1:], qs, places, strict=True):
            if place is not None:
                far = math.isqrt(math.floor(place**2 * (p.way[0] ** 2 + p.way[1] ** 2)))
                for length in (far, far + 1, p.length):
                    if 0 < length <= 2000:
                        in_range = oracle.ray_within(p, q, length)
                        assert geometry.ray_within(field[0], other, length) == in_range
                        seen["in range" if in_range else "out of range"] += 1
        seen["hit" if target != NOTHING else "sealed" if entered else "missed"] += 1
        seen["crack behind"] += crack is not None and target != NOTHING and crack > min(entered)
        seen["crack at the entry"] += crack is not None and target != NOTHING and crack == min(entered)
        seen["crack at the tip"] += crack == 0
    assert min(seen.values()) > SCENES // 200, seen


def test_placements_agree_with_the_oracle(scenes: list[Scene]) -> None:
    seen = []
    for number, (shooter, others) in enumerate(scenes[:SOME]):
        by_ray, tolerance = number % 3 == 0, (30_000, 0, 10**6)[number % 5 % 3]
        verdict = geometry.judge_placement(rows(others), len(others), row(shooter), tolerance, by_ray)
        assert verdict == oracle.judge(piece(shooter), [piece(other) for other in others], tolerance, by_ray)
        seen.append((verdict[0], verdict[1] != NOTHING, bool(verdict[2])))
    assert set(seen) == {
        (NO_OVERLAP, True, True),
        (NO_OVERLAP, True, False),
        (NO_OVERLAP, False, False),
        (SHALLOW, False, False),
        (DEEP, False, False),
    }


# Against Shapely, whose predicates are exact where coordinates are whole; its distances are floats


def polygon(spot: Spot) -> Any:
    return shapely.Polygon(cases.corners(spot))


def insides_meet(a: Any, b: Any) -> bool:
    return bool(shapely.relate_pattern(a, b, "T********"))


def test_pairs_agree_with_shapely(pairs: list[Pair]) -> None:
    for a, b, tolerance, _ in pairs[:SOME]:
        one, other, p, q = row(a), row(b), polygon(a), polygon(b)
        meets = insides_meet(p, q)
        assert (geometry.contact(one, other, tolerance) != NO_OVERLAP) == meets
        assert math.sqrt(geometry.gap2(one, other)) == pytest.approx(p.distance(q), rel=1e-9, abs=1e-6)
        if meets:
            differences = shapely.MultiPoint([(u - x, v - y) for u, v in cases.corners(a) for x, y in cases.corners(b)])
            depth = differences.convex_hull.exterior.distance(shapely.Point(0, 0))
            assert math.sqrt(geometry.depth2(one, other)) == pytest.approx(depth, rel=1e-6)


def test_rays_agree_with_shapely(scenes: list[Scene]) -> None:
    for shooter, others in scenes[:SOME]:
        field = rows((shooter, *others))
        (x, y), (c, s) = cases.corners(shooter)[0], oracle.direction(shooter.heading)
        tip, line = shapely.Point(x, y), shapely.LineString([(x, y), (x + c, y + s)])
        for other, shape in zip(field[1:], map(polygon, others), strict=True):
            enters = insides_meet(line, shape) and not shape.contains(tip)
            place = place_of(field[0], other)
            assert (place is not None) == enters
            if place is not None:
                reached = line.intersection(shape).distance(tip)
                assert float(place) * math.hypot(c, s) == pytest.approx(reached, rel=1e-9, abs=1e-3)
            side = geometry.side_of_line(field[0], other)
            assert (side in (geometry.ON_LEFT, geometry.ON_RIGHT)) == shapely.touches(
                shapely.LineString([(x - c, y - s), (x + c, y + s)]), shape
            )


def test_the_edge_of_the_field_agrees_with_shapely(pairs: list[Pair]) -> None:
    whole = shapely.box(0, 0, LONGEST, LONGEST)
    for a, b, tolerance, _ in pairs[:SOME]:
        for spot in (a, b, b.shifted(tolerance % 2000 - 1000, tolerance % 1999 - 1000)):
            assert geometry.on_field(row(spot), LONGEST, LONGEST) == whole.covers(polygon(spot))


# By hand


@pytest.mark.parametrize(
    ("dx", "dy", "expected"),
    [
        (1000, 0, NO_OVERLAP),
        (999, 0, SHALLOW),
        (1000, 1000, NO_OVERLAP),
        (999, 999, SHALLOW),
        (970, 0, SHALLOW),
        (969, 0, DEEP),
    ],
)
def test_squares_side_by_side(dx: int, dy: int, expected: int) -> None:
    """Two large pieces, which touch at 1000; 30 thousandths are tolerated."""
    a, b = row(Spot(5000, 5000, 0, 2, True)), row(Spot(5000 + dx, 5000 + dy, 900, 2, True))
    assert geometry.contact(a, b, 30_000) == geometry.contact(b, a, 30_000) == expected


def test_the_depth_of_a_piece_within_another() -> None:
    """A small square in the middle of a large one must go all of its way out: 500 + 281 thousandths."""
    large, small = row(Spot(0, 0, 0, 2, True)), row(Spot(0, 0, 0, 0, True))
    assert geometry.corners_of(small) == [(281, 281), (-281, 281), (-281, -281), (281, -281)]
    assert geometry.depth2(large, small) == geometry.depth2(small, large) == 781**2
    assert geometry.contact(large, small, 781_000) == SHALLOW
    assert geometry.contact(large, small, 780_999) == DEEP
    assert geometry.inches(geometry.depth2(large, small)) == 0.781


def test_the_tip_touches_a_side() -> None:
    shooter, target = row(Spot(5000, 5000, 0, 0, False)), row(Spot(6020, 5000, 0, 2, True))
    assert geometry.corners_of(shooter)[0] == (5520, 5000)
    assert not geometry.overlap(shooter, target)
    assert geometry.within(shooter, target, 1)
    assert place_of(shooter, target) == 0
    assert geometry.ray_within(shooter, target, 1)
    back = row(Spot(5000, 5000, 1800, 0, False))
    assert geometry.entry(back, row(Spot(4481 + 500, 5000, 0, 2, True))) == (0, 0), "it leaves that piece at once"


@pytest.mark.parametrize("by_ray", [False, True])
@pytest.mark.parametrize(("away", "expected"), [(1038, True), (1039, False)])
def test_range_exactly_at_the_limit(by_ray: bool, away: int, expected: bool) -> None:
    """A gap of exactly its length is out of reach (IH-11)."""
    shooter, target = Spot(5000, 5000, 0, 0, False), Spot(5520 + away + 500, 5000, 0, 2, True)
    verdict = geometry.judge_placement(rows([target]), 1, row(shooter), 0, by_ray)
    assert verdict == (NO_OVERLAP, 0, expected)


def test_ray_and_gap_measure_differently() -> None:
    """A side that the ray enters at a slant: 1200 along the ray, 848 at the nearest."""
    shooter, target = row(SHOOTER), row(Spot(6727, 5700, 450, 2, True))
    assert place_of(shooter, target) is not None
    assert geometry.in_range(shooter, target, False)
    assert not geometry.in_range(shooter, target, True)


SHOOTER = Spot(5000, 5000, 0, 0, False)
"""Its tip is at (5520, 5000), its ray runs along y = 5000."""
TARGET = Spot(8500, 5000, 0, 2, True)
"""Its left side is at x = 8000."""


def square(left: int, bottom: int) -> Spot:
    """A large standing piece with a corner there."""
    return Spot(left + 500, bottom + 500, 0, 2, True)


LEFT_OF_RAY, RIGHT_OF_RAY = 5000, 4000
SCENES_BY_HAND = {
    "nothing in the way": ([TARGET], 0),
    "a side along the left": ([TARGET, square(6000, LEFT_OF_RAY)], 0),
    "a side along the right": ([TARGET, square(6000, RIGHT_OF_RAY)], 0),
    "sides that face each other": ([TARGET, square(6000, LEFT_OF_RAY), square(6500, RIGHT_OF_RAY)], NOTHING),
    "sides that share one point": ([TARGET, square(6000, LEFT_OF_RAY), square(7000, RIGHT_OF_RAY)], NOTHING),
    "sides that share no point": ([TARGET, square(5900, LEFT_OF_RAY), square(6901, RIGHT_OF_RAY)], 0),
    "a gap of a thousandth": ([TARGET, square(6000, LEFT_OF_RAY + 1), square(6000, RIGHT_OF_RAY)], 0),
    "both on the left": ([TARGET, square(5600, LEFT_OF_RAY), square(6600, LEFT_OF_RAY)], 0),
    "two corners": ([TARGET, Spot(6500, 5707, 450, 2, True), Spot(6500, 4293, 450, 2, True)], NOTHING),
    "two corners that don't meet": ([TARGET, Spot(6500, 5707, 450, 2, True), Spot(6501, 4293, 450, 2, True)], 0),
    "a corner at a side": ([TARGET, Spot(6500, 5707, 450, 2, True), square(6000, RIGHT_OF_RAY)], NOTHING),
    "where the ray enters": ([TARGET, square(7000, LEFT_OF_RAY), square(8000, RIGHT_OF_RAY)], 0),
    "behind the target's front": ([TARGET, square(8000, LEFT_OF_RAY), square(8000, RIGHT_OF_RAY)], 0),
    "right at the tip": ([TARGET, square(4520, LEFT_OF_RAY), square(5520, RIGHT_OF_RAY)], NOTHING),
    "behind the tip": ([TARGET, square(4519, LEFT_OF_RAY), square(4519, RIGHT_OF_RAY)], 0),
    "across the line behind": ([TARGET, square(5520, LEFT_OF_RAY), Spot(4200, 5000, 0, 2, True)], 0),
    "the nearer of two": ([TARGET, Spot(7000, 5499, 0, 2, True)], 1),
    "only a graze": ([square(7000, LEFT_OF_RAY)], NOTHING),
    "empty": ([], NOTHING),
}


@pytest.mark.parametrize("name", SCENES_BY_HAND)
def test_the_target_of_a_ray(name: str) -> None:
    """Grazing doesn't count, and a wall without gaps is sealed (IH-10)."""
    others, expected = SCENES_BY_HAND[name]
    for number in range(len(others) or 1):
        turned = others[number:] + others[:number]
        field = rows([SHOOTER, *turned])
        target = turned.index(others[expected]) + 1 if expected != NOTHING else NOTHING
        assert geometry.target_of(field, len(field), 0) == target
        assert geometry.aim(field[1:], len(turned), field[0]) == (target - 1 if target > 0 else NOTHING)


def test_a_standing_piece_points_at_nothing() -> None:
    field = rows([Spot(5000, 5000, 0, 0, True), TARGET])
    assert geometry.target_of(field, 2, 0) == NOTHING
    assert geometry.judge_placement(field[1:], 1, field[0], 0, False) == (NO_OVERLAP, NOTHING, False)


def test_the_deepest_overlap_counts() -> None:
    """Some thousandths into one piece, far into another; the order makes no difference."""
    new = row(Spot(5000, 5000, 0, 2, True))
    spots = [Spot(5990, 5000, 0, 2, True), Spot(4100, 5000, 0, 2, True), TARGET]
    for field in (rows(spots), rows(spots[::-1])):
        assert geometry.judge_placement(field, 3, new, 30_000, False) == (DEEP, NOTHING, False)
        assert geometry.judge_placement(field, 3, new, 100_000, False) == (SHALLOW, NOTHING, False)


def test_pieces_beyond_the_count_are_not_there() -> None:
    field = rows([TARGET, SHOOTER])
    assert geometry.judge_placement(field, 0, field[0], 0, False) == (NO_OVERLAP, NOTHING, False)
    assert geometry.judge_placement(field, 1, field[1], 0, False)[1] == 0
    assert geometry.aim(field, 0, field[1]) == NOTHING


def test_a_row_of_zeros_is_no_piece(scenes: list[Scene]) -> None:
    for number, (shooter, others) in enumerate(scenes[:SOME]):
        field, new = rows(others), row(shooter)
        verdict = geometry.judge_placement(field, len(field), new, 30_000, False)
        hole = number % (len(field) + 1)
        holed = np.insert(field, hole, 0, axis=0)
        target = verdict[1] + (verdict[1] >= hole)
        assert geometry.judge_placement(holed, len(holed), new, 30_000, False) == (verdict[0], target, verdict[2])
        assert geometry.target_of(holed, len(holed), hole) == NOTHING


# What is shown to people


def test_the_ray_to_a_target() -> None:
    ray = geometry.trace(rows([SHOOTER, TARGET]), 2, row(SHOOTER), 24_000, 24_000)
    assert ray == geometry.Ray((5520, 5000), (8000.0, 5000.0), 1, None)
    assert ray.inches == 2.48


def test_the_ray_to_a_crack() -> None:
    field = rows([TARGET, square(6000, LEFT_OF_RAY), square(6500, RIGHT_OF_RAY)])
    ray = geometry.trace(field, 3, row(SHOOTER), 24_000, 24_000)
    assert ray == geometry.Ray((5520, 5000), (6500.0, 5000.0), None, (1, 2))


@pytest.mark.parametrize(
    ("heading", "end"), [(0, (24_000, 5000)), (900, (5000, 24_000)), (1800, (0, 5000)), (2700, (5000, 0))]
)
def test_the_ray_to_the_edge(heading: int, end: tuple[int, int]) -> None:
    shooter = row(SHOOTER._replace(heading=heading))
    ray = geometry.trace(rows([]), 0, shooter, 24_000, 24_000)
    assert (ray.end, ray.target, ray.crack) == (end, None, None)


def test_a_crack_behind_the_target_is_not_shown() -> None:
    field = rows([TARGET, square(9500, LEFT_OF_RAY), square(9500, RIGHT_OF_RAY)])
    assert geometry.trace(field, 3, row(SHOOTER), 24_000, 24_000).crack is None


def test_slanted_rays_end_where_they_enter(scenes: list[Scene]) -> None:
    for shooter, others in scenes[:500]:
        field = rows((shooter, *others))
        ray = geometry.trace(field, len(field), field[0], LONGEST, LONGEST)
        assert (NOTHING if ray.target is None else ray.target) == geometry.target_of(field, len(field), 0)
        end = shapely.Point(ray.end)
        ends_at = [ray.target] if ray.target is not None else ray.crack or ()
        assert all(polygon((shooter, *others)[index]).distance(end) < 1e-3 for index in ends_at)
        assert ends_at or shapely.box(0, 0, LONGEST, LONGEST).exterior.distance(end) < 1e-3


# In both modes


def verdicts(scenes: Sequence[Scene]) -> list[tuple[int, ...]]:
    """All that the kernels say about some scenes."""
    said = []
    for number, (shooter, others) in enumerate(scenes):
        field, new = rows(others), row(shooter)
        verdict = geometry.judge_placement(field, len(field), new, 30_000 * (number % 3), number % 2 == 0)
        crack = geometry.crack(field, len(field), new)
        each = [value for other in field for value in (*geometry.entry(new, other), geometry.contact(new, other, 1000))]
        said.append(tuple(int(value) for value in (*verdict, *crack, *each)))
    return said


def test_both_modes_agree(scenes: list[Scene], monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = verdicts(scenes[:SOME])
    monkeypatch.setattr(jit, "ALWAYS_PLAIN", True)
    assert verdicts(scenes[:SOME]) == compiled


def test_the_plain_mode_would_notice_an_overflow() -> None:
    with pytest.raises(RuntimeWarning, match="overflow"):
        np.array([2**62])[0] * 2


def in_corner(spot: Spot, at_right: bool, at_top: bool) -> Spot:
    """The piece moved into a corner of the longest field."""
    x, y = zip(*cases.corners(spot), strict=True)
    return spot.shifted(LONGEST - max(x) if at_right else -min(x), LONGEST - max(y) if at_top else -min(y))


def test_nothing_overflows_on_the_longest_field(monkeypatch: pytest.MonkeyPatch) -> None:
    """Large pieces in all corners of the longest field, turned all ways: NumPy would warn of any overflow."""
    monkeypatch.setattr(jit, "ALWAYS_PLAIN", True)
    targets = set()
    for heading in range(0, 3600, 15):
        spots = [
            in_corner(Spot(0, 0, (heading + turn) % 3600, 2, standing), at_right, at_top)
            for at_right in (False, True)
            for at_top in (False, True)
            for turn, standing in ((0, False), (450, True))
        ]
        field = rows(spots)
        assert all(geometry.on_field(words, LONGEST, LONGEST) for words in field)
        for me in range(0, len(field), 2):
            for other in range(len(field)):
                geometry.contact(field[me], field[other], LARGEST_TOLERANCE)
                geometry.near_side(field[me], field[other], LONGEST)
                geometry.ray_within(field[me], field[other], 2000)
            geometry.crack(field, len(field), field[me])
            targets.add((me, int(geometry.target_of(field, len(field), me))))
    assert {(0, 6), (0, 7), (6, 0), (6, 1)} & targets, "some point from corner to corner"


def test_a_ray_across_the_longest_field() -> None:
    """From corner to corner, past two pieces that just leave it free, or just seal it."""
    shooter = Spot(1000, 1000, 450, 2, False)
    (x, y), *_ = cases.corners(shooter)
    assert x == y
    target = Spot(LONGEST - 600, LONGEST - 600, 0, 2, True)
    middle = LONGEST // 2
    left, right = Spot(middle - 500, middle + 500, 0, 2, True), Spot(middle + 500, middle - 500, 0, 2, True)
    assert geometry.target_of(rows([shooter, target, left]), 3, 0) == 1
    assert geometry.target_of(rows([shooter, target, left, right]), 4, 0) == NOTHING
    assert geometry.target_of(rows([shooter, target, left, right.shifted(1, 1)]), 4, 0) == 1


# What must hold everywhere

SPOTS = st.builds(
    Spot, st.integers(-2000, 2000), st.integers(-2000, 2000), st.integers(0, 3599), st.integers(0, 2), st.booleans()
)
LYING = SPOTS.map(lambda spot: spot._replace(standing=False))
LARGEST_TOLERANCE = 1_000_000
"""In millionths of an inch: the bounds of the geometry allow no more."""
TOLERANCES = st.integers(0, LARGEST_TOLERANCE)
LENGTHS = st.integers(1, 2000)


def transformed(words: Ints, xx: int, xy: int, yx: int, yy: int) -> Ints:
    """The row of a piece turned by a quarter or mirrored: exact, unlike what the formula would make of it."""
    lying = words[geometry.CORNERS] == geometry.LYING
    ends = [(xx * x + xy * y, yx * x + yy * y) for x, y in geometry.corners_of(words)]
    if xx * yy - xy * yx < 0:
        ends = [ends[0], *ends[:0:-1]]
    out = words.copy()
    out[: 2 * len(ends)] = np.array(ends).ravel()
    c, s = words[geometry.DIRECTION_X], words[geometry.DIRECTION_Y]
    out[geometry.DIRECTION_X], out[geometry.DIRECTION_Y] = xx * c + xy * s, yx * c + yy * s
    x, y = zip(*ends, strict=True)
    out[geometry.LEFT : geometry.TOP + 1] = min(x), min(y), max(x), max(y)
    assert len(ends) == (3 if lying else 4)
    return out


@given(SPOTS, SPOTS, TOLERANCES, LENGTHS)
def test_pairs_are_symmetric(a: Spot, b: Spot, tolerance: int, length: int) -> None:
    one, other = row(a), row(b)
    assert geometry.contact(one, other, tolerance) == geometry.contact(other, one, tolerance)
    assert geometry.within(one, other, length) == geometry.within(other, one, length)
    assert geometry.depth2(one, other) == geometry.depth2(other, one)
    assert geometry.gap2(one, other) == geometry.gap2(other, one)


@given(SPOTS)
def test_a_piece_overlaps_itself(spot: Spot) -> None:
    assert geometry.contact(row(spot), row(spot), 200_000) == DEEP
    assert geometry.gap2(row(spot), row(spot)) == 0


@given(SPOTS, SPOTS, TOLERANCES)
def test_depth_and_contact_say_the_same(a: Spot, b: Spot, tolerance: int) -> None:
    one, other = row(a), row(b)
    depth = geometry.depth2(one, other)
    assert geometry.contact(one, other, tolerance) == (depth > 0) + (depth > Fraction(tolerance, 1000) ** 2)
    assert depth == 0 or geometry.gap2(one, other) == 0


@given(SPOTS, SPOTS, LENGTHS)
def test_gap_and_within_say_the_same(a: Spot, b: Spot, length: int) -> None:
    assert geometry.within(row(a), row(b), length) == (geometry.gap2(row(a), row(b)) < length**2)


@given(LYING, st.lists(SPOTS, max_size=6), st.integers(-(10**5), 10**5), st.integers(-(10**5), 10**5), st.booleans())
def test_where_on_the_field_makes_no_difference(
    shooter: Spot, others: list[Spot], dx: int, dy: int, by_ray: bool
) -> None:
    here = geometry.judge_placement(rows(others), len(others), row(shooter), 30_000, by_ray)
    shifted = rows([other.shifted(dx, dy) for other in others])
    assert geometry.judge_placement(shifted, len(others), row(shooter.shifted(dx, dy)), 30_000, by_ray) == here


@pytest.mark.parametrize("matrix", [(0, -1, 1, 0), (-1, 0, 0, 1), (0, 1, 1, 0)], ids=["turn", "mirror", "swap axes"])
@given(index=st.integers(0, SOME - 1), by_ray=st.booleans())
def test_turning_and_mirroring_make_no_difference(
    scenes: list[Scene], matrix: tuple[int, int, int, int], index: int, by_ray: bool
) -> None:
    shooter, others = scenes[index]
    field, new = rows(others), row(shooter)
    other_field = np.array([transformed(words, *matrix) for words in field])
    other_new = transformed(new, *matrix)
    for tolerance in (0, 30_000):
        here = geometry.judge_placement(field, len(field), new, tolerance, by_ray)
        assert geometry.judge_placement(other_field, len(field), other_new, tolerance, by_ray) == here
    assert geometry.aim(field, len(field), new) == geometry.aim(other_field, len(field), other_new)


@given(LYING, st.lists(SPOTS, min_size=1, max_size=6), st.integers(0, 5))
def test_a_line_that_misses_a_piece_doesnt_feel_it(shooter: Spot, others: list[Spot], index: int) -> None:
    """By `side_of_line` only the rays of the others need to be looked at again when a piece comes or goes."""
    field, new = rows(others), row(shooter)
    assume(index < len(others) and geometry.side_of_line(new, field[index]) == geometry.MISSES)
    target = geometry.aim(field, len(field), new)
    without = geometry.aim(np.delete(field, index, axis=0), len(field) - 1, new)
    assert target == without + (without >= index)


@given(st.integers(0, 3599), st.integers(1, 1_888_000_000), LENGTHS, st.integers(-3000, 3000))
def test_nearer_is_exact_near_the_limit(heading: int, below: int, length: int, off: int) -> None:
    """As near to the limit as fractions of this size can come."""
    shooter = row(Spot(0, 0, heading, 0, False))
    c, s = oracle.direction(heading)
    limit = math.isqrt(length**2 * below**2 // (c * c + s * s))
    for above in (limit, limit + 1, max(0, limit + off)):
        expected = Fraction(above, below) ** 2 * (c * c + s * s) < length**2
        assert geometry.nearer(shooter, above, below, length) == expected


# For other languages


def test_the_vectors_are_fresh() -> None:
    assert vectors.FILE.read_text(encoding="utf-8") == vectors.text(), "run python -m tests.vectors.geometry"


def spots_of(listed: Sequence[Sequence[Any]]) -> list[Spot]:
    return [Spot(*spot) for spot in listed]


def test_the_vectors_hold() -> None:
    told = json.loads(vectors.FILE.read_text(encoding="utf-8"))
    for case in told["footprints"]:
        words = row(Spot(*case["piece"]), np.array(told["lengths"][case["length"]], np.int64))
        assert geometry.corners_of(words) == [tuple(corner) for corner in case["corners"]]
        assert words[[geometry.DIRECTION_X, geometry.DIRECTION_Y]].tolist() == case["direction"]
        assert geometry.on_field(words, *case["field"]) == case["on_field"]
    for case in told["overlaps"]:
        a, b = rows(spots_of(case["pieces"]))
        assert geometry.contact(a, b, case["tolerance"]) == case["contact"]
        assert geometry.within(a, b, case["length"]) == case["within"]
        assert [geometry.depth2(a, b), geometry.gap2(a, b)] == [Fraction(case["depth2"]), Fraction(case["gap2"])]
    for case in told["rays"]:
        shooter, field = row(Spot(*case["piece"])), rows(spots_of(case["others"]))
        assert geometry.aim(field, len(field), shooter) == case["target"]
        places = [None if place is None else Fraction(place) for place in case["entries"]]
        assert [place_of(shooter, other) for other in field] == places
    for case in told["verdicts"]:
        shooter, field = row(Spot(*case["piece"])), rows(spots_of(case["others"]))
        verdict = geometry.judge_placement(field, len(field), shooter, case["tolerance"], case["by_ray"])
        assert list(verdict) == [case["contact"], case["target"], case["in_range"]]
