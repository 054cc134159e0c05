"""The types that IceFrogs sends as JSON: its layout, views and effects.

`tools/wire_types.py` generates the types for the browser from them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypedDict

from icetable.core.game import Effect

Size = Literal["S", "M", "L"]


class Space(TypedDict):
    """A space: neighbours in a row are 2 apart, rows are 1 apart. `start`: the seat that starts here."""

    name: str
    x: int
    y: int
    start: int | None


class Layout(TypedDict):
    """The board and its spaces, row by row from the lowest."""

    board: Literal["star", "hexagon"]
    spaces: list[Space]


class View(TypedDict):
    """The view of every player and watcher.

    `stacks`: the pyramids on occupied spaces as "0L", seat and size, from bottom to top. `supply`: the number of
    pyramids of each size left, by seat. `turn_limit`: the game is drawn after this many turns, 0 for never.
    """

    stacks: dict[str, list[str]]
    supply: list[dict[Size, int]]
    turn: int
    turn_limit: int


@dataclass(frozen=True, eq=False)
class Path(Effect):
    """The spaces on the path of the pyramid `value`, from its origin to its end."""

    kind: Literal["path"] = field(default="path", init=False)
    spaces: tuple[str, ...]
    value: str


@dataclass(frozen=True, eq=False)
class Covers(Effect):
    """The pyramid lands on another one, `value`, on this space."""

    kind: Literal["covers"] = field(default="covers", init=False)
    spaces: tuple[str]
    value: str


@dataclass(frozen=True, eq=False)
class Reaches(Effect):
    """The pyramid has reached this start space of another seat, and its own seat has won."""

    kind: Literal["reaches"] = field(default="reaches", init=False)
    spaces: tuple[str]
    value: None = None


@dataclass(frozen=True, eq=False)
class Draw(Effect):
    """The game is drawn by the rule `value`."""

    kind: Literal["draw"] = field(default="draw", init=False)
    spaces: tuple[()] = field(default=(), init=False)
    value: str


AnyEffect = Path | Covers | Reaches | Draw
"""All effects of an act."""
