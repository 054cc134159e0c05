"""The layout and the views of all games of turns, which are sent as JSON.

`tools/wire_types.py` writes their types for the browser.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from icetable.workshop.look import Beside, Motion

Size = Literal["S", "M", "L"]


class Space(TypedDict):
    """A space; `x` and `y` are in steps to the right and up. `zone`: the seat that it belongs to, or another number."""

    name: str
    x: float
    y: float
    zone: int | None
    colour: str | None


class Kind(TypedDict):
    """A kind of pieces: its name, for one and for several. `size`: of pyramids. `colours`: by seat, those of pieces
    that bear its mark. `sides`: of dice."""

    name: str
    plural: str
    size: NotRequired[Size]
    colours: NotRequired[list[list[str]]]
    sides: NotRequired[int]


class EffectLook(TypedDict):
    """The words, the motion and the sound of a kind of effect, as in `icetable.workshop.look.Says`."""

    sentence: str
    brief: str
    motion: Motion
    sound: str
    event: str


class Layout(TypedDict):
    """The board, and the words of the game. Rows of hexagons are 0.866 steps apart; `y` counts them.

    `lines`: pairs of spaces with a line between them. `headings`: the directions in degrees, counter-clockwise from the
    right; one that varies has an entry per space, as in "on r1". `beside`: what a seat can have beside the board: a
    supply, any pieces, only points, or nothing. `kinds`: the kinds of pieces by their letter or name, in the order of
    supplies. `effects`: by kind. `turn_limit`: the game ends after this many turns. The others are parts that a game
    asks for in its `Look`.
    """

    shape: Literal["square", "hexagon", "circle"]
    spaces: list[Space]
    lines: list[tuple[str, str]]
    headings: dict[str, float]
    beside: Beside
    kinds: dict[str, Kind]
    effects: dict[str, EffectLook]
    turn_limit: NotRequired[int]
    repeats: NotRequired[bool]
    tall: NotRequired[bool]
    covers: NotRequired[bool]
    counts: NotRequired[str]


class Piece(TypedDict):
    """A piece. `kind`: the letter of a pyramid's size, or a token's name; that of a die ends with its face, as in "C3".

    `colour`: its seat, or the name of any other colour. `heading`: the direction of a pyramid that lies.
    """

    kind: str
    colour: int | str
    heading: NotRequired[str]


class Pile(Piece):
    """Equal pieces on a pad."""

    count: int


class Account(TypedDict):
    """What a space is worth now, as in `icetable.workshop.look.Account`."""

    counts: list[int]
    owner: int | None
    points: int
    number: int | None


class View(TypedDict):
    """The view of every player and every watcher.

    `stacks`: the pieces by space, from the bottom up. `pads`: those in front of each seat. `asked`: the seats that have
    yet to choose in secret. `own`: the game's own values. `prompt`: what the seat to act does now; `reason`: why the
    game ended like this; both with the words of `icetable.workshop.look`, and empty for the defaults. `accounts`: by
    space. `pool`: the numbers that lie beside the board.
    """

    stacks: dict[str, list[Piece]]
    pads: list[list[Pile]]
    turn: int
    out: list[int]
    asked: list[int]
    own: dict[str, Any]
    prompt: str
    reason: str
    accounts: NotRequired[dict[str, Account]]
    pool: NotRequired[list[int]]


class AnyEffect(TypedDict):
    """An effect. Its kind is one of the layout's `effects`."""

    kind: str
    spaces: list[str]
    value: int | str | None
