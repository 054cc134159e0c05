"""Icehouse in a terminal."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from icetable.core.game import LINE_WIDTH
from icetable.games.icehouse import view_geometry

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from icetable.core.game import Paint
    from icetable.games.icehouse.view import FieldPiece, Layout

COLUMNS = LINE_WIDTH - 2
MAX_COLUMNS_PER_INCH = 6
"""A row is as high as two columns are wide."""
MIN_COLUMNS, MIN_ROWS, MAX_ROWS = 8, 4, 60
ARROWS = "→↗↑↖←↙↓↘"
SHIFTS = sorted(
    ((across, down) for across in range(-4, 5) for down in (-1, 0, 1)),
    key=lambda shift: abs(shift[0]) + 3 * abs(shift[1]),
)
"""Offsets of a label from the centre of its piece, in columns and rows, the nearest first."""

Cell = tuple[str, int | None]
"""A character, and the seat whose colour it has."""


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


def label(piece: FieldPiece, touched: Collection[str]) -> str:
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
        chart.fill(view_geometry.corners(layout, piece), (piece["colour"][0], layout["colours"].index(piece["colour"])))
    for piece in view["field"]:
        chart.write(label(piece, touched), piece["x"], piece["y"], layout["colours"].index(piece["colour"]))
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
                if min(xs) <= x <= max(xs) and view_geometry.covers(corners, x, y):
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
