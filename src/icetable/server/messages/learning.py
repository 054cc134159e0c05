"""Lessons and puzzles."""

from __future__ import annotations

import msgspec

from icetable.server.messages.fields import Options
from icetable.server.messages.games import Level
from icetable.server.messages.tables import Frame


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
