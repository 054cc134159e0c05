"""The exact geometry against values worked out by hand, and against shapely where rounding does not matter."""

import math
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from .geometry_oracle import (
    LENGTHS,
    Polygon,
    Sight,
    cross,
    depth_squared,
    direction,
    gap_squared,
    is_on_field,
    look,
    sides,
    square,
    triangle,
)

BOX = square(5000, 5000, 0, "L")
"""From 4500 to 5500 both ways."""


@pytest.mark.rule("IH-5")
def test_ih_5_directions() -> None:
    """sin 30° is a half; sin 0.1° is 0.0017453…, cos 0.1° is 0.99999847…; sin 45° is 0.70710678…"""
    assert direction(0) == (1_000_000, 0)
    assert direction(900) == (0, 1_000_000)
    assert direction(1800) == (-1_000_000, 0)
    assert direction(2700) == (0, -1_000_000)
    assert direction(300) == (866_025, 500_000)
    assert direction(2100) == (-866_025, -500_000)
    assert direction(1) == (999_998, 1_745)
    assert direction(450) == (707_107, 707_107)


@pytest.mark.rule("IH-5")
def test_ih_5_no_direction_is_near_a_half() -> None:
    """So that the errors of floating point, of about 10⁻¹⁰, can't turn the rounding."""
    for tenths in range(3600):
        sine = 1_000_000 * math.sin(math.radians(tenths / 10))
        assert abs(sine - math.floor(sine) - 0.5) > 1e-6


@pytest.mark.rule("IH-5")
def test_ih_5_squares() -> None:
    """Halves of the bases: 500 exactly; 390.625, rounded 391; 281.25, rounded 281."""
    assert square(0, 0, 0, "L") == ((500, 500), (-500, 500), (-500, -500), (500, -500))
    assert square(0, 0, 0, "M") == ((391, 391), (-391, 391), (-391, -391), (391, -391))
    assert square(7, 9, 0, "S") == ((288, 290), (-274, 290), (-274, -272), (288, -272))


@pytest.mark.rule("IH-5")
def test_ih_5_a_turned_square() -> None:
    """45°: 2 · 4000 · 707107 / 8·10⁶ = 707.107. 0.1°: 4000 · (999998 ∓ 1745) / 8·10⁶ is 499.13 and 500.87."""
    assert square(0, 0, 450, "L") == ((0, 707), (-707, 0), (0, -707), (707, 0))
    assert square(0, 0, 1, "L") == ((499, 501), (-501, 499), (-499, -501), (501, -499))


@pytest.mark.rule("IH-5")
def test_ih_5_triangles_round_halves_up() -> None:
    """Half of 1429 is 714.5, which is 715 at the tip, and -714.5 is -714 at the base; turned round it is the tip's."""
    assert triangle(0, 0, 0, "M", 1429) == ((715, 0), (-714, 391), (-714, -391))
    assert triangle(0, 0, 1800, "M", 1429) == ((-714, 0), (715, -391), (715, 391))
    assert triangle(0, 0, 900, "M", 1429) == ((0, 715), (-391, -714), (391, -714))
    assert triangle(0, 0, 0, "L", 1820) == ((910, 0), (-910, 500), (-910, -500))
    assert triangle(0, 0, 2700, "S", 1039) == ((0, -519), (281, 520), (-281, 520))
    assert triangle(0, 0, 0, "S", 1000) == ((500, 0), (-500, 281), (-500, -281))


@pytest.mark.rule("IH-4")
def test_ih_4_lengths() -> None:
    """The face of a pyramid: the hypotenuse of its height and half its base."""
    for size, (base, height) in {"S": (562.5, 1000), "M": (781.25, 1375), "L": (1000, 1750)}.items():
        assert LENGTHS["height"][size] == height
        assert LENGTHS["face"][size] == round(math.hypot(height, base / 2))


def test_footprints_are_convex_and_counter_clockwise() -> None:
    small = (
        polygon for tenths in range(3600) for polygon in (square(3, 4, tenths, "S"), triangle(3, 4, tenths, "S", 1000))
    )
    for polygon in small:
        corners = polygon + polygon[:2]
        for first, second, third in zip(corners, corners[1:], corners[2:], strict=False):
            assert cross((second[0] - first[0], second[1] - first[1]), (third[0] - first[0], third[1] - first[1])) > 0


@pytest.mark.parametrize(("x", "y", "fits"), [(500, 500, True), (499, 500, False), (500, 499, False)])
@pytest.mark.rule("IH-5")
def test_ih_5_edges_may_touch(x: int, y: int, fits: bool) -> None:
    assert is_on_field(square(x, y, 0, "L"), Fraction(6000), Fraction(7000)) is fits
    assert is_on_field(square(6000 - x, 7000 - y, 0, "L"), Fraction(6000), Fraction(7000)) is fits


@pytest.mark.rule("IH-30")
def test_ih_30_depth_of_boxes() -> None:
    """They overlap 31 by 1000, and the least shift is 31; then 400 by 300."""
    assert depth_squared(BOX, square(5969, 5000, 0, "L")) == 31**2
    assert depth_squared(BOX, square(5600, 5700, 0, "L")) == 300**2
    assert depth_squared(BOX, BOX) == 1000**2


@pytest.mark.rule("IH-30")
def test_ih_30_depth_of_a_corner_is_slanting() -> None:
    """The left corner of a square turned by 45° is at 5480, 20 inside the box: straight out is the least shift.

    With its lower left side (x + y = 9980) cutting off the box's corner at 10000, the depth is 20 / √2.
    """
    assert depth_squared(BOX, square(5480 + 707, 5000, 450, "L")) == 20**2
    turned = square(5353 + 500, 5354 + 500 - 20, 450, "L")
    assert turned[1] == (5853 - 707, 5834)
    assert turned[2] == (5853, 5834 - 707)
    assert depth_squared(BOX, turned) == Fraction(20**2, 2)


@pytest.mark.rule("IH-5")
def test_ih_5_touching_is_not_overlapping() -> None:
    assert depth_squared(BOX, square(6000, 5000, 0, "L")) == 0
    assert depth_squared(BOX, square(6000, 6000, 0, "L")) == 0
    assert depth_squared(BOX, square(5500 + 707, 5000, 450, "L")) == 0
    assert depth_squared(BOX, square(5999, 5999, 0, "L")) == 1


@pytest.mark.rule("IH-11")
def test_ih_11_gaps() -> None:
    """Side to side 300; corner to corner 3, 4 and 5; side to the corner of a turned square 93."""
    assert gap_squared(BOX, square(6300, 5200, 0, "L")) == 300**2
    assert gap_squared(BOX, square(6003, 6004, 0, "L")) == 25
    assert gap_squared(square(6300, 5000, 450, "L"), BOX) == 93**2
    assert gap_squared(BOX, square(6000, 5000, 0, "L")) == 0
    assert gap_squared(BOX, square(5100, 5000, 0, "L")) == 0


@pytest.mark.rule("IH-11")
def test_ih_11_gap_to_a_slanting_side() -> None:
    """The corner (5500, 5500) lies 200 / √2 from the line x + y = 11200."""
    turned = square(6000, 5907, 450, "L")
    assert turned[1:3] == ((5293, 5907), (6000, 5200))
    assert gap_squared(BOX, turned) == Fraction(200**2, 2)


START = (0, 5000)
EAST = (1_000_000, 0)


def at(thousandths: int) -> Fraction:
    """A place on a ray to the east."""
    return Fraction(thousandths, 1_000_000)


@pytest.mark.rule("IH-10")
def test_ih_10_the_first_entered() -> None:
    far = square(9000, 5000, 0, "L")
    assert look(START, EAST, [far, BOX]) == Sight(1, at(4500))
    assert look(START, EAST, [far]) == Sight(0, at(8500))
    assert look(START, (-1_000_000, 0), [far, BOX]) == Sight(None, None)


@pytest.mark.rule("IH-10")
def test_ih_10_grazing_does_not_count() -> None:
    """A side along the ray, a corner on it, on either side; one thousandth further it is entered."""
    for grazed in (square(3000, 5500, 0, "L"), square(3000, 4500, 0, "L"), square(3000, 5707, 450, "L")):
        assert look(START, EAST, [BOX, grazed]) == Sight(0, at(4500))
    assert look(START, EAST, [BOX, square(3000, 5499, 0, "L")]) == Sight(1, at(2500))
    assert look(START, EAST, [BOX, square(3000, 5706, 450, "L")]) == Sight(1, at(2999))


@pytest.mark.parametrize(
    ("right", "sees"),
    [
        (square(3000, 4500, 0, "L"), Sight(None, at(2500))),
        (square(3000, 4499, 0, "L"), Sight(0, at(4500))),
        (square(3300, 4500, 0, "L"), Sight(None, at(2800))),
        (square(4000, 4500, 0, "L"), Sight(None, at(3500))),
        (square(4001, 4500, 0, "L"), Sight(0, at(4500))),
        (square(3100, 4293, 450, "L"), Sight(None, at(3100))),
        (square(3501, 4293, 450, "L"), Sight(0, at(4500))),
    ],
    ids=["side by side", "a gap", "shifted", "one corner", "no common point", "a corner", "corner apart"],
)
@pytest.mark.rule("IH-10")
def test_ih_10_sealed_cracks(right: Polygon, sees: Sight) -> None:
    """On the left is a piece whose lower side lies on the ray from 2500 to 3500."""
    assert look(START, EAST, [BOX, square(3000, 5500, 0, "L"), right]) == sees


@pytest.mark.rule("IH-10")
def test_ih_10_entering_off_the_middle() -> None:
    """From its middle to a corner it is 2 · 2250 · 707107 / 8·10⁶ = 397.75, so 398; the ray is 100 below the middle."""
    assert look(START, EAST, [square(3100, 5100, 450, "S")]) == Sight(0, at(3100 - 398 + 100))


@pytest.mark.rule("IH-10")
def test_ih_10_two_on_the_same_side_seal_nothing() -> None:
    left = [square(3000, 5707, 450, "L"), square(3000, 5500, 0, "L")]
    assert look(START, EAST, [BOX, *left]) == Sight(0, at(4500))


@pytest.mark.rule("IH-10")
def test_ih_10_touching_both_where_a_third_is_entered_does_not_seal() -> None:
    """Three squares turned by 45°: corners of all three are at (3000, 5000)."""
    left, right = square(3000, 5707, 450, "L"), square(3000, 4293, 450, "L")
    third = square(3707, 5000, 450, "L")
    assert depth_squared(left, third) == depth_squared(right, third) == 0
    assert look(START, EAST, [left, right, third]) == Sight(2, at(3000))
    assert look(START, EAST, [left, right, BOX]) == Sight(None, at(3000))


@pytest.mark.rule("IH-10")
def test_ih_10_behind_an_entered_piece_nothing_is_sealed() -> None:
    left, right = square(8000, 5707, 450, "L"), square(8000, 4293, 450, "L")
    assert look(START, EAST, [left, right, BOX]) == Sight(2, at(4500))


@pytest.mark.rule("IH-10")
def test_ih_10_the_start_belongs_to_the_ray() -> None:
    """Two that touch one another at the tip seal it; one that has the tip on its side is entered at once."""
    left, right = square(0, 5707, 450, "L"), square(0, 4293, 450, "L")
    assert look(START, EAST, [left, right, BOX]) == Sight(None, at(0))
    assert look(START, EAST, [left, square(500, 5000, 0, "L")]) == Sight(1, at(0))


@pytest.mark.rule("IH-10")
def test_ih_10_what_ends_at_the_start_is_not_entered() -> None:
    assert look((5500, 5000), EAST, [BOX]) == Sight(None, None)
    assert look((5499, 5000), EAST, [BOX]) == Sight(0, at(0))


def test_a_polygon_has_as_many_sides_as_corners() -> None:
    assert list(sides(((0, 0), (2, 0), (0, 1)))) == [((0, 0), (2, 0)), ((2, 0), (0, 1)), ((0, 1), (0, 0))]


@pytest.fixture(scope="module")
def shapely() -> Any:
    return pytest.importorskip("shapely")


def random_polygon(random: Random) -> Polygon:
    x, y, tenths, size = random.randint(0, 3000), random.randint(0, 3000), random.randrange(3600), random.choice("SML")
    return random.choice([square(x, y, tenths, size), triangle(x, y, tenths, size, LENGTHS["face"][size])])


def test_depths_and_gaps_agree_with_shapely(shapely: Any) -> None:
    """The depth is the distance from the origin to the outline of all differences of points of the two."""
    random = Random(1)
    meetings = 0
    for _ in range(2000):
        one, other = random_polygon(random), random_polygon(random)
        drawn, drawn_other = shapely.Polygon(one), shapely.Polygon(other)
        differences = shapely.MultiPoint([(ax - bx, ay - by) for ax, ay in one for bx, by in other]).convex_hull
        origin = shapely.Point(0, 0)
        depth = differences.exterior.distance(origin) if differences.contains(origin) else 0
        meetings += depth > 0
        assert math.sqrt(depth_squared(one, other)) == pytest.approx(depth, abs=1e-6)
        assert math.sqrt(gap_squared(one, other)) == pytest.approx(drawn.distance(drawn_other), abs=1e-6)
    assert 500 < meetings < 1500


def test_rays_agree_with_shapely(shapely: Any) -> None:
    random = Random(2)
    seen = 0
    for _ in range(2000):
        polygons = [random_polygon(random) for _ in range(4)]
        start, ray = (random.randint(-5000, 5000), random.randint(-5000, 5000)), direction(random.randrange(3600))
        far = (start[0] + ray[0], start[1] + ray[1])
        line, origin = shapely.LineString([start, far]), shapely.Point(start)
        met = {index: shapely.Polygon(polygon).intersection(line) for index, polygon in enumerate(polygons)}
        entered = {index: chord.distance(origin) for index, chord in met.items() if chord.length > 1}
        sight = look(start, ray, polygons)
        if sight.target is None:
            assert not entered
            continue
        assert sight.place is not None
        seen += 1
        distance = float(sight.place) * math.hypot(*ray)
        if met[sight.target].length > 1:
            assert min(entered.values()) == pytest.approx(distance, abs=1e-4)
    assert seen > 300
