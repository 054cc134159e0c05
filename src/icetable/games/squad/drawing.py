"""Terminal drawing of Who's On The Squad?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from icetable.core.drawing import Paint

CELL = len("[0C1] ")


def draw(layout: Mapping[str, Any], view: Mapping[str, Any], touched: Collection[str], paint: Paint) -> str:
    """The board with numbered rows and lettered columns, the seats with their friends left, and the number of turns.

    `.` is an empty square, `0F` a freshman of seat 0 (`S` a sophomore, `J` a junior), `1C3` the captain of seat 1 with
    3 on its die; `[0F]` is touched.
    """
    return "\n".join([*board(layout, view, touched, paint), "", *seats(view, paint), f"Turns played: {view['turn']}"])


def board(layout: Mapping[str, Any], view: Mapping[str, Any], touched: Collection[str], paint: Paint) -> list[str]:
    """The rows of the board, the top one first, and the letters of the columns."""
    pieces = dict(view["friends"])
    pieces |= {captain["square"]: f"{captain['seat']}C{captain['face']}" for captain in view["captains"]}
    rows: dict[int, str] = {}
    gaps: dict[int, str] = {}
    for square in layout["squares"]:
        name, y = square["name"], square["y"]
        piece = pieces.get(name, ".")
        before, after = ("[", "]") if name in touched else (" ", " ")
        painted = piece if piece == "." else paint(piece, int(piece[0]))
        rows[y] = rows.get(y, f"{y + 1} ") + gaps.get(y, "") + before + painted + after
        gaps[y] = " " * (CELL - len(piece) - 2)
    letters = "".join(square["name"][0].ljust(CELL) for square in layout["squares"] if square["y"] == 0)
    return [*(rows[y].rstrip() for y in sorted(rows, reverse=True)), f"   {letters}".rstrip()]


def seats(view: Mapping[str, Any], paint: Paint) -> list[str]:
    """A line for each seat: its captain, its friends left and its score, after a `>` if the seat is to act."""
    lines = []
    for captain, supply, score in zip(view["captains"], view["supply"], view["scores"], strict=True):
        seat = captain["seat"]
        mark = ">" if seat in view["to_act"] else " "
        place = f"on {captain['square']}" if captain["square"] else "to place"
        left = "  ".join(f"{count} {size}" for size, count in supply.items())
        lines.append(f"{mark} {paint(f'seat {seat}', seat)}  captain {place}  left {left}  score {score}")
    return lines
