"""States are values: nothing changes them, and what adds up to the same position is equal."""

from __future__ import annotations

import copy
import pickle
from itertools import combinations, pairwise

import pytest

from icetable import CHANCE, Action, Effect, GameError, IllegalAction, State
from icetable.core.turns import TurnState
from tests.conformance.cases import (
    Case,
    acts,
    again,
    differences,
    each_case,
    set_up,
    some_states,
    some_texts,
    states,
    walk,
)
from tests.conformance.material import material


def everything(state: State) -> tuple[object, ...]:
    """All that a state shows of itself."""
    return (
        state.to_json(),
        state.record(),
        state.to_act,
        state.winners,
        state.scores,
        state.ended_by,
        state.effects,
        state.act,
        state.seat,
        state.at,
        [(seat, state.legal_actions(seat)) for seat in sorted(state.to_act) if acts(state, seat)],
        hash(state),
        repr(state),
    )


@each_case
def test_nothing_changes_a_state(case: Case) -> None:
    for number, state in enumerate(states(case)):
        before = everything(state)
        for seat in sorted(state.to_act):
            for act in acts(state, seat)[:10]:
                after = state.apply(act, seat)
                assert after.parent is state
                assert (after.act, after.seat, after.at) == (act, seat, None)
        for text in some_texts(case, number):
            if state.fault(text) is not None:
                with pytest.raises(IllegalAction):
                    state.apply(text)
        for text in material(case.name).bad_notation[number % 4 :: 4]:
            with pytest.raises(GameError):
                state.apply(text)
        assert everything(state) == before


@each_case
def test_lists_are_the_callers_own(case: Case) -> None:
    for state in states(case):
        view, layout = state.view(), case.game.layout()
        legal = {seat: acts(state, seat) for seat in state.to_act}
        for seat, listed in legal.items():
            acts(state, seat).clear()
            assert acts(state, seat) == listed
        state.view().clear()
        for part in state.view().values():
            if isinstance(part, dict | list):
                part.clear()
        assert state.view() == view
        for part in case.game.layout().values():
            if isinstance(part, dict | list):
                part.clear()
        assert case.game.layout() == layout


@each_case
def test_equal_by_value(case: Case) -> None:
    twin = case.game.start()
    for state in list(walk(case).history())[1:]:
        twin = again(twin, state)
        assert twin == state, differences(twin, state)
        assert hash(twin) == hash(state)
        assert twin != state.parent
        assert twin != state.to_json()


@each_case
def test_different_positions_differ(case: Case) -> None:
    for (state, text), (other, its) in combinations([(state, state.to_json()) for state in states(case)], 2):
        assert (state == other) == (text == its)
    assert len(set(states(case))) > 3


@each_case
def test_positions_are_compared_without_being_described(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """A saved position is equal when it is read, in whatever order pieces came, whichever copy of a piece is where."""
    pairs = [(state, case.game.from_json(state.to_json())) for state in states(case)]

    def refuse(_: State) -> None:
        raise AssertionError("describing a position takes as long as several acts")

    monkeypatch.setattr(type(pairs[0][0]), "_position", refuse)
    for state, read in pairs:
        assert state == read, differences(state, read)
        assert hash(state) == hash(read)
    assert len({state for pair in pairs for state in pair}) == len({state for state, _ in pairs})


@each_case
def test_the_fields_of_a_state_are_read_only(case: Case) -> None:
    state = next(iter(states(case)))
    for name in ("game", "parent", "act", "seat", "at"):
        with pytest.raises(AttributeError):
            setattr(state, name, None)
    if isinstance(state, TurnState):
        with pytest.raises(ValueError, match="read-only"):
            state.position[3] = 7


@each_case
def test_start(case: Case) -> None:
    start = case.game.start()
    assert start.parent is None
    assert start.act is None
    assert start.seat is None
    assert start.at is None
    assert start.effects == ()
    assert not start.is_terminal
    assert start.to_act
    assert list(start.history()) == [start]
    for seat in start.to_act - {CHANCE}:
        assert start.legal_actions(seat)


@each_case
def test_history(case: Case) -> None:
    history = list(walk(case).history())
    assert history[0] == case.game.start()
    assert history[-1] is walk(case)
    for before, after in pairwise(history):
        assert after.parent is before
        assert after.seat in before.to_act
        assert type(after.act) is Action


@each_case
def test_effects(case: Case) -> None:
    """They can be written into a record and are the same from every state."""
    seen = set()
    for state in walk(case).history():
        for effect in state.effects:
            assert isinstance(effect, Effect)
            assert effect.kind.isidentifier()
            assert str(effect).isprintable()
            assert not {",", "#"} & set(str(effect))
            seen.add(effect.kind)
        if state.parent is not None:
            assert again(state.parent, state).effects == state.effects
    assert seen


@each_case
def test_effects_of_a_set_up(case: Case) -> None:
    for position in material(case.name).set_ups(case.game):
        assert set_up(case.game, position).effects == ()


@each_case
def test_copies(case: Case) -> None:
    for state in some_states(case):
        assert copy.copy(state) == state
        assert copy.deepcopy(state) == state
        carried = pickle.loads(pickle.dumps(state))
        assert carried == state
        assert hash(carried) == hash(state)
        assert carried.record() == state.record()
    assert pickle.loads(pickle.dumps(case.game)) == case.game
