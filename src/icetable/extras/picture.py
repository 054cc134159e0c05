"""Boards as small, self-contained SVG files, for light and dark screens: from above, and from the side as on the pages.

Lengths are in 64ths of an inch; the y axis points down. Colours are those of the web pages. A file linked with the
fragment LIGHT (`picture.svg#light`) is always light; otherwise it follows the screen.
"""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Point = tuple[float, float]
LIGHT = "light"
DARK_SCREENS = "@media (prefers-color-scheme: dark)"
UNLESS_LIGHT = "svg:not(:target)"
"""The prefix of selectors for dark screens."""
Tone = str | tuple[str, str]
"""A colour, or one for light and one for dark screens."""
BASE = {"S": 36, "M": 50, "L": 64}
PIPS = {"S": 1, "M": 2, "L": 3}
SIZE_NAMES = {"S": "small", "M": "medium", "L": "large"}
PITCH = 80
"""The distance between the centres of neighbouring squares."""
TILE = 75
RIM = 16
"""The margin of the ground around the tiles of a square board."""
MAX_LEAN, MAX_SPREAD = 7.5, 16.0
"""Maximum offset between adjacent pyramids of a stack, and between its outermost ones."""
LETTERS = "system-ui, sans-serif"
BOARD: dict[str, dict[str, Tone]] = {
    "water": {"fill": ("#b9d7ea", "#040b14"), "stroke": ("#93b9d3", "#223a56")},
    "edge": {"fill": ("#93b9d3", "#223a56")},
    "space": {"fill": ("#e6f2f9", "#40638b"), "stroke": ("#8fb3cb", "#1d334d")},
    "die": {"fill": "#ffffff", "stroke": ("#8ea0b8", "#7c8ca6")},
    "ink": {"fill": "#17233a"},
}
"""The tones of a board's parts, by class."""
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
LIGHT_FROM = (-0.56, 0.37, 0.74)
"""The direction that the light of a picture from the side comes from."""
MARK_RADIUS, PIP_RADIUS, LABEL_HEIGHT = 5.4, 2.6, 7.6
Vector = tuple[float, float, float]


def number(value: float) -> str:
    """A coordinate as a short text."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def listed(points: Sequence[Point]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def written(attributes: Mapping[str, str | float]) -> str:
    """Attributes; `stroke_width` is written stroke-width, `class_` class."""
    texts = {name: value if isinstance(value, str) else number(value) for name, value in attributes.items()}
    return "".join(f' {name.rstrip("_").replace("_", "-")}="{value}"' for name, value in texts.items())


def polygon(points: Sequence[Point], **attributes: str | float) -> str:
    return f'<polygon points="{listed(points)}"{written(attributes)}/>'


def line(start: Point, end: Point, **attributes: str | float) -> str:
    ends = {"x1": start[0], "y1": start[1], "x2": end[0], "y2": end[1]}
    return f"<line{written(ends)}{written(attributes)}/>"


def circle(centre: Point, radius: float, **attributes: str | float) -> str:
    x, y = centre
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"{written(attributes)}/>'


def square(centre: Point, side: float, round_: float = 0, **attributes: str | float) -> str:
    """A square, optionally with rounded corners."""
    corner = {"x": centre[0] - side / 2, "y": centre[1] - side / 2, "width": side, "height": side}
    return f"<rect{written(corner)}{written({'rx': round_} if round_ else {})}{written(attributes)}/>"


def text(place: Point, words: str, **attributes: str | float) -> str:
    """A line of text."""
    x, y = place
    return f'<text x="{number(x)}" y="{number(y)}"{written(attributes)}>{escape(words)}</text>'


def document(title: str, box: Sequence[float], style: str, body: Iterable[str]) -> str:
    """A complete SVG file. `box`: left, top, width and height."""
    view_box = " ".join(map(number, box))
    size = written({"width": box[2], "height": box[3]})  # without it some browsers can't draw the file on a canvas
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" id="{LIGHT}" viewBox="{view_box}"{size} role="img">',
            f"<title>{escape(title)}</title>",
            f"<style>{style}</style>",
            *body,
            "</svg>",
            "",
        ]
    )


if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


SIDES = "".join(
    f'<path d="M{path}L0 0Z" fill="{tint}" fill-opacity="{strength}"/>'
    for path, tint, strength in (
        ("-1-1H1", "#fff", 0.34),
        ("-1 1V-1", "#fff", 0.16),
        ("1-1V1", "#000", 0.1),
        ("1 1H-1", "#000", 0.2),
    )
)
"""The shading of the sides of a pyramid whose base extends from -1 to 1."""


class Glass(NamedTuple):
    """The tones of a pyramid."""

    body: Tone
    """The tone of its body."""
    rim: Tone
    """The tone of its outline."""
    mark: Tone
    """The tone of its marks."""


GLASS = {
    "red": Glass("#db2c49", "#ff9fa7", "#ffffff"),
    "green": Glass("#1ea873", "#98f0c8", "#ffffff"),
    "blue": Glass("#2e6dea", "#a4caff", "#ffffff"),
    "yellow": Glass("#f6b91c", "#fff0a3", "#382300"),
    "cyan": Glass("#27c3dc", "#c2f7fc", "#04303d"),
    "orange": Glass("#f4791c", "#ffcb96", "#321200"),
    "purple": Glass("#8b4fe2", "#d5b8ff", "#ffffff"),
    "white": Glass(("#d9e3ee", "#e4ebf4"), ("#7f96b4", "#ffffff"), "#22324a"),
    "black": Glass("#3a4252", ("#8892a8", "#c9d1e0"), "#ffffff"),
    "clear": Glass(
        ("rgb(150 190 218 / 42%)", "rgb(206 228 246 / 34%)"), ("#5f8fb5", "#e8f4ff"), ("#22324a", "#ffffff")
    ),
}


class Piece(NamedTuple):
    """A pyramid."""

    size: str
    """"S", "M" or "L"."""
    colour: str
    """The name of its colour."""
    mark: str | None = None
    """The colour whose mark it has; None: its own."""

    @property
    def words(self) -> str:
        """Size and colour, such as "large red"."""
        return f"{SIZE_NAMES[self.size]} {self.colour}"


class Picture:
    """A picture being drawn; the last element is on top."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._shapes: dict[str, str] = {}
        """Shapes that are reused, by id."""
        self._colours: dict[str, None] = {}
        self._body: list[str] = []

    def add(self, *elements: str) -> None:
        self._body += elements

    def paint(self, colour: str) -> str:
        """The CSS class that fills with a colour; adds its style to the picture."""
        self._colours[colour] = None
        return colour

    def use(self, shape: str, drawn: str, place: Point) -> str:
        """A reference to a shape around the origin, moved to a place."""
        self._shapes.setdefault(shape, drawn)
        moved = {name: value for name, value in zip("xy", place, strict=True) if value}
        return f'<use href="#{shape}"{written(moved)}/>'

    def squares(self, places: Sequence[Point]) -> list[str]:
        """The ground and the tiles of a square board."""
        left, top, right, bottom = bounds(places)
        edge = PITCH / 2 + RIM
        size = {"width": right - left + 2 * edge, "height": bottom - top + 2 * edge}
        tile = square((0, 0), TILE, 9, class_="space")
        return [
            f'<rect class="water"{written({"x": left - edge, "y": top - edge, **size, "rx": 20})}/>',
            *(self.use("tile", tile, place) for place in places),
        ]

    def stack(self, where: str, place: Point, pieces: Sequence[Piece], hidden: int = 0) -> None:
        """Draw pyramids on a space, from bottom to top, above `hidden` others that the viewer can't see."""
        seen = [
            piece
            for index, piece in enumerate(pieces)
            if all(BASE[above.size] <= BASE[piece.size] for above in pieces[index + 1 :])
        ]
        lean = min(MAX_LEAN, MAX_SPREAD / max(1, len(seen) - 1))
        beneath = len(pieces) + hidden - 1
        words = f"{pieces[-1].words}{f' on {beneath} more' if beneath else ''}"
        self.add(f"<g><title>{escape(f'{where}: {words}')}</title>")
        for index, piece in enumerate(seen):
            up = (index - (len(seen) - 1) / 2) * lean
            self.add(self._pyramid(piece, (place[0], place[1] - up), topmost=index == len(seen) - 1))
        if len(seen) <= beneath:
            self._count((place[0] + 26, place[1] - 26), beneath + 1)
        self.add("</g>")

    def _pyramid(self, piece: Piece, place: Point, topmost: bool) -> str:
        """A pyramid from above: its sides, the mark of its owner, and its pips; on its edge if it is covered."""
        size, colour, mark = piece.size, piece.colour, piece.mark or piece.colour
        half = BASE[size] / 2
        radius, edge, aside = (2.7, 5.2, 0.0) if topmost else (1.9, 4.1, 7.0)
        row = [(index - (PIPS[size] - 1) / 2) * radius * 2.75 for index in range(PIPS[size])]
        pips = "".join(circle((along + aside, half - edge), radius) for along in row)
        under = "" if topmost else "-under"
        parts = [
            square((0, 0), 2 * half, class_=self.paint(colour)),
            self._scaled("sides", SIDES, (0, 0), half),
            f'<g class="{colour}-mark">',
            self._mark(mark, (0, 0), 6.4) if topmost else self._mark(mark, (row[0] - 7, half - edge), 2.9),
            self.use(f"{size}{under}", pips, (0, 0)),
            "</g>",
        ]
        return self.use(f"{size}-{colour}-{mark}{under}", "".join(parts), place)

    def _mark(self, colour: str, place: Point, radius: float) -> str:
        path = f'<path d="{MARKS[colour]}" fill-rule="evenodd"/>'
        return self._scaled(f"mark-{colour}", path, place, radius)

    def _scaled(self, shape: str, drawn: str, place: Point, scale: float) -> str:
        self._shapes.setdefault(shape, drawn)
        moved = f"translate({number(place[0])} {number(place[1])}) " if any(place) else ""
        return f'<use href="#{shape}" transform="{moved}scale({number(scale)})"/>'

    def _count(self, place: Point, count: int) -> None:
        self.add(self.use("count", circle((0, 0), 12, class_="die"), place))
        self.add(text((place[0], place[1] + 5.5), str(count), class_="ink", font_size=16))

    def die(self, where: str, place: Point, colour: str, name: str, face: int) -> None:
        """Draw a four-sided die and its number."""
        x, y = place
        corners = [
            (x + 38 * math.cos(turn), y + 4 + 38 * math.sin(turn))
            for turn in (math.pi / 6, 5 * math.pi / 6, -math.pi / 2)
        ]
        self.add(f"<g><title>{escape(f'{where}: {colour} {name}, {face}')}</title>")
        self.add(polygon(corners, class_=self.paint(colour), stroke_linejoin="round", stroke_width=2))
        for index, light in enumerate((-0.2, 0.24, -0.08)):
            sides = [corners[index], corners[(index + 1) % 3], (x, y + 4)]
            self.add(polygon(sides, fill="#fff" if light > 0 else "#000", fill_opacity=abs(light)))
        self.add(f'<g class="{colour}-mark">', self._mark(colour, (x, y + 18), 3.2))
        self.add(text((x, y + 9), str(face), font_size=26), "</g></g>")

    def lie(self, where: str, place: Point, size: str, heading: float, colour: str) -> None:
        """Draw a lying pyramid; `heading` in degrees counter-clockwise from the right."""
        half = {"S": 20, "M": 27, "L": 34}[size]
        shape = polygon([(half, 0.0), (-half, -half * 0.6), (-half, half * 0.6)], class_=self.paint(colour))
        turn = f"translate({place[0]:g} {place[1]:g}) rotate({-heading:g})"
        self.add(f'<g transform="{turn}"><title>{escape(where)}</title>{shape}</g>')

    def token(self, place: Point, letters: str, colour: str) -> None:
        """Draw a piece that is no pyramid, with its letters."""
        self.add(circle(place, 20, class_=self.paint(colour)), text(place, letters, class_="ink"))

    def number(self, place: Point, value: int | str, owner: str | None) -> None:
        """Draw a rolled number, or another short text, in its owner's colour if it has one."""
        around = self.paint(owner) if owner else "die"
        self.add(self.use(f"number-{around}", square((0, 0), 30, 6, class_=around), place))
        size = 12 if len(str(value)) > 3 else 17
        ink = f"{owner}-mark" if owner else "ink"
        self.add(text((place[0], place[1] + size * 0.36), str(value), class_=ink, font_size=size))

    def svg(self, box: Sequence[float]) -> str:
        """The SVG file. `box`: left, top, width and height."""
        shapes = (f'<g id="{name}">{drawn}</g>' for name, drawn in self._shapes.items())
        return document(self._title, box, self._style(), ["<defs>", *shapes, "</defs>", *self._body])

    def _style(self) -> str:
        """The style sheet. Tones for dark screens are variables, because only variables apply within `<use>`."""
        rules, dark = [f"text {{ font: 800 16px {LETTERS}; text-anchor: middle }}"], []
        tones = dict(BOARD)
        for colour in self._colours:
            body, rim, mark = GLASS[colour]
            tones |= {colour: {"fill": body, "stroke": rim}, f"{colour}-mark": {"fill": mark}}
        for name, by_attribute in tones.items():
            for attribute, tone in by_attribute.items():
                light, other = (tone, None) if isinstance(tone, str) else tone
                rules.append(f".{name} {{ {attribute}: {light} }}")
                if other is not None:
                    variable = f"--{name}-{attribute}"
                    rules.append(f".{name} {{ {attribute}: var({variable}, {light}) }}")
                    dark.append(f"{variable}: {other};")
        return "\n".join(["", *rules, f"{DARK_SCREENS} {{ {UNLESS_LIGHT} {{", *dark, "} }", ""])


def place_of(space: Mapping[str, float]) -> Point:
    """The centre of a square, by its file and rank."""
    return PITCH * space["x"], -PITCH * space["y"]


def bounds(places: Sequence[Point]) -> tuple[float, float, float, float]:
    """The bounding box of some places: left, top, right, bottom."""
    xs, ys = zip(*places, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def frame(places: Sequence[Point], margin: float) -> tuple[float, float, float, float]:
    """The box around some places with a margin: left, top, width, height."""
    left, top, right, bottom = bounds(places)
    return left - margin, top - margin, right - left + 2 * margin, bottom - top + 2 * margin


# The marks of the colours, about as large as a circle of radius 1
def _at(degrees: float, radius: float) -> str:
    turn = math.radians(degrees)
    return f"{number(radius * math.cos(turn))} {number(radius * math.sin(turn))}"


def _regular(degrees: Iterable[float], radius: float) -> str:
    return f"M{'L'.join(_at(one, radius) for one in degrees)}Z"


def _ring(radius: float) -> str:
    r = number(radius)
    return f"M-{r} 0A{r} {r} 0 1 1 {r} 0A{r} {r} 0 1 1 -{r} 0Z"


MARKS = {
    "red": _ring(0.9),
    "green": _regular((-90, 30, 150), 1.2),
    "blue": _regular((-90, 0, 90, 180), 1.15),
    "yellow": "M-.8-.8H.8V.8H-.8Z",
    "cyan": _regular(range(0, 360, 60), 1),
    "orange": f"M{'L'.join(_at(36 * spike - 90, 0.52 if spike % 2 else 1.2) for spike in range(10))}Z",
    "purple": "M-.36-1H.36V-.36H1V.36H.36V1H-.36V.36H-1V-.36H-.36Z",
    "white": _ring(1) + _ring(0.48),
    "black": "M-1-.4H1V.4H-1Z",
    "clear": "M-1-.15 0-1 1-.15V.6L0-.25-1 .6Z",
}


if TYPE_CHECKING:
    from collections.abc import Sequence


class Facet(NamedTuple):
    """A side that faces the viewer."""

    corners: tuple[Point, Point, Point]
    """Its corners in the picture, the last of which is the tip."""
    light: float
    """Its light, from 0 to 1."""
    facing: float
    """How much it faces the viewer; 0 from the edge."""

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
            light = 0.5 + 0.46 * sum(a * b for a, b in zip(normal, LIGHT_FROM, strict=True)) / length
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
