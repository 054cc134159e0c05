"""The messages between client and server. docs/protocol-reference.md and the front end's types are made from it.

Messages of clients are decoded strictly: unknown fields and texts that are too long are errors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, NewType, TypedDict, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from icetable.analysis.results import AnalysedAct, AnalysedOutcome, Reason, Review, Shares

if TYPE_CHECKING:
    from collections.abc import Callable

Value = str | int | float | bool | None | list[Any]
Options = NewType("Options", dict[str, Value])

T = TypeVar("T")

LONGEST = 8192
"""The greatest length of a message (in characters) and of a request's body (in bytes)."""

LONGEST_RECORD = 300_000
"""The greatest length of a record that is opened (in characters)."""
LONGEST_UPLOAD = 400_000
"""The greatest length of the body of a request with a record or a parcel (in bytes)."""
LONGEST_PARCEL = 250_000
"""The greatest length of a parcel (in bytes)."""

PAGE = 500
"""The greatest number of lines of a game in one message."""

Kind = Literal["choice", "int", "bool", "float", "list"]
SeatKind = Literal["person", "bot", "open"]
ProposalKind = Literal["undo", "fill", "draw", "pause", "resume"]
BotsState = Literal["thinking", "ready"]
TournamentKind = Literal["round-robin", "swiss", "rated"]
Insight = Literal["now", "over", "alone", "never"]
Text = Annotated[str, Meta(max_length=200)]
Speech = Annotated[str, Meta(max_length=300)]
Name = Annotated[str, Meta(max_length=64)]
RequestId = Annotated[str, Meta(min_length=1, max_length=64)]
Part = Annotated[str, Meta(min_length=1, max_length=32)]
"""A word of an act: a space of the board, or a kind of piece."""
Number = Annotated[int, Meta(ge=-(10**9), le=10**9)]
Count = Annotated[int, Meta(ge=0, le=10**9)]
NewCode = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]
"""A seat code of 128 bits that the client draws and stores before it asks, so that a lost answer loses no seat."""
Codes = Annotated[list[Name], Meta(max_length=16)]


class BadMessage(Exception):
    """A message or a request that can't be decoded; the text says why."""


# Plain answers


class Reading(msgspec.Struct, frozen=True):
    """One of two or more ways to play that players should weigh: what to call it, and what it is like."""

    label: str
    about: str


class OptionSpec(msgspec.Struct, frozen=True, kw_only=True):
    """An option of a game. `rule` is the id of the rule that it changes; `min` and `max` bound a number.

    `recommended`: the value to suggest to newcomers. `labels` say the `choices` in words and `readings`
    describe them, both in their order.
    """

    name: str
    kind: Kind
    default: Value
    help: str
    rule: str | None
    recommended: Value
    choices: list[Value] | UnsetType = UNSET
    min: float | UnsetType = UNSET
    max: float | UnsetType = UNSET
    readings: list[Reading] | UnsetType = UNSET
    labels: list[str] | UnsetType = UNSET


class Level(msgspec.Struct, frozen=True):
    """A level of the bots; `GameInfo.levels` lists the weakest first."""

    name: str
    title: str
    about: str


class GameInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A game. `players`: the least and the greatest number of players. `colours`: one for each seat.

    `turns`: the game is turn-based, so it can be played with a clock; otherwise all seats act at any time. `lots`: its
    rules draw lots for the seats. `measured`: what games of bots have shown, in a few sentences, by the number of
    players. `playing_time`: such as "8 to 17 minutes", empty where it is not known, and `favours`: the seat that wins
    clearly more than its share, if one does; both with the usual number of players. `workshop`: a prototype, a file of
    plain Python.
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
    lots: bool
    measured: dict[str, str]
    playing_time: str
    favours: int | None
    workshop: bool


class Addresses(msgspec.Struct, frozen=True):
    """Where browsers on other machines find the pages, the likeliest first. None: only this machine can open them.

    Pages that were not opened on the server's own machine get a public address only. `openable`: there is none yet, and
    the page may have the server listen in its local network.
    """

    others: list[str]
    openable: bool = False


class SeatRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who takes a seat of a new table: a person at this browser, a bot of a `level`, or a player who takes it later.

    A bot whose `name` is empty is given one.
    """

    kind: SeatKind
    name: Text
    level: Name | None


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The time control: `seconds` for each act, or for all acts of a game with `increment` seconds more for each act.

    More than a day is for each act. From a day on (86,400 seconds) time goes by the calendar, whether a server runs or
    not. A player whose time runs out loses, and the others share the win.
    """

    per: Literal["act", "game"]
    seconds: Annotated[int, Meta(ge=1, le=14 * 86_400)]
    increment: Annotated[int, Meta(ge=0, le=3600)]


class Match(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The length of a match. It ends when a player has this `number` of wins, or after this `number` of games, whose
    scores add up. A shared win counts in part. Players move one seat on after each game.
    """

    until: Literal["wins", "games"]
    number: Annotated[int, Meta(ge=2, le=100)]


class TableRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table to open. An option that is null has its default value.

    `public`: the lobby lists the table, and every client may take its open seats. `live`: watchers see the game while
    it is played. `lots`: seats are assigned at random when all of them are taken. `clock`: the time control.
    `pair`: two players play two games, and change seats for the second. `explore`: the table is for trying things, by
    one client with a person on each seat; its positions are analysed at any time. `hands`: in a game without turns, all
    see where over the board the others have their hands; unless it is false. `match`: it is the first table of a match.
    `plays_like`: the level of bots that the player who opens it claims to equal, for the list of public tables.
    """

    game: Name
    options: Options
    seats: list[SeatRequest]
    public: bool | UnsetType = UNSET
    live: bool | UnsetType = UNSET
    lots: bool | UnsetType = UNSET
    clock: Clock | UnsetType = UNSET
    pair: bool | UnsetType = UNSET
    explore: bool | UnsetType = UNSET
    hands: bool | UnsetType = UNSET
    match: Match | UnsetType = UNSET
    plays_like: Name | UnsetType = UNSET


class SeekRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A public table that somebody wants to play at: one that waits for such a player, else a new one.

    One seat is the person's, who holds it with `code`, and others are open; it is public.
    """

    table: TableRequest
    code: NewCode


class JoinRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Takes the first open seat of a table that anybody may join. From then on `code` holds it."""

    name: Text
    code: NewCode


class ParcelRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A parcel that waits for another browser. `sealed`: what is in it, encrypted there, in base64.

    `parcel`: its id, which tells nothing of the key.
    """

    parcel: Annotated[str, Meta(pattern="^[0-9a-f]{20}$")]
    sealed: Annotated[bytes, Meta(min_length=1, max_length=LONGEST_PARCEL)]


class ParcelLeft(msgspec.Struct, frozen=True):
    """For how many `seconds` a parcel waits."""

    seconds: int


class Parcel(msgspec.Struct, frozen=True):
    """What was in a parcel, still `sealed`, in base64."""

    sealed: bytes


class NextRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The next game of a series, or of a new match. `codes`: the client's seat codes.

    `rotate`: the next seat begins; in a pair and in a match always.
    """

    codes: Codes
    rotate: bool


class CopyRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table for one client to explore the position after `seq` acts. `codes`: the client's seat codes, if any."""

    codes: Codes
    seq: Count


class RecordRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The text of a game's record, to be watched again."""

    record: Annotated[str, Meta(max_length=LONGEST_RECORD)]


class NoticesRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A browser to be told, though its pages are closed, of the seats that `codes` hold; or no more, if it is not `on`.

    The address of its push service and its keys are those of the browser's `PushSubscription`.
    """

    codes: Codes
    endpoint: Annotated[str, Meta(max_length=1000)]
    p256dh: Annotated[str, Meta(max_length=100)]
    auth: Annotated[str, Meta(max_length=40)]
    on: bool


class Notices(msgspec.Struct, frozen=True):
    """Whether a browser is told of its seats."""

    on: bool


class PushKey(msgspec.Struct, frozen=True):
    """The key by which browsers subscribe to the notices of this server, in base64url; null: it sends none."""

    key: str | None


class TableCreated(msgspec.Struct, frozen=True):
    """A new table. `codes`: the seat code of each person, by seat number.

    `invites`: the codes with which the open seats are taken. `host`: the host's code, if the table has open seats.
    """

    table: str
    codes: dict[str, str]
    invites: dict[str, str]
    host: str | None


class Seated(msgspec.Struct, frozen=True):
    """The seat that a player has got. `host` and `invites`: as of a new table, where it was opened for the player."""

    table: str
    seat: int
    host: str | None
    invites: dict[str, str]


class PlaytestCreated(msgspec.Struct, frozen=True):
    """A play-test: tables of a game for whoever follows its link. `code`: its designer's, who alone sees the report."""

    playtest: str
    code: str


class Playtest(msgspec.Struct, frozen=True):
    """What visitors of a play-test are shown first."""

    game: str
    title: str
    summary: str


class PlaytestVisit(msgspec.Struct, frozen=True):
    """The table of a visitor, whose open seats anybody may take."""

    table: str


class PlaytestRemark(msgspec.Struct, frozen=True):
    """What a visitor found wrong after act number `seq`; `at`: in milliseconds since 1970."""

    name: str
    seq: int
    act: str
    text: str
    at: int


class PlaytestTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a play-test. `acts`: those of players. `thinking`: the seconds that each seat took for an act, in the
    median; null for bots. `record`: where it was asked for. What a game hides waits for its end.
    """

    table: str
    created: int
    seats: list[Seat]
    acts: int
    over: bool
    winners: list[int]
    scores: list[int]
    thinking: list[float | None]
    remarks: list[PlaytestRemark]
    record: str | UnsetType = UNSET


class BotGames(msgspec.Struct, frozen=True):
    """Games that bots played among themselves. `acts`: of players, in the median. `shares`: of the wins, by seat."""

    games: int
    acts: float
    shares: list[float]


class PlaytestReport(msgspec.Struct, frozen=True):
    """What the designer of a play-test learns, the newest table first. `bots`: as soon as they have played."""

    title: str
    options: dict[str, Value]
    tables: list[PlaytestTable]
    bots: BotGames | UnsetType = UNSET


class TournamentRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament to open: each of its tables has this game, with `options` (null: the default) and `clock`.

    `kind`: everybody against everybody in games of two; by the Swiss system, so many `rounds` between those who stand
    alike; or rated like that, by the rating of games that have one.
    """

    name: Text
    game: Name
    options: Options
    kind: TournamentKind
    rounds: Annotated[int, Meta(ge=1, le=31)] | UnsetType = UNSET
    clock: Clock | UnsetType = UNSET


class TournamentCreated(msgspec.Struct, frozen=True):
    """A tournament, which others enter by its id. `code`: its organizer's."""

    tournament: str
    code: str


class EnterRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Enters a tournament that has not begun: a person, who holds `code` at every table, or for its organizer a bot of
    a `level`."""

    name: Text
    code: NewCode | UnsetType = UNSET
    level: Name | UnsetType = UNSET


class Entered(msgspec.Struct, frozen=True):
    """The number of an entrant; the same one for the same code."""

    entrant: int


class OrganizerRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the organizer decides: the first round starts; an entrant plays no more, or has forfeited the game at a
    table of this round.
    """

    do: Literal["start", "remove", "forfeit"]
    entrant: Count | UnsetType = UNSET
    table: Name | UnsetType = UNSET


class Entrant(msgspec.Struct, frozen=True):
    """Somebody who has entered a tournament; bots have a `level`. `gone`: plays in no further round."""

    name: str
    level: str | None
    gone: bool


class TournamentTable(msgspec.Struct, frozen=True):
    """A table of a round. `seats`: the numbers of entrants, by seat. `wins` and `scores` by seat; `wins` is null until
    the game is over, a shared win counts in part. `forfeit`: who did not play.
    """

    table: str
    seats: list[int]
    wins: list[float] | None
    scores: list[int]
    forfeit: int | None


class TournamentRound(msgspec.Struct, frozen=True):
    """A round. `out`: the entrants who sit out."""

    tables: list[TournamentTable]
    out: list[int]


class TournamentLine(msgspec.Struct, frozen=True):
    """How an entrant stands. `points`: of wins, or the rating. `breaks` decide between equal points, the weightiest
    first: in a round robin head to head, then Sonneborn-Berger; by the Swiss system Buchholz, then Sonneborn-Berger;
    then the sums of the game's scores and of its own tie-break points. Rated, the sum of scores decides alone.
    """

    place: int
    entrant: int
    points: float
    played: int
    breaks: list[float]


class Tournament(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament as everybody may see it. `players`: at each table. `length`: how many rounds there are to be."""

    name: str
    game: str
    title: str
    options: Options
    clock: Clock | None
    kind: TournamentKind
    players: int
    length: int
    state: Literal["open", "running", "over"]
    entrants: list[Entrant]
    rounds: list[TournamentRound]
    standings: list[TournamentLine]


class LessonStep(msgspec.Struct, frozen=True, kw_only=True):
    """A step of a lesson: the task (`told`), a hint, and the praise when it is done.

    `rules`: the ids of the rules that it is about. `seat`: the learner's seat.
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
    """Whether the task of a step was done at a table."""

    done: bool


class PuzzleListed(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle of a collection: the task, the solver's seat, and what it is about (`themes`).

    `options`: how it is played where that is not as usual; numbers show on the board. `waits`: it may be right to do
    nothing. `level`: the weakest level of the bots that finds the answer; null where none is sure to.
    """

    name: str
    task: str
    seat: int
    options: Options
    waits: bool
    level: str | None
    themes: list[str]


class PuzzleCollection(msgspec.Struct, frozen=True):
    """The puzzles of a game, in the order of the collection. `levels`: those of its bots, the weakest first."""

    game: str
    title: str
    levels: list[Level]
    puzzles: list[PuzzleListed]


class ReviewProgress(msgspec.Struct, frozen=True):
    """How far a review is that is still worked out: `done` of its `of` positions; 0 of 0 before it has begun.

    `ahead`: how many reviews of other games come before it. `worths`: what each position is worth to all seats, null
    where that is not known yet; empty where the review tells of no worth.
    """

    done: int
    of: int
    ahead: int
    worths: list[Shares | None]


Told = NewType("Told", dict[str, Any])
"""What a review tells of a game without turns, in the game's own fields."""


class RealTimeReview(msgspec.Struct, frozen=True, tag="real-time"):
    """A game without turns that is over, as its rules and times alone tell of it."""

    told: Told


AnyReview = Review | RealTimeReview


class RulesText(msgspec.Struct, frozen=True):
    """A game's rules as HTML. The paragraph of each rule has the rule's id.

    `colours`: of the seats in the drawings, by seat.
    """

    title: str
    html: str
    colours: tuple[str, ...]


class ErrorBody(msgspec.Struct, frozen=True):
    """Why a request failed, in one sentence."""

    error: str


# Parts of a table


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """A seat as a client sees it. `mine`: the client holds its code. `gone`: its player has left the game."""

    seat: int
    kind: SeatKind
    name: str
    level: str | None
    colour: str
    mine: bool
    gone: bool


class Fault(msgspec.Struct, frozen=True):
    """Why a request was refused: a code, a sentence, the id of the rule that says so, and the spaces concerned."""

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
    """An act in the log of the game. `seq` counts from 1; seat -1 is chance.

    `at`: when it was made, in milliseconds of the table's time; only after the game is over.
    """

    seq: int
    seat: int
    text: str
    effects: list[Effect]
    at: int | UnsetType = UNSET


class Manner(TypedDict, total=False):
    """How a game is won. `cooperative`: all win or lose together, against the game; left out where they don't."""

    cooperative: bool


class View(Manner):
    """The position as one client may see it, with the fields that all games share. Each game
    adds fields of its own (`view.py` of the game).

    `seat`: the seat from which it is seen, null for watchers. `to_act`: the seats that may act.
    """

    seat: int | None
    to_act: list[int]
    over: bool
    ended_by: str | None
    winners: list[int]
    scores: list[float]


Layout = NewType("Layout", dict[str, Any])
"""What is fixed about the board of a table, in the game's own fields."""


class Clocks(msgspec.Struct, frozen=True):
    """The time left for each seat, in milliseconds at the moment of sending, and the seats whose clocks run."""

    left: list[int]
    running: list[int]


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """The position after `seq` acts. `line`: the last act. `legal`: the legal acts of the client's seats, by seat.

    `undo`: the `to` of an undo of the last act of a person; left out if the client can't ask for one. `entry`: the
    number of the last act in the table's log, for `Seen`; left out at the start. `due`: by seat, the milliseconds until
    time acts in its place, at the moment of sending; left out where that happens to no seat.
    """

    seq: int
    line: Line | None
    view: View
    legal: dict[str, list[str]]
    undo: int | UnsetType = UNSET
    clocks: Clocks | UnsetType = UNSET
    entry: int | UnsetType = UNSET
    due: dict[str, int] | UnsetType = UNSET


class PuzzleVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a puzzle at a table. `is_right`: null as long as there is more to do. `told`: why, in a sentence.

    `worth`: what the act that was made is worth to its seat, in shares of the game, and `best` what the right one is;
    null where that is unknown. `reply`: how a wrong act is refuted, position by position, from the one after it on.
    `answer`: the play to expect, from the first position on. Both are empty as long as there is more to do.
    """

    is_right: bool | None
    told: str
    worth: float | None
    best: float | None
    reply: list[Frame]
    answer: list[Frame]


class Retried(msgspec.Struct, frozen=True):
    """What another act would have been at a position of a game that is over, by the measure of the game's review.

    `is_right`: it is the best that is known, or as good. `worth`: what its seat can expect after it, in shares of the
    game, and `best` after the best act. `reply`: the play to expect after it, position by position. `answer`: the play
    to expect from the position on, which is the first. Positions are counted from there.
    """

    is_right: bool
    worth: float
    best: float
    reply: list[Frame]
    answer: list[Frame]


class Standing(msgspec.Struct, frozen=True):
    """The standing of a series: the number of games, the total score of each seat, and the seats that lead.

    `leaders` takes tie-breaks into account. `ratings`: tournament ratings, in games that define them. In a match `wins`
    are those of each seat, and `match_winners` the seats that have won it, as soon as it is decided.
    """

    games: int
    scores: list[int]
    leaders: list[int]
    ratings: list[float] | None
    wins: list[float] | UnsetType = UNSET
    match_winners: list[int] | UnsetType = UNSET


class Proposal(msgspec.Struct, frozen=True):
    """A proposal of seat `by`: undo to after act `target`, fill seat `target` with a bot, draw, pause or resume.

    It takes effect when all `waiting` seats have agreed. `number` identifies it in a `vote`.
    """

    number: int
    by: int
    what: ProposalKind
    target: int
    waiting: list[int]


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """A public table in the lobby. `created`: in milliseconds since 1970. `live`: clients may watch it now.

    `options`: those that are not as usual. `pair` and `match`: as of a table to open. `plays_like`: the level of bots
    that the player who waits claims to equal.
    """

    id: str
    game: str
    title: str
    created: int
    seats: list[Seat]
    started: bool
    live: bool
    options: Options
    clock: Clock | None
    pair: bool
    match: Match | None
    plays_like: str | None


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """A table in a list of a browser's tables. `turns`: the game is turn-based.

    `length`: how many entries its log has; `when`: the time of the last one, in milliseconds since 1970. `hidden`: the
    game is shown when it is over, and until then it is hidden: `length` is 0, and `when` is when the table was
    created. `to_act`, `over`, `winners`, `scores`, `ended_by` and `cooperative` are as in a view; `reason`: what ended
    the game, if no rule did. `explore`: it is a table for trying things, and not a game. `due`: when the time of a
    player who is to act is up, in milliseconds since 1970; null where no clock runs.
    """

    id: str
    game: str
    title: str
    turns: bool
    seats: list[Seat]
    started: bool
    hidden: bool
    paused: bool
    length: int
    when: int
    to_act: list[int]
    over: bool
    winners: list[int]
    scores: list[int]
    ended_by: str | None
    reason: Reason | None
    explore: bool
    due: int | None
    cooperative: bool = False


class TableInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A table as a client sees it.

    `turns`: the game is turn-based. `local`: one browser holds the seats of all persons, so acts can be undone at once.
    `commitment`: the SHA-256 of the secret from which chance is drawn, in hexadecimal. `solvable`: `solve` is answered.
    `analysable`: `analyse` is answered. `insight`: when the client may see what positions are worth: now, when the game
    is over, never at this table, or alone: when the game is over, but a client that holds all seats may see it now.
    `standing`: the series before this game. `started`: all seats are taken. `host`: the client opened the table.
    `guest`: the open seats that the client may take. `hidden`: the client sees only the start until the game is over.
    `paused`: clocks stand still, and no seat may act. `unattended`: that is because all had left. `pair`: two games
    belong together, with seats changed. `lots`: who sits where is, or was, drawn by lot. `record`: the table only shows
    a record from a file. `explore`: it is a table for trying things, and not a game. `hands`: `aim` is shown to the
    others. `match`: the match that its game belongs to. `tournament`: the id of the tournament that it counts in.
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
    analysable: bool
    insight: Insight
    standing: Standing | None
    started: bool
    public: bool
    host: bool
    guest: list[int]
    hidden: bool
    clock: Clock | None
    paused: bool
    unattended: bool
    proposal: Proposal | None
    pair: bool
    lots: bool
    record: bool
    explore: bool
    hands: bool
    match: Match | None
    tournament: str | None


class ChatMessage(msgspec.Struct, frozen=True):
    """A chat message. `number` counts from 1; `name`: of the player then; `at`: in milliseconds since 1970."""

    number: int
    seat: int
    name: str
    at: int
    text: str


class Ending(msgspec.Struct, frozen=True):
    """What a client learns when the game is over.

    `secret`: what chance was drawn from, in hexadecimal; empty where a record is shown. `standing`: the series with
    this game. `reason`: what ended the game, if no rule did. `link`: the last hash of the log's chain, with which the
    record ends. `reviewable`: there is a review of the game.
    """

    secret: str
    standing: Standing
    reason: Reason | None
    link: str
    reviewable: bool


# Messages of the client


class Seen(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The newest position that a client has with all acts before it: `seq` and `entry` of its frame, 0 at the start."""

    seq: Count
    entry: Count


class Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="join"):
    """Joins a table, as the first message. A client without a fitting seat code watches.

    `seen`: what the client still has from before; the answer is then `resumed` if possible, else `welcome`.
    """

    table: Name
    codes: Codes
    seen: Seen | UnsetType = UNSET


class Watch(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="watch"):
    """Follows the list of public tables, in place of a table. The answers are `listed`, as long as the socket lasts.

    `tournament`: follows that one instead; the answers are `tournament`.
    """

    tournament: Name | UnsetType = UNSET


class Act(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="act"):
    """An act of a seat, in the game's notation. It counts once, even if the client sends it again with the same `id`.

    A client may send several acts without waiting for the answers. `after`: the id of an act of the same seat without
    which this one makes no sense; if that was refused, this one is too. `lapsed`: the act is sent again, too late to
    count; the answer says whether it had counted before. `lag`: the round-trip time in milliseconds,
    which the clock does not count, up to a bound. `seen`: the `entry` of the newest frame that the player saw. In a
    game without turns an act that fails only because of what others did since is refused without a penalty, if the
    round trip that the server has measured allows for it.
    """

    id: RequestId
    seat: Number
    text: Text
    lag: Count | UnsetType = UNSET
    after: RequestId | UnsetType = UNSET
    seen: Count | UnsetType = UNSET
    lapsed: bool | UnsetType = UNSET


class Undo(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="undo"):
    """Undoes all acts after the first `to`: at once at a local table, elsewhere as a proposal to the other players."""

    id: RequestId
    to: Count


class Look(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="look"):
    """Asks for the position after `seq` acts. The answer is `past`."""

    seq: Count


class History(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="history"):
    """Asks for the page of lines that ends before line `before`. The answer is `history`."""

    before: Annotated[int, Meta(ge=1, le=10**9)]


class Ping(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="ping"):
    """Measures the round-trip time. The answer is a `pong` of the same number. In a game without turns the server
    sends a `ping` of its own after that, which the client answers likewise."""

    number: Count


class Pong(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="pong"):
    """The answer to `ping`, at once."""

    number: Count


class Solve(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="solve"):
    """Asks for the value of each legal act after `seq` acts. The answer is `solved`.

    A newer question replaces one that waits.
    """

    seq: Count


class Analyse(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="analyse"):
    """Asks what the position after `seq` acts and each legal act there are worth; null: no more answers are wanted.

    The answers are `analysed`, each by a deeper search than the one before, or `unanalysed`. A newer question
    replaces the last one.
    """

    seq: Count | None


class Hold(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="hold"):
    """Shows the others what a player has in hand before the act: a word of a legal act, null for nothing.

    It is not stored and has no answer, except an error for a seat of another client.
    A word of no legal act counts as null.
    """

    seat: Number
    what: Part | None


class Aim(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="aim"):
    """Shows the others where over the board a player has a hand, in a game without turns; null: nowhere.

    `at`: x and y, in units of the layout. It is not stored and has no answer, except an error for a seat of another
    client. Of more than a few in a second some are left out, and all of them where the table does not show hands.
    """

    seat: Number
    at: tuple[Number, Number] | None


class Sit(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="sit"):
    """Takes an open seat. From then on `code` holds it, and the invite is void."""

    id: RequestId
    seat: Number
    name: Text
    code: NewCode


class Leave(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="leave"):
    """Leaves the game. The player keeps the seat and can return."""

    id: RequestId
    seat: Number


class Return(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="return"):
    """Returns to a seat whose player had left."""

    id: RequestId
    seat: Number


class HandOver(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="hand-over"):
    """Gives a seat the new `code` and voids the old one, to pass it on. The host may do this with open seats."""

    id: RequestId
    seat: Number
    code: NewCode


class Fill(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="fill"):
    """Puts a bot on a seat: on an open one by the host, on one whose player is gone as a proposal to the others."""

    id: RequestId
    seat: Number
    level: Name


class Offer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="offer"):
    """Proposes a draw, a pause or its end to the other players."""

    id: RequestId
    what: Literal["draw", "pause", "resume"]


class Resign(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="resign"):
    """A seat gives up, which ends the game: the other seats share the win. A player who plays alone wins nothing."""

    id: RequestId
    seat: Number


class Vote(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="vote"):
    """Agrees to proposal `number` or rejects it. The player who made it withdraws it by rejecting it."""

    id: RequestId
    number: Count
    agree: bool


class Say(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="say"):
    """Sends a chat message to all clients at the table. It is not part of the game.

    `remark`: nobody at the table gets it; the server keeps it for the designer of a prototype, with the position after
    this number of acts.
    """

    id: RequestId
    text: Speech
    remark: Count | UnsetType = UNSET


Request = Act | Undo | Sit | Leave | Return | HandOver | Fill | Offer | Resign | Vote
ClientMessage = Join | Watch | Ping | Pong | Look | History | Solve | Analyse | Hold | Aim | Say | Request


# Messages of the server


class Welcome(msgspec.Struct, frozen=True, tag="welcome"):
    """The whole table, in answer to `join`, with the last page of lines; `history` asks for earlier ones.

    `lines` is null if the game hides its history until it is over. `ending` is null until then.
    """

    table: TableInfo
    lines: list[Line] | None
    frame: Frame
    ending: Ending | None


class Resumed(msgspec.Struct, frozen=True, tag="resumed"):
    """What the client missed, in answer to a `join` with `seen`.

    If acts that it had seen were undone, or if it missed more than a page, the answer is `welcome`.
    """

    table: TableInfo
    lines: list[Line]
    frame: Frame


class Listed(msgspec.Struct, frozen=True, tag="listed"):
    """The public tables that are new or have changed, and the ids of those that are `gone`; at most once a second.

    `whole`: these are all that there are.
    """

    tables: list[Listing]
    gone: list[str]
    whole: bool


class TournamentNews(msgspec.Struct, frozen=True, tag="tournament"):
    """A tournament as it is now, at most once a second."""

    tournament: Tournament


class NewFrame(msgspec.Struct, frozen=True, tag="frame"):
    """The newest position, after an act or after a change by time alone."""

    frame: Frame


class Rewound(msgspec.Struct, frozen=True, tag="rewound"):
    """Acts were undone. `lines`: as in `welcome`."""

    lines: list[Line] | None
    frame: Frame


class Over(msgspec.Struct, frozen=True, tag="over"):
    """The game is over. It follows the frame of the last act. `lines`: as in `welcome`."""

    lines: list[Line] | None
    ending: Ending


class Changed(msgspec.Struct, frozen=True, tag="changed"):
    """Something about the table has changed. `frame`: the newest position, as the client sees it now.

    `dropped`: the seat that declined the open proposal or withdrew it, if one did.
    """

    table: TableInfo
    frame: Frame
    dropped: int | UnsetType = UNSET


class Presence(msgspec.Struct, frozen=True, tag="presence"):
    """`here`: the seats whose players are connected. `replaceable`: the seats that a bot may take over.

    `lags`: in a game without turns, the round-trip times of the players in milliseconds, by seat, where they are known.
    """

    here: list[int]
    replaceable: list[int]
    lags: dict[str, int] | UnsetType = UNSET


class Held(msgspec.Struct, frozen=True, tag="held"):
    """What a player has in hand, null for nothing. With every new position all hands are empty."""

    seat: int
    what: str | None


class Aimed(msgspec.Struct, frozen=True, tag="aimed"):
    """Where over the board a player has a hand, as x and y in units of the layout; null for nowhere."""

    seat: int
    at: tuple[int, int] | None


class Said(msgspec.Struct, frozen=True, tag="said"):
    """Chat messages: the last ones after a `join`, then each new one."""

    remarks: list[ChatMessage]


class Next(msgspec.Struct, frozen=True, tag="next"):
    """The next game of the series was opened at this table. The seat codes are the same."""

    table: str


class HistoryPage(msgspec.Struct, frozen=True, tag="history"):
    """The answer to `history`."""

    lines: list[Line]


class Past(msgspec.Struct, frozen=True, tag="past"):
    """The answer to `look`. It lists no legal acts."""

    frame: Frame


class Solved(msgspec.Struct, frozen=True, tag="solved"):
    """The value of each legal act after `seq` acts, for the seat to act: "win", "draw" or "loss", or a score."""

    seq: int
    values: dict[str, str | int]


class Analysed(msgspec.Struct, frozen=True, kw_only=True, tag="analysed"):
    """What the position after `seq` acts is worth: the share of the game that each seat can expect; they add up to 1.

    `seat` is to act, -1 for chance, null where the game is over. `candidates`: its legal acts, the best first.
    `outcomes`: those of chance, where they can be listed. `exact`: the game is over, or solved from here.
    `simulations`: of this search. `last`: no deeper search follows.
    """

    seq: int
    simulations: int
    last: bool
    seat: int | None
    worth: Shares
    exact: bool
    candidates: tuple[AnalysedAct, ...]
    outcomes: tuple[AnalysedOutcome, ...]


class Unanalysed(msgspec.Struct, frozen=True, tag="unanalysed"):
    """The position after `seq` acts is not analysed, for the reason in one sentence."""

    seq: int
    why: str


class Ack(msgspec.Struct, frozen=True, tag="ack"):
    """The request was stored and took effect. `seq`: the number of acts after it."""

    id: str
    seq: int


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """The request had no effect."""

    id: str
    fault: Fault


class Bots(msgspec.Struct, frozen=True, tag="bots"):
    """What the bots do: the bot of `seat` thinks, or none does (ready).

    `warming_up`: about how many seconds until they play as well as their levels can; null: they do.
    """

    state: BotsState
    seat: int | None
    warming_up: int | None


BOTS_READY = Bots("ready", None, None)


class ErrorMessage(msgspec.Struct, frozen=True, tag="error"):
    """A message could not be read or handled, for the reason in one sentence."""

    message: str


ServerMessage = (
    Welcome
    | Resumed
    | Listed
    | TournamentNews
    | NewFrame
    | Rewound
    | Over
    | Changed
    | Presence
    | Held
    | Aimed
    | Said
    | Next
    | Ping
    | Pong
    | Past
    | HistoryPage
    | Solved
    | Analysed
    | Unanalysed
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


def request_reader(kind: type[T]) -> Callable[[bytes], T]:
    """What reads the body of a request of this type. It raises BadMessage."""
    decoder = msgspec.json.Decoder(kind)
    return lambda body: _read(decoder, body, "request")


def _read(decoder: msgspec.json.Decoder[T], text: str | bytes, what: str) -> T:
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadMessage(f"The {what} can't be read: {str(error)[:200]}.") from None


def write(message: msgspec.Struct | list[GameInfo] | list[Listing] | list[Summary]) -> bytes:
    """A message or an answer as JSON."""
    return _encode(message)
