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
    """The field and the pieces, and how placements are judged."""

    width: int
    """The width of the field in thousandths of an inch."""
    height: int
    """The height of the field in thousandths of an inch."""
    lengths: dict[Size, int]
    """The length of a lying piece of each size, in thousandths of an inch."""
    tolerance: int
    """The deepest overlap that is not a crash, in millionths of an inch."""
    bases: dict[Size, float]
    """The side of the base of each size, in thousandths of an inch."""
    along_ray: bool
    """Whether the range is measured along the ray, not as the gap (IH-11)."""
    crashes: bool
    """Whether a deep overlap is a crash, not merely refused (IH-30)."""
    prevents: bool
    """Whether premature attacks are refused (IH-13)."""
    gift_time: int
    """The time limit for paying a debt, in milliseconds (IH-24)."""
    safe: int
    """The number of pieces on the pad with which a player can't be put in the icehouse (IH-21)."""
    goal: str
    """What a player is after, in a sentence."""
    colours: list[Colour]
    """The colour of each seat."""


class FieldPiece(TypedDict):
    """A piece on the field."""

    id: str
    """Its id, which it keeps while it is there."""
    colour: Colour
    """Its colour."""
    size: Size
    """Its size."""
    x: int
    """Where it is, from the left edge of the field, in thousandths of an inch."""
    y: int
    """Where it is, from the bottom edge of the field, in thousandths of an inch."""
    heading: float
    """Its direction in degrees, counter-clockwise from the right."""
    standing: bool
    """Whether it stands."""
    points_at: str | None
    """The id of the piece that it points at; null for none."""
    valid: bool | None
    """Whether it attacks the piece that it points at; null for standing pieces."""
    iced: bool | None
    """Whether it is iced; null for lying pieces."""
    redundant: bool | None
    """Whether its victim is iced without it; null for standing pieces."""


class SizeCounts(TypedDict, total=False):
    """The number of pieces of each size; absent sizes are left out."""

    S: int
    """The small pieces."""
    M: int
    """The medium pieces."""
    L: int
    """The large pieces."""


Pad = dict[str, SizeCounts]
"""The pieces on a pad, by colour."""


class View(TypedDict):
    """The view of every player and every watcher.

    `ready` and `in_icehouse` are seats. `pads` and `hands`, "L:red" or null, go by seat. `owed`: by seat in debt, the
    piece it crashed with, or null if it may choose.
    """

    ready: list[int]
    """The seats that are ready."""
    field: list[FieldPiece]
    """The pieces on the field, in the order of placing."""
    pads: list[Pad]
    """The pieces on each seat's pad."""
    hands: list[str | None]
    """The piece in each seat's hand, such as "L:red"; null for none."""
    in_icehouse: list[int]
    """The seats in the icehouse."""
    owed: dict[str, str | None]
    """By seat in debt: the piece that it crashed with, or null if it may choose."""


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
