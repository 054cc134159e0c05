"""The layout and the views of all games of turns, which are sent as JSON.

`tools/wire_types.py` writes their types for the browser.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from icetable.workshop.boards import Board, headings_of
from icetable.workshop.design import Game
from icetable.workshop.look import Area, Beside, Ground, Motion

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


class Shape(TypedDict):
    """A shape on the board, as in `icetable.workshop.look.Shape`."""

    by: str
    lit: dict[str, Area]


class Face(TypedDict):
    """A side of a die or a coin, as in `icetable.workshop.look.Face`."""

    words: str
    sign: str
    caption: str
    about: str


class Shows(TypedDict):
    """A die or a coin beside the board, which shows one of the game's own values by the face of that name."""

    form: Literal["die", "coin"]
    faces: dict[str, Face]


class Apart(TypedDict):
    """Acts of a second kind, as in `icetable.workshop.look.Apart`."""

    sign: str
    words: str
    brief: str


class Tally(TypedDict):
    """Places on each pad, of which so many are taken as the list `of` among the game's own values says."""

    of: str
    places: int


class Help(TypedDict):
    """The words about threats, as in `icetable.workshop.look.Help`."""

    shape: str
    lamp: str


class EffectLook(TypedDict):
    """The words, the motion and the sound of a kind of effect, as in `icetable.workshop.look.Says`."""

    sentence: str
    brief: str
    motion: Motion
    sound: str
    event: str
    shape: NotRequired[Shape]


class ActLook(TypedDict):
    """The words of an act that names no spaces, as in `icetable.workshop.look.ActSays`."""

    label: str
    sentence: str
    brief: str
    key: str


class Layout(TypedDict):
    """The board, and the words of the game. Rows of hexagons are 0.866 steps apart; `y` counts them.

    `lines`: pairs of spaces with a line between them. `headings`: the directions in degrees, counter-clockwise from
    the right; one that varies has an entry per space, as in "on r1". `beside`: what a seat can have beside the
    board: a supply, any pieces, only points, or nothing. `kinds`: the kinds of pieces by their letter or name, in
    the order of supplies. `effects`: by kind, or by kind and value. `forward`: the headings of arrows on the spaces
    of zones. `turn_limit`: the game ends after this many turns. `explains`: refusals say more than that an act is
    not legal. `rule`: the rule that says what a turn does. `teams`: the seats that win together. The others are parts
    that a game asks for in its `Look`.
    """

    shape: Literal["square", "hexagon", "circle"]
    spaces: list[Space]
    lines: list[tuple[str, str]]
    headings: dict[str, float]
    beside: Beside
    kinds: dict[str, Kind]
    effects: dict[str, EffectLook]
    forward: NotRequired[dict[str, str]]
    turn_limit: NotRequired[int]
    goal: NotRequired[str]
    around: NotRequired[bool]
    ground: NotRequired[Ground]
    tall: NotRequired[bool]
    covers: NotRequired[bool]
    counts: NotRequired[str]
    lands: NotRequired[str]
    repeats: NotRequired[bool]
    facts: NotRequired[list[str]]
    banks: NotRequired[dict[str, str]]
    teams: NotRequired[list[list[int]]]
    shows: NotRequired[dict[str, Shows]]
    tally: NotRequired[Tally]
    help: NotRequired[Help]
    acts: NotRequired[dict[str, ActLook]]
    explains: NotRequired[bool]
    rule: str
    apart: NotRequired[Apart]
    zone: NotRequired[str]


def layout_of(design: Game, board: Board, rule: str) -> dict[str, Any]:
    """The `Layout` of a game with its board."""
    explains = type(design).why is not Game.why
    turn_limit = getattr(design, "turn_limit", 0)
    return {
        "shape": board.shape,
        "spaces": [
            {"name": name, "x": x, "y": y, "zone": zone, "colour": colour}
            for name, (x, y, zone, colour) in board.places.items()
        ],
        "lines": [list(line) for line in board.lines],
        "headings": headings_of(board),
        **({"forward": {str(zone): way for zone, way in board.forward.items()}} if board.forward else {}),
        "beside": design.look.beside,
        **design.look.layout(),
        **({"explains": True} if explains else {}),
        "rule": rule,
        **({"teams": list(map(list, design.teams))} if design.teams else {}),
        **({"turn_limit": turn_limit} if turn_limit else {}),
    }


class TurnPart(TypedDict):
    """A part of the turn that is being played, as in `icetable.workshop.look.TurnPart`."""

    name: str
    now: Literal["to do", "optional", "done", "not possible"]
    is_apart: NotRequired[bool]


class Threat(TypedDict):
    """What a seat could do with one act, as in `icetable.workshop.look.Threat`."""

    seat: int
    corners: list[str]
    missing: str
    prey: list[str]
    chance: str
    aim: str


class Account(TypedDict):
    """What a space is worth now, as in `icetable.workshop.look.Account`. Without `owner` nobody scores."""

    counts: list[int]
    owner: NotRequired[int]
    points: NotRequired[int]
    number: NotRequired[int]


class View(TypedDict):
    """The view of every player and every watcher. An entry is left out if it is empty, or if the game has no such part.

    Pieces are texts, as in effects: the seat or the colour, and the kind, which is the letter of a pyramid's size or a
    token's name. "0L" is a large pyramid of seat 0; "redM>ne" is red, lies and points northeast; "1C3" is a die that
    shows 3; "0L:red" is seat 0's red one, where seats have several colours; "greyhidden" a piece that the viewer does
    not see; "(gold)stone" has a colour that pages don't know.

    `stacks`: the pieces by space, from the bottom up. `pads`: those in front of each seat, with their numbers. `out`:
    the seats that are out of the game. `asked`: the seats that have yet to choose in secret. `own`: the game's own
    values, as far as they are shown. `prompt`: what the seat to act does now; `reason`: why the game ended like this;
    both with the words of `icetable.workshop.look`. `goals`: the spaces that win for the seat to act if it gets there
    or, when the game is over, that have won. `accounts`: by space. `pool`: the numbers that lie beside the board.
    `turn_of`: the seat whose turn it is while chance acts. `gone`: the spaces that are not there now. `marks`: the
    texts of lit spaces. `labels`: acts with the words of their buttons, in order. `banks`: the pads that belong to
    nobody, by name.
    """

    stacks: dict[str, list[str]]
    turn: int
    pads: NotRequired[list[dict[str, int]]]
    out: NotRequired[list[int]]
    asked: NotRequired[list[int]]
    own: NotRequired[dict[str, Any]]
    prompt: NotRequired[str]
    reason: NotRequired[str]
    goals: NotRequired[list[str]]
    accounts: NotRequired[dict[str, Account]]
    pool: NotRequired[list[int]]
    gone: NotRequired[list[str]]
    marks: NotRequired[dict[str, str]]
    labels: NotRequired[list[tuple[str, str]]]
    banks: NotRequired[dict[str, dict[str, int]]]
    turn_of: NotRequired[int]
    turn_parts: NotRequired[list[TurnPart]]
    threats: NotRequired[list[Threat]]


class AnyEffect(TypedDict):
    """An effect. Its kind is one of the layout's `effects`."""

    kind: str
    spaces: list[str]
    value: int | str | None
