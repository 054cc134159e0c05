"""Puzzles: positions with a solution to find. The puzzles of a game are in `puzzles.json` of its package."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, cast

from icetable.core.errors import GameError
from icetable.core.game import Action
from icetable.core.options import short_repr

if TYPE_CHECKING:
    from icetable.core.game import GameInfo, State

ACT = "act"
"""The goal in turn-based games: to find the only right act."""
CALL = "call"
"""The goal to call the target or to wait."""


class NoPuzzle(GameError):
    """The game has no such puzzle."""


@dataclass(frozen=True)
class Reply:
    """The refutation of a wrong act: the value of the act for the seat, in shares of the game, and the best line.

    In the line, chance takes the worst outcome for the seat.
    """

    worth: float
    line: tuple[Action, ...]


@dataclass(frozen=True)
class Puzzle:
    """A position and a task for a seat.

    `position` and `options`: in the format of `Game.from_saved`. `task`: the task in a sentence. `goal`: "act" in
    turn-based games, otherwise one that the game's module `puzzles` knows; `target` is the piece or colour that it is
    about. `answer`: the seat's acts that solve it, in order; empty if waiting is right. `line`: the best line, which
    begins with the answer.

    `worth`: the value of the answer for the seat, in shares of the game; `next_best`: the maximum value of all other
    acts; both None in a real-time game. `level`: the weakest level that finds the answer; None if no level does
    without a time limit. `themes`: the topics. `replies`: the refutations by wrong act.
    """

    info: GameInfo
    options: Mapping[str, Any]
    position: Any
    seat: int
    task: str
    answer: tuple[Action, ...]
    line: tuple[Action, ...]
    worth: float | None
    next_best: float | None
    level: str | None
    themes: tuple[str, ...]
    goal: str = ACT
    target: str | None = None
    replies: Mapping[Action, Reply] = field(default_factory=dict)

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
    """The result of an attempt: `is_right` is None until it is decided. `told` is the explanation, in a sentence.

    `reply` is the refutation of a wrong act, if it is known.
    """

    is_right: bool | None
    told: str
    reply: Reply | None = None


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
        return Verdict(True, f"Right: it is worth {_percent(puzzle.worth)} of the game, {rest}.")
    reply = puzzle.replies.get(act)
    if reply is None:
        return Verdict(False, "There is a better move.")
    values = f"this one is worth {_percent(reply.worth)} of the game, the right one {_percent(puzzle.worth)}"
    return Verdict(False, f"There is a better move: {values}.", reply)


def _percent(value: float | None) -> str:
    return f"{round(100 * (value or 0))}%"


def task_of(info: GameInfo, seat: int, themes: Sequence[str]) -> str:
    """The task of a puzzle in a turn-based game."""
    claim = "One move wins" if "wins" in themes else "One move saves you" if "saves" in themes else "One move is best"
    return f"You play {info.colours[seat]}. {claim}: find it."
