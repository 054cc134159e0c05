"""Lessons: their openings are played by the rules, and each goal can be reached, and missed."""

from __future__ import annotations

import re

import pytest

from icetable import games
from icetable.core.game import GameInfo
from icetable.extras import exercises
from icetable.extras.exercises import Step

LESSONS = {f"{info.name}-{step.name}": (info, step) for info in games.list_games() for step in exercises.steps(info)}
OF_TURNS = {name: (info, step) for name, (info, step) in LESSONS.items() if info.turns}
"""Where there are no turns, legal acts can't be listed: those games try their lessons themselves."""


@pytest.mark.parametrize(("info", "step"), LESSONS.values(), ids=LESSONS)
class TestStep:
    def test_the_learner_is_to_act(self, info: GameInfo, step: Step) -> None:
        start = exercises.start_of(info, step)
        assert step.seat in start.to_act
        assert start.act is None or not step.is_goal(start)

    def test_its_rules_exist(self, info: GameInfo, step: Step) -> None:
        known = set(re.findall(r"^\*\*([A-Z]+-\d+a?)\*\*", info.rules(), re.MULTILINE))
        assert set(step.rules) <= known
        assert step.rules

    def test_its_words_are_sentences(self, info: GameInfo, step: Step) -> None:
        for words in (step.instruction, step.hint, step.praise):
            assert re.fullmatch(r"[A-Z0-9].*[.?!]", words)
        assert re.fullmatch("[a-z-]+", step.name)


@pytest.mark.parametrize(("info", "step"), OF_TURNS.values(), ids=OF_TURNS)
def test_a_legal_act_reaches_the_goal_and_another_does_not(info: GameInfo, step: Step) -> None:
    start = exercises.start_of(info, step)
    reached = {step.is_goal(start.apply(act, step.seat)) for act in start.legal_actions(step.seat)}
    assert reached == {True, False}


def test_every_game_has_a_lesson_of_three_steps_or_more() -> None:
    for info in games.list_games():
        names = [step.name for step in exercises.steps(info)]
        assert len(names) >= 3
        assert len(set(names)) == len(names)
