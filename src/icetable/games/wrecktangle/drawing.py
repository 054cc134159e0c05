"""Terminal drawing of WreckTangle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from icetable.core.drawing import Paint

ARROWS = {(0, 1): "up", (1, 0): "right", (0, -1): "down", (-1, 0): "left"}


def draw(layout: Mapping[str, Any], view: Mapping[str, Any], touched: Collection[str], paint: Paint) -> str:
    """The board with rank 8 at the top, the coin, the turn, and the seats.

    `.` is an empty square, `1Q` a queen of seat 1; `[1Q]` and `[.]` are touched.
    """
    limit = f" of {view['turn_limit']}" if view["turn_limit"] else ""
    return "\n".join(
        [
            *board(layout, view, touched, paint),
            "",
            f"Coin: {view['coin']}. {turn(view)}",
            *seats(layout, view, paint),
            f"Turns played: {view['turn']}{limit}",
        ]
    )


def board(layout: Mapping[str, Any], view: Mapping[str, Any], touched: Collection[str], paint: Paint) -> list[str]:
    """The ranks of the board, the top one first, and the names of the files."""
    named = {(square["x"], square["y"]): square["name"] for square in layout["squares"]}
    lines = []
    for y in range(7, -1, -1):
        cells = [cell(named.get((x, y)), view["pieces"], touched, paint) for x in range(8)]
        lines.append(f"{y + 1}  {''.join(cells)}".rstrip())
    return [*lines, f"    {'    '.join('abcdefgh')}"]


def cell(name: str | None, pieces: Mapping[str, str], touched: Collection[str], paint: Paint) -> str:
    """The text for a square, 5 characters wide; blank at the corners of the board."""
    if name is None:
        return " " * 5
    text = paint(pieces[name], int(pieces[name][0])) if name in pieces else "."
    width = len(pieces.get(name, "."))
    return f"[{text}]".ljust(len(text) + 5 - width) if name in touched else f" {text} ".ljust(len(text) + 5 - width)


def turn(view: Mapping[str, Any]) -> str:
    """The state of the turn, in a sentence."""
    seat = f"Seat {view['turn_of']}"
    if view["over"]:
        return "The game is over."
    if view["roll"] is None:
        return f"{seat} is to roll."
    moves = [
        "owes its normal move" if view["normal_owed"] else "has made its normal move",
        "may use the die" if view["die_unused"] else "has used the die",
    ]
    return f"{seat} has rolled {view['roll']}, {moves[0]} and {moves[1]}."


def seats(layout: Mapping[str, Any], view: Mapping[str, Any], paint: Paint) -> list[str]:
    """A line for each seat: its home row, its losses and its last rectangles, after a `>` if it is the seat's turn."""
    lines = []
    for seat, place in enumerate(layout["seats"]):
        mark = ">" if seat == view["turn_of"] and not view["over"] else " "
        row = f"{place['home'][0]}-{place['home'][-1]} {ARROWS[tuple(place['away'])]}"
        state = "out" if seat in view["out"] else "in"
        last = "; ".join(" ".join(corners) for corners in view["last"][seat])
        line = f"{mark} {paint(f'seat {seat}', seat)}  home {row:<11}  lost {view['lost'][seat]}, {state}"
        lines.append(line + (f"  captured by {last}" if last else ""))
    return lines
