"""The turn: what is owed, what is on offer, and when it passes by itself."""

from __future__ import annotations

import pytest

import icetable
from icetable import CHANCE, Effect, State

from .material import FRAME, STUCK, described
from .oracle import FACES, Oracle
from .product import effects, game_of, grown, key, set_up, state_of
from .test_oracle import STUCK as NOTHING_TOWARD


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


@pytest.mark.rule("WT-9")
def test_wt_9_the_die_move_is_optional_and_the_normal_move_is_not() -> None:
    state = rolled("away")
    assert "end" not in state.legal_actions()
    assert "end" not in state.apply("~e8-e7").legal_actions()
    after = state.apply("d1-d3")
    assert "end" in after.legal_actions()
    assert all(act == "end" or act.startswith("~") for act in after.legal_actions())
    passed = after.apply("end")
    assert passed.effects == (Effect("turn", (), 1),)
    assert (passed.view()["turn"], passed.view()["turn_of"], passed.view()["roll"]) == (1, 1, None)


@pytest.mark.rule("WT-9")
def test_wt_9_toward_at_the_opening() -> None:
    """No die move until the normal move is made; then the die is still on offer."""
    state = rolled("toward")
    assert not [act for act in state.legal_actions() if act.startswith("~")]
    assert state.view()["die_unused"]
    after = state.apply("d1-d3")
    assert after.legal_actions() == ["~d3-d2", "end"]
    assert after.apply("~d3-d2").to_act == {CHANCE}


def stuck(**changes: object) -> State:
    """Seat 0 has no normal move."""
    game = icetable.load("wrecktangle")
    return set_up(game, **described(game, STUCK, (2, 0), **{"last": [[], [["c2", "c5", "f2", "f5"]]], **changes}))


@pytest.mark.rule("WT-9")
def test_wt_9_no_normal_move() -> None:
    """It may be given up; a die move that opens one makes it owed."""
    state = stuck(roll="swap")
    assert not state.view()["normal_possible"]
    assert "end" in state.legal_actions()
    assert state.apply("end").effects == (Effect("turn", (), 1),)
    opened = state.apply("~d1*d8")
    assert opened.view()["normal_possible"]
    assert opened.to_act == {0}
    assert "end" not in opened.legal_actions()


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


@pytest.mark.rule("WT-9")
def test_wt_9_the_turn_passes_right_after_the_roll() -> None:
    """Nothing can go toward its home row, and seat 0 has no normal move."""
    position = grown(Oracle.drawn(NOTHING_TOWARD, players=3))
    state = state_of(position).apply("die:toward")
    assert state.to_act == {CHANCE}
    assert state.effects == (Effect("turn", (), 1),)
    assert (state.view()["turn"], state.view()["turn_of"]) == (1, 1)
    assert key(state) == position.apply("die:toward").key()
    assert state_of(position).apply("die:away").to_act == {0}


@pytest.mark.rule("WT-5")
def test_wt_5_a_die_move_may_take_the_last_normal_move_away() -> None:
    """Then the player goes without: a blocker is put back in its place."""
    game = icetable.load("wrecktangle")
    pieces = {square: name for square, name in STUCK.items() if square != "d5"} | {"d6": "1P"}
    state = set_up(game, **described(game, pieces, (2, 0), roll="away", last=[[], [["c2", "c5", "f2", "f5"]]]))
    assert state.view()["normal_possible"]
    after = state.apply("~d6-d5")
    assert after.to_act == {CHANCE}
    assert after.effects == (Effect("moves", ("d6", "d5"), "1P"), Effect("turn", (), 1))


@pytest.mark.rule("WT-11")
def test_wt_11_a_die_move_forms_rectangles_too() -> None:
    """And a rectangle that a move forms for an opponent is of no effect."""
    game = icetable.load("wrecktangle")
    pieces = {**FRAME, "f5": "1P", "f4": "0P"}
    state = set_up(game, **described(game, pieces, (0, 0), roll="toward"))
    after = state.apply("~f4-f3")
    assert [str(effect) for effect in after.effects] == [
        "moves f4 f3 0P",
        "forms c3 c6 f3 f6 resolved",
        "captures d4 1Q",
        "captures e5 1D",
        "coin tails",
    ]
    theirs = set_up(game, **described(game, pieces, (0, 0), turn=1, turn_of=1, roll="toward"))
    after = theirs.apply("~f4-f3")
    assert after.effects == (Effect("moves", ("f4", "f3"), "0P"),)
    assert after.view()["coin"] == "heads"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_turns_go_round(players: int) -> None:
    """WT-4, by the oracle too."""
    position = Oracle(players)
    state = game_of(position).start()
    for turn in range(3 * players):
        assert state.view()["turn_of"] == turn % players
        for act in ("die:away", None, "end"):
            chosen = act or min(position.normal_moves())
            before, position, state = position, position.apply(chosen), state.apply(chosen)
            assert effects(before, chosen, position) == state.effects
