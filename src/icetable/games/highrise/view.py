"""The types that High Rise sends as JSON: its layout, views and effects.

`tools/wire_types.py` generates the types for the browser from them.
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

    `colours`: the colours of the pyramids, by seat. `copies`: the number of pyramids of a size in each colour of a
    seat. `values`: the numbers to be dealt, in ascending order; null for dice. `memory`: whether larger pyramids hide
    what they cover.
    """

    rows: int
    cols: int
    squares: list[Square]
    colours: list[list[Colour]]
    copies: dict[Size, int]
    values: list[int] | None
    memory: Literal["on", "off"]


class Account(TypedDict):
    """The result of a tower: its number, the pips of each seat, and its owner's points.

    `owner` is null if the tower is tied.
    """

    number: int
    pips: list[int]
    owner: int | None
    points: int


class Tower(TypedDict):
    """The visible part of a tower: the pips of each seat, and the number of hidden pyramids.

    By these pips alone `leader` leads, null for a tie, and would score `points` plus the number.
    """

    pips: list[int]
    hidden: int
    leader: int | None
    points: int


Stash = dict[Size, dict[str, int]]
"""The number of pyramids left, by size and colour."""


class View(TypedDict):
    """The view of every player and watcher.

    `stacks`: the pyramids of a tower as "0L:red", seat, size and colour, from bottom to top, null for a hidden one. It
    has only squares with towers, like `towers`. `stash` is indexed by seat. `numbers`: the numbers under the towers,
    smallest first, if they were rolled openly or given; otherwise null. `account`: by square, once the game is over.
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
    """The tower on this square is tied."""

    kind: Literal["tied"] = field(default="tied", init=False)
    spaces: tuple[str]
    value: None = None


@dataclass(frozen=True, eq=False)
class Controls(Effect):
    """The seat `value` controls the tower on this square."""

    kind: Literal["controls"] = field(default="controls", init=False)
    spaces: tuple[str]
    value: int


@dataclass(frozen=True, eq=False)
class Scores(Effect):
    """The owner of the tower on this square scores `value` points."""

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
"""All effects of an act."""
