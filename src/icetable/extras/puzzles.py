"""Puzzles: positions and something to find there. What ships with a game stands in `puzzles.json` of its package."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, cast

from icetable.core.acts import Action
from icetable.core.errors import GameError
from icetable.core.options import short_repr

if TYPE_CHECKING:
    from icetable.core.game import GameInfo, State

ACT = "act"
"""The goal in games of turns: to find the one right act."""
CALL = "call"
"""The goal to call the target or to wait."""


class NoPuzzle(GameError):
    """The game has no such puzzle."""


@dataclass(frozen=True)
class Reply:
    """What refutes a wrong act: what the act is worth to the seat, in shares of the game, and the play to expect.

    Where chance acts within the line, it does what harms the seat most.
    """

    worth: float
    line: tuple[Action, ...]


@dataclass(frozen=True)
class Puzzle:
    """A position, and what a seat is to find there.

    `position` and `options`: what `Game.from_saved` reads. `task`: what is asked, in a sentence. `goal`: "act" in games
    of turns, else one that the game's module `puzzles` knows; `target` is the piece or the colour that it is about.
    `answer`: the seat's acts that solve it, one after another; none where it is right to wait. `line`: the play to
    expect, which begins with the answer.

    `worth`: what the answer is worth to the seat, in shares of the game; `next_best`: what any other act is worth at
    most; None for both in a game without turns. `level`: the weakest one that finds it; None where no level does
    without thinking by the clock. `themes`: what it is about. `replies`: by wrong act, what refutes it.
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
        """A short name for addresses, which depends on the position and the task alone."""
        asked = [self.info.name, dict(self.options), self.position, self.seat, self.goal, self.target]
        return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:8]

    @property
    def may_wait(self) -> bool:
        """Whether it may be right to do nothing."""
        return self.goal == CALL

    def state(self) -> State:
        """The state at which it begins. Raises GameError for a position that no play leads to."""
        return self._start

    @functools.cached_property
    def _start(self) -> State:
        saved = {"icetable": 1, "game": self.info.name, "options": self.options, "position": self.position}
        return self.info.load_stored(self.options).from_saved(saved)

    def described(self) -> dict[str, Any]:
        """The puzzle as JSON can hold it."""
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
            "replies": {act: {"worth": one.worth, "line": list(one.line)} for act, one in self.replies.items()},
        }


@dataclass(frozen=True)
class Verdict:
    """What became of a puzzle: `is_right` is None as long as there is more to do. `told` says why, in a sentence.

    `reply` is what refutes a wrong act, where that is known.
    """

    is_right: bool | None
    told: str
    reply: Reply | None = None


class PuzzleJudge(Protocol):
    """What the module `puzzles` of a game without turns offers."""

    def judged(self, puzzle: Puzzle, states: Sequence[State], waits: bool, /) -> Verdict:
        """What became of a puzzle; the states are those from its position on."""
        ...


def read(info: GameInfo, content: Mapping[str, Any]) -> Puzzle:
    """The puzzle that `Puzzle.described` describes."""
    given = {name: value for name, value in content.items() if name not in ("name", "game")}
    for name in ("answer", "line"):
        given[name] = tuple(map(Action, content[name]))
    given["themes"] = tuple(content["themes"])
    given["replies"] = {
        Action(act): Reply(one["worth"], tuple(map(Action, one["line"]))) for act, one in content["replies"].items()
    }
    return Puzzle(info=info, **given)


def collection(info: GameInfo) -> tuple[Puzzle, ...]:
    """The puzzles that ship with a game; none where it has no such file."""
    return tuple(_by_name(info).values())


def puzzle_of(info: GameInfo, name: str) -> Puzzle:
    """The puzzle with a name. Raises NoPuzzle."""
    found = _by_name(info)
    if name not in found:
        raise NoPuzzle(f"{info.title} has no puzzle {short_repr(name)}")
    return found[name]


_KNOWN: dict[str, Mapping[str, Puzzle]] = {}


def _by_name(info: GameInfo) -> Mapping[str, Puzzle]:
    """The puzzles of `puzzles.json`, which is read once."""
    file = info.folder / "puzzles.json"
    if str(file) not in _KNOWN:
        content = json.loads(file.read_text(encoding="utf-8"))["puzzles"] if file.is_file() else []
        _KNOWN[str(file)] = {puzzle.name: puzzle for puzzle in (read(info, one) for one in content)}
    return _KNOWN[str(file)]


def judged(puzzle: Puzzle, state: State, waits: bool = False) -> Verdict:
    """What became of a puzzle, at a state whose log begins at its position.

    `waits`: the player says that there is nothing to do. Raises GameError where the log begins elsewhere.
    """
    states = list(state.history())
    if states[0] != puzzle.state():
        raise GameError("this is no try at the puzzle: it does not begin at its position")
    module = puzzle.info.part("puzzles")
    if module is not None:
        return cast("PuzzleJudge", module).judged(puzzle, states, waits)
    act = next((one.act for one in states if one.seat == puzzle.seat), None)
    if act is None:
        return Verdict(None, puzzle.task)
    if act in puzzle.answer:
        rest = f"any other move at most {_percent(puzzle.next_best)}"
        return Verdict(True, f"Right: it is worth {_percent(puzzle.worth)} of the game, {rest}.")
    reply = puzzle.replies.get(act)
    if reply is None:
        return Verdict(False, "There is a better move.")
    worths = f"this one is worth {_percent(reply.worth)} of the game, the right one {_percent(puzzle.worth)}"
    return Verdict(False, f"There is a better move: {worths}.", reply)


def _percent(worth: float | None) -> str:
    return f"{round(100 * (worth or 0))} %"


def task_of(info: GameInfo, seat: int, themes: Sequence[str]) -> str:
    """What a puzzle of a game of turns asks for."""
    asked = "One move wins" if "wins" in themes else "One move saves you" if "saves" in themes else "One move is best"
    return f"You play {info.colours[seat]}. {asked}: find it."
