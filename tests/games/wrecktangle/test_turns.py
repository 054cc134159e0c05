"""The turn: what is owed, what is on offer, and when it passes by itself."""

from __future__ import annotations

import pytest

import icetable
from icetable import CHANCE, Effect, State

from .material import FACES, STUCK, described
from .product import set_up


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
        assert state.view()["roll"] == face


@pytest.mark.rule("WT-5")
def test_wt_5_either_move_first() -> None:
    normal_first = rolled("away").apply("d1-d3").apply("~e8-e7")
    die_first = rolled("away").apply("~e8-e7").apply("d1-d3")
    assert normal_first == die_first
    assert normal_first.to_act == {CHANCE}
    assert normal_first.effects[-1] == die_first.effects[-1] == Effect("turn", (), 1)


def stuck(**changes: object) -> State:
    """Seat 0 has no normal move."""
    game = icetable.load("wrecktangle")
    return set_up(game, **described(game, STUCK, (2, 0), **{"last": [[], [["c2", "c5", "f2", "f5"]]], **changes}))


@pytest.mark.rule("WT-9")
def test_wt_9_every_way_out_of_a_stuck_turn() -> None:
    """After each die move the normal move is owed, or else the turn has passed."""
    for face in FACES:
        state = stuck(roll=face)
        passed = 0
        for act in state.legal_actions():
            after = state.apply(act)
            if after.to_act == {0}:
                assert after.view()["normal_possible"]
                assert after.legal_actions()
            else:
                passed += 1
                assert after.effects[-1] == Effect("turn", (), 1)
        assert passed
