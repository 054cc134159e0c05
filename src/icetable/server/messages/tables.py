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
    """The position after `seq` acts."""

    seq: int
    """The number of acts so far."""
    line: Line | None
    """The last act."""
    view: View
    """The position as the client may see it."""
    legal: dict[str, list[str]]
    """The legal acts of the client's seats, by seat."""
    undo: int | UnsetType = UNSET
    """The `to` of an undo of the last act of a person; left out if the client can't request one."""
    clocks: Clocks | UnsetType = UNSET
    """If the table has a clock."""
    entry: int | UnsetType = UNSET
    """The number of the last act in the table's log, for `Seen`; left out at the start."""
    due: dict[str, int] | UnsetType = UNSET
    """By seat, the milliseconds from the time of sending until time acts for it; left out if there is no such seat."""
    played: int | UnsetType = UNSET
    """The milliseconds of play so far, in a game that a bell will end."""


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
    """A public table in the lobby."""

    id: str
    """The table's id."""
    game: str
    """The name of the game."""
    title: str
    """The title of the game."""
    created: int
    """In milliseconds since 1970."""
    seats: list[Seat]
    """By number."""
    started: bool
    """All seats are taken."""
    live: bool
    """Clients may watch it now."""
    options: Options
    """Those that differ from the defaults."""
    clock: Clock | None
    """The time control."""
    pair: bool
    """As in `TableRequest`."""
    match: Match | None
    """As in `TableRequest`."""
    plays_like: str | None
    """The level of bots that the waiting player claims to equal."""


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """A table in a list of a browser's tables."""

    id: str
    """The table's id."""
    game: str
    """The name of the game."""
    title: str
    """The title of the game."""
    turns: bool
    """The game is turn-based."""
    seats: list[Seat]
    """By number."""
    started: bool
    """All seats are taken."""
    hidden: bool
    """The game is hidden until it is over."""
    paused: bool
    """Clocks are stopped, and no seat may act."""
    length: int
    """The number of entries in its log; 0 if it is hidden."""
    when: int
    """The time of the last entry, or of creation if it is hidden, in milliseconds since 1970."""
    to_act: list[int]
    """As in `View`, like the next fields."""
    over: bool
    """The game is over."""
    winners: list[int]
    """The seats that won."""
    scores: list[int]
    """By seat."""
    ended_by: str | None
    """The id of the rule that ended the game."""
    reason: Reason | None
    """Why the game ended, if not by a rule."""
    explore: bool
    """The table is for exploring, not for a game."""
    due: int | None
    """The time when the clock of a player to act runs out, in milliseconds since 1970; null if no clock runs."""
    pair: bool
    """As in `TableInfo`."""
    match: Match | None
    """As in `TableInfo`."""
    tournament: str | None
    """As in `TableInfo`."""
    standing: Standing | None
    """That of the series: with this game once it is over."""
    next: str | None
    """The table of the next game of the series, for its players, once it is open."""
    cooperative: bool = False
    """As in `View`."""


class TableInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A table as a client sees it."""

    id: str
    """The table's id."""
    game: str
    """The name of the game."""
    title: str
    """The title of the game."""
    prototype: bool
    """The game is a designer's file, without lessons, and its players may send remarks."""
    options: Options
    """The value of each option."""
    layout: Layout
    """The fixed parts of the board."""
    turns: bool
    """The game is turn-based."""
    seats: list[Seat]
    """By number."""
    local: bool
    """One browser holds the seats of all persons, so undo is immediate."""
    commitment: str
    """The SHA-256 of the secret that seeds chance, in hexadecimal."""
    solvable: bool
    """`solve` is answered."""
    analysable: bool
    """`analyse` is answered."""
    insight: Insight
    """When the client may see values of positions: now, when the game is over, never at this table, or alone: when the
    game is over, but now for a client that holds all seats.
    """
    standing: Standing | None
    """The series before this game."""
    started: bool
    """All seats are taken."""
    public: bool
    """The lobby lists the table, and every client may take its open seats."""
    host: bool
    """The client opened the table."""
    guest: list[int]
    """The open seats that the client may take."""
    hidden: bool
    """The client sees only the start until the game is over."""
    clock: Clock | None
    """The time control."""
    paused: bool
    """Clocks are stopped, and no seat may act."""
    unattended: bool
    """It is paused because all players had left."""
    proposal: Proposal | None
    """The proposal that waits for votes."""
    rules: RulesNotice | None
    """News of a prototype's file."""
    pair: bool
    """It is one of two games with swapped seats."""
    random_seats: bool
    """Seats are, or were, assigned at random."""
    record: bool
    """The table only shows a record from a file."""
    explore: bool
    """The table is for exploring, not for a game."""
    hands: bool
    """`aim` is shown to the others."""
    match: Match | None
    """The match that the game belongs to."""
    tournament: str | None
    """The id of the tournament that it counts for."""


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
