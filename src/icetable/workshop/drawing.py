"""Games of turns in a terminal, and as small pictures from above or from the side."""

from __future__ import annotations

import re
import textwrap
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from icetable.core.game import LINE_WIDTH
from icetable.extras.picture import (
    GLASS,
    PITCH,
    RIM,
    RISE,
    SQUASH,
    THICKNESS,
    TILE,
    Picture,
    SideView,
    circle,
    frame,
    line,
    polygon,
    square,
)
from icetable.extras.picture import Piece as Drawn
from icetable.workshop.boards import ROW_HEIGHT
from icetable.workshop.equipment import NAMED_COLOURS
from icetable.workshop.hiding import HIDDEN
from icetable.workshop.look import kind_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from icetable.core.game import Paint
    from icetable.extras.picture import Point

PIECE = re.compile(rf"(?:(\d|{'|'.join(NAMED_COLOURS)})|\((.*?)\))(.*)")
"""The text of a piece: its seat or colour, and the rest."""
CHART_PITCH = 104
"""The distance of spaces that are not squares, whose names are written on them."""
SPACE, SHORE = 47, 64
"""The radius of a round space, and of the water around it."""
NUMBER_OFFSET = 24
"""The offset of a number from the middle of its space."""
SIDE_STRETCH, STREET = 98 / PITCH, 134 / 98
"""From the side squares are larger, because corners point forward, and ranks of tall stacks lie further apart."""
MAX_SHOWN = 3
"""Taller stacks are shown by their top, with the number of pieces beneath."""


def drawn(layout: Mapping[str, Any], view: Mapping[str, Any], touched: Collection[str], paint: Paint) -> str:
    """The rows of the board from the top, the tall stacks, what spaces are worth, the seats with their pads, the
    numbers beside the board, and the number of turns.

    `e3` is an empty space; `e3:1M` has a piece of seat 1, `e3:1M+4` four more beneath it; `[e3]` is touched.
    """
    owners, view = owners_of(layout), seen(layout, view)
    return "\n".join(
        [
            *_board(layout, view, touched, paint, owners),
            "",
            *_stacks(view, owners),
            *_accounts(layout, view),
            *_seats(layout, view, paint),
            *_banks(layout, view),
            *_marks(view),
            *_turn(view),
            *_facts(layout, view),
            *_pool(view),
            f"Turns played: {view['turn']}" + (f" of {layout['turn_limit']}" if "turn_limit" in layout else ""),
        ]
    )


def seen(layout: Mapping[str, Any], view: Mapping[str, Any]) -> dict[str, Any]:
    """A view with all that is empty, and with its pieces by their parts."""
    letters = [kind for kind, about in layout["kinds"].items() if "size" in about]

    def piles(pad: Mapping[str, int]) -> list[dict[str, Any]]:
        return [{**piece_of(text, letters), "count": count} for text, count in pad.items()]

    return {
        "out": [],
        "own": {},
        **view,
        "stacks": {space: [piece_of(text, letters) for text in texts] for space, texts in view["stacks"].items()},
        "pads": list(map(piles, view.get("pads") or [{}] * len(view["scores"]))),
        "banks": {name: piles(view.get("banks", {}).get(name, {})) for name in layout.get("banks", ())},
    }


def piece_of(text: str, letters: Sequence[str]) -> dict[str, Any]:
    """The kind, the colour and, if it lies, the heading of a piece in a view (`view.View`)."""
    found = PIECE.fullmatch(text)
    assert found is not None
    seat, colour, kind = found.groups()
    lying = re.fullmatch(f"({'|'.join(letters)})(?:>([^:]+))?(?::(.+))?", kind)
    kind, heading, own = lying.groups() if lying else (kind, None, None)
    by = own or colour or (int(seat) if seat.isdecimal() else seat)
    return {"kind": kind, "colour": by} | ({"heading": heading} if heading else {})


def _board(
    layout: Mapping[str, Any],
    view: Mapping[str, Any],
    touched: Collection[str],
    paint: Paint,
    owners: Mapping[str, int],
) -> list[str]:
    cells = {space["name"]: _cell(space, view["stacks"].get(space["name"], ()), owners) for space in layout["spaces"]}
    width = max(len("".join(parts)) for parts in cells.values()) + 3
    least = min(space["x"] for space in layout["spaces"])
    rows: dict[float, list[Mapping[str, Any]]] = defaultdict(list)
    for space in layout["spaces"]:
        rows[space["y"]].append(space)
    lines = []
    for y in sorted(rows, reverse=True):
        row, length = "", 0
        for space in sorted(rows[y], key=lambda space: space["x"]):
            name, mark, rest = cells[space["name"]]
            name = " " * len(name) if name in view.get("gone", ()) else name
            column = max(round((space["x"] - least) * width), length)
            before, after = "[]" if space["name"] in touched else "  "
            colour = view["stacks"].get(space["name"], [{"colour": space["zone"]}])[-1]["colour"]
            colour = owners.get(colour, colour)
            shown = f"{name}{mark}{rest}"
            painted = paint(shown, colour) if isinstance(colour, int) and 0 <= colour < len(view["scores"]) else shown
            row += " " * (column - length) + before + painted + after
            length = column + len(shown) + 2
        lines.append(row.rstrip())
    return lines


def owners_of(layout: Mapping[str, Any]) -> dict[str, int]:
    """The seats of colours, in games in which seats have several."""
    by_seat = next(iter(layout["kinds"].values())).get("colours", ())
    return {colour: seat for seat, colours in enumerate(by_seat) for colour in colours}


def _cell(
    space: Mapping[str, Any], pieces: Sequence[Mapping[str, Any]], owners: Mapping[str, int]
) -> tuple[str, str, str]:
    """The name of a space, a mark, and its pieces; those that belong to a seat with it in place of their colour."""
    if not pieces:
        return space["name"], "", ""
    shown = [{**piece, "colour": owners.get(piece["colour"], piece["colour"])} for piece in pieces]
    if len(shown) > MAX_SHOWN or (owners and len(shown) > 1):
        return space["name"], ":", f"{letters(shown[-1:])}+{len(shown) - 1}"
    return space["name"], ":", letters(shown)


def _stacks(view: Mapping[str, Any], owners: Mapping[str, int]) -> list[str]:
    """The stacks that the board does not show whole; all if pieces have colours that it does not show."""
    tall = [
        f"{name} {letters(pieces, owners)}"
        for name, pieces in view["stacks"].items()
        if owners or len(pieces) > MAX_SHOWN
    ]
    return _wrapped(f"Stacks, bottom first: {', '.join(tall)}") if tall else []


def _wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, LINE_WIDTH, subsequent_indent="    ", break_on_hyphens=False)


def _accounts(layout: Mapping[str, Any], view: Mapping[str, Any]) -> list[str]:
    """What spaces are worth, as in "a1 3-2 pips, seat 0 scores 2 and the number"."""
    lines = []
    for name, account in view.get("accounts", {}).items():
        number = f" number {account['number']}," if "number" in account else ""
        more = " and the number" if "covers" in layout and "number" not in account else ""
        counts = "-".join(map(str, account["counts"]))
        score = f"seat {account['owner']} scores {account['points']}{more}" if "owner" in account else "nobody scores"
        lines.append(f"{name}{number} {counts} {layout['counts']}s, {score}")
    return lines


def _pool(view: Mapping[str, Any]) -> list[str]:
    return _wrapped(f"Beside the board: {' '.join(map(str, view['pool']))}") if view.get("pool") else []


def _seats(layout: Mapping[str, Any], view: Mapping[str, Any], paint: Paint) -> list[str]:
    """A line for each seat: its points, its tally, its zone if that is one space, and its pad, after a `>` if it is to
    act.
    """
    tally = layout.get("tally")
    lines = []
    for seat, pad in enumerate(view["pads"]):
        mark = ">" if seat in view["to_act"] else " "
        out = "  out" if seat in view["out"] else ""
        left = "  ".join(f"{pile['count']} {_kind(pile, seat, {})}" for pile in pad)
        zone = [space["name"] for space in layout["spaces"] if space["zone"] == seat]
        has = (f"  zone {zone[0]}" if len(zone) == 1 else "") + (f"  has {left}" if left else "")
        counted = f"  {view['own'][tally['of']][seat]} of {tally['places']} {tally['of']}" if tally else ""
        first, *more = _wrapped(f"{mark} seat {seat}  score {view['scores'][seat]}{counted}{out}{has}")
        lines += [first.replace(f"seat {seat}", paint(f"seat {seat}", seat), 1), *more]
    return lines


def _banks(layout: Mapping[str, Any], view: Mapping[str, Any]) -> list[str]:
    """The pads that belong to nobody."""
    lines = []
    for name, pad in view.get("banks", {}).items():
        piles = "  ".join(f"{pile['count']} {_kind(pile, None, {})}" for pile in pad)
        lines += _wrapped(f"{layout['banks'][name]}: {piles or 'empty'}")
    return lines


def _marks(view: Mapping[str, Any]) -> list[str]:
    """The lit spaces with their texts."""
    marks = [f"{space} {text}".rstrip() for space, text in view.get("marks", {}).items()]
    return _wrapped(f"Marked: {', '.join(marks)}") if marks else []


def _turn(view: Mapping[str, Any]) -> list[str]:
    """The parts of the turn, without words for the page's reader."""
    return [f"{re.sub('<.*?>', '', part['name'])}: {part['now']}".capitalize() for part in view.get("turn_parts", ())]


def _facts(layout: Mapping[str, Any], view: Mapping[str, Any]) -> list[str]:
    named = {*layout.get("facts", view["own"]), *layout.get("shows", ())}
    own = {name: value for name, value in view["own"].items() if name in named}
    known = {name: value_text(value) for name, value in own.items() if value is not None}
    return [
        line
        for name, text in known.items()
        if text
        for line in _wrapped(f"{name.replace('_', ' ').capitalize()}: {text}")
    ]


def value_text(value: Any) -> str:
    """A value of a view for readers, "1, 2" or "a: 1, b: 2"; pieces as in effects."""
    if isinstance(value, list):
        return ", ".join(map(value_text, value))
    if not isinstance(value, dict):
        return str(value)
    ((kind, parts),) = value.items()
    if kind == "dict":
        return ", ".join(f"{value_text(key)}: {value_text(one)}" for key, one in parts)
    if kind in ("pyramid", "token"):
        name, colour, *heading = parts
        return f"{colour}{name}" + "".join(f">{way}" for way in heading if way)
    return value_text(parts)


def letters(pieces: Sequence[Mapping[str, Any]], owners: Mapping[str, int] | None = None) -> str:
    """The notation of pieces, from the bottom up: "0S1M", "redM>ne", "0S:red" with owners, "?" for a hidden one."""
    texts = [_kind(piece, None, owners or {}) for piece in pieces]
    return ("" if all(len(text) == 2 for text in texts) else " ").join(texts)


def _kind(piece: Mapping[str, Any], seat: int | None, owners: Mapping[str, int]) -> str:
    """A piece in notation; a piece on its own seat's pad without its colour."""
    if (piece["kind"], piece["colour"]) == HIDDEN:
        return "?"
    if piece["colour"] in owners:
        return f"{owners[piece['colour']]}{piece['kind']}:{piece['colour']}"
    colour = "" if piece["colour"] == seat else piece["colour"]
    return f"{colour}{piece['kind']}" + (f">{piece['heading']}" if "heading" in piece else "")


def svg(title: str, layout: Mapping[str, Any], view: Mapping[str, Any], colours: Sequence[str]) -> str:
    """The board with its pieces from above; zones of seats have their colours."""
    view = seen(layout, view)
    picture = Picture(title)
    everywhere = places_of(layout)
    places = {name: place for name, place in everywhere.items() if name not in view.get("gone", ())}
    picture.add(*_ground(picture, layout, view, colours, places))
    _furnish(picture, layout, view, colours, places)
    return picture.svg(frame(list(everywhere.values()), _margin(layout)))


def thumbnail(title: str, layout: Mapping[str, Any], view: Mapping[str, Any], colours: Sequence[str]) -> str:
    """The board with its pieces from the side, as on the pages."""
    view = seen(layout, view)
    picture = SideView(title)
    stretch, street = (
        (SIDE_STRETCH, STREET if layout.get("tall") else 1.0) if layout["shape"] == "square" else (1.0, 1.0)
    )
    everywhere = {name: (x, y * street) for name, (x, y) in places_of(layout).items()}
    places = {name: place for name, place in everywhere.items() if name not in view.get("gone", ())}
    picture.tilted(_ground(picture, layout, view, colours, places), stretch)
    down = stretch * SQUASH
    _furnish(picture, layout, view, colours, {name: (x * stretch, y * down) for name, (x, y) in places.items()})
    left, top, width, height = frame(list(everywhere.values()), _margin(layout))
    bottom = (top + height) * down + THICKNESS * RISE
    top = min(top * down, picture.highest - 4)
    return picture.svg((left * stretch, top, width * stretch, bottom - top))


def _margin(layout: Mapping[str, Any]) -> float:
    return PITCH / 2 + RIM + 4 if layout["shape"] == "square" else SHORE + 4


def places_of(layout: Mapping[str, Any]) -> dict[str, Point]:
    """The middles of all spaces from above."""
    pitch = PITCH if layout["shape"] == "square" else CHART_PITCH
    rise = pitch * ROW_HEIGHT if layout["shape"] == "hexagon" else pitch
    return {space["name"]: (pitch * space["x"], -rise * space["y"]) for space in layout["spaces"]}


def _ground(
    picture: Picture,
    layout: Mapping[str, Any],
    view: Mapping[str, Any],
    colours: Sequence[str],
    places: Mapping[str, Point],
) -> list[str]:
    """The ground with its spaces, those of seats in their colours, from above."""
    parts: list[str] = []
    if layout["shape"] == "square":
        parts += picture.squares(list(places.values()))
    else:
        water = circle((0, 0), SHORE, class_="water", stroke="none")
        parts += [picture.use("water", water, place) for place in places.values()]
        parts += [
            line(places[start], places[end], class_="space", stroke_width=5)
            for start, end in layout["lines"]
            if start in places and end in places
        ]
        shape = circle((0, 0), SPACE, class_="space", stroke_width=1.5)
        shape = shape if layout["shape"] == "circle" else _hexagon(class_="space")
        parts += [picture.use("tile", shape, place) for place in places.values()]
    parts += [
        _tint(picture, layout["shape"], colours[space["zone"]], places[space["name"]])
        for space in layout["spaces"]
        if space["name"] in places and space["zone"] is not None and space["zone"] < len(view["scores"])
    ]
    return parts


def _furnish(
    picture: Picture,
    layout: Mapping[str, Any],
    view: Mapping[str, Any],
    colours: Sequence[str],
    places: Mapping[str, Point],
) -> None:
    """Draw marks, pieces and numbers, those at the back first."""
    for name, mark in view.get("marks", {}).items():
        x, y = places[name]
        picture.number((x + NUMBER_OFFSET, y - NUMBER_OFFSET), mark, None)
    for name in sorted(view["stacks"], key=lambda name: places[name][1]):
        _pile(picture, name, places[name], view["stacks"][name], layout, colours)
    for name, account in view.get("accounts", {}).items():
        if "number" in account:
            x, y = places[name]
            owner = colours[account["owner"]] if "owner" in account else None
            picture.number((x - NUMBER_OFFSET, y + NUMBER_OFFSET), account["number"], owner)


def _tint(picture: Picture, shape: str, colour: str, place: Point) -> str:
    """The colour of a seat on a space of its zone."""
    tint: dict[str, Any] = {"class_": picture.paint(colour), "fill_opacity": 0.46, "stroke": "none"}
    if shape == "square":
        return picture.use(f"zone-{colour}", square((0, 0), TILE, 9, **tint), place)
    return picture.use(
        f"zone-{colour}", circle((0, 0), SPACE, **tint) if shape == "circle" else _hexagon(**tint), place
    )


def _pile(
    picture: Picture,
    name: str,
    place: Point,
    pieces: Sequence[Mapping[str, Any]],
    layout: Mapping[str, Any],
    colours: Sequence[str],
) -> None:
    """Draw the pieces of a space: standing pyramids as a stack, others one by one."""
    sizes = {letter: kind["size"] for letter, kind in layout["kinds"].items() if "size" in kind}
    marks = {one: colours[seat] for one, seat in owners_of(layout).items()}
    standing = [
        Drawn(sizes[piece["kind"]], colour_of(piece, colours), marks.get(piece["colour"]))
        for piece in pieces
        if piece["kind"] in sizes and "heading" not in piece
    ]
    hidden = sum((piece["kind"], piece["colour"]) == HIDDEN for piece in pieces)
    is_on_top = "heading" not in pieces[-1] and pieces[-1]["kind"] in sizes
    if is_on_top and len(standing) + hidden == len(pieces):
        picture.stack(name, place, standing, hidden)
        return
    if standing:
        picture.stack(name, place, standing)
    for piece in pieces:
        colour, kind = colour_of(piece, colours), layout["kinds"].get(kind_of(piece["kind"]), {})
        if piece["kind"] not in sizes and "sides" in kind:
            picture.die(name, place, colour, kind["name"], int(piece["kind"].removeprefix(kind_of(piece["kind"]))))
        elif piece["kind"] not in sizes:
            letters_ = "?" if (piece["kind"], piece["colour"]) == HIDDEN else piece["kind"][:3]
            picture.token(place, letters_, colour)
        elif "heading" in piece:
            way, headings = piece["heading"], layout["headings"]
            heading = headings.get(way, headings.get(f"{way} {name}", 0.0))
            picture.lie(name, place, sizes[piece["kind"]], heading, colour)


def _hexagon(**attributes: Any) -> str:
    half, up = CHART_PITCH * 0.48, CHART_PITCH * 0.48 / ROW_HEIGHT
    points = [(0.0, -up), (half, -up / 2), (half, up / 2), (0.0, up), (-half, up / 2), (-half, -up / 2)]
    return polygon(points, **attributes)


def colour_of(piece: Mapping[str, Any], colours: Sequence[str]) -> str:
    """The name of a piece's colour, or "clear" for one that isn't in GLASS."""
    colour = piece["colour"]
    if isinstance(colour, int):
        return colours[colour]
    return colour if colour in GLASS else "clear"
