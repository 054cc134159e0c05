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
    """A space of the board."""

    name: str
    """Its name, as in acts."""
    x: float
    """The steps to the right."""
    y: float
    """The steps up."""
    zone: int | None
    """The seat that it belongs to, or another number; null for no zone."""
    colour: str | None
    """The name of its colour; null for that of the board."""


class Kind(TypedDict):
    """A kind of pieces."""

    name: str
    """Its name, for one."""
    plural: str
    """Its name, for several."""
    size: NotRequired[Size]
    """The size of pyramids; left out for other pieces."""
    colours: NotRequired[list[list[str]]]
    """By seat: the colours of the pieces that bear its mark."""
    sides: NotRequired[int]
    """The number of sides of dice; left out for other pieces."""


class Shape(TypedDict):
    """A shape on the board, as in `icetable.workshop.look.Shape`."""

    by: str
    """One of the game's own values, whose change is an effect of the same name; empty for none."""
    lit: dict[str, Area]
    """What is lit up for each value that it can have before the act."""


class Face(TypedDict):
    """A side of a die or a coin, as in `icetable.workshop.look.Face`."""

    words: str
    """Its name in sentences."""
    sign: str
    """What is drawn on it."""
    caption: str
    """The words beside it where there is little room, or nothing is said about it."""
    about: str
    """What it lets a player do, in a sentence; empty for nothing."""


class Shows(TypedDict):
    """A die or a coin beside the board, which shows one of the game's own values by the face of that name."""

    form: Literal["die", "coin"]
    """Whether it is a die or a coin."""
    faces: dict[str, Face]
    """The faces, by the value that shows them."""


class Apart(TypedDict):
    """Acts of a second kind, as in `icetable.workshop.look.Apart`."""

    sign: str
    """The sign that they begin with."""
    words: str
    """What is added to their descriptions."""
    brief: str
    """What precedes them in the list of moves."""


class Tally(TypedDict):
    """Places on each pad, of which so many are taken as a list of the game's own values says."""

    of: str
    """The name of that value."""
    places: int
    """The number of places."""


class Help(TypedDict):
    """The words about threats, as in `icetable.workshop.look.Help`."""

    shape: str
    """The name of a threat's shape."""
    lamp: str
    """What the switch does."""
    none: str
    """What it says of a position without threats."""


class EffectLook(TypedDict):
    """The words, the motion and the sound of a kind of effect, as in `icetable.workshop.look.Says`."""

    sentence: str
    """A clause of the sentence that describes the act; empty: not mentioned."""
    brief: str
    """A few words for the list of moves; empty: not mentioned."""
    motion: Motion
    """The motion of the pieces; empty for none."""
    sound: str
    """The name of a sound; empty for none."""
    event: str
    """The name under which a replay lists the effect; empty: it does not."""
    shape: NotRequired[Shape]
    """The shape that the effect draws on the board; left out if it draws none."""


class ActLook(TypedDict):
    """The words of an act that names no spaces, as in `icetable.workshop.look.ActSays`."""

    label: str
    """The words on its button."""
    sentence: str
    """The first clause of the sentence that describes it."""
    brief: str
    """In the list of moves; empty: it is not listed if nothing follows from it."""
    key: str
    """A letter that presses the button; empty for none."""


class Layout(TypedDict):
    """The board, and the words of the game. Rows of hexagons are 0.866 steps apart; `y` counts them.

    The parts that a game asks for in its `Look` are left out if it doesn't.
    """

    shape: Literal["square", "hexagon", "circle"]
    """The shape of a space."""
    spaces: list[Space]
    """All spaces."""
    lines: list[tuple[str, str]]
    """Pairs of spaces with a line between them."""
    headings: dict[str, float]
    """The directions in degrees, counter-clockwise from the right; one that varies has an entry per space, as in "on
    r1".
    """
    beside: Beside
    """What a seat can have beside the board: a supply, any pieces, only points, or nothing."""
    kinds: dict[str, Kind]
    """The kinds of pieces by their letter or name, in the order of supplies."""
    effects: dict[str, EffectLook]
    """The looks of effects, by kind, or by kind and value."""
    forward: NotRequired[dict[str, str]]
    """By zone: the heading of the arrows on its spaces."""
    turn_limit: NotRequired[int]
    """The number of turns after which the game ends; left out if there is none."""
    goal: NotRequired[str]
    """What a player is after, in a sentence."""
    drawing: NotRequired[list[str]]
    """The goal as a drawing, by rows: "1" for a piece of the player's own, "2" for another's, "x" for another's that is
    taken, "." for an empty space."""
    around: NotRequired[bool]
    """Whether what players have beside the board stands around it, near their zones."""
    ground: NotRequired[Ground]
    """What spaces look like; left out if they are plates of ice."""
    tall: NotRequired[bool]
    """Whether stacks grow tall: spaces lie apart, and the pieces of closed stacks are counted."""
    covers: NotRequired[bool]
    """Whether a cover lies on each space until an account shows the number under it."""
    counts: NotRequired[str]
    """What the accounts of spaces count, such as "pip"."""
    lands: NotRequired[str]
    """What is said when landing on a piece ends a move; left out if it doesn't."""
    repeats: NotRequired[bool]
    """Whether the size placed last stays in hand for the next turn."""
    facts: NotRequired[list[str]]
    """The game's own values that are shown beside the board; left out if all are."""
    banks: NotRequired[dict[str, str]]
    """The titles of the pads that belong to nobody, by name."""
    teams: NotRequired[list[list[int]]]
    """The seats that win together."""
    shows: NotRequired[dict[str, Shows]]
    """The dice and coins beside the board, by the name of their value."""
    tally: NotRequired[Tally]
    """The places on each pad."""
    help: NotRequired[Help]
    """The words about threats."""
    acts: NotRequired[dict[str, ActLook]]
    """The looks of acts that name no spaces."""
    explains: NotRequired[bool]
    """Whether refusals say more than that an act is not legal."""
    rule: str
    """The id of the rule that says what a turn does."""
    apart: NotRequired[Apart]
    """The acts of a second kind."""
    zone: NotRequired[str]
    """The name of a zone of a seat, as in "Ann's zone"; left out if it is "zone"."""


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
    """Its name."""
    now: Literal["to do", "optional", "done", "not possible"]
    """How far it is."""
    is_apart: NotRequired[bool]
    """Whether it is made by acts that are `Apart`."""


class Threat(TypedDict):
    """What a seat could do with one act, as in `icetable.workshop.look.Threat`."""

    seat: int
    """The seat."""
    corners: list[str]
    """The spaces of the shape."""
    missing: str
    """The space that the shape lacks."""
    prey: list[str]
    """The spaces of the pieces that it would take."""
    chance: str
    """A sentence for that seat."""
    aim: str
    """A few words about the missing space."""
    means: str
    """How that space can be reached."""


class Account(TypedDict):
    """What a space is worth now, as in `icetable.workshop.look.Account`."""

    counts: list[int]
    """What each seat has there."""
    owner: NotRequired[int]
    """The seat that scores by these counts; left out if nobody does."""
    points: NotRequired[int]
    """The points that the owner scores."""
    number: NotRequired[int]
    """The number that lay hidden on the space, once it is shown."""


class View(TypedDict):
    """The view of every player and every watcher. An entry is left out if it is empty, or if the game has no such part.

    Pieces are texts, as in effects: the seat or the colour, and the kind, which is the letter of a pyramid's size or a
    token's name. "0L" is a large pyramid of seat 0; "redM>ne" is red, lies and points northeast; "1C3" is a die that
    shows 3; "0L:red" is seat 0's red one, where seats have several colours; "greyhidden" a piece that the viewer does
    not see; "(gold)stone" has a colour that pages don't know.

    Texts have the words of `icetable.workshop.look`.
    """

    stacks: dict[str, list[str]]
    """The pieces by space, from the bottom up."""
    turn: int
    """The number of the turn, from 0."""
    pads: NotRequired[list[dict[str, int]]]
    """The pieces in front of each seat, with their numbers."""
    out: NotRequired[list[int]]
    """The seats that are out of the game."""
    asked: NotRequired[list[int]]
    """The seats that have yet to choose in secret."""
    own: NotRequired[dict[str, Any]]
    """The game's own values, as far as they are shown."""
    prompt: NotRequired[str]
    """What the seat to act does now."""
    reason: NotRequired[str]
    """Why the game ended like this."""
    goals: NotRequired[list[str]]
    """The spaces that win for the seat to act if it gets there or, when the game is over, that have won."""
    accounts: NotRequired[dict[str, Account]]
    """What each space is worth."""
    pool: NotRequired[list[int]]
    """The numbers that lie beside the board."""
    gone: NotRequired[list[str]]
    """The spaces that are not there now."""
    marks: NotRequired[dict[str, str]]
    """The texts of lit spaces."""
    labels: NotRequired[list[tuple[str, str]]]
    """Acts with the words of their buttons, in order."""
    banks: NotRequired[dict[str, dict[str, int]]]
    """The pieces on the pads that belong to nobody, by name of the pad."""
    turn_of: NotRequired[int]
    """The seat whose turn it is while chance acts."""
    turn_parts: NotRequired[list[TurnPart]]
    """The parts of the turn."""
    threats: NotRequired[list[Threat]]
    """What seats could do with one act."""


class AnyEffect(TypedDict):
    """An effect. Its kind is one of the layout's `effects`."""

    kind: str
    """One of the layout's `effects`."""
    spaces: list[str]
    """The spaces concerned."""
    value: int | str | None
    """What the kind needs beside the spaces; null for nothing."""
