"""Notation both ways: what an act is written like reads as that act, and nothing else reads at all."""

from __future__ import annotations

from typing import Any

import pytest

from icetable import Action, BadNotation, GameInfo
from tests.conformance.cases import Case, acts, each_case, each_game, each_turn_case, states, texts, walk
from tests.conformance.material import material
from tests.games.pairs import class_alone, verdict

SOON = 100
"""In acts. Editions play slowly, and every game has ends that come as soon."""


@each_case
def test_legal_acts_read_as_themselves(case: Case) -> None:
    for state in states(case):
        for seat in state.to_act:
            for act in acts(state, seat):
                assert type(act) is Action
                assert case.game.parse(str(act)) == act
                assert case.game.parse(act) == act
                assert str(act) == act.strip()
                assert act.isprintable()
                assert "#" not in act


@each_case
def test_legal_acts_are_written_differently(case: Case) -> None:
    for state in states(case):
        for seat in state.to_act:
            listed = acts(state, seat)
            assert len(listed) == len(set(listed))


@each_case
def test_well_formed_texts_read(case: Case) -> None:
    for text in texts(case):
        assert case.game.parse(text) == text


@each_case
def test_bad_notation(case: Case) -> None:
    bad = material(case.name).bad_notation
    assert len(bad) >= 20
    for state in (case.game.start(), states(case)[-1]):
        for text in bad:
            with pytest.raises(BadNotation) as refused:
                case.game.parse(text)
            assert str(refused.value).isprintable()
            with pytest.raises(BadNotation):
                state.fault(text)
            with pytest.raises(BadNotation):
                state.apply(text)


@each_turn_case
def test_bad_notation_of_the_class(case: Case) -> None:
    """It is judged before all else, at the beginning and in the end, where that comes soon."""
    first = last = class_alone(case.game).start()
    acts = [state.act for state in walk(case).history() if state.act is not None]
    for act in acts if len(acts) < SOON else ():
        last = last.apply(act)
    for state in (first, last):
        assert [text for text in material(case.name).bad_notation if verdict(state, text) != "notation"] == []


@each_game
def test_a_value_that_is_no_text_is_bad_notation(info: GameInfo) -> None:
    state = info.load().start()
    no_texts: tuple[Any, ...] = (None, 0, True, 1.5, b"pass", ["pass"], {}, object())
    for text in no_texts:
        for take in (state.game.parse, state.fault, state.apply):
            with pytest.raises(BadNotation):
                take(text)
