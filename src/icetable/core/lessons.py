"""Lessons: a game taught by doing. A game keeps its own in the module `lessons` of its package, which names `STEPS`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, cast

from icetable.core.errors import GameError

if TYPE_CHECKING:
    from icetable.core.game import GameInfo, State

Goal = Callable[["State"], bool]
"""Whether the last act of the learner, which led to this state, was what a step asks for."""

ACT = re.compile(r"(?:(\d) )?(.+)")


class NoLesson(GameError):
    """There is no such lesson, or no such step in it."""


@dataclass(frozen=True, eq=False)
class Step:
    """A position and something to do there.

    `name` stands in addresses. `told` says what it is about and what to do, `hint` how; `praise` is for who has done
    it. `rules` are the ids of the rules that are learned. `opening`: the acts that lead to the position, nature's
    included, with semicolons between them, and with the seat before an act where several may act. `seat` is the
    learner's.
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
    """The lesson of a game, in order; empty where it has none."""
    module = f"{info.face.rpartition('.')[0]}.lessons"
    return tuple(import_module(module).STEPS) if find_spec(module) else ()


def step_of(info: GameInfo, name: str) -> Step:
    """A step by its name. Raises NoLesson."""
    for step in steps(info):
        if step.name == name:
            return step
    raise NoLesson(f"the lesson of {info.title} has no step {name!r}")


def start_of(info: GameInfo, step: Step) -> State:
    """Where a step begins. Raises GameError where the opening breaks the rules."""
    state = info.load(**step.options).start()
    for text in filter(None, map(str.strip, step.opening.split(";"))):
        seat, act = cast("re.Match[str]", ACT.fullmatch(text)).groups()
        state = state.apply(act, None if seat is None else int(seat))
    return state


def acts(*texts: str) -> Goal:
    """One of these acts is asked for."""
    return lambda state: state.act in texts


def causes(kind: str, value: str = "") -> Goal:
    """An act is asked for with an effect of this kind, whose value begins so."""
    return lambda state: any(
        effect.kind == kind and str(effect.value or "").startswith(value) for effect in state.effects
    )
