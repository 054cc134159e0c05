"""What a game of the workshop tells of itself: its layout, its views and its effects.

They are sent as they are, as JSON. `tools/wire_types.py` writes them as types for the browser.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict

from icetable.core.acts import Effect

Size = Literal["S", "M", "L"]


class Space(TypedDict):
    """A space, in steps to the right and up. `zone`: the seat that it belongs to, or another number."""

    name: str
    x: float
    y: float
    zone: int | None
    colour: str | None


Beside = Literal["pieces", "points", "nothing"]


class Layout(TypedDict):
    """The board. Rows of hexagons lie 0.866 steps apart; `y` counts them.

    `lines`: pairs of spaces with a line between them. `headings`: the directions in degrees, counter-clockwise from the
    right; one that is not the same everywhere goes by direction and space, as "on r1". `beside`: the most that a seat
    can have beside the board: pieces and points, points alone, or nothing.
    """

    workshop: bool
    shape: Literal["square", "hexagon", "circle"]
    spaces: list[Space]
    lines: list[tuple[str, str]]
    headings: dict[str, float]
    beside: Beside


class Pyramid(TypedDict):
    """A pyramid. `colour`: its seat, or the name of any other colour. `heading`: null while it stands."""

    size: Size
    colour: int | str
    heading: str | None


class Token(TypedDict):
    """Any other piece."""

    name: str
    colour: int | str


Piece = Pyramid | Token


class View(TypedDict):
    """What every player and every watcher sees.

    `stacks`: the pieces by space, from the bottom up. `pads`: those before each seat. `asked`: the seats that are still
    to choose in secret. `own`: the game's own values. `cooperative`: all play against the game, so all win or lose.
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
    """A new piece comes to a space. `value`, here and below: the piece, as "0L", "redM>ne" or "0stone"."""

    kind: Literal["puts"] = field(default="puts", init=False)
    spaces: tuple[str]
    value: str


@dataclass(frozen=True, eq=False)
class Moves(Effect):
    """A piece moves from the first space to the second; where several do, `value` is such as "3 pieces"."""

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
    """A pyramid turns, lies down or stands up; it is what `value` says now."""

    kind: Literal["turns"] = field(default="turns", init=False)
    spaces: tuple[str]
    value: str


@dataclass(frozen=True, eq=False)
class Tells(Effect):
    """Something that a seat keeps, spends, scores or had chosen in secret: `value` is "1:0L", "1:+3" or "1:rock"."""

    kind: Literal["keeps", "spends", "scores", "reveals"]
    spaces: tuple[()] = field(default=(), init=False)
    value: str


@dataclass(frozen=True, eq=False)
class Eliminates(Effect):
    """A seat, `value`, is out of the game."""

    kind: Literal["eliminates"] = field(default="eliminates", init=False)
    spaces: tuple[()] = field(default=(), init=False)
    value: int


@dataclass(frozen=True, eq=False)
class Draws(Effect):
    """Chance has drawn `value`."""

    kind: Literal["die", "coin", "draw", "roll", "deal"]
    spaces: tuple[()] = field(default=(), init=False)
    value: str


AnyEffect = Puts | Moves | Takes | Turns | Tells | Eliminates | Draws
"""Everything that an act may cause."""
