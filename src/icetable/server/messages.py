"""The messages between server and browser. `tools/wire_types.py` writes them down as TypeScript.

What comes in is decoded strictly: fields that nobody knows and texts that are too long are refused.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NewType, TypedDict, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

Value = str | int | float | bool | None | list[Any]
Options = NewType("Options", dict[str, Value])

T = TypeVar("T")

LONGEST = 8192
"""The longest message (in characters) or request body (in bytes) that is read."""

PAGE = 500
"""The most lines of a game in one message."""

Kind = Literal["choice", "int", "bool", "float", "list"]
SeatKind = Literal["person", "bot", "open"]
ProposalKind = Literal["undo", "fill", "draw", "pause", "resume"]
Reason = Literal["draw", "time"]
BotsState = Literal["waking", "thinking", "ready"]
Text = Annotated[str, Meta(max_length=200)]
Speech = Annotated[str, Meta(max_length=300)]
Name = Annotated[str, Meta(max_length=64)]
RequestId = Annotated[str, Meta(min_length=1, max_length=64)]
Part = Annotated[str, Meta(min_length=1, max_length=32)]
"""A word of an act: a space of the board, or a kind of piece."""
Number = Annotated[int, Meta(ge=-(10**9), le=10**9)]
Count = Annotated[int, Meta(ge=0, le=10**9)]
NewCode = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
"""A code of 128 bits that a browser has drawn and kept before it asks, so that a lost answer loses no seat."""
Codes = Annotated[list[Name], Meta(max_length=16)]


class BadMessage(Exception):
    """What came in is no message that this server knows; the text says why."""


# Plain answers


class OptionSpec(msgspec.Struct, frozen=True):
    """One rule switch of a game, as the lobby offers it."""

    name: str
    kind: Kind
    default: Value
    help: str
    rule: str | None
    choices: list[Value] | UnsetType = UNSET
    min: float | UnsetType = UNSET
    max: float | UnsetType = UNSET


class Level(msgspec.Struct, frozen=True):
    """A strength of the computer players; `GameInfo.levels` lists the weakest first."""

    name: str
    title: str
    about: str


class GameInfo(msgspec.Struct, frozen=True):
    """What the lobby knows of a game: `players` is the least and the most, `colours` go by seat.

    `turns`: one acts after another, so a clock can run.
    """

    name: str
    title: str
    summary: str
    players: tuple[int, int]
    turns: bool
    default_players: int
    options: list[OptionSpec]
    presets: dict[str, Options]
    levels: list[Level]
    colours: list[str]


class SeatRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who is to sit on a seat: a person at this browser, a bot of a level, or whoever comes and takes it."""

    kind: SeatKind
    name: Text
    level: Name | None


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long everybody may think, in seconds: for each act, or for all acts of a game.

    For a game every act earns `increment` more. Who runs out of time loses, and the others share the win.
    """

    per: Literal["act", "game"]
    seconds: Annotated[int, Meta(ge=1, le=86_400)]
    increment: Annotated[int, Meta(ge=0, le=3600)]


class TableRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table to be opened; an option that is null is left at its default.

    `public`: it stands in the lobby, and open seats are anybody's. `live`: who watches sees the game while it is
    played. `lots`: who sits where is drawn by lot when every seat is taken. `clock`: how long everybody may think.
    """

    game: Name
    options: Options
    seats: list[SeatRequest]
    public: bool | UnsetType = UNSET
    live: bool | UnsetType = UNSET
    lots: bool | UnsetType = UNSET
    clock: Clock | UnsetType = UNSET


class NextRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The next game of a series, by who holds `codes`; with `rotate` the next seat begins."""

    codes: Codes
    rotate: bool


class CopyRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of one's own to try things at, from the position after `seq` acts, by who holds `codes` or watches."""

    codes: Codes
    seq: Count


class TableCreated(msgspec.Struct, frozen=True):
    """`codes`: the secret code of each person's seat, by seat number.

    `invites`: with these the open seats are taken. `host`: the code of who opened a table with open seats.
    """

    table: str
    codes: dict[str, str]
    invites: dict[str, str]
    host: str | None


class LessonStep(msgspec.Struct, frozen=True):
    """Something to learn by doing it: what is `told` before, a hint, and what is said when it is done.

    `rules` are the ids of the rules that it is about; `seat` is the learner's.
    """

    name: str
    title: str
    told: str
    hint: str
    praise: str
    rules: list[str]
    seat: int


class Lesson(msgspec.Struct, frozen=True):
    """The lesson of a game."""

    game: str
    title: str
    steps: list[LessonStep]


class Learned(msgspec.Struct, frozen=True):
    """Whether what a step asks for has been done at a table."""

    done: bool


class RulesText(msgspec.Struct, frozen=True):
    """A game's rules as HTML; each rule's paragraph has the rule's id."""

    title: str
    html: str


class ErrorBody(msgspec.Struct, frozen=True):
    """Why a request was not granted, in one sentence."""

    error: str


# What a table is made of


class Seat(msgspec.Struct, frozen=True):
    """A seat as a visitor sees it; `mine`: this browser holds its code. `gone`: a person who has left."""

    seat: int
    kind: SeatKind
    name: str
    level: str | None
    colour: str
    mine: bool
    gone: bool


class Fault(msgspec.Struct, frozen=True):
    """Why an act was refused: the rule that says so and the spaces it is about."""

    code: str
    message: str
    rule: str | None
    where: list[str]


class Effect(msgspec.Struct, frozen=True):
    """Something that an act caused."""

    kind: str
    spaces: list[str]
    value: int | str | None


class Line(msgspec.Struct, frozen=True):
    """One act of the game; `seq` counts from 1, seat -1 is nature.

    `at`: when it was made, in milliseconds of the table's time, where the game is over.
    """

    seq: int
    seat: int
    text: str
    effects: list[Effect]
    at: int | UnsetType = UNSET


class View(TypedDict):
    """What every game's view has; a game's own fields are read by its module under games/."""

    seat: int | None
    to_act: list[int]
    over: bool
    ended_by: str | None
    winners: list[int]
    scores: list[float]


Layout = NewType("Layout", dict[str, Any])
"""The fixed picture of a table's board, in the game's own fields."""


class Clocks(msgspec.Struct, frozen=True):
    """What each seat has left, in milliseconds at the moment of sending, and the seats for which time runs."""

    left: list[int]
    running: list[int]


class Frame(msgspec.Struct, frozen=True):
    """The position after `seq` acts; `legal` lists the acts of this browser's seats that may act now.

    `undo`: where taking back the last act of a person leads; left out where this browser can't. `entry`: the number
    under which the log keeps the act that led here; left out at the start.
    """

    seq: int
    line: Line | None
    view: View
    legal: dict[str, list[str]]
    undo: int | UnsetType = UNSET
    clocks: Clocks | UnsetType = UNSET
    entry: int | UnsetType = UNSET


class Standing(msgspec.Struct, frozen=True):
    """What the games of a series add up to, by seat, and who leads, also by what decides between equal scores.

    `ratings`: what a tournament makes of scores and wins, in games that know one.
    """

    games: int
    scores: list[int]
    leaders: list[int]
    ratings: list[float] | None


class Proposal(msgspec.Struct, frozen=True):
    """What seat `by` proposes: to go back to after act `target`, a bot on seat `target`, a draw, a pause or its end.

    It is done when the `waiting` seats have agreed; `number` tells one proposal from another.
    """

    number: int
    by: int
    what: ProposalKind
    target: int
    waiting: list[int]


class Listing(msgspec.Struct, frozen=True):
    """A public table in the lobby. `created` is in milliseconds since 1970; `live`: it can be watched now."""

    id: str
    game: str
    title: str
    created: int
    seats: list[Seat]
    started: bool
    live: bool


class TableInfo(msgspec.Struct, frozen=True):
    """A table as a visitor knows it.

    `turns`: one acts after another, else anybody at any time. `local`: one browser holds every person's seat, so acts
    may be taken back. `commitment`: the SHA-256 of what nature draws from, in hexadecimal digits. `solvable`: what the
    acts are worth can be asked for. `standing`: of the series before this game. `started`: every seat is taken. `host`:
    this browser opened the table. `guest`: the open seats that this browser may take. `hidden`: this visitor sees the
    game when it is over, and up to then only the start. `paused`: time stands still, and nobody may act.
    """

    id: str
    game: str
    title: str
    options: Options
    layout: Layout
    turns: bool
    seats: list[Seat]
    local: bool
    commitment: str
    solvable: bool
    standing: Standing | None
    started: bool
    public: bool
    host: bool
    guest: list[int]
    hidden: bool
    clock: Clock | None
    paused: bool
    proposal: Proposal | None


class ChatMessage(msgspec.Struct, frozen=True):
    """What somebody said. `number` counts from 1; `name` had the seat then; `at` is in milliseconds since 1970."""

    number: int
    seat: int
    name: str
    at: int
    text: str


class Ending(msgspec.Struct, frozen=True):
    """What is told when the game is over.

    `secret`: what nature drew from, in hexadecimal digits. `standing`: of the series with this game. `reason`: why the
    game was broken off, where no rule ended it. `link`: the last of the log's chain, as the record must end with it.
    """

    secret: str
    standing: Standing
    reason: Reason | None
    link: str


# Messages of the browser


class Seen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The newest position that a browser knows with all acts that led to it: `entry` of its frame, 0 at the start."""

    seq: Count
    entry: Count


class Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="join"):
    """The first message: whoever has no code that fits watches. `seen`: what who comes back has still."""

    table: Name
    codes: Codes
    seen: Seen | UnsetType = UNSET


class Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="act"):
    """An act of a seat; the browser's own `id` makes sure that it counts once however often it is sent.

    `lag`: how many milliseconds the way from the server and back takes; where a clock runs they don't count, within a
    bound.
    """

    id: RequestId
    seat: Number
    text: Text
    lag: Count | UnsetType = UNSET


class Undo(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="undo"):
    """Back to the position after `to` acts: at once on one screen, elsewhere when the others agree."""

    id: RequestId
    to: Count


class Look(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="look"):
    """The position after `seq` acts is asked for."""

    seq: Count


class History(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="history"):
    """The page of lines that ends before number `before` is asked for."""

    before: Annotated[int, Meta(ge=1, le=10**9)]


class Ping(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="ping"):
    """How long is the way? The answer, a pong of the same number, comes at once."""

    number: Count


class Solve(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="solve"):
    """What is each act worth that is legal after `seq` acts? A newer question takes the place of one that waits."""

    seq: Count


class Hold(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="hold"):
    """Before the act: what is in this browser's hand, for the others to see; a word of a legal act, null for nothing.

    It is not kept, and not answered where the seat is one's own. What the seat may not act with now is nothing.
    """

    seat: Number
    what: Part | None


class Sit(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="sit"):
    """An open seat is taken; `code` holds it from now on, and the one of the link is void."""

    id: RequestId
    seat: Number
    name: Text
    code: NewCode


class Leave(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="leave"):
    """Somebody goes, and keeps the seat."""

    id: RequestId
    seat: Number


class Return(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="return"):
    """Somebody who had left is back."""

    id: RequestId
    seat: Number


class HandOver(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="hand-over"):
    """Whoever has `code` may take this seat; the code before is void. The host may do so with open seats."""

    id: RequestId
    seat: Number
    code: NewCode


class Fill(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="fill"):
    """A bot for a seat: the host for an open one, the others by agreement for one whose player is gone."""

    id: RequestId
    seat: Number
    level: Name


class Offer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="offer"):
    """A draw, a pause or its end: done when the others agree."""

    id: RequestId
    what: Literal["draw", "pause", "resume"]


class Vote(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="vote"):
    """Consent to proposal `number`, or none; who made it may call it off."""

    id: RequestId
    number: Count
    agree: bool


class Say(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="say"):
    """Something is said to all at the table; it is no part of the game."""

    id: RequestId
    text: Speech


Request = Act | Undo | Sit | Leave | Return | HandOver | Fill | Offer | Vote
ClientMessage = Join | Ping | Look | History | Solve | Hold | Say | Request


# Messages of the server


class Welcome(msgspec.Struct, frozen=True, tag="welcome"):
    """The whole table, in answer to a join, with the last page of lines; `History` asks for the earlier ones.

    `lines` is null where the game hides its history until it is over.
    """

    table: TableInfo
    lines: list[Line] | None
    frame: Frame
    ending: Ending | None


class Resumed(msgspec.Struct, frozen=True, tag="resumed"):
    """What has been missed, in answer to a join that tells what was seen, where all of that still stands.

    Where more than a page was missed, the answer is a `Welcome`.
    """

    table: TableInfo
    lines: list[Line]
    frame: Frame


class NewFrame(msgspec.Struct, frozen=True, tag="frame"):
    """The newest position: after an act, or as time alone has changed it since."""

    frame: Frame


class Rewound(msgspec.Struct, frozen=True, tag="rewound"):
    """Acts were taken back. `lines` as in `Welcome`."""

    lines: list[Line] | None
    frame: Frame


class Over(msgspec.Struct, frozen=True, tag="over"):
    """The game is over; it comes behind the frame of the last act. `lines` as in `Welcome`."""

    lines: list[Line] | None
    ending: Ending


class Changed(msgspec.Struct, frozen=True, tag="changed"):
    """Something about the table has changed. `frame`: the newest position again, as this visitor now sees it."""

    table: TableInfo
    frame: Frame


class Presence(msgspec.Struct, frozen=True, tag="presence"):
    """`here`: the seats whose people are at the table. `replaceable`: those away so long that a bot may come."""

    here: list[int]
    replaceable: list[int]


class Held(msgspec.Struct, frozen=True, tag="held"):
    """What somebody has in hand, null for nothing. With every new position all hands are empty."""

    seat: int
    what: str | None


class Said(msgspec.Struct, frozen=True, tag="said"):
    """What was said at the table: the last remarks to who comes, then each one."""

    remarks: list[ChatMessage]


class Next(msgspec.Struct, frozen=True, tag="next"):
    """Somebody has opened the next game of the series: the codes of this table fit there."""

    table: str


class HistoryPage(msgspec.Struct, frozen=True, tag="history"):
    """The answer to a `History`."""

    lines: list[Line]


class Past(msgspec.Struct, frozen=True, tag="past"):
    """The answer to a look; nothing is legal in the past."""

    frame: Frame


class Pong(msgspec.Struct, frozen=True, tag="pong"):
    """The answer to a ping."""

    number: int


class Solved(msgspec.Struct, frozen=True, tag="solved"):
    """What each legal act after `seq` acts is worth to who is to act: "win", "draw" or "loss", or alone the score."""

    seq: int
    values: dict[str, str | int]


class Ack(msgspec.Struct, frozen=True, tag="ack"):
    """The request counts; `seq` acts have been made since the start when it had been done."""

    id: str
    seq: int


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """The request changes nothing."""

    id: str
    fault: Fault


class Bots(msgspec.Struct, frozen=True, tag="bots"):
    """What the computer players do; waking: their kernels still compile."""

    state: BotsState
    seat: int | None


class ErrorMessage(msgspec.Struct, frozen=True, tag="error"):
    """Something could not be done or understood, in one sentence."""

    message: str


ServerMessage = (
    Welcome
    | Resumed
    | NewFrame
    | Rewound
    | Over
    | Changed
    | Presence
    | Held
    | Said
    | Next
    | Pong
    | Past
    | HistoryPage
    | Solved
    | Ack
    | Refused
    | Bots
    | ErrorMessage
)

_message: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
_encode = msgspec.json.Encoder().encode


def read_message(text: str) -> ClientMessage:
    """A message of the client. Raises BadMessage."""
    return _read(_message, text, "message")


def read_request(body: bytes, kind: type[T]) -> T:
    """The body of a request. Raises BadMessage."""
    return _read(msgspec.json.Decoder(kind), body, "request")


def _read(decoder: msgspec.json.Decoder[T], text: str | bytes, what: str) -> T:
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadMessage(f"The {what} can't be read: {str(error)[:200]}.") from None


def write(message: msgspec.Struct | list[GameInfo] | list[Listing]) -> bytes:
    """A message or an answer as JSON."""
    return _encode(message)
