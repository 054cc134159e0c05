"""How a game looks, reads and sounds: parts of the page that a class asks for, as data.

Texts are written once, for every reader. Words in angle brackets are filled in by the page, which knows the players'
names and who is reading: in the words of an effect

    <piece>         its piece with its owner, "Ann's red freshman", "your red freshman"; in a brief, "red freshman"
    <kind>          its piece by name, "freshman"
    <face>          what a die shows
    <lies>          how a piece lies now, "points north", "stands", "comes up"
    <0>, <1>, <-1>  its spaces, from the first or from the last
    <way>           the way of a piece, "hops from a1 over b1 to c2, then over c3 to c4"; it "comes in at a1" if the act
                    does not name that space; in a brief, "a1–c4 over two", "a large enters at c4, over two"
    <who>           the player who acts
    <seat>          the player whose seat is its value, or is in it; <seat's> "Ann's" or "your"
    <whose>         "your ", "Ann's ", or nothing if the piece belongs to the player who acts
    <zone>          the owner of its last space by the board's zones, "your" or "Ann's"
    <value>         its value
    <numbers>       the numbers of a roll or a deal, "1, 1 and 4"; in a brief "1 1 4"
    <scores>        a change of points, "scores 3 points", or "score 3 points" after "you"
    <count>         the number of such effects of the act
    <all takes>     the pieces of all effects of that kind of the act, "a queen and 2 pawns", or "nothing"
    <pieces>        two pieces with their spaces, "your red queen on e1 and Ann's blue pawn on d8"
    <apart>         the words of an act that is `Apart`: " by the die", in a brief "die "
    <corners>       the corners of a shape; of an upright rectangle two, "b3–e6"
    <falls|fall>    the first word for one piece, the second for several
    <keeps>         a verb for that seat or the player who acts: "keeps", or "keep" after "you"

and in `Game.prompt` and `Game.reason`

    <who 1>         the player in seat 1, "Ann" or "you"; of several seats <who 0 2>, "you and Ann"
    <whose 1>       "Ann's" or "your"
    <your 1>        "your " for that player, or on the screen that all share, else nothing; also in a `TurnPart`
    <has 1>         a verb for that player: "has", or "have" after "you" and for several
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, NamedTuple

from icetable.workshop.equipment import NAMED_COLOURS, Piece, Pyramid, check_piece

SIZES = {"S": "small", "M": "medium", "L": "large"}

Motion = Literal["put", "move", "path", "leap", "swap", "take", "throw", "fall", "turn", "roll", "open", ""]
"""How an effect moves its piece: it comes to the space; goes from the first to the last space; lands on each space on
its way; leaps over those between; changes places; leaves the board; is thrown off it; topples and leaves it; is turned
or replaced. Or the dice of the pool are rolled; or the cover of a space is taken off, and its account is shown."""


Beside = Literal["supplies", "pieces", "points", "nothing"]


Area = Literal["inside", "edges"]


@dataclass(frozen=True)
class Shape:
    """A shape on the board, whose corners are the spaces of an effect. It lights up, and stays until the next act."""

    by: str = ""
    """One of the game's own values, whose change is an effect of the same name; empty for none."""
    lit: Mapping[str, Area] = field(default_factory=dict)
    """What is lit up for each value that it can have before the act; a shape of which nothing is lit has dashed edges.
    """


@dataclass(frozen=True)
class Says:
    """The words, the motion and the sound of a kind of effect."""

    sentence: str = ""
    """A clause of the sentence that describes the act; empty: not mentioned. One that begins with a comma or a space
    continues the clause before."""
    brief: str = ""
    """A few words for the list of moves; empty: not mentioned. Those without words in brackets are said once."""
    motion: Motion = ""
    """The motion of the pieces; empty for none."""
    sound: str = ""
    """The name of a sound; "land": that of a piece of its size."""
    event: str = ""
    """The name under which a replay lists the effect; empty: it does not."""
    shape: Shape | None = None
    """The shape that the effect draws on the board."""


@dataclass(frozen=True)
class ActSays:
    """The words of an act that names no spaces."""

    label: str
    """On its button."""
    sentence: str
    """The first clause of the sentence that describes it."""
    brief: str
    """In the list of moves; empty: it is not listed if nothing follows from it."""
    key: str = ""
    """A letter that presses the button."""


Ground = Literal["ice", "lilies"]
"""What spaces look like: plates of ice, or lily pads on water."""

EFFECTS: Mapping[str, Says] = {
    "puts": Says("<piece> comes to <0>", "<kind> on <0>", "put", "land"),
    "moves": Says("<piece> <moves|move> from <0> to <-1>", "<0>–<-1>", "move", "land"),
    "takes": Says("<piece> on <0> <is|are> taken", "takes <piece>", "take", "capture", "capture"),
    "turns": Says("<piece> <lies> on <0>", "", "turn", "ice"),
    "keeps": Says("<seat> <keeps> <piece>"),
    "spends": Says(),
    "scores": Says("<seat> <scores>", "<value>"),
    "reveals": Says("<seat> chose <value>", "<seat>: <value>"),
    "closes": Says("<0> is gone", "<0> goes", "", "capture"),
    "opens": Says("<0> is there now", "<0> comes", "", "reveal"),
    "eliminates": Says("<seat> <is> out", "<seat> <is> out", "", "crash", "elimination"),
    "die": Says("the die shows <value>", "die: <value>", "", "roll"),
    "coin": Says("the coin shows <value>", "coin: <value>", "", "coin"),
    "draw": Says("<value> is drawn", "draw: <value>", "", "reveal"),
    "roll": Says("the dice show <value>", "roll: <value>", "", "roll"),
    "deal": Says("<value> is dealt", "deal: <value>", "", "reveal"),
}
"""What the table's verbs and chance say by themselves."""


class Account(NamedTuple):
    """What a space is worth now, as far as its reader sees (`Game.accounts`)."""

    counts: tuple[int, ...]
    """What each seat has there."""
    owner: int | None
    """The seat that scores by these counts; None if nobody does."""
    points: int
    """The points that the owner scores."""
    number: int | None = None
    """The number that lay hidden on the space, once it is shown, which is in `points` then; otherwise None."""


@dataclass(frozen=True)
class Face:
    """A side of a die or a coin.

    A sign is made of "bar", "star", "swap", "frame", "inside", "edges" and arrows such as "up" or "down-left", one over
    the other, as in "bar up"; any other sign is written as it is.
    """

    words: str
    """Its name in sentences."""
    sign: str
    """What is drawn on it."""
    caption: str = ""
    """The words beside it where there is little room, or nothing is said about it; by default its name."""
    about: str = ""
    """What it lets a player do, in a sentence, for those who don't know the game; empty for nothing."""


@dataclass(frozen=True)
class Shows:
    """A die or a coin beside the board, which shows one of the game's own values by the face of that name."""

    form: Literal["die", "coin"]
    """Whether it is a die or a coin."""
    faces: Mapping[str, Face]
    """The faces, by the value that shows them."""


class Apart(NamedTuple):
    """Acts of a second kind, which the board marks with golden dashes."""

    sign: str
    """The sign that they begin with, as in "~d8-d7"."""
    words: str
    """What is added to their descriptions, as in "can be chosen by the die"."""
    brief: str
    """What precedes them in the list of moves."""


class Tally(NamedTuple):
    """Places on each pad, of which so many are taken as a list of the game's own values says, as in "1 of 3 lost"."""

    of: str
    """The name of that value."""
    places: int
    """The number of places."""


class Help(NamedTuple):
    """What learners are shown of `Game.threats`."""

    shape: str
    """The name of a threat's shape."""
    lamp: str
    """What the switch for it does, as in "show rectangles"."""
    none: str
    """What it says of a position without threats, in a sentence."""


class TurnPart(NamedTuple):
    """A part of a turn."""

    name: str
    """Its name."""
    now: Literal["to do", "optional", "done", "not possible"]
    """How far it is."""
    is_apart: bool = False
    """Whether it is made by acts that are `Apart`."""


class Threat(NamedTuple):
    """What a seat could do with one act: complete a shape."""

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
    means: str = ""
    """How that space can be reached, as in "by a move"."""


MAX_TEXTS = 4096
"""The maximum number of remembered texts of pieces, and of stacks."""


class Computed(dict[Any, Any]):
    """The texts of the pieces or stacks met so far."""

    def __init__(self, write: Callable[[Any], Any]) -> None:
        super().__init__()
        self._write = write

    def __missing__(self, piece: Any) -> Any:
        text = self._write(piece)
        if len(self) == MAX_TEXTS:
            self.clear()
        self[piece] = text
        return text


@dataclass(frozen=True)
class Look:
    """The parts of the page that a game asks for; each is optional."""

    goal: str = field(default="", kw_only=True)
    """What a player is after, in a sentence of about a dozen words, which stands below the next step; where there is
    little room, until the player has acted."""
    drawing: tuple[str, ...] = field(default=(), kw_only=True)
    """The goal on a few spaces, by rows from the top: "1" for a piece of the player's own, "2" for another's, "x" for
    another's that is taken, "." for an empty space. A line runs around the player's own."""
    letters: str = "SML"
    """The letters of small, medium and large pyramids in acts, in the texts of effects and on the keyboard."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The names of kinds of pieces by letter, or by a token's name, as in {"F": "freshman"}; with another plural as in
    "freshman|freshmen"."""
    dice: Mapping[str, int] = field(default_factory=dict)
    """Tokens that are dice, and their sides: with {"C": 4}, a token named "C3" is a die of four sides that shows 3."""
    beside: Beside = "pieces"
    """The most that players have beside the board: pieces and points, only points, or nothing. "supplies": pieces that
    are dragged to the board, where each size of pyramids has its place, even if none is left."""
    around: bool = False
    """What players have beside the board stands around it, near their zones, and the board reaches between."""
    ground: Ground = "ice"
    """What spaces look like: plates of ice, or lily pads on water."""
    tall: bool = False
    """Stacks grow tall: spaces lie apart, and the pieces of closed stacks are counted."""
    covers: bool = False
    """A grey cover lies on each space, beneath its pieces, until an account shows the number under it."""
    counts: str = ""
    """What the accounts of spaces count, such as "pip" (`Game.accounts`)."""
    colours: tuple[tuple[str, ...], ...] = ()
    """By seat, the colours of its pyramids, which all bear its mark. Acts may name one after the size, as in "L:red@b2"
    (`Game.allows`), and effects do, as in "0L:red"."""
    lands: str = ""
    """What it means to land on a piece, in a short sentence that is said while the piece in hand may."""
    repeats: bool = False
    """The size placed last stays in hand for the next turn."""
    facts: Collection[str] | None = None
    """The game's own values that are shown beside the board; by default all. Views have these, and what `shows`,
    `tally` and shapes need."""
    banks: Mapping[str, str] = field(default_factory=dict)
    """Pads that belong to nobody: the titles of the table's own lists of pieces, as in {"bank": "The bank"}."""
    shows: Mapping[str, Shows] = field(default_factory=dict)
    """Dice and coins beside the board, by the names of the game's own values that they show."""
    tally: Tally | None = None
    """The places on each pad; None for none."""
    help: Help | None = None
    """What learners are shown; None for nothing."""
    acts: Mapping[str, ActSays] = field(default_factory=dict)
    """The words of acts that name no spaces, by their text."""
    apart: Apart | None = None
    """The acts of a second kind; None if there are none."""
    zone: str = "zone"
    """The name of a zone of a seat, as in "Ann's zone"."""
    says: Mapping[str, Says] = field(default_factory=dict)
    """The words, motions and sounds of the game's own kinds of effects, and of the table's verbs if they differ.

    A key such as "forms:twice" is for effects with that value, "chance:turn" for those of acts of chance."""
    chance: Mapping[str, str] = field(default_factory=dict)
    """The game's own kinds of effects for acts of chance, by their words "roll", "deal" or "draw"; empty for none."""

    @functools.cached_property
    def values_in_views(self) -> list[str] | None:
        """The names of the game's own values in its views, in order; None for all."""
        if self.facts is None:
            return None
        shapes = [says.shape.by for says in self.says.values() if says.shape]
        named = {*self.facts, *self.shows, *([self.tally.of] if self.tally else []), *shapes}
        return sorted(name for name in named if not name.startswith("_"))

    @property
    def own_effects(self) -> list[str]:
        """The kinds of effects that the game records and has words for."""
        kinds = (kind.removeprefix("chance:").partition(":")[0] for kind in self.says)
        return [kind for kind in dict.fromkeys(kinds) if self.chance.get(kind) != ""]

    def layout(self) -> dict[str, Any]:
        """The entries of a layout that say how the game looks; parts that it doesn't ask for are left out."""
        parts = {
            "goal": self.goal,
            "drawing": list(self.drawing),
            "around": self.around,
            "ground": self.ground if self.ground != "ice" else None,
            "tall": self.tall,
            "covers": self.covers,
            "counts": self.counts,
            "lands": self.lands,
            "repeats": self.repeats,
            "shows": {name: asdict(shows) for name, shows in self.shows.items()},
            "banks": dict(self.banks),
            "tally": self.tally and self.tally._asdict(),
            "help": self.help and self.help._asdict(),
            "acts": {text: asdict(says) for text, says in self.acts.items()},
            "apart": self.apart and self.apart._asdict(),
            "zone": self.zone if self.zone != "zone" else None,
        }
        return {
            **({"facts": list(self.facts)} if self.facts is not None else {}),
            **{name: part for name, part in parts.items() if part},
            "kinds": {
                **{letter: self._kind(letter, size) for letter, size in zip(self.letters, SIZES, strict=True)},
                **{name: self._kind(name) for name in {**self.dice, **self.names} if name not in self.letters},
            },
            "effects": {kind: _described(says) for kind, says in {**EFFECTS, **self.says}.items()},
        }

    def _kind(self, name: str, size: str = "") -> dict[str, Any]:
        one, _, several = self.names.get(name, f"{SIZES[size]} pyramid" if size else name).partition("|")
        sides = {"sides": self.dice[name]} if name in self.dice else {}
        pyramids = (
            {"size": size, **({"colours": list(map(list, self.colours))} if self.colours else {})} if size else {}
        )
        return {"name": one, "plural": several or f"{one}s", **pyramids, **sides}

    def text_of(self, piece: Piece) -> str:
        """A piece in the texts of views and effects: "0L" with the letter of its size, "redM>ne", "0stone", "0L:red";
        a colour that pages don't know stands in brackets, as in "(gold)stone".
        """
        text: str = self._texts[piece]
        return text

    def stack_of(self, pieces: tuple[Piece, ...]) -> list[str]:
        """The texts of a stack, from the bottom up."""
        return [*self._stacks[pieces]]

    def piles_of(self, pieces: Iterable[Piece]) -> dict[str, int]:
        """The number of each of the pieces on a pad."""
        piles: dict[str, int] = {}
        for text in map(self._texts.__getitem__, pieces):
            piles[text] = piles.get(text, 0) + 1
        return piles

    @functools.cached_property
    def _texts(self) -> Computed:
        return Computed(self._text_of)

    @functools.cached_property
    def _stacks(self) -> Computed:
        return Computed(self._texts_of)

    def _texts_of(self, pieces: tuple[Piece, ...]) -> list[str]:
        return [self._texts[piece] for piece in pieces]

    def _text_of(self, piece: Piece) -> str:
        check_piece(piece)
        kind = self.kind_of(piece) if isinstance(piece, Pyramid) else piece.name
        for seat, colours in enumerate(self.colours):
            if isinstance(piece, Pyramid) and piece.colour in colours:
                return f"{seat}{kind}:{piece.colour}"
        is_known = piece.colour in range(10) or piece.colour in NAMED_COLOURS
        return f"{piece.colour}{kind}" if is_known else f"({piece.colour}){kind}"

    def kind_of(self, piece: Piece) -> str:
        """The kind of a piece: the letter of a standing pyramid's size; a token's name, without the face of a die."""
        if isinstance(piece, Pyramid):
            return self.letters["SML".index(piece.size)] + (f">{piece.heading}" if piece.heading else "")
        name = kind_of(piece.name)
        return name if piece.name[len(name) :] in map(str, range(self.dice.get(name, -1) + 1)) else piece.name


def _described(says: Says) -> dict[str, Any]:
    return {name: value for name, value in asdict(says).items() if name != "shape" or value}


def kind_of(token: str) -> str:
    """The name of a token without the face of a die."""
    return token.rstrip("0123456789")
