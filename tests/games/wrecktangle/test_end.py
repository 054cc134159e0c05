"""How players drop out and how a game ends."""

from __future__ import annotations

from typing import Any

import pytest

import icetable
from icetable import CHANCE, Effect, State

from .material import FRAME, described
from .oracle import Oracle
from .product import effects, game_of, grown, key, set_up, state_of
from .test_oracle import THREE_PLAYERS

EARLIER = [["c2", "c5", "f2", "f5"]]


def brink(lost: int, **options: Any) -> State:
    """Seat 0 is about to capture two of seat 1, which has lost so many."""
    game = icetable.load("wrecktangle", **options)
    last = [EARLIER if lost else [], *[[] for _ in range(game.players - 1)]]
    return set_up(game, **described(game, FRAME, (0, lost), last=last, roll="wild"))


@pytest.mark.rule("WT-15")
def test_wt_15_captured_pyramids_are_gone() -> None:
    after = brink(0).apply("f5-f3")
    assert after.view()["lost"] == [0, 2]
    assert not {"d4", "e5"} & set(after.view()["pieces"])
    assert len(after.view()["pieces"]) == 10
    assert not after.is_terminal


@pytest.mark.parametrize("lost", [1, 2])
@pytest.mark.rule("WT-17")
def test_wt_17_the_last_player_wins_in_mid_turn(lost: int) -> None:
    """The die has not been used, and still it is over. More than three may be lost at once."""
    after = brink(lost).apply("f5-f3")
    assert (after.ended_by, after.winners, after.scores, after.to_act) == ("WT-17", frozenset({0}), (1, 0), frozenset())
    assert after.view()["lost"] == [0, lost + 2]
    assert after.view()["out"] == [1]
    assert after.view()["turn"] == 0
    assert after.effects[-1] == Effect("wins", (), 0)
    assert after.game.from_json(after.to_json()) == after


@pytest.mark.parametrize("fallen", ["removed", "stay"])
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.rule("WT-16")
def test_wt_16_out(players: int, fallen: str) -> None:
    """The others go on without; what stays is captured and moved like any opponent's."""
    after = brink(2, players=players, fallen=fallen).apply("f5-f3")
    assert not after.is_terminal
    assert after.to_act == {0}
    assert after.view()["out"] == [1]
    assert Effect("out", (), 1) in after.effects
    left = [square for square, name in after.view()["pieces"].items() if name[0] == "1"]
    removed = [effect for effect in after.effects if effect.kind == "removes"]
    assert (len(left), len(removed)) == ((0, 2) if fallen == "removed" else (2, 0))
    assert after.view()["lost"][1] == 4
    assert any(act.startswith(f"~{square}-") for act in after.legal_actions() for square in left) == bool(left)
    passed = after.apply("end")
    assert passed.view()["turn_of"] == 2
    assert passed.game.from_json(passed.to_json()) == passed


@pytest.mark.rule("WT-16")
def test_wt_16_against_the_oracle() -> None:
    for fallen in ("removed", "stay"):
        position = grown(Oracle.drawn(THREE_PLAYERS, roll="wild", players=3, fallen=fallen))
        state = state_of(position)
        for act in ("e7-e5", "end"):
            before, position, state = position, position.apply(act), state.apply(act)
            assert state.effects == effects(before, act, position)
            assert key(state) == position.key()


@pytest.mark.rule("WT-16")
def test_wt_16_what_stays_can_be_captured() -> None:
    game = icetable.load("wrecktangle", players=3, fallen="stay")
    position = described(game, FRAME, (0, 3), last=[EARLIER, [], []], roll="wild")
    after = set_up(game, **position).apply("f5-f3")
    assert after.view()["lost"] == [0, 5, 0]
    assert Effect("out", (), 1) not in after.effects
    assert after.view()["coin"] == "tails"


def play_turn(state: State) -> State:
    """A turn of a queen that goes to and fro."""
    state = state.apply("die:away")
    moves = [act for act in state.legal_actions() if not act.startswith("~")]
    state = state.apply(min(moves))
    return state.apply("end")


@pytest.mark.rule("WT-18")
def test_wt_18_the_limit() -> None:
    state: State = icetable.load("wrecktangle", turn_limit=3, players=3).start()
    for _ in range(2):
        state = play_turn(state)
        assert not state.is_terminal
    state = play_turn(state)
    assert (state.ended_by, state.winners, state.scores) == ("WT-18", frozenset({0, 1, 2}), (1, 1, 1))
    assert state.effects == (Effect("draw", (), "WT-18"),)
    assert state.game.from_json(state.to_json()) == state


@pytest.mark.rule("WT-18")
def test_wt_18_those_who_are_out_do_not_share() -> None:
    after = brink(2, players=3, turn_limit=1).apply("f5-f3").apply("end")
    assert (after.ended_by, after.winners, after.scores) == ("WT-18", frozenset({0, 2}), (1, 0, 1))


@pytest.mark.rule("WT-18")
def test_wt_18_a_win_in_the_last_turn_is_a_win() -> None:
    state = brink(2, turn_limit=1)
    assert state.apply("f5-f3").ended_by == "WT-17"
    assert state.apply("f5-h5").apply("end").ended_by == "WT-18"


@pytest.mark.rule("WT-18")
def test_wt_18_no_limit() -> None:
    state: State = icetable.load("wrecktangle", turn_limit=0).start()
    for _ in range(450):
        state = play_turn(state)
    assert not state.is_terminal
    assert state.to_act == {CHANCE}
    assert state.view()["turn"] == 450
    assert state.game.draw(state.view()).endswith("Turns played: 450")


def test_a_draw_by_a_turn_that_passes_by_itself() -> None:
    """WT-18: it counts like any other."""
    position = Oracle(turn_limit=1)
    state = game_of(position).start().apply("die:away").apply("d1-d3").apply("~e8-e7")
    assert state.ended_by == "WT-18"
