"""Figures for programs about chance and the length of games agree with the games."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from icetable import CHANCE
from icetable.core.turns import TurnGame, TurnState
from tests.conformance.cases import Case, each_turn_case, outcomes_can_be_listed, states, walk


def turn_game(case: Case) -> TurnGame:
    assert isinstance(case.game, TurnGame)
    return case.game


def chance_states(case: Case) -> list[TurnState]:
    reached = [state for state in walk(case).history() if isinstance(state, TurnState)]
    return [state for state in reached if state.actor == CHANCE][:3]


def whole_acts(state: TurnState, drawn: tuple[int, ...] = (), odds: float = 1.0) -> Iterator[tuple[str, float]]:
    """All acts of chance, part by part, with their probabilities."""
    act = state.game.act_of_parts(state.position, drawn)
    if act is not None:
        yield act, odds
        return
    for part, chance in enumerate(state.game.part_odds(state.position, drawn)):
        if chance:
            yield from whole_acts(state, (*drawn, part), odds * chance)


@each_turn_case
def test_parts_make_up_legal_acts_of_chance(case: Case) -> None:
    game, rng = turn_game(case), case.rng()
    assert game.chance_parts or not chance_states(case)
    for state in chance_states(case):
        drawn: tuple[int, ...] = ()
        while (act := game.act_of_parts(state.position, drawn)) is None:
            odds = game.part_odds(state.position, drawn)
            assert sum(odds) == pytest.approx(1, abs=1e-12)
            assert min(odds) >= 0
            drawn = (*drawn, int(rng.choice(len(odds), p=odds)))
        assert state.fault(act) is None
        assert state.apply(act).act == act


@each_turn_case
def test_acts_told_in_parts_are_as_likely_as_those_listed(case: Case) -> None:
    for state in chance_states(case)[:1]:
        if outcomes_can_be_listed(state):
            listed = {str(act): odds for act, odds in state.chance_outcomes()}
            assert dict(whole_acts(state)) == pytest.approx(listed)


@each_turn_case
def test_no_game_is_longer_than_told(case: Case) -> None:
    longest = turn_game(case).longest()
    assert (longest is None) == (case.game.options.get("turn_limit") == 0)
    if longest is not None:
        assert bool(longest[1]) == bool(turn_game(case).chance_parts)
        seats = [state.seat for state in walk(case).history() if state.act is not None]
        assert len(seats) - seats.count(CHANCE) <= longest[0]
        assert seats.count(CHANCE) <= longest[1]


@each_turn_case
def test_nobody_alone_scores_more_than_told(case: Case) -> None:
    most = turn_game(case).max_solo_score()
    assert (most is None) == (case.game.players > 1)
    if most is not None:
        assert all(state.scores[0] <= most for state in states(case))
