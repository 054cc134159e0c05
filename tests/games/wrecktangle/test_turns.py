"""The turn: what is owed, what is on offer, and when it passes by itself."""

from __future__ import annotations

import pytest

import icetable
from icetable import CHANCE, Effect, State

from .drawings import EARLIER, STUCK, set_up
from .material import FACES


def rolled(face: str, **options: object) -> State:
    """The first turn after a roll."""
    return icetable.games.load("wrecktangle", **options).start().apply(f"die:{face}")  # type: ignore[arg-type]


@pytest.mark.rule("WT-4", "WT-5")
def test_wt_4_and_5_nature_rolls_first() -> None:
    start = icetable.load("wrecktangle").start()
    assert start.to_act == {CHANCE}
    assert start.chance_outcomes() == [(f"die:{face}", 1 / 6) for face in FACES]
    for face in FACES:
        state = start.apply(f"die:{face}", CHANCE)
        assert state.to_act == {0}
        assert state.effects == ()
        assert state.view()["own"]["face"] == face


@pytest.mark.rule("WT-5")
def test_wt_5_either_move_first() -> None:
    normal_first = rolled("away").apply("d1-d3").apply("~e8-e7")
    die_first = rolled("away").apply("~e8-e7").apply("d1-d3")
    assert normal_first == die_first
    assert normal_first.to_act == {CHANCE}
    assert normal_first.effects[-1] == die_first.effects[-1] == Effect("turn", (), 1)


@pytest.mark.rule("WT-9")
def test_wt_9_every_way_out_of_a_stuck_turn() -> None:
    """Seat 0 has no normal move. After each die move it is owed, or else the turn has passed."""
    for face in FACES:
        state = set_up(STUCK, (2, 0), last={1: EARLIER[0]}, roll=face).state
        passed = 0
        for act in state.legal_actions():
            after = state.apply(act)
            if after.to_act == {0}:
                assert after.view()["turn_parts"][0]["now"] == "to do"
                assert after.legal_actions()
            else:
                passed += 1
                assert after.effects[-1] == Effect("turn", (), 1)
        assert passed
