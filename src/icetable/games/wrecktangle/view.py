"""The types that WreckTangle sends as JSON: its layout, views and effects.

`tools/wire_types.py` generates the types for the browser from them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypedDict

from icetable.core.game import Effect

Roll = Literal["away", "toward", "diag-away", "diag-toward", "swap", "wild"]
CoinSide = Literal["heads", "tails"]
Verdict = Literal["resolved", "home-row", "repeated"]
"""The fate of a rectangle: it captures, has a corner in a home row, or captured last and does not count again."""


class Square(TypedDict):
    """A square by file and rank, both from 0. `home`: the seat whose home row it belongs to."""

    name: str
    x: int
    y: int
    home: int | None


class Home(TypedDict):
    """A seat's home row, and the step in files and ranks that leads away from it."""

    home: list[str]
    away: tuple[int, int]


class Layout(TypedDict):
    """The board, and the home rows by seat."""

    squares: list[Square]
    seats: list[Home]


class Threat(TypedDict):
    """A rectangle that a seat could complete with one move in the current position.

    `corners`: all four. `missing`: the one that the seat does not hold yet. `move`: a normal move completes it.
    `rolls`: the faces of the die whose die move completes it; for the seat to act, at most the one rolled. `prey`: the
    squares of the pyramids that it would capture with the current side of the coin.
    """

    seat: int
    corners: list[str]
    missing: str
    move: bool
    rolls: list[Roll]
    prey: list[str]


class View(TypedDict):
    """The view of every player and watcher.

    `turn_of`: the seat whose turn it is. `roll`: the face of the die, null before it is rolled. `pieces`: the pyramids
    by square, as "1D", seat and kind. By seat: `lost`, the number of pyramids lost, and `last`, the corners of the
    rectangles of its last capture. `out`: the seats that are out. `turn_limit`: the game is drawn after this many
    turns, 0 for never. `threats`: help for players who learn to spot them.
    """

    turn: int
    turn_of: int
    roll: Roll | None
    normal_owed: bool
    die_unused: bool
    coin: CoinSide
    pieces: dict[str, str]
    lost: list[int]
    last: list[list[list[str]]]
    normal_possible: bool
    out: list[int]
    turn_limit: int
    threats: list[Threat]


@dataclass(frozen=True, eq=False)
class Moves(Effect):
    """The pyramid `value`, "0Q", moves from the first square to the second."""

    kind: Literal["moves"] = field(default="moves", init=False)
    spaces: tuple[str, str]
    value: str


@dataclass(frozen=True, eq=False)
class Swaps(Effect):
    """The pyramids on these squares change places; `value`, "0Q 1P", names them in the same order."""

    kind: Literal["swaps"] = field(default="swaps", init=False)
    spaces: tuple[str, str]
    value: str


@dataclass(frozen=True, eq=False)
class Forms(Effect):
    """A rectangle with these corners is formed; `value` says whether it counts, or why not."""

    kind: Literal["forms"] = field(default="forms", init=False)
    spaces: tuple[str, ...]
    value: Verdict


@dataclass(frozen=True, eq=False)
class Captures(Effect):
    """The pyramid on this square, `value`, is captured."""

    kind: Literal["captures"] = field(default="captures", init=False)
    spaces: tuple[str]
    value: str


@dataclass(frozen=True, eq=False)
class Coin(Effect):
    """The coin is turned to the side `value`."""

    kind: Literal["coin"] = field(default="coin", init=False)
    spaces: tuple[()] = field(default=(), init=False)
    value: CoinSide


@dataclass(frozen=True, eq=False)
class Out(Effect):
    """The seat `value` is out."""

    kind: Literal["out"] = field(default="out", init=False)
    spaces: tuple[()] = field(default=(), init=False)
    value: int


@dataclass(frozen=True, eq=False)
class Removes(Effect):
    """The pyramid on this square, `value`, is taken off the board: its seat is out."""

    kind: Literal["removes"] = field(default="removes", init=False)
    spaces: tuple[str]
    value: str


@dataclass(frozen=True, eq=False)
class Turn(Effect):
    """The turn passes to the seat `value`."""

    kind: Literal["turn"] = field(default="turn", init=False)
    spaces: tuple[()] = field(default=(), init=False)
    value: int


@dataclass(frozen=True, eq=False)
class Wins(Effect):
    """The seat `value` has won."""

    kind: Literal["wins"] = field(default="wins", init=False)
    spaces: tuple[()] = field(default=(), init=False)
    value: int


@dataclass(frozen=True, eq=False)
class Draw(Effect):
    """The game is drawn by the rule `value`."""

    kind: Literal["draw"] = field(default="draw", init=False)
    spaces: tuple[()] = field(default=(), init=False)
    value: str


AnyEffect = Moves | Swaps | Forms | Captures | Coin | Out | Removes | Turn | Wins | Draw
"""All effects of an act."""
