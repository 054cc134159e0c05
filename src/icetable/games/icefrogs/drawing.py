"""Terminal drawing of IceFrogs."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from icetable.core.drawing import LINE_WIDTH

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from icetable.core.drawing import Paint

USUAL_CELL = len("[e3:1M+2]")


def draw(layout: Mapping[str, Any], view: Mapping[str, Any], touched: Collection[str], paint: Paint) -> str:
    """The board with the names of its spaces, the stacks, the seats with their supplies, and the number of turns.

    `e3` is an empty space, `e3:1M` has a medium pyramid of seat 1, `e3:1M+2` has two more beneath it; `[e3]` is
    touched.
    """
    limit = f" of {view['turn_limit']}" if view["turn_limit"] else ""
    return "\n".join(
        [
            *board(layout, view, touched, paint),
            "",
            *stacks(view),
            *seats(layout, view, paint),
            f"Turns played: {view['turn']}{limit}",
        ]
    )


def board(layout: Mapping[str, Any], view: Mapping[str, Any], touched: Collection[str], paint: Paint) -> list[str]:
    """The rows of the board, the top one first."""
    cells = {space["name"]: cell(space, view["stacks"].get(space["name"], []), touched) for space in layout["spaces"]}
    lengths = {name: sum(len(text) for text, _ in parts) for name, parts in cells.items()}
    half = (max(USUAL_CELL, *lengths.values()) + 2) // 2
    leftmost = min(space["x"] for space in layout["spaces"])
    rows: dict[int, str] = {}
    ends: dict[int, int] = {}
    for space in layout["spaces"]:
        name, y = space["name"], space["y"]
        column = half * (space["x"] - leftmost + 1) - lengths[name] // 2
        painted = "".join(text if seat is None else paint(text, seat) for text, seat in cells[name])
        rows[y] = rows.get(y, "") + " " * (column - ends.get(y, 0)) + painted
        ends[y] = column + lengths[name]
    return [rows[y] for y in sorted(rows, reverse=True)]


def cell(space: Mapping[str, Any], stack: list[str], touched: Collection[str]) -> list[tuple[str, int | None]]:
    """The text for a space, in parts with the seat whose colour each has."""
    parts: list[tuple[str, int | None]] = [(space["name"], space["start"])]
    if stack:
        parts += [(":", None), (stack[-1], int(stack[-1][0]))]
    if len(stack) > 1:
        parts.append((f"+{len(stack) - 1}", None))
    return [("[", None), *parts, ("]", None)] if space["name"] in touched else parts


def stacks(view: Mapping[str, Any]) -> list[str]:
    """The stacks of two or more pyramids."""
    tall = [f"{name} {''.join(stack)}" for name, stack in view["stacks"].items() if len(stack) > 1]
    return textwrap.wrap(f"Stacks, bottom first: {', '.join(tall)}", LINE_WIDTH, subsequent_indent="  ") if tall else []


def seats(layout: Mapping[str, Any], view: Mapping[str, Any], paint: Paint) -> list[str]:
    """A line for each seat: its start space and its supply, after a `>` if the seat is to act."""
    starts = {space["start"]: space["name"] for space in layout["spaces"]}
    lines = []
    for seat, supply in enumerate(view["supply"]):
        mark = ">" if seat in view["to_act"] else " "
        left = "  ".join(f"{count} {size}" for size, count in supply.items())
        lines.append(f"{mark} {paint(f'seat {seat}', seat)}  start {starts[seat]}  supply {left}")
    return lines
