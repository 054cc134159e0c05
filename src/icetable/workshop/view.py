"""The layout, the views and the effects of workshop games, which are sent as JSON.

`tools/wire_types.py` writes their types for the browser.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict

from icetable.core.acts import Effect

Size = Literal["S", "M", "L"]


class Space(TypedDict):
    """A space; `x` and `y` are in steps to the right and up. `zone`: the seat that it belongs to, or another number."""

    name: str
    x: float
    y: float
    zone: int | None
    colour: str | None


Beside = Literal["pieces", "points", "nothing"]


class Layout(TypedDict):
    """The board. Rows of hexagons are 0.866 steps apart; `y` counts them.

    `lines`: pairs of spaces with a line between them. `headings`: the directions in degrees, counter-clockwise from the
    right; one that varies has an entry per space, as in "on r1". `beside`: the most that a seat can have beside the
    board: pieces and points, only points, or nothing.
    """

    workshop: bool
    shape: Literal["square", "hexagon", "circle"]
    spaces: list[Space]
    lines: list[tuple[str, str]]
    headings: dict[str, float]
    beside: Beside


class Pyramid(TypedDict):
    """A pyramid. `colour`: its seat, or the name of any other colour. `heading`: null if it stands."""

    size: Size
    colour: int | str
    heading: str | None


class Token(TypedDict):
    """Any other piece."""

    name: str
    colour: int | str


Piece = Pyramid | Token


class View(TypedDict):
    """The view of every player and every watcher.

    `stacks`: the pieces by space, from the bottom up. `pads`: those in front of each seat. `asked`: the seats that have
    yet to choose in secret. `own`: the game's own values. `cooperative`: all seats win or lose together.
    """

    cooperative: bool
    stacks: dict[str, list[Piece]]
    pads: list[list[Piece]]
    turn: int
    out: list[int]
    asked: list[int]
    own: dict[str, Any]


@dataclass(frozen=True, eq=False)
class Puts(Effect):
    """A new piece is put on a space. `value`, here and below: the piece, as in "0L", "redM>ne" or "0stone"."""

    kind: Literal["puts"] = field(default="puts", init=False)
    spaces: tuple[str]
    value: str


@dataclass(frozen=True, eq=False)
class Moves(Effect):
    """A piece moves from the first space to the second; for several, `value` is as in "3 pieces"."""

    kind: Literal["moves"] = field(default="moves", init=False)
    spaces: tuple[str, str]
    value: str


@dataclass(frozen=True, eq=False)
class Takes(Effect):
    """A piece leaves the board."""

    kind: Literal["takes"] = field(default="takes", init=False)
    spaces: tuple[str]
    value: str


@dataclass(frozen=True, eq=False)
class Turns(Effect):
    """A piece is turned, laid down, stood up or replaced; `value` is the new one."""

    kind: Literal["turns"] = field(default="turns", init=False)
    spaces: tuple[str]
    value: str


@dataclass(frozen=True, eq=False)
class Tells(Effect):
    """A seat keeps or spends a piece, scores, or reveals its choice: `value` is as in "1:0L", "1:+3" or "1:rock"."""

    kind: Literal["keeps", "spends", "scores", "reveals"]
    spaces: tuple[()] = field(default=(), init=False)
    value: str


@dataclass(frozen=True, eq=False)
class Eliminates(Effect):
    """The seat `value` is out of the game."""

    kind: Literal["eliminates"] = field(default="eliminates", init=False)
    spaces: tuple[()] = field(default=(), init=False)
    value: int


@dataclass(frozen=True, eq=False)
class Draws(Effect):
    """Chance drew `value`."""

    kind: Literal["die", "coin", "draw", "roll", "deal"]
    spaces: tuple[()] = field(default=(), init=False)
    value: str


AnyEffect = Puts | Moves | Takes | Turns | Tells | Eliminates | Draws
