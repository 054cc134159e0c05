"""Lessons and puzzles."""

from __future__ import annotations

import msgspec

from icetable.server.messages.fields import Options
from icetable.server.messages.games import Level
from icetable.server.messages.tables import Frame


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
