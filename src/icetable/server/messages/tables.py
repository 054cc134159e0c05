"""A table as a client sees it, and its parts."""

from __future__ import annotations

from typing import Any, Literal, NewType, TypedDict

import msgspec
from msgspec import UNSET, UnsetType

from icetable.analysis.results import Reason
from icetable.server.messages.fields import Options, SeatKind
from icetable.server.messages.opening import Clock, Match

ProposalKind = Literal["undo", "fill", "draw", "pause", "resume"]
Insight = Literal["now", "over", "alone", "never"]


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
