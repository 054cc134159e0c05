"""Interactive lessons. The module `lessons` of a game's package has their `STEPS`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from icetable.core.errors import GameError
from icetable.core.options import short_repr

if TYPE_CHECKING:
    from icetable.core.game import GameInfo, State

Goal = Callable[["State"], bool]
"""Whether the learner's last act, which led to this state, completes a step."""

ACT = re.compile(r"(?:(\d) )?(.+)")


class NoLesson(GameError):
    """The game has no such step."""


@dataclass(frozen=True, eq=False)
class Step:
    """A position and a task.

    `name` is used in URLs. `told` is the instruction, `hint` says how to follow it, and `praise` is shown on success.
    `rules` are the ids of the rules to learn. `opening` has the acts that lead to the position, including those of
    chance, separated by semicolons; if several seats may act, the seat precedes the act. `seat` is the learner's seat.
    """

    name: str
    title: str
    told: str
    hint: str
    praise: str
    rules: tuple[str, ...]
    opening: str
    is_goal: Goal
    seat: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)


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
        seat, act = cast("re.Match[str]", ACT.fullmatch(text)).groups()
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
