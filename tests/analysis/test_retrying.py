"""Tries at the positions of a game that is over are judged by the measure of its review."""

from __future__ import annotations

import pickle

import pytest

from icetable.analysis import review
from icetable.analysis.positions import Analyst
from icetable.analysis.retrying import Retry, retry
from icetable.analysis.reviewing import Unit, sources_of
from icetable.core.game import Action
from icetable.core.turns import TurnState
from tests.analysis.material import KINDS, end_of_a_game, toy

SIMULATIONS = 4
WINNING, LOSING = "do:1", "do:2"
"""What to do with five beans, and what not."""


def retried(state: TurnState, number: int, act: str, simulations: int = SIMULATIONS) -> Retry:
    """What a worker sends back."""
    unit = Unit(state, Action(act), number, Analyst(simulations))
    posted = unit.posted(sources_of(state.game.info))
    found: Retry = pickle.loads(pickle.dumps(retry(pickle.loads(pickle.dumps(posted)))))
    return found


@pytest.mark.parametrize(("name", "players"), KINDS)
def test_the_act_that_was_played_is_told_as_the_review_tells_it(name: str, players: int) -> None:
    last = end_of_a_game(name, players, seed=5)
    found = review(last, SIMULATIONS)
    states = [state for state in last.history() if isinstance(state, TurnState)]
    decisions = [number for number, act in enumerate(found.acts) if act.kind == "decision"]
    assert decisions
    for number in decisions:
        played, told = found.acts[number], retried(states[number], number, found.acts[number].act)
        assert (told.act.regret, told.act.best, told.act.line) == (played.regret, played.best, played.line)
        assert told.after == found.worths[number + 1]


@pytest.mark.parametrize(("name", "players"), KINDS)
def test_what_the_review_would_have_played_is_right(name: str, players: int) -> None:
    last = end_of_a_game(name, players, seed=6)
    found = review(last, SIMULATIONS)
    states = [state for state in last.history() if isinstance(state, TurnState)]
    for number, act in enumerate(found.acts):
        if act.kind == "decision" and act.best is not None:
            told = retried(states[number], number, act.best)
            assert (told.is_right, told.best) == (True, told.worth)


@pytest.mark.usefixtures("toys")
def test_what_a_try_is_worth() -> None:
    """Who takes one of five beans wins by it; two let the win go."""
    five = toy("fate", "lot:15", heap=5, lots=4, first=1)
    right, wrong = (retried(five, 1, act, 200) for act in (WINNING, LOSING))
    assert (right.is_right, right.worth, right.best) == (True, 1, 1)
    assert (wrong.is_right, wrong.worth, wrong.best) == (False, 0, 1)
    assert wrong.line
