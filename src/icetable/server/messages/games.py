"""The games of a server."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from icetable.server.messages.fields import Options, Value
from icetable.server.messages.tables import Frame

Kind = Literal["choice", "int", "bool", "float", "list"]


class Reading(msgspec.Struct, frozen=True):
    """One of several ways to play that players should choose between."""

    label: str
    """Its name."""
    about: str
    """A description, in a sentence or two."""


class OptionSpec(msgspec.Struct, frozen=True, kw_only=True):
    """An option of a game."""

    name: str
    """The name in requests and records."""
    kind: Kind
    """The kind of its values."""
    default: Value
    """The value without a choice."""
    help: str
    """What it changes, in a sentence."""
    rule: str | None
    """The id of the rule that it changes."""
    recommended: Value
    """The value to suggest to newcomers."""
    choices: list[Value] | UnsetType = UNSET
    """All values, if they can be listed."""
    min: float | UnsetType = UNSET
    """The least value of a number."""
    max: float | UnsetType = UNSET
    """The greatest value of a number."""
    readings: list[Reading] | UnsetType = UNSET
    """Descriptions of the `choices`, in the same order."""
    labels: list[str] | UnsetType = UNSET
    """Names of the `choices`, in the same order."""


class Level(msgspec.Struct, frozen=True):
    """A level of the bots; `GameInfo.levels` lists the weakest first."""

    name: str
    """Its name in requests."""
    title: str
    """Its name on the page."""
    about: str
    """How it plays."""
    by_players: dict[str, str] | UnsetType = UNSET
    """How it plays, by number of players; left out if that is always the same."""


class GameInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A game."""

    name: str
    """The name in requests and records."""
    title: str
    """The name for people."""
    summary: str
    """What it is, in a sentence."""
    players: tuple[int, int]
    """The minimum and maximum number of players."""
    turns: bool
    """The game is turn-based, so it can be played with a clock; otherwise all seats act at any time."""
    default_players: int
    """The usual number of players."""
    options: list[OptionSpec]
    """In the order of the rules."""
    presets: dict[str, Options]
    """Named choices of options."""
    levels: list[Level]
    """The levels of its bots, the weakest first."""
    colours: list[str]
    """One per seat."""
    random_seats: bool
    """Its rules assign seats at random."""
    measured: dict[str, str]
    """A summary of bot games, per number of players."""
    playing_time: str
    """For the usual number of players, such as "8 to 17 minutes"; empty if unknown."""
    favours: int | None
    """The seat that wins clearly more than its share, if any, with the usual number of players."""
    workshop: bool
    """It is a prototype, a file of plain Python."""
    teams: dict[str, list[list[int]]]
    """The seats that win together, per number of players."""


class RulesText(msgspec.Struct, frozen=True):
    """A game's rules."""

    title: str
    """The title of the game."""
    html: str
    """The rules as HTML. The paragraph of each rule has the rule's id."""
    colours: tuple[str, ...]
    """The colours in the drawings, by seat."""


class LessonStep(msgspec.Struct, frozen=True, kw_only=True):
    """A step of a lesson."""

    name: str
    """Its name in requests."""
    title: str
    """Its title on the page."""
    instruction: str
    """What the learner is to do."""
    hint: str
    """Help for a learner who does not find it."""
    praise: str
    """For completing the step."""
    rules: list[str]
    """The ids of the rules that it teaches."""
    seat: int
    """The learner's seat."""


class Lesson(msgspec.Struct, frozen=True):
    """The lesson of a game."""

    game: str
    """The name of the game."""
    title: str
    """The title of the game."""
    steps: list[LessonStep]
    """The steps, in order."""


class Learned(msgspec.Struct, frozen=True):
    """The state of a step at a table."""

    done: bool
    """The task was completed."""


class PuzzleListed(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle of a collection."""

    name: str
    """Its name in requests."""
    task: str
    """The task, in a sentence."""
    seat: int
    """The solver's seat."""
    options: Options
    """Choices that differ from the defaults; numbers show on the board."""
    waits: bool
    """Doing nothing may be right."""
    level: str | None
    """The weakest level of the bots that finds the solution; null if none is sure to."""
    themes: list[str]
    """The names of its themes."""


class PuzzleCollection(msgspec.Struct, frozen=True):
    """The puzzles of a game."""

    game: str
    """The name of the game."""
    title: str
    """The title of the game."""
    levels: list[Level]
    """The levels of its bots, the weakest first."""
    puzzles: list[PuzzleListed]
    """The puzzles, in the order of the collection."""


class PuzzleVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a puzzle at a table."""

    is_right: bool | None
    """Null until it is decided."""
    explanation: str
    """The reason, in a sentence."""
    worth: float | None
    """The value of the act to its seat, as a share of the game; null if unknown."""
    best: float | None
    """The value of the right act; null if unknown."""
    reply: list[Frame]
    """The refutation of a wrong act, position by position, from the one after it; empty until the puzzle is decided."""
    answer: list[Frame]
    """The expected play, from the first position; empty until the puzzle is decided."""
