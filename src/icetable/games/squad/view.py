"""The types that Who's On The Squad? sends as JSON: its layout, views and effects.

`tools/wire_types.py` generates the types for the browser from them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypedDict

from icetable.core.game import Effect

Kind = Literal["F", "S", "J"]
"""Freshman, sophomore, junior."""


class Square(TypedDict):
    """A square. `captains`: a captain may begin here."""

    name: str
    x: int
    y: int
    captains: bool


class Layout(TypedDict):
    """The board: `board` squares per side. `best_alone`: the best possible score of a single player, if known."""

    players: int
    board: int
    squares: list[Square]
    best_alone: int | None


class Captain(TypedDict):
    """A seat's captain: its square, null before it is placed, and the face of its die."""

    seat: int
    square: str | None
    face: int


class End(TypedDict):
    """What ended the game: `seat` has placed its last friend, or has no square for any of its friends."""

    seat: int
    kind: Literal["last-friend", "no-square"]


class View(TypedDict):
    """The view of every player and watcher.

    `friends`: the pyramids by square, as "1S", seat and kind. `captains` and `supply`, the friends not yet placed, are
    indexed by seat. `end` is null until the game is over.
    """

    friends: dict[str, str]
    captains: list[Captain]
    supply: list[dict[Kind, int]]
    turn: int
    end: End | None


@dataclass(frozen=True, eq=False)
class CaptainPlaced(Effect):
    """A captain is placed on this square; `value` is "0C", with its seat."""

    kind: Literal["captain"] = field(default="captain", init=False)
    spaces: tuple[str]
    value: str


@dataclass(frozen=True, eq=False)
class Formation(Effect):
    """A friend is placed on this square; `value` is "0S", its seat and kind."""

    kind: Literal["formation"] = field(default="formation", init=False)
    spaces: tuple[str]
    value: str


@dataclass(frozen=True, eq=False)
class Stunt(Effect):
    """A captain leaps from the first square over the second to the third.

    `value` is "1C3": its seat, and its new face.
    """

    kind: Literal["stunt"] = field(default="stunt", init=False)
    spaces: tuple[str, str, str]
    value: str


@dataclass(frozen=True, eq=False)
class Fall(Effect):
    """The friend on this square falls; `value` is "0F", its seat and kind."""

    kind: Literal["fall"] = field(default="fall", init=False)
    spaces: tuple[str]
    value: str


AnyEffect = CaptainPlaced | Formation | Stunt | Fall
"""All effects of an act."""
