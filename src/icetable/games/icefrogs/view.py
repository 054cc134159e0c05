"""What IceFrogs tells of a game: its layout, its views and its effects.

They are sent as they are, as JSON. `tools/wire_types.py` writes them as types for the browser.
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
    """What every player and every watcher sees.

    `stacks`: pyramids as "0L", seat and size, from bottom to top, of the spaces that are occupied. `supply`: how many
    pyramids of each size a seat has left, by seat. `turn_limit`: the game is drawn after this many turns, 0 for never.
    """

    stacks: dict[str, list[str]]
    supply: list[dict[Size, int]]
    turn: int
    turn_limit: int


@dataclass(frozen=True, eq=False)
class Path(Effect):
    """The spaces that the pyramid `value` touches, from where it comes to where it ends."""

    kind: Literal["path"] = field(default="path", init=False)
    spaces: tuple[str, ...]
    value: str


@dataclass(frozen=True, eq=False)
class Covers(Effect):
    """The pyramid comes to lie on another one on this space, `value`."""

    kind: Literal["covers"] = field(default="covers", init=False)
    spaces: tuple[str]
    value: str


@dataclass(frozen=True, eq=False)
class Reaches(Effect):
    """The pyramid has come to this start space of another seat, and its own seat has won."""

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
"""Everything that an act may cause."""
