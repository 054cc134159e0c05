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
    """A seat as a client sees it."""

    seat: int
    """Its number."""
    kind: SeatKind
    """Whether a person or a bot has it, or it is open."""
    name: str
    """The name of its player; empty if it is open."""
    level: str | None
    """The level of a bot; null for others."""
    colour: str
    """The colour of its pieces."""
    mine: bool
    """The client holds its code."""
    gone: bool
    """Its player has left the game."""


class Fault(msgspec.Struct, frozen=True):
    """Why a request was refused."""

    code: str
    """The kind of reason, in a word."""
    message: str
    """The reason, in one sentence."""
    rule: str | None
    """The id of the rule that refuses it; null if none does."""
    where: list[str]
    """The spaces concerned."""


class Effect(msgspec.Struct, frozen=True):
    """Something that an act caused."""

    kind: str
    """The word for what happened."""
    spaces: list[str]
    """The spaces concerned."""
    value: int | str | None
    """What the kind needs beside the spaces, such as a piece; null for nothing."""


class Line(msgspec.Struct, frozen=True):
    """An act in the log of the game."""

    seq: int
    """Its number, from 1."""
    seat: int
    """The seat that acted; -1 is chance."""
    text: str
    """Its notation."""
    effects: list[Effect]
    """What it caused, in order."""
    at: int | UnsetType = UNSET
    """Its time, in milliseconds of the table's time; left out until the game is over."""


class Manner(TypedDict, total=False):
    """How a game is won."""

    cooperative: bool
    """All win or lose together, against the game; left out if they don't."""


class View(Manner):
    """The position as one client may see it, with the fields that all games share. Each game adds its own (in its
    `view.py`).
    """

    seat: int | None
    """The client's seat; null for watchers."""
    to_act: list[int]
    """The seats that may act; -1 is chance."""
    over: bool
    """The game is over."""
    ended_by: str | None
    """The id of the rule that ended it; null while it goes on."""
    winners: list[int]
    """The winning seats; empty while it goes on."""
    scores: list[float]
    """The points of each seat."""


Layout = NewType("Layout", dict[str, Any])
"""The fixed parts of a table's board, in the game's own fields."""


class Clocks(msgspec.Struct, frozen=True):
    """The clocks at the time of sending."""

    left: list[int]
    """The time left per seat, in milliseconds."""
    running: list[int]
    """The seats whose clocks run."""


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
    """The standing of a series."""

    games: int
    """The number of games."""
    scores: list[int]
    """The total score of each seat."""
    leaders: list[int]
    """The seats that lead, by tie-breaks too."""
    ratings: list[float] | None
    """The tournament rating of each seat; null in games that define none."""
    wins: list[float] | UnsetType = UNSET
    """In a match, the wins of each seat; a shared win counts in part."""
    match_winners: list[int] | UnsetType = UNSET
    """The seats that have won the match; left out until it is decided."""


class Proposal(msgspec.Struct, frozen=True):
    """A proposal of one seat to the others. It takes effect when all have agreed."""

    number: int
    """The number that identifies it in a `vote`."""
    by: int
    """The seat that proposes."""
    what: ProposalKind
    """What it proposes: an undo, a bot on a seat, a draw, a pause, or its end."""
    target: int
    """The number of acts that an undo leaves, or the seat that a bot fills."""
    waiting: list[int]
    """The seats that have yet to agree."""


class RulesNotice(msgspec.Struct, frozen=True):
    """What has become of the rules of a prototype whose file was saved."""

    message: str
    """What has happened, in a sentence or two."""
    choices: list[RulesChoice]
    """What players may do: "back" takes back the moves that the new rules refuse, "keep" goes on with the old rules,
    and "again" plays what was taken back, as far as the rules allow.
    """


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
    """A chat message."""

    number: int
    """Its number, from 1."""
    seat: int
    """The seat of the player."""
    name: str
    """The player's name then."""
    at: int
    """The time, in milliseconds since 1970."""
    text: str
    """The message."""


class Ending(msgspec.Struct, frozen=True):
    """The result of the game, sent when it is over."""

    secret: str
    """The seed of chance, in hexadecimal; empty if a record is shown."""
    standing: Standing
    """The series with this game."""
    reason: Reason | None
    """Why the game ended; null if by a rule."""
    link: str
    """The last hash of the log's chain, with which the record ends."""
    reviewable: bool
    """The game can be reviewed."""
