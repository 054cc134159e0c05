"""Terminal drawing of High Rise."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from icetable.core.drawing import LINE_WIDTH

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from icetable.core.drawing import Paint

CELL = len("[0L+12] ")
UNKNOWN = "?"


def draw(layout: Mapping[str, Any], view: Mapping[str, Any], touched: Collection[str], paint: Paint) -> str:
    """The board from above, the towers from bottom to top, the seats with their stashes, the known numbers under the
    towers, and the number of turns.

    `.` is an empty square, `0L` a large pyramid of seat 0, `0L+2` one with two more beneath it; `[0L]` is touched. In
    the list of towers the colour follows, and `?` is a hidden pyramid. After the deal the list shows the points of
    each square.
    """
    return "\n".join(
        [
            *board(layout, view, touched, paint),
            "",
            *towers(layout, view),
            *seats(view, paint),
            *numbers(view),
            f"Turns played: {view['turn']}",
        ]
    )


def board(layout: Mapping[str, Any], view: Mapping[str, Any], touched: Collection[str], paint: Paint) -> list[str]:
    """The rows of the board, the top one first, and the letters of the columns."""
    rows: dict[int, str] = {}
    for square in layout["squares"]:
        cell = cell_of(view["stacks"].get(square["name"], []), square["name"] in touched, paint)
        rows[square["y"]] = rows.get(square["y"], f"{square['y'] + 1} ") + cell
    letters = "".join(square["name"][0].ljust(CELL) for square in layout["squares"] if square["y"] == 0)
    return [*(rows[y].rstrip() for y in sorted(rows, reverse=True)), f"   {letters}".rstrip()]


def cell_of(tower: list[str], touched: bool, paint: Paint) -> str:
    """The text for a square, CELL characters wide."""
    before, after = ("[", "]") if touched else (" ", " ")
    top = tower[-1][:2] if tower else "."
    beneath = f"+{len(tower) - 1}" if len(tower) > 1 else ""
    painted = paint(top, int(top[0])) if tower else top
    return f"{before}{painted}{beneath}{after}" + " " * (CELL - len(top) - len(beneath) - 2)


def towers(layout: Mapping[str, Any], view: Mapping[str, Any]) -> list[str]:
    """Each tower from bottom to top; after the deal each square with its points."""
    lines = []
    for square in layout["squares"]:
        name = square["name"]
        tower = [pyramid or UNKNOWN for pyramid in view["stacks"].get(name, [])]
        if tower or view["account"]:
            words = [*([result(view["account"][name])] if view["account"] else []), *tower]
            lines += textwrap.wrap(
                f"{name}  {' '.join(words)}", LINE_WIDTH, subsequent_indent="    ", break_on_hyphens=False
            )
    return lines + [""] * bool(lines)


def result(account: Mapping[str, Any]) -> str:
    """The points of a square, and the seat that scores them."""
    pips = "-".join(map(str, account["pips"]))
    if account["owner"] is None:
        return f"number {account['number']}, pips {pips}: nobody scores."
    return f"number {account['number']}, pips {pips}: seat {account['owner']} scores {account['points']}."


def seats(view: Mapping[str, Any], paint: Paint) -> list[str]:
    """For each seat its score and its pyramids left by size and colour, after a `>` if the seat is to act."""
    lines = []
    for seat, stash in enumerate(view["stash"]):
        mark = ">" if seat in view["to_act"] else " "
        lines.append(f"{mark} {paint(f'seat {seat}', seat)}  score {view['scores'][seat]}")
        for size, by_colour in stash.items():
            colours = ", ".join(f"{left} {colour}" for colour, left in by_colour.items() if left)
            lines.append(f"    {sum(by_colour.values())} {size}" + (f": {colours}" if colours else ""))
    return lines


def numbers(view: Mapping[str, Any]) -> list[str]:
    """The known numbers under the towers."""
    if not view["numbers"]:
        return []
    text = f"Under the towers lie {' '.join(map(str, view['numbers']))}."
    return textwrap.wrap(text, LINE_WIDTH, subsequent_indent="    ")
