"""What High Rise tells of a game: its layout, its views and its effects.

They are sent as they are, as JSON. `tools/wire_types.py` writes them as types for the browser.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypedDict

from icetable.core.game import Effect

Size = Literal["S", "M", "L"]
Colour = Literal["red", "yellow", "green", "blue", "black", "purple", "orange", "clear", "cyan", "white"]


class Square(TypedDict):
    """A square by file and rank, both from 0."""

    name: str
    x: int
    y: int


class Layout(TypedDict):
    """The board and the pyramids.

    `colours`: those of a seat's pyramids, by seat. `copies`: how many pyramids of a size a seat has in each of its
    colours. `values`: the numbers that are dealt, in order; null where dice are rolled. `memory`: what a larger pyramid
    covers is hidden.
    """

    rows: int
    cols: int
    squares: list[Square]
    colours: list[list[Colour]]
    copies: dict[Size, int]
    values: list[int] | None
    memory: Literal["on", "off"]


class Account(TypedDict):
    """What a tower brings in the end: its number, the pips of each seat, and its owner's points.

    `owner` is null where the tower is tied.
    """

    number: int
    pips: list[int]
    owner: int | None
    points: int


class Tower(TypedDict):
    """What is in sight of a tower: the pips of each seat, and how many pyramids are hidden.

    By that alone `leader` leads, null for a tie, and would score `points` and the number.
    """

    pips: list[int]
    hidden: int
    leader: int | None
    points: int


Stash = dict[Size, dict[str, int]]
"""How many pyramids are left, by size and colour."""


class View(TypedDict):
    """What every player and every watcher sees.

    `stacks`: pyramids as "0L:red", seat, size and colour, from bottom to top, null where one is hidden; only squares
    with towers, like `towers`. `stash` goes by seat. `numbers`: those that lie somewhere under the towers, smallest
    first, as far as all know: rolled openly or given; else null. `account` goes by square, once the game is over.
    """

    stacks: dict[str, list[str | None]]
    towers: dict[str, Tower]
    stash: list[Stash]
    numbers: list[int] | None
    turn: int
    account: dict[str, Account] | None


@dataclass(frozen=True, eq=False)
class Rolls(Effect):
    """The dice show the numbers `value`, "112344566"."""

    kind: Literal["rolls"] = field(default="rolls", init=False)
    spaces: tuple[()] = field(default=(), init=False)
    value: str


@dataclass(frozen=True, eq=False)
class Places(Effect):
    """A pyramid is placed on this square; `value` is "0L:red", its seat, size and colour."""

    kind: Literal["places"] = field(default="places", init=False)
    spaces: tuple[str]
    value: str


@dataclass(frozen=True, eq=False)
class Reveals(Effect):
    """The number of this square is `value`."""

    kind: Literal["reveals"] = field(default="reveals", init=False)
    spaces: tuple[str]
    value: int


@dataclass(frozen=True, eq=False)
class Tied(Effect):
    """The tower on this square belongs to no seat."""

    kind: Literal["tied"] = field(default="tied", init=False)
    spaces: tuple[str]
    value: None = None


@dataclass(frozen=True, eq=False)
class Controls(Effect):
    """The tower on this square belongs to the seat `value`."""

    kind: Literal["controls"] = field(default="controls", init=False)
    spaces: tuple[str]
    value: int


@dataclass(frozen=True, eq=False)
class Scores(Effect):
    """The tower on this square brings its owner `value` points."""

    kind: Literal["scores"] = field(default="scores", init=False)
    spaces: tuple[str]
    value: int


@dataclass(frozen=True, eq=False)
class Draw(Effect):
    """The game is drawn by the rule `value`."""

    kind: Literal["draw"] = field(default="draw", init=False)
    spaces: tuple[()] = field(default=(), init=False)
    value: str


AnyEffect = Rolls | Places | Reveals | Tied | Controls | Scores | Draw
"""Everything that an act may cause."""
