"""Views of Icehouse as text for a terminal, and as SVG: pyramids of glass from above, and a card per seat."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

import numpy as np

from icetable.core.game import LINE_WIDTH
from icetable.extras.picture import (
    DARK_SCREENS,
    SIZE_NAMES,
    UNLESS_LIGHT,
    circle,
    document,
    line,
    number,
    polygon,
    text,
)
from icetable.games.icehouse import geometry
from icetable.games.icehouse.position import SIZE_LETTERS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from icetable.core.game import Paint
    from icetable.games.icehouse.view import FieldPiece, Layout
    from icetable.kernels.jit import Ints

Point = tuple[float, float]
COLUMNS = LINE_WIDTH - 2
MAX_COLUMNS_PER_INCH = 6
"""A row is as high as two columns are wide."""
MIN_COLUMNS, MIN_ROWS, MAX_ROWS = 8, 4, 60
ARROWS = "→↗↑↖←↙↓↘"
Cell = tuple[str, int | None]
"""A character, and the seat whose colour it has."""
INCH = 1000
MAX_SIDE, MAX_PIXELS_PER_INCH, MIN_WIDTH = 960.0, 84.0, 640.0
"""In pixels: the field's longer side, an inch of the field, and the whole drawing without its margin."""
MARGIN, HEADING, GAP = 24.0, 40.0, 12.0
CARD_PADDING, CARD_LINE, GROUP = 14.0, 26.0, 58.0
RAISED_EDGE = 0.85
"""The position of the raised edge of a lying pyramid's base, as a fraction of the way from tip to base."""
LIGHT = (-0.6, -0.8)
GLASS = {
    "red": ("#e23a44", "#7d0f18", "#fff"),
    "green": ("#35a853", "#0f4f22", "#fff"),
    "blue": ("#3b76e8", "#12337a", "#fff"),
    "yellow": ("#f2c522", "#7a5b00", "#3a2c00"),
    "cyan": ("#25bfd0", "#075a64", "#06363c"),
    "orange": ("#f5862b", "#803a05", "#3d1c00"),
    "purple": ("#9555dc", "#431b78", "#fff"),
    "white": ("#eef2f8", "#66728a", "#333c4d"),
}
"""By colour: the glass, the edge and the pips."""
STYLE = f"""
  text {{ font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Open Sans", sans-serif; fill: #1d2430 }}
  .back {{ fill: #e9e6df }} .field {{ fill: #f8f6f1; stroke: #b9b2a3 }} .inch {{ stroke: #e6e1d5 }}
  .card {{ fill: #f8f6f1; stroke: #d3cdbf }} .faint {{ fill: #646b78 }}
  .id {{ font-weight: 700; text-anchor: middle; fill: #10141c; stroke: #fff; paint-order: stroke;
    stroke-linejoin: round; stroke-opacity: .85 }}
  {DARK_SCREENS} {{
    {UNLESS_LIGHT} text {{ fill: #e8ebf1 }} {UNLESS_LIGHT} .back {{ fill: #14181f }}
    {UNLESS_LIGHT} .field {{ fill: #1f2630; stroke: #465062 }} {UNLESS_LIGHT} .inch {{ stroke: #29313d }}
    {UNLESS_LIGHT} .card {{ fill: #1f2630; stroke: #343d4b }} {UNLESS_LIGHT} .faint {{ fill: #9aa4b5 }}
    {UNLESS_LIGHT} .id {{ fill: #10141c }}
  }}
"""
FIELD_STYLE = f"""
  .field {{ fill: #e4f1f9; stroke: #93b9d3; stroke-width: 4 }}
  {DARK_SCREENS} {{ {UNLESS_LIGHT} .field {{ fill: #1d3450; stroke: #46678c }} }}
"""
EDGE = 4.0
"""Around the field alone."""


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
    for row, piece in enumerate(pieces):
        if not piece["standing"]:
            width, height = layout["width"], layout["height"]
            ray = geometry.trace(field, len(pieces), field[row], width, height)
            found[piece["id"]] = (ray.start, ray.end)
    return found


def covers(outline: list[tuple[int, int]], x: float, y: float) -> bool:
    """Whether a point lies within an outline."""
    following = outline[1:] + outline[:1]
    return all(
        (qx - px) * (y - py) >= (qy - py) * (x - px) for (px, py), (qx, qy) in zip(outline, following, strict=True)
    )


SHIFTS = sorted(
    ((across, down) for across in range(-4, 5) for down in (-1, 0, 1)),
    key=lambda shift: abs(shift[0]) + 3 * abs(shift[1]),
)
"""Offsets of a label from the centre of its piece, in columns and rows, the nearest first."""


def draw(layout: Layout, view: Mapping[str, Any], touched: Collection[str], paint: Paint) -> str:
    """The field from above, a list of its pieces, and the seats.

    `R12L` is p12, red and large; `R12L*` is iced; `R12L→` lies and points to the right. Letters such as `r` fill the
    area that a piece covers. `[R12L]` is touched.
    """
    return "\n".join(
        [
            *field(layout, view, touched, paint),
            "",
            *pieces(layout, view, touched, paint),
            *seats(layout, view, paint),
        ]
    )


def piece_label(piece: FieldPiece, touched: Collection[str]) -> str:
    """The label of a piece."""
    text = f"{piece['colour'][0].upper()}{piece['id'][1:]}{piece['size']}{'*' * bool(piece['iced'])}"
    if not piece["standing"]:
        arrow = ARROWS[round(piece["heading"] / 45) % 8]
        text = arrow + text if 90 < piece["heading"] < 270 else text + arrow
    return f"[{text}]" if piece["id"] in touched else text


def field(layout: Layout, view: Mapping[str, Any], touched: Collection[str], paint: Paint) -> list[str]:
    """The lines of the field with its border, from the top."""
    chart = Chart(layout)
    for piece in view["field"]:
        chart.fill(corners(layout, piece), (piece["colour"][0], layout["colours"].index(piece["colour"])))
    for piece in view["field"]:
        chart.write(piece_label(piece, touched), piece["x"], piece["y"], layout["colours"].index(piece["colour"]))
    wall = f"+{'-' * chart.columns}+"
    return [wall, *(f"|{''.join(painted(row, paint))}|" for row in chart.cells), wall]


def painted(row: list[Cell], paint: Paint) -> Iterator[str]:
    """A row, with neighbouring cells of the same colour painted together."""
    start = 0
    for column in range(1, len(row) + 1):
        if column == len(row) or row[column][1] != row[start][1]:
            text, seat = "".join(letter for letter, _ in row[start:column]), row[start][1]
            yield text if seat is None else paint(text, seat)
            start = column


class Chart:
    """The field as a grid of characters."""

    def __init__(self, layout: Layout) -> None:
        width, height = layout["width"], layout["height"]
        finest = MAX_COLUMNS_PER_INCH * width // 1000
        fitting = COLUMNS if width >= height else 2 * MAX_ROWS * width // height
        self.columns = max(MIN_COLUMNS, min(COLUMNS, finest, fitting))
        self.rows = max(MIN_ROWS, min(MAX_ROWS, round(self.columns * height / width / 2)))
        self.across, self.up = width / self.columns, height / self.rows
        self.cells: list[list[Cell]] = [[(" ", None)] * self.columns for _ in range(self.rows)]
        self.taken: set[tuple[int, int]] = set()

    def fill(self, corners: list[tuple[int, int]], cell: Cell) -> None:
        """Fill the cells whose centres a piece covers."""
        xs, ys = zip(*corners, strict=True)
        for row in range(self.rows):
            y = (self.rows - row - 0.5) * self.up
            for column in range(self.columns) if min(ys) <= y <= max(ys) else ():
                x = (column + 0.5) * self.across
                if min(xs) <= x <= max(xs) and covers(corners, x, y):
                    self.cells[row][column] = cell

    def write(self, text: str, x: int, y: int, seat: int) -> None:
        """Write a label at the nearest free place, if any; the list shows all pieces anyway."""
        middle, level = int(x / self.across - len(text) / 2 + 0.5), self.rows - 1 - int(y / self.up)
        for shift, drop in SHIFTS:
            column, row = middle + shift, level + drop
            room = {(row, place) for place in range(column - 1, column + len(text) + 1)}
            if 0 <= row < self.rows and 0 <= column <= self.columns - len(text) and not room & self.taken:
                self.cells[row][column : column + len(text)] = [(letter, seat) for letter in text]
                self.taken |= room
                return


def pieces(layout: Layout, view: Mapping[str, Any], touched: Collection[str], paint: Paint) -> list[str]:
    """A line per piece on the field: its place and its status."""
    names = {piece["id"]: f"[{piece['id']}]" if piece["id"] in touched else piece["id"] for piece in view["field"]}
    widest = max(map(len, [*names.values(), *layout["colours"]]), default=0)
    lines = []
    for piece in view["field"]:
        name = names[piece["id"]].ljust(widest)
        kind = f"{piece['colour']} {piece['size']}".ljust(8)
        place = f"{piece['x']},{piece['y']} {'stand' if piece['standing'] else 'point'} {piece['heading']:.1f}"
        lines.append(f"  {name}  {paint(kind, layout['colours'].index(piece['colour']))}  {place:<27}  {status(piece)}")
    return lines


def status(piece: FieldPiece) -> str:
    """The status of a piece."""
    if piece["standing"]:
        return "iced" if piece["iced"] else "free"
    at = f"at {piece['points_at'] or 'nothing'}"
    return f"{at}, redundant" if piece["redundant"] else at if piece["valid"] else f"{at}, in vain"


def seats(layout: Layout, view: Mapping[str, Any], paint: Paint) -> list[str]:
    """A line or more per seat, with `>` if it may act: its score, pad, hand and debts."""
    lines = []
    for seat, colour in enumerate(layout["colours"]):
        name = f"seat {seat} {colour}"
        mark = ">" if seat in view["to_act"] else " "
        words = f"{mark} {name:<13}  score {view['scores'][seat]:>2}  {belongings(view, seat)}"
        first, *more = textwrap.wrap(words, LINE_WIDTH, subsequent_indent=" " * 17, break_on_hyphens=False)
        lines += [first.replace(name, paint(name, seat), 1), *more]
    return lines


def belongings(view: Mapping[str, Any], seat: int) -> str:
    """A seat's pad, hand and debts."""
    pad = [
        f"{colour} {' '.join(f'{count}{size}' for size, count in sizes.items())}"
        for colour, sizes in view["pads"][seat].items()
    ]
    parts = [f"pad {', '.join(pad) or 'empty'}"]
    if view["hands"][seat]:
        parts.append(f"holds {view['hands'][seat]}")
    if str(seat) in view["owed"]:
        parts.append(f"owes {view['owed'][str(seat)] or 'a piece'}")
    if seat in view["in_icehouse"]:
        parts.append("in the icehouse")
    return "; ".join(parts)


if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from icetable.games.icehouse.view import FieldPiece, Layout


def svg(layout: Layout, view: Mapping[str, Any]) -> str:
    """A view as a self-contained SVG file, for light and dark screens.

    It can be read without colours: `R12` is the red piece p12, `*` marks an iced defender, `+` a redundant attacker;
    the ray of an attack in vain is dashed.
    """
    scene = Scene(layout, view)
    body = [*scene.heading(), *scene.field(), *scene.cards(), *scene.legend()]
    back = '<rect class="back" width="100%" height="100%"/>'
    return document(scene.title, (0, 0, scene.width, scene.bottom + MARGIN), STYLE, [back, *body])


def thumbnail(layout: Layout, view: Mapping[str, Any]) -> str:
    """The field with its pieces alone, in the colours of the pages."""
    scene = PlainField(layout, view)
    (x, y), (width, height) = (scene.left, scene.top), scene.size
    box = (x - EDGE, y - EDGE, width + 2 * EDGE, height + 2 * EDGE)
    return document(scene.title, box, FIELD_STYLE, scene.field())


def between(start: Point, end: Point, part: float) -> Point:
    """The point at a fraction of the way from one point to another."""
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])


def middle(points: Sequence[Point]) -> Point:
    """The mean of points."""
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def facet(points: Sequence[Point], inside: Point) -> str:
    """The shading of a side of a pyramid. The first two points are its lower edge; `inside` lies behind that."""
    (px, py), (qx, qy) = points[0], points[1]
    nx, ny = qy - py, px - qx
    if nx * (px - inside[0]) + ny * (py - inside[1]) < 0:
        nx, ny = -nx, -ny
    shine = (nx * LIGHT[0] + ny * LIGHT[1]) / math.hypot(nx, ny)
    tint, strength = ("#fff", 0.06 + 0.36 * shine) if shine > 0 else ("#000", 0.04 - 0.26 * shine)
    return polygon(points, fill=tint, fill_opacity=strength)


def standing(outline: Sequence[Point], glass: str, edge: str) -> Iterator[str]:
    """A standing pyramid from above."""
    top = middle(outline)
    yield polygon(outline, fill=glass, fill_opacity=0.82)
    for start, end in zip(outline, [*outline[1:], outline[0]], strict=True):
        yield facet((start, end, top), top)
    for corner in outline:
        yield line(corner, top, stroke="#fff", stroke_opacity=0.5, stroke_width=0.8)
    yield polygon(outline, fill="none", stroke=edge, stroke_width=1.3, stroke_linejoin="round")


def lying(outline: Sequence[Point], glass: str, edge: str) -> Iterator[str]:
    """A lying pyramid from above: two sides, and its foreshortened base."""
    tip, left, right = outline
    raised_left, raised_right = between(tip, left, RAISED_EDGE), between(tip, right, RAISED_EDGE)
    ridge = middle((raised_left, raised_right))
    inside = middle(outline)
    yield polygon(outline, fill=glass, fill_opacity=0.82)
    yield facet((tip, raised_left, ridge), inside)
    yield facet((raised_right, tip, ridge), inside)
    yield polygon((raised_left, left, right, raised_right), fill=edge, fill_opacity=0.45)
    yield line(tip, ridge, stroke="#fff", stroke_opacity=0.55, stroke_width=0.8)
    yield line(raised_left, raised_right, stroke="#fff", stroke_opacity=0.55, stroke_width=0.8)
    yield polygon(outline, fill="none", stroke=edge, stroke_width=1.3, stroke_linejoin="round")


def pips(outline: Sequence[Point], count: int, radius: float, ink: str) -> Iterator[str]:
    """The value of a pyramid as dots along its base, or along the lowest side of a standing one."""
    if len(outline) == 4:
        sides = zip(outline, [*outline[1:], outline[0]], strict=True)
        start, end = max(sides, key=lambda side: side[0][1] + side[1][1])
        inward = middle(outline)
    else:
        inward, start, end = outline
    depth = 1.9 * radius / math.dist(middle((start, end)), inward)
    for index in range(count):
        place = between(start, end, 0.5 + (index - (count - 1) / 2) * 3 * radius / math.dist(start, end))
        yield circle(between(place, inward, depth), radius, fill=ink, fill_opacity=0.9)


def frost(outline: Sequence[Point]) -> Iterator[str]:
    """The mark of an iced defender: a crystal and a rim of ice."""
    centre = middle(outline)
    radius = 0.47 * math.dist(outline[0], outline[1])
    arms = [arm for turn in range(6) for arm in branch(centre, radius, math.pi / 2 + turn * math.pi / 3)]
    yield polygon(outline, fill="#fff", fill_opacity=0.3)
    for stroke, width in (("#1c6ea4", radius / 5.5), ("#f2fbff", radius / 11)):
        yield f'<g stroke="{stroke}" stroke-width="{number(width)}" stroke-linecap="round">'
        yield from (line(*arm) for arm in arms)
        yield "</g>"
    yield polygon(outline, fill="none", stroke="#9ddcff", stroke_width=2.4, stroke_linejoin="round")
    yield polygon(outline, fill="none", stroke="#1c6ea4", stroke_width=1, stroke_dasharray="3 3")


def branch(centre: Point, radius: float, angle: float) -> Iterator[tuple[Point, Point]]:
    """The lines of an arm of a crystal."""
    end = beyond(centre, radius, angle)
    fork = between(centre, end, 0.62)
    yield centre, end
    yield fork, beyond(fork, 0.32 * radius, angle - 0.8)
    yield fork, beyond(fork, 0.32 * radius, angle + 0.8)


def beyond(start: Point, distance: float, angle: float) -> Point:
    """The point at a distance in a direction."""
    return start[0] + distance * math.cos(angle), start[1] - distance * math.sin(angle)


class Scene:
    """The parts of a drawing, from the top down; `bottom` is where the last one ends."""

    def __init__(self, layout: Layout, view: Mapping[str, Any]) -> None:
        self.layout = layout
        self.view = view
        longer = max(layout["width"], layout["height"]) / INCH
        self.scale = min(MAX_PIXELS_PER_INCH, MAX_SIDE / longer)
        self.size = layout["width"] / INCH * self.scale, layout["height"] / INCH * self.scale
        self.inner = max(self.size[0], MIN_WIDTH)
        self.width = self.inner + 2 * MARGIN
        self.left = MARGIN + (self.inner - self.size[0]) / 2
        self.top = MARGIN + HEADING
        self.bottom = self.top
        self.title = "Icehouse"

    def point(self, place: Sequence[float]) -> Point:
        """The point in the drawing of a place on the field."""
        x, y = place
        return self.left + x / INCH * self.scale, self.top + self.size[1] - y / INCH * self.scale

    def heading(self) -> Iterator[str]:
        """The title and the result."""
        yield text((MARGIN, MARGIN + 20), self.title, font_size=24, font_weight="700")
        yield text((self.width - MARGIN, MARGIN + 20), self.result(), class_="faint", font_size=16, text_anchor="end")

    def result(self) -> str:
        """The result so far, in words."""
        if self.view["over"]:
            winners = " and ".join(self.layout["colours"][seat] for seat in self.view["winners"])
            return f"won by {winners or 'nobody'} ({self.view['ended_by']})"
        ready = len(self.view["ready"]) == len(self.layout["colours"])
        return "in play" if ready else "not everybody is ready"

    def field(self) -> Iterator[str]:
        """The field and its pieces, with the rays beneath them."""
        x, y, (width, height) = self.left, self.top, self.size
        yield f'<rect class="field" x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"/>'
        yield from self.inches()
        for piece_id, ray in rays(self.layout, self.view).items():
            yield from self.ray(piece_id, self.point(ray[0]), self.point(ray[1]))
        for piece in self.view["field"]:
            yield from self.piece(piece)
        self.bottom = y + height + GAP

    def inches(self) -> Iterator[str]:
        """A grid of inches."""
        (x, y), (width, height) = (self.left, self.top), self.size
        for column in range(1, math.ceil(self.layout["width"] / INCH)):
            at = x + column * self.scale
            yield line((at, y + 1), (at, y + height - 1), class_="inch")
        for row in range(1, math.ceil(self.layout["height"] / INCH)):
            at = y + height - row * self.scale
            yield line((x + 1, at), (x + width - 1, at), class_="inch")

    def ray(self, piece_id: str, start: Point, end: Point) -> Iterator[str]:
        """The ray of a lying piece: a line to its target if it attacks, otherwise dashed."""
        piece = next(piece for piece in self.view["field"] if piece["id"] == piece_id)
        glass, edge, _ = GLASS[piece["colour"]]
        if piece["valid"]:
            yield line(start, end, stroke=edge, stroke_width=3.2, stroke_opacity=0.55, stroke_linecap="round")
            yield line(start, end, stroke=glass, stroke_width=1.8, stroke_linecap="round")
            yield circle(end, 3.2, fill=glass, stroke=edge, stroke_width=1)
        else:
            yield line(start, end, stroke=glass, stroke_width=1.2, stroke_opacity=0.6, stroke_dasharray="2 6")

    def piece(self, piece: FieldPiece) -> Iterator[str]:
        """A piece on the field with its label."""
        outline = [self.point(corner) for corner in corners(self.layout, piece)]
        glass, edge, ink = GLASS[piece["colour"]]
        faded = ' opacity="0.55"' if piece["valid"] is False else ""
        yield f'<g id="{piece["id"]}"{faded}><title>{escape(description(piece))}</title>'
        yield polygon([(x + 1.5, y + 2.5) for x, y in outline], fill="#000", fill_opacity=0.2)
        yield from (standing if piece["standing"] else lying)(outline, glass, edge)
        if piece["iced"]:
            yield from frost(outline)
        if piece["redundant"]:
            yield polygon(outline, fill="none", stroke="#fff", stroke_width=2, stroke_linejoin="round")
            yield polygon(outline, fill="none", stroke="#b3126e", stroke_width=1.6, stroke_dasharray="4 3")
        yield from self.named(piece, outline)
        yield from pips(
            outline, 1 + SIZE_LETTERS.index(piece["size"]), 0.042 * self.scale, edge if piece["iced"] else ink
        )
        yield "</g>"

    def named(self, piece: FieldPiece, outline: Sequence[Point]) -> Iterator[str]:
        """The label of a piece."""
        size = 0.23 * self.scale
        x, y = middle(outline) if piece["standing"] else between(middle(outline[1:]), outline[0], 0.36)
        yield text((x, y + 0.36 * size), svg_label(piece), class_="id", font_size=size, stroke_width=0.16 * size)

    def cards(self) -> Iterator[str]:
        """A card per seat: score, pad, hand, debts."""
        width = (self.inner - GAP) / 2
        colours = self.layout["colours"]
        for first in range(0, len(colours), 2):
            row = [Card(self.layout, self.view, seat, width) for seat in range(len(colours))[first : first + 2]]
            height = max(card.height for card in row)
            for place, card in enumerate(row):
                yield from card.drawn(MARGIN + place * (width + GAP), self.bottom, height)
            self.bottom += height + GAP

    def legend(self) -> Iterator[str]:
        words = (
            "R12: red, p12 · dots: its value · *: iced · +: redundant · dotted ray: an attack in vain · grid: inches"
        )
        self.bottom += 6
        yield text((MARGIN, self.bottom + 4), words, class_="faint", font_size=12.5)


class PlainField(Scene):
    """The field alone, without a grid or labels."""

    def inches(self) -> Iterator[str]:
        yield from ()

    def named(self, piece: FieldPiece, outline: Sequence[Point]) -> Iterator[str]:
        yield from ()


def svg_label(piece: FieldPiece) -> str:
    """The label of a piece."""
    mark = "*" if piece["iced"] else "+" if piece["redundant"] else ""
    return f"{piece['colour'][0].upper()}{piece['id'][1:]}{mark}"


def description(piece: FieldPiece) -> str:
    """A description of a piece in words."""
    name = f"{piece['id']}: {SIZE_NAMES[piece['size']]} {piece['colour']}"
    if piece["standing"]:
        return f"{name}, {'iced' if piece['iced'] else 'stands free'}"
    if not piece["valid"]:
        return f"{name}, attacks nothing"
    return f"{name}, attacks {piece['points_at']}{', redundant' if piece['redundant'] else ''}"


class Card:
    """A seat's belongings beside the field."""

    def __init__(self, layout: Layout, view: Mapping[str, Any], seat: int, width: float) -> None:
        self.layout = layout
        self.view = view
        self.seat = seat
        self.width = width
        self.colour = layout["colours"][seat]
        pad = view["pads"][seat]
        self.groups = [(colour, size, count) for colour, sizes in pad.items() for size, count in sizes.items()]
        self.per_line = max(1, int((width - 2 * CARD_PADDING) // GROUP))
        lines = max(1, math.ceil(len(self.groups) / self.per_line))
        self.height = 2 * CARD_PADDING + CARD_LINE * (1 + lines) - 8

    def drawn(self, x: float, y: float, height: float) -> Iterator[str]:
        """The card, with its upper left corner at (x, y)."""
        left, right, level = x + CARD_PADDING, x + self.width - CARD_PADDING, y + CARD_PADDING + 13
        size = f'width="{number(self.width)}" height="{number(height)}"'
        yield f'<rect class="card" x="{number(x)}" y="{number(y)}" {size} rx="10"/>'
        yield from icon((left + 9, level - 5), self.colour, "L", 18)
        name = f"{self.colour[0].upper()} · seat {self.seat}, {self.colour}"
        yield text((left + 28, level), name, font_size=16, font_weight="600")
        yield text((left + 180, level), self.state(), class_="faint", font_size=14)
        score = str(self.view["scores"][self.seat])
        yield text((right, level + 2), score, font_size=21, font_weight="700", text_anchor="end")
        if not self.groups:
            yield text((left, level + CARD_LINE), "The pad is empty.", class_="faint", font_size=14)
        for index, (colour, letter, count) in enumerate(self.groups):
            row, column = divmod(index, self.per_line)
            at = left + column * GROUP, level + CARD_LINE * (1 + row) - 1
            yield from icon((at[0] + 10, at[1] - 4), colour, letter, {"S": 11, "M": 15, "L": 19}[letter])
            yield text((at[0] + 24, at[1]), f"{count}{colour[0].upper()}", font_size=13)

    def state(self) -> str:
        """The hand and the debts of a seat, and whether it is in the icehouse."""
        view, seat = self.view, self.seat
        words = ["in the icehouse"] if seat in view["in_icehouse"] else []
        if str(seat) in view["owed"]:
            words.append(f"owes {view['owed'][str(seat)] or 'a piece'}")
        if view["hands"][seat]:
            words.append(f"holds {view['hands'][seat]}")
        return " · ".join(words)


def icon(centre: Point, colour: str, size: str, side: float) -> Iterator[str]:
    """A small standing pyramid."""
    x, y, half = *centre, side / 2
    outline = [(x + half, y + half), (x - half, y + half), (x - half, y - half), (x + half, y - half)]
    glass, edge, _ = GLASS[colour]
    yield f"<g><title>{SIZE_NAMES[size]} {colour}</title>"
    yield from standing(outline, glass, edge)
    yield "</g>"
