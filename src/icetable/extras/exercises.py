"""Exercises: the steps of lessons, and puzzles, which are positions with a solution to find.

A game has its `STEPS` in the module `lessons` of its package, and its puzzles in `puzzles.json`.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, cast

from icetable.core.errors import GameError
from icetable.core.game import Action
from icetable.core.options import short_repr

if TYPE_CHECKING:
    from icetable.core.game import GameInfo, State

Goal = Callable[["State"], bool]
"""Whether the learner's last act, which led to this state, completes a step."""
SEAT_AND_ACT = re.compile(r"(?:(\d) )?(.+)")
ACT = "act"
"""The goal in turn-based games: to find the only right act."""
CALL = "call"
"""The goal to call the target or to wait."""


class NoLesson(GameError):
    """The game has no such step."""


@dataclass(frozen=True, eq=False)
class Step:
    """A position of a lesson, and a task."""

    name: str
    """The name in URLs."""
    title: str
    """Its title."""
    instruction: str
    """The task, in a sentence or two."""
    hint: str
    """How to follow the instruction."""
    praise: str
    """What is shown on success."""
    rules: tuple[str, ...]
    """The ids of the rules to learn."""
    opening: str
    """The acts that lead to the position, including those of chance, separated by semicolons; if several seats may act,
    the seat precedes the act."""
    is_goal: Goal
    """Whether the task is done in a state."""
    seat: int = 0
    """The learner's seat."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options of its game."""


def steps(info: GameInfo) -> tuple[Step, ...]:
    """The steps of a game's lesson, in order; empty if the game has no lesson."""
    module = info.part("lessons")
    return () if module is None else tuple(module.STEPS)


def step_of(info: GameInfo, name: str) -> Step:
    """The step with this name. Raises NoLesson."""
    for step in steps(info):
        if step.name == name:
            return step
    raise NoLesson(f"the lesson of {info.title} has no step {short_repr(name)}")


def start_of(info: GameInfo, step: Step) -> State:
    """The initial state of a step. Raises GameError if the opening breaks the rules."""
    state = info.load(**step.options).start()
    for text in filter(None, map(str.strip, step.opening.split(";"))):
        seat, act = cast("re.Match[str]", SEAT_AND_ACT.fullmatch(text)).groups()
        state = state.apply(act, None if seat is None else int(seat))
    return state


def acts(*texts: str) -> Goal:
    """A goal: the last act is one of these."""
    return lambda state: state.act in texts


def causes(kind: str, value: str = "") -> Goal:
    """A goal: the last act has an effect of this kind with a value that begins with `value`."""
    return lambda state: any(
        effect.kind == kind and str(effect.value or "").startswith(value) for effect in state.effects
    )


class NoPuzzle(GameError):
    """The game has no such puzzle."""


@dataclass(frozen=True)
class Reply:
    """The refutation of a wrong act."""

    worth: float
    """The value of the act for the seat, in shares of the game."""
    line: tuple[Action, ...]
    """The best line, in which chance takes the worst outcome for the seat."""


@dataclass(frozen=True)
class Puzzle:
    """A position and a task for a seat."""

    info: GameInfo
    """The game."""
    options: Mapping[str, Any]
    """The options of the game."""
    position: Any
    """In the format of `Game.from_saved`, as `options` are."""
    seat: int
    """The seat that has the task."""
    task: str
    """The task in a sentence."""
    answer: tuple[Action, ...]
    """The seat's acts that solve it, in order; empty if waiting is right."""
    line: tuple[Action, ...]
    """The best line, which begins with the answer."""
    worth: float | None
    """The value of the answer for the seat, in shares of the game; None in a real-time game."""
    next_best: float | None
    """The maximum value of all other acts; None in a real-time game."""
    level: str | None
    """The weakest level that finds the answer; None if no level does without a time limit."""
    themes: tuple[str, ...]
    """The names of its themes."""
    goal: str = ACT
    """"act" in turn-based games, otherwise one that the game's module `puzzles` knows."""
    target: str | None = None
    """The piece or colour that the goal is about."""
    replies: Mapping[Action, Reply] = field(default_factory=dict)
    """The refutations by wrong act."""

    @functools.cached_property
    def name(self) -> str:
        """A short name for URLs, which depends only on the position and the task."""
        identity = [self.info.name, dict(self.options), self.position, self.seat, self.goal, self.target]
        return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:8]

    @property
    def may_wait(self) -> bool:
        """Whether doing nothing may be right."""
        return self.goal == CALL

    def state(self) -> State:
        """The initial state. Raises GameError if the position is unreachable."""
        return self._start

    @functools.cached_property
    def _start(self) -> State:
        saved = {"icetable": 1, "game": self.info.name, "options": self.options, "position": self.position}
        return self.info.load_stored(self.options).from_saved(saved)

    def described(self) -> dict[str, Any]:
        """The puzzle as JSON-compatible data."""
        return {
            "name": self.name,
            "game": self.info.name,
            "options": dict(self.options),
            "position": self.position,
            "seat": self.seat,
            "task": self.task,
            "goal": self.goal,
            "target": self.target,
            "answer": list(self.answer),
            "line": list(self.line),
            "worth": self.worth,
            "next_best": self.next_best,
            "level": self.level,
            "themes": list(self.themes),
            "replies": {act: {"worth": reply.worth, "line": list(reply.line)} for act, reply in self.replies.items()},
        }


@dataclass(frozen=True)
class Verdict:
    """The result of an attempt."""

    is_right: bool | None
    """Whether it is right; None until it is decided."""
    explanation: str
    """The reason, in one sentence."""
    reply: Reply | None = None
    """The refutation of a wrong act; None if it is right, or none is known."""


class PuzzleJudge(Protocol):
    """The interface of a real-time game's module `puzzles`."""

    def judged(self, puzzle: Puzzle, states: Sequence[State], waits: bool, /) -> Verdict:
        """Judge an attempt; the states are those from the puzzle's position on."""
        ...


def read(info: GameInfo, content: Mapping[str, Any]) -> Puzzle:
    """Parse the data returned by `Puzzle.described`."""
    fields = {name: value for name, value in content.items() if name not in ("name", "game")}
    for name in ("answer", "line"):
        fields[name] = tuple(map(Action, content[name]))
    fields["themes"] = tuple(content["themes"])
    fields["replies"] = {
        Action(act): Reply(one["worth"], tuple(map(Action, one["line"]))) for act, one in content["replies"].items()
    }
    return Puzzle(info=info, **fields)


def collection(info: GameInfo) -> tuple[Puzzle, ...]:
    """The puzzles that ship with a game; empty if it has no such file."""
    return tuple(_by_name(info).values())


def puzzle_of(info: GameInfo, name: str) -> Puzzle:
    """The puzzle with this name. Raises NoPuzzle."""
    found = _by_name(info)
    if name not in found:
        raise NoPuzzle(f"{info.title} has no puzzle {short_repr(name)}")
    return found[name]


_CACHE: dict[str, Mapping[str, Puzzle]] = {}


def _by_name(info: GameInfo) -> Mapping[str, Puzzle]:
    """The puzzles of `puzzles.json`, cached."""
    file = info.folder / "puzzles.json"
    if str(file) not in _CACHE:
        contents = json.loads(file.read_text(encoding="utf-8"))["puzzles"] if file.is_file() else []
        _CACHE[str(file)] = {puzzle.name: puzzle for puzzle in (read(info, content) for content in contents)}
    return _CACHE[str(file)]


def judged(puzzle: Puzzle, state: State, waits: bool = False) -> Verdict:
    """Judge an attempt at a puzzle by a state whose log begins at its position.

    `waits`: the player chooses to do nothing. Raises GameError if the log begins elsewhere.
    """
    states = list(state.history())
    if states[0] != puzzle.state():
        raise GameError("this is not an attempt at the puzzle: it does not begin at its position")
    module = puzzle.info.part("puzzles")
    if module is not None:
        return cast("PuzzleJudge", module).judged(puzzle, states, waits)
    act = next((reached.act for reached in states if reached.seat == puzzle.seat), None)
    if act is None:
        return Verdict(None, puzzle.task)
    if act in puzzle.answer:
        rest = f"any other move at most {_percent(puzzle.next_best)}"
        return Verdict(True, f"Right: it wins {_percent(puzzle.worth)} of the time, {rest}.")
    reply = puzzle.replies.get(act)
    if reply is None:
        return Verdict(False, "There is a better move.")
    values = f"this one wins {_percent(reply.worth)} of the time, the right one {_percent(puzzle.worth)}"
    return Verdict(False, f"There is a better move: {values}.", reply)


def _percent(value: float | None) -> str:
    return f"{round(100 * (value or 0))}%"


def task_of(info: GameInfo, seat: int, themes: Sequence[str]) -> str:
    """The task of a puzzle in a turn-based game."""
    claim = "One move wins" if "wins" in themes else "One move saves you" if "saves" in themes else "One move is best"
    return f"You play {info.colours[seat]}. {claim}: find it."
