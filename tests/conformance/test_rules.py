"""The rules: the same as the readable edition's, and legal is what has no fault."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from icetable import CHANCE, Fault, GameError, GameInfo, IllegalAction
from icetable.core.turns import TurnGame, TurnState
from tests.conformance.cases import (
    CASES,
    Case,
    acts,
    askers,
    each_case,
    each_game,
    each_turn_case,
    outcomes_can_be_listed,
    some_texts,
    states,
    texts,
    walk,
)
from tests.conformance.material import material
from tests.games import lockstep

LOCKSTEP_ACTS = 100
TEXTS_JUDGED = 400


@each_turn_case
def test_edition_in_lockstep(case: Case) -> None:
    """Random games, as many as make up LOCKSTEP_ACTS acts."""
    rng, acts = case.rng(), 0
    while acts < LOCKSTEP_ACTS:
        acts += lockstep.play(case.name, rng, LOCKSTEP_ACTS - acts, **case.game.options)


@each_turn_case
def test_legal_is_what_has_no_fault(case: Case) -> None:
    usual = material(case.name).usual
    for number, state in enumerate(states(case)):
        if CHANCE not in state.to_act or outcomes_can_be_listed(state):
            legal = set(state.legal_actions())
            judged = legal | set(some_texts(case, number, TEXTS_JUDGED))
            assert {text for text in judged if state.fault(text) is None} == {
                text for text in judged if usual(text) in legal
            }
            assert legal <= set(texts(case))


@each_case
def test_faults_are_complete(case: Case) -> None:
    for number, state in enumerate(states(case)):
        for text in some_texts(case, number):
            for seat in askers(state):
                fault = state.fault(text, seat)
                if fault is None:
                    continue
                assert type(fault) is Fault
                assert fault.code == fault.code.strip().lower()
                assert fault.message.isprintable()
                assert fault.message.endswith(".")
                assert fault.rule.startswith(f"{case.game.info.rule_prefix}-")
                assert all(isinstance(place, str) for place in fault.where)
                assert json.loads(json.dumps(fault.proof, allow_nan=False)) is not None
                with pytest.raises(IllegalAction) as refused:
                    state.apply(text, seat)
                assert refused.value.fault == fault
                assert str(refused.value) == fault.message


@each_case
def test_one_seat_acts_for_itself_only(case: Case) -> None:
    seats = [*range(case.game.players), CHANCE]
    for state in states(case):
        listed = {seat: acts(state, seat) for seat in state.to_act}
        for seat in seats:
            if seat not in state.to_act:
                assert state.legal_actions(seat) == []
                for act in [act for legal in listed.values() for act in legal[:3]]:
                    fault = state.fault(act, seat)
                    assert fault is not None
                    assert fault.rule == case.game.info.turn_rule or not isinstance(case.game, TurnGame)
                    with pytest.raises(IllegalAction):
                        state.apply(act, seat)
        for seat, legal in listed.items():
            for act in legal[:3]:
                assert state.apply(act, seat).seat == seat


@each_case
def test_chance(case: Case) -> None:
    rng = case.rng()
    for state in states(case):
        if state.to_act != {CHANCE}:
            with pytest.raises(GameError):
                state.chance_outcomes()
        elif outcomes_can_be_listed(state):
            outcomes = state.chance_outcomes()
            assert [act for act, _ in outcomes] == state.legal_actions()
            assert math.isclose(sum(probability for _, probability in outcomes), 1)
            assert all(probability > 0 for _, probability in outcomes)
        else:
            drawn = case.game.random_act(state, rng)
            assert state.fault(drawn) is None
            assert state.apply(drawn).seat == CHANCE


@each_case
def test_when_it_is_over(case: Case) -> None:
    for number, state in enumerate(states(case)):
        assert state.is_terminal == (not state.to_act)
        assert state.is_terminal == (state.ended_by is not None)
        assert state.to_act <= {*range(case.game.players), CHANCE}
        assert len(state.scores) == case.game.players
        assert all(type(score) in (int, float) for score in state.scores)
        assert state.winners <= set(range(case.game.players))
        if not state.is_terminal:
            assert state.winners == frozenset()
            continue
        assert state.legal_actions() == []
        with pytest.raises(GameError, match="over"):
            case.game.random_act(state, case.rng())
        for text in some_texts(case, number):
            for seat in (None, 0, CHANCE):
                fault = state.fault(text, seat)
                assert fault is not None
                assert (fault.code, fault.rule) == ("game-over", state.ended_by)
            with pytest.raises(IllegalAction):
                state.apply(text)


@each_turn_case
def test_evaluations_share_the_game_out(case: Case) -> None:
    """The shares add up to the one game, and are the winners' when it is over; alone it is a part of it."""
    players = case.game.players
    shares = np.empty(players)
    for state in walk(case).history():
        assert isinstance(state, TurnState)
        state.game.evaluation.evaluate(state.array, shares)
        assert all(0 <= share <= 1 for share in shares)
        if players > 1:
            assert sum(shares) == pytest.approx(1)
            assert not state.is_terminal or list(shares) == pytest.approx(
                [(seat in state.winners) / len(state.winners) for seat in range(players)]
            )


@each_game
def test_some_games_end(info: GameInfo) -> None:
    """Random play comes to an end in the time that the suite gives it, so that ends are tested at all."""
    assert any(walk(case).is_terminal for case in CASES if case.name == info.name)
