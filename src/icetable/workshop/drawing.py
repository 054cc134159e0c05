"""Workshop games in a terminal, and as small pictures from above."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from icetable.extras.picture import GLASS, PITCH, Picture, frame
from icetable.extras.picture import Piece as Drawn
from icetable.extras.svg import circle, line, polygon, text
from icetable.workshop.boards import ROW_HEIGHT

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from icetable.core.drawing import Paint
    from icetable.extras.svg import Point


def drawn(layout: Mapping[str, Any], view: Mapping[str, Any], touched: Collection[str], paint: Paint) -> str:
    """The rows of the board from the top, each space with its name and its pieces from the bottom up, and the seats."""
    rows: dict[float, list[Mapping[str, Any]]] = defaultdict(list)
    for space in layout["spaces"]:
        rows[space["y"]].append(space)
    texts = {space["name"]: letters(view["stacks"].get(space["name"], ())) for space in layout["spaces"]}
    width = max(len(f"{name} {pieces}") for name, pieces in texts.items()) + 3
    least = min(space["x"] for space in layout["spaces"])
    lines = []
    for y in sorted(rows, reverse=True):
        row = ""
        for space in sorted(rows[y], key=lambda space: space["x"]):
            name = space["name"]
            cell = f"{name} {texts[name]}".rstrip()
            column = max(round((space["x"] - least) * width), len(row))
            colours = [piece["colour"] for piece in view["stacks"].get(name, ())][-1:]
            marked = f"[{cell}]" if name in touched else f" {cell} "
            row += " " * (column - len(row)) + marked.ljust(width)
            if colours and isinstance(colours[0], int):
                row = row.replace(marked, paint(marked, colours[0]))
        lines.append(row.rstrip())
    for seat, pad in enumerate(view["pads"]):
        lying = f", {letters(pad)}" if pad else ""
        lines.append(paint(f"{seat}: {view['scores'][seat]}{lying}", seat))
    lines += [f"{name.replace('_', ' ')}: {value}" for name, value in view["own"].items() if value is not None]
    return "\n".join([*lines, f"Turns played: {view['turn']}"])


def letters(pieces: Sequence[Mapping[str, Any]]) -> str:
    """The notation of pieces, from the bottom up."""
    return " ".join(
        f"{piece['colour']}{piece.get('size') or piece['name']}{'>' + piece['heading'] if piece.get('heading') else ''}"
        for piece in pieces
    )


def svg(title: str, layout: Mapping[str, Any], view: Mapping[str, Any], colours: Sequence[str]) -> str:
    picture = Picture(title)
    squares = layout["shape"] == "square"
    places = {
        space["name"]: (PITCH * space["x"], -PITCH * space["y"] * (ROW_HEIGHT if layout["shape"] == "hexagon" else 1))
        for space in layout["spaces"]
    }
    if squares:
        picture.squares(list(places.values()))
    else:
        for start, end in layout["lines"]:
            picture.add(line(places[start], places[end], class_="water", stroke_width=5))
        shape = circle((0, 0), 36, class_="space") if layout["shape"] == "circle" else _hexagon()
        picture.add(*(picture.use("tile", shape, place) for place in places.values()))
    for name, pieces in view["stacks"].items():
        picture.add(*_piled(picture, name, places[name], pieces, colours, layout["headings"]))
    return picture.svg(frame(list(places.values()), PITCH))


def _piled(
    picture: Picture,
    name: str,
    place: Point,
    pieces: Sequence[Mapping[str, Any]],
    colours: Sequence[str],
    headings: Mapping[str, float],
) -> list[str]:
    """The pieces of a space: standing pyramids as a stack, others one by one."""
    standing = [
        Drawn(piece["size"], colour_of(piece, colours)) for piece in pieces if "size" in piece and not piece["heading"]
    ]
    if standing:
        picture.stack(name, place, standing)
    drawn_ = []
    for piece in pieces:
        colour = colour_of(piece, colours)
        if "size" not in piece:
            drawn_ += [circle(place, 20, class_=picture.paint(colour)), text(place, piece["name"][:3], class_="ink")]
        elif piece["heading"]:
            size = {"S": 20, "M": 27, "L": 34}[piece["size"]]
            way = piece["heading"]
            angle = -headings.get(way, headings.get(f"{way} {name}", 0.0))
            shape = polygon([(size, 0.0), (-size, -size * 0.6), (-size, size * 0.6)], class_=picture.paint(colour))
            drawn_.append(f'<g transform="translate({place[0]:g} {place[1]:g}) rotate({angle:g})">{shape}</g>')
    return drawn_


def _hexagon() -> str:
    half, up = PITCH * 0.48, PITCH * 0.48 / ROW_HEIGHT
    points = [(0.0, -up), (half, -up / 2), (half, up / 2), (0.0, up), (-half, up / 2), (-half, -up / 2)]
    return polygon(points, class_="space")


def colour_of(piece: Mapping[str, Any], colours: Sequence[str]) -> str:
    """The name of a piece's colour, or "clear" for one that isn't in GLASS."""
    colour = piece["colour"]
    if isinstance(colour, int):
        return colours[colour]
    return colour if colour in GLASS else "clear"
