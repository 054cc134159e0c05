"""The games of a server."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from icetable.server.messages.fields import Options, Value
from icetable.server.messages.tables import Frame

Kind = Literal["choice", "int", "bool", "float", "list"]


class Reading(msgspec.Struct, frozen=True):
    """One of several ways to play that players should choose between: its name, and a description."""

    label: str
    about: str


class OptionSpec(msgspec.Struct, frozen=True, kw_only=True):
    """An option of a game. `rule`: the id of the rule that it changes. `min` and `max`: the range of a number.

    `recommended`: the value to suggest to newcomers. `labels` name the `choices` and `readings` describe them, both in
    the same order.
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
    """A level of the bots; `GameInfo.levels` lists the weakest first.

    `about`: how it plays; `by_players`: the same per number of players, if it differs.
    """

    name: str
    title: str
    about: str
    by_players: dict[str, str] | UnsetType = UNSET


class GameInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A game. `players`: the minimum and maximum number of players. `colours`: one per seat.

    `turns`: the game is turn-based, so it can be played with a clock; otherwise all seats act at any time. `lots`: its
    rules assign seats at random. `measured`: a summary of bot games, per number of players. `playing_time`: such as "8
    to 17 minutes", empty if unknown, and `favours`: the seat that wins clearly more than its share, if any; both for
    the usual number of players. `workshop`: a prototype, a file of plain Python.
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


class RulesText(msgspec.Struct, frozen=True):
    """A game's rules as HTML. The paragraph of each rule has the rule's id.

    `colours`: the colours in the drawings, by seat.
    """

    title: str
    html: str
    colours: tuple[str, ...]


class LessonStep(msgspec.Struct, frozen=True, kw_only=True):
    """A step of a lesson: the task (`told`), a hint, and the praise for completing it.

    `rules`: the ids of the rules that it teaches. `seat`: the learner's seat.
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
    """Whether the task of a step was completed at a table."""

    done: bool


class PuzzleListed(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle of a collection: the task, the solver's seat, and the `themes`.

    `options`: choices that differ from the defaults; numbers show on the board. `waits`: doing nothing may be right.
    `level`: the weakest level of the bots that finds the solution; null if none is sure to.
    """

    name: str
    task: str
    seat: int
    options: Options
    waits: bool
    level: str | None
    themes: list[str]


class PuzzleCollection(msgspec.Struct, frozen=True):
    """The puzzles of a game, in the order of the collection. `levels`: the levels of its bots, the weakest first."""

    game: str
    title: str
    levels: list[Level]
    puzzles: list[PuzzleListed]


class PuzzleVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a puzzle at a table. `is_right`: null until it is decided. `told`: the reason, in a sentence.

    `worth`: the value of the act to its seat, as a share of the game, and `best`: the value of the right act; null if
    unknown. `reply`: the refutation of a wrong act, position by position, from the one after it. `answer`: the expected
    play, from the first position. Both are empty until the puzzle is decided.
    """

    is_right: bool | None
    told: str
    worth: float | None
    best: float | None
    reply: list[Frame]
    answer: list[Frame]
