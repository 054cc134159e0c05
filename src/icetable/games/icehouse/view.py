"""The layout, the views and the effects of Icehouse, which are sent as JSON.

`tools/wire_types.py` writes their types for the browser.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, Literal, TypedDict, TypeVar, get_args

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


Kind = TypeVar("Kind", bound=str)
Spaces = TypeVar("Spaces", bound=tuple[str, ...])
Value = TypeVar("Value", bound=int | str | None)


@dataclass(frozen=True, eq=False)
class _EffectOf(Effect, Generic[Kind, Spaces, Value]):
    """An effect whose kind, spaces and value are of these types."""

    kind: Kind = field(init=False)
    spaces: Spaces = ()  # type: ignore[assignment]
    value: Value = None  # type: ignore[assignment]

    def __init_subclass__(cls) -> None:
        kind, spaces, value = get_args(vars(cls)["__orig_bases__"][0])
        cls.__annotations__ = {"kind": kind, "spaces": spaces, "value": value}
        cls.kind = get_args(kind)[0]  # type: ignore[misc]


class Settles(_EffectOf[Literal["settles"], tuple[Colour, Colour], str]):
    """A debt was settled when time was up: the first colour gave the second one the piece `value`."""


class Starts(_EffectOf[Literal["starts"], tuple[()], None]):
    """Every seat is ready, and play starts."""


class Places(_EffectOf[Literal["places"], tuple[str], str]):
    """The piece `value` was placed and has this id."""


class Crashes(_EffectOf[Literal["crashes"], tuple[Colour], str]):
    """This colour has crashed with the piece `value`."""


class Captures(_EffectOf[Literal["captures"], tuple[str], str]):
    """The piece with this id, `value`, is captured."""


class Melts(_EffectOf[Literal["melts"], tuple[str, ...], Colour]):
    """The pieces with these ids go back to the pad of the colour `value`."""


class Gives(_EffectOf[Literal["gives"], tuple[Colour, Colour], str]):
    """The first colour gives the second one the piece `value`."""


class Rings(_EffectOf[Literal["rings"], tuple[()], None]):
    """The bell rings."""


class Returns(_EffectOf[Literal["returns"], tuple[Colour], str]):
    """The piece `value` goes from the hand of this colour back to its pad."""


class Void(_EffectOf[Literal["void"], tuple[()], int | None]):
    """The call of icehouse is void: it came `value` milliseconds after a true one, or, if None, after a false one."""


class Finds(_EffectOf[Literal["finds"], tuple[Colour], None]):
    """The call has put this colour in the icehouse."""


class HandsOver(_EffectOf[Literal["hands_over"], tuple[Colour, Colour], int]):
    """The first colour hands its pad, `value` pieces, over to the second one."""


class FalseCall(_EffectOf[Literal["false_call"], tuple[Colour], None]):
    """The call of this colour found nobody."""


class Owes(_EffectOf[Literal["owes"], tuple[Colour], None]):
    """This colour owes a piece."""


class Ices(_EffectOf[Literal["ices"], tuple[str], None]):
    """The piece with this id is iced."""


class Frees(_EffectOf[Literal["frees"], tuple[str], None]):
    """The piece with this id is no longer iced."""


class Spoils(_EffectOf[Literal["spoils"], tuple[str], None]):
    """The attack of the piece with this id is no longer valid."""


class Renews(_EffectOf[Literal["renews"], tuple[str], None]):
    """The attack of the piece with this id has become valid again."""


class Ends(_EffectOf[Literal["ends"], tuple[Colour, ...], str]):
    """The game is over by the rule `value`; these colours have won."""


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
