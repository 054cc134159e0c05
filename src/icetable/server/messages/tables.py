"""A table as a client sees it, and its parts."""

from __future__ import annotations

from typing import Any, Literal, NewType, TypedDict

import msgspec
from msgspec import UNSET, UnsetType

from icetable.analysis.results import Reason
from icetable.server.messages.fields import Options, RulesChoice, SeatKind
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
    """Why a request was refused: a code, a sentence, the id of the rule, and the spaces concerned."""

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

    `at`: the time of the act, in milliseconds of the table's time; only after the game is over.
    """

    seq: int
    seat: int
    text: str
    effects: list[Effect]
    at: int | UnsetType = UNSET


class Manner(TypedDict, total=False):
    """How a game is won. `cooperative`: all win or lose together, against the game; left out if they don't."""

    cooperative: bool


class View(Manner):
    """The position as one client may see it, with the fields that all games share. Each game adds its own (in its
    `view.py`).

    `seat`: the client's seat, null for watchers. `to_act`: the seats that may act.
    """

    seat: int | None
    to_act: list[int]
    over: bool
    ended_by: str | None
    winners: list[int]
    scores: list[float]


Layout = NewType("Layout", dict[str, Any])
"""The fixed parts of a table's board, in the game's own fields."""


class Clocks(msgspec.Struct, frozen=True):
    """The time left per seat, in milliseconds at the time of sending, and the seats whose clocks run."""

    left: list[int]
    running: list[int]


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """The position after `seq` acts. `line`: the last act. `legal`: the legal acts of the client's seats, by seat.

    `undo`: the `to` of an undo of the last act of a person; left out if the client can't request one. `entry`: the
    number of the last act in the table's log, for `Seen`; left out at the start. `due`: by seat, the milliseconds from
    the time of sending until time acts for it; left out if there is no such seat. `played`: the milliseconds of play so
    far, in a game that a bell will end.
    """

    seq: int
    line: Line | None
    view: View
    legal: dict[str, list[str]]
    undo: int | UnsetType = UNSET
    clocks: Clocks | UnsetType = UNSET
    entry: int | UnsetType = UNSET
    due: dict[str, int] | UnsetType = UNSET
    played: int | UnsetType = UNSET


class Standing(msgspec.Struct, frozen=True):
    """The standing of a series: the number of games, the total score of each seat, and the seats that lead.

    `leaders` takes tie-breaks into account. `ratings`: tournament ratings, in games that define them. In a match,
    `wins` are the wins of each seat, and `match_winners` the seats that have won it, once it is decided.
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


class RulesNotice(msgspec.Struct, frozen=True):
    """What has become of the rules of a prototype whose file was saved, and what players may do about it.

    `choices`: "back" takes back the moves that the new rules refuse, "keep" goes on with the old rules, and "again"
    plays what was taken back, as far as the rules allow.
    """

    message: str
    choices: list[RulesChoice]


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """A public table in the lobby. `created`: in milliseconds since 1970. `live`: clients may watch it now.

    `options`: those that differ from the defaults. `pair` and `match`: as in `TableRequest`. `plays_like`: the level of
    bots that the waiting player claims to equal.
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

    `length`: the number of entries in its log; `when`: the time of the last one, in milliseconds since 1970. `hidden`:
    the game is hidden until it is over; `length` is then 0, and `when` the time of creation. `to_act`, `over`,
    `winners`, `scores`, `ended_by` and `cooperative` are as in a view. `reason`: why the game ended, if not by a rule.
    `explore`: the table is for exploring, not for a game. `due`: the time when the clock of a player to act runs out,
    in milliseconds since 1970; null if no clock runs. `pair`, `match` and `tournament` are as in `TableInfo`, and
    `standing` is that of the series: with this game once it is over. `next`: the table of the next game of the series,
    for its players, once it is open.
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
    pair: bool
    match: Match | None
    tournament: str | None
    standing: Standing | None
    next: str | None
    cooperative: bool = False


class TableInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A table as a client sees it.

    `turns`: the game is turn-based. `local`: one browser holds the seats of all persons, so undo is immediate.
    `commitment`: the SHA-256 of the secret that seeds chance, in hexadecimal. `solvable`: `solve` is answered.
    `analysable`: `analyse` is answered. `insight`: when the client may see values of positions: now, when the game is
    over, never at this table, or alone: when the game is over, but now for a client that holds all seats. `standing`:
    the series before this game. `started`: all seats are taken. `host`: the client opened the table. `guest`: the open
    seats that the client may take. `hidden`: the client sees only the start until the game is over. `paused`: clocks
    are stopped, and no seat may act. `unattended`: it is paused because all players had left. `pair`: it is one of two
    games with swapped seats. `lots`: seats are, or were, assigned at random. `record`: the table only shows a record
    from a file. `explore`: the table is for exploring, not for a game. `hands`: `aim` is shown to the others. `match`:
    the match that the game belongs to. `tournament`: the id of the tournament that it counts for. `prototype`: the game
    is a designer's file, without lessons, and its players may send remarks. `rules`: news of that
    file.
    """

    id: str
    game: str
    title: str
    prototype: bool
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
    rules: RulesNotice | None
    pair: bool
    lots: bool
    record: bool
    explore: bool
    hands: bool
    match: Match | None
    tournament: str | None


class ChatMessage(msgspec.Struct, frozen=True):
    """A chat message. `number` counts from 1. `name`: the player's name then. `at`: in milliseconds since 1970."""

    number: int
    seat: int
    name: str
    at: int
    text: str


class Ending(msgspec.Struct, frozen=True):
    """The result of the game, sent when it is over.

    `secret`: the seed of chance, in hexadecimal; empty if a record is shown. `standing`: the series with this game.
    `reason`: why the game ended, if not by a rule. `link`: the last hash of the log's chain, with which the record
    ends. `reviewable`: the game can be reviewed.
    """

    secret: str
    standing: Standing
    reason: Reason | None
    link: str
    reviewable: bool
