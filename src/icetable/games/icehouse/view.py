"""The layout, the views and the effects of Icehouse, which are sent as JSON.

`tools/wire_types.py` writes their types for the browser.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypedDict, get_args

from icetable.core.game import Effect

Size = Literal["S", "M", "L"]
Colour = Literal["red", "green", "blue", "yellow", "cyan", "orange", "purple", "white"]
COLOURS: tuple[Colour, ...] = get_args(Colour)
"""By seat."""


class Layout(TypedDict):
    """The field and the pieces, in thousandths of an inch, and how placements are judged.

    `tolerance` is in millionths of an inch. `along_ray`: the range is measured along the ray, not as the gap (IH-11).
    `crashes`: a deep overlap is a crash, not merely refused (IH-30). `prevents`: premature attacks are refused (IH-13).
    `gift_time`: the time limit for paying a debt, in milliseconds (IH-24). `safe`: with so many pieces on the pad a
    player can't be put in the icehouse (IH-21). `goal`: what a player is after. `colours` go by seat.
    """

    width: int
    height: int
    lengths: dict[Size, int]
    tolerance: int
    bases: dict[Size, float]
    along_ray: bool
    crashes: bool
    prevents: bool
    gift_time: int
    safe: int
    goal: str
    colours: list[Colour]


class FieldPiece(TypedDict):
    """A piece on the field; `x` and `y` are in thousandths of an inch, `heading` in degrees.

    `points_at` is the id of a piece. `valid` and `redundant` are null for standing pieces, `iced` for lying ones.
    """

    id: str
    colour: Colour
    size: Size
    x: int
    y: int
    heading: float
    standing: bool
    points_at: str | None
    valid: bool | None
    iced: bool | None
    redundant: bool | None


class SizeCounts(TypedDict, total=False):
    """The number of pieces of each size; absent sizes are left out."""

    S: int
    M: int
    L: int


Pad = dict[str, SizeCounts]
"""The pieces on a pad, by colour."""


class View(TypedDict):
    """The view of every player and every watcher.

    `ready` and `in_icehouse` are seats. `pads` and `hands`, "L:red" or null, go by seat. `owed`: by seat in debt, the
    piece it crashed with, or null if it may choose.
    """

    ready: list[int]
    field: list[FieldPiece]
    pads: list[Pad]
    hands: list[str | None]
    in_icehouse: list[int]
    owed: dict[str, str | None]


@dataclass(frozen=True, eq=False)
class Settles(Effect):
    """A debt was settled when time was up: the first colour gave the second one the piece `value`."""

    kind: Literal["settles"] = field(default="settles", init=False)
    spaces: tuple[Colour, Colour]
    value: str


@dataclass(frozen=True, eq=False)
class Starts(Effect):
    """Every seat is ready, and play starts."""

    kind: Literal["starts"] = field(default="starts", init=False)
    spaces: tuple[()] = field(default=(), init=False)
    value: None = None


@dataclass(frozen=True, eq=False)
class Places(Effect):
    """The piece `value` was placed and has this id."""

    kind: Literal["places"] = field(default="places", init=False)
    spaces: tuple[str]
    value: str


@dataclass(frozen=True, eq=False)
class Crashes(Effect):
    """This colour has crashed with the piece `value`."""

    kind: Literal["crashes"] = field(default="crashes", init=False)
    spaces: tuple[Colour]
    value: str


@dataclass(frozen=True, eq=False)
class Captures(Effect):
    """The piece with this id, `value`, is captured."""

    kind: Literal["captures"] = field(default="captures", init=False)
    spaces: tuple[str]
    value: str


@dataclass(frozen=True, eq=False)
class Melts(Effect):
    """The pieces with these ids go back to the pad of the colour `value`."""

    kind: Literal["melts"] = field(default="melts", init=False)
    spaces: tuple[str, ...]
    value: Colour


@dataclass(frozen=True, eq=False)
class Gives(Effect):
    """The first colour gives the second one the piece `value`."""

    kind: Literal["gives"] = field(default="gives", init=False)
    spaces: tuple[Colour, Colour]
    value: str


@dataclass(frozen=True, eq=False)
class Rings(Effect):
    """The bell rings."""

    kind: Literal["rings"] = field(default="rings", init=False)
    spaces: tuple[()] = field(default=(), init=False)
    value: None = None


@dataclass(frozen=True, eq=False)
class Returns(Effect):
    """The piece `value` goes from the hand of this colour back to its pad."""

    kind: Literal["returns"] = field(default="returns", init=False)
    spaces: tuple[Colour]
    value: str


@dataclass(frozen=True, eq=False)
class Void(Effect):
    """The call of icehouse is void: it came `value` milliseconds after a true one, or, if None, after a false one."""

    kind: Literal["void"] = field(default="void", init=False)
    spaces: tuple[()] = field(default=(), init=False)
    value: int | None


@dataclass(frozen=True, eq=False)
class Finds(Effect):
    """The call has put this colour in the icehouse."""

    kind: Literal["finds"] = field(default="finds", init=False)
    spaces: tuple[Colour]
    value: None = None


@dataclass(frozen=True, eq=False)
class HandsOver(Effect):
    """The first colour hands its pad, `value` pieces, over to the second one."""

    kind: Literal["hands_over"] = field(default="hands_over", init=False)
    spaces: tuple[Colour, Colour]
    value: int


@dataclass(frozen=True, eq=False)
class FalseCall(Effect):
    """The call of this colour found nobody."""

    kind: Literal["false_call"] = field(default="false_call", init=False)
    spaces: tuple[Colour]
    value: None = None


@dataclass(frozen=True, eq=False)
class Owes(Effect):
    """This colour owes a piece."""

    kind: Literal["owes"] = field(default="owes", init=False)
    spaces: tuple[Colour]
    value: None = None


@dataclass(frozen=True, eq=False)
class Ices(Effect):
    """The piece with this id is iced."""

    kind: Literal["ices"] = field(default="ices", init=False)
    spaces: tuple[str]
    value: None = None


@dataclass(frozen=True, eq=False)
class Frees(Effect):
    """The piece with this id is no longer iced."""

    kind: Literal["frees"] = field(default="frees", init=False)
    spaces: tuple[str]
    value: None = None


@dataclass(frozen=True, eq=False)
class Spoils(Effect):
    """The attack of the piece with this id is no longer valid."""

    kind: Literal["spoils"] = field(default="spoils", init=False)
    spaces: tuple[str]
    value: None = None


@dataclass(frozen=True, eq=False)
class Renews(Effect):
    """The attack of the piece with this id has become valid again."""

    kind: Literal["renews"] = field(default="renews", init=False)
    spaces: tuple[str]
    value: None = None


@dataclass(frozen=True, eq=False)
class Ends(Effect):
    """The game is over by the rule `value`; these colours have won."""

    kind: Literal["ends"] = field(default="ends", init=False)
    spaces: tuple[Colour, ...]
    value: str


AnyEffect = (
    Settles
    | Starts
    | Places
    | Crashes
    | Captures
    | Melts
    | Gives
    | Rings
    | Returns
    | Void
    | Finds
    | HandsOver
    | FalseCall
    | Owes
    | Ices
    | Frees
    | Spoils
    | Renews
    | Ends
)
