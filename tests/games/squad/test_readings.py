"""The readings that an option chooses: who begins, whose friends count, who is stuck, and who wins a tie."""

from __future__ import annotations

from typing import Any

import pytest

import icetable
from icetable import BadRecord, State

from .oracle import Oracle
from .product import set_up, state_of


def after(*acts: str, **options: Any) -> State:
    """The state after some acts."""
    state: State = icetable.load("squad", **options).start()
    for act in acts:
        state = state.apply(act)
    return state


@pytest.mark.parametrize(
    ("captains", "first"),
    [
        (("b1", "a6", "f6"), 1),
        (("b1", "c1", "f6"), 2),
        (("a1", "a6", "f6"), 0),
        (("f1", "b1", "c1"), 0),
        (("b1", "c1", "d1"), 0),
        (("f3", "f6", "a3"), 1),
    ],
)
@pytest.mark.rule("SQ-4")
def test_sq_4_the_first_captain_in_a_corner_begins(captains: tuple[str, ...], first: int) -> None:
    """In the order of the seats; seat 0 where none stands in a corner, and always with `seat`."""
    acts = [f"C@{square}" for square in captains]
    state = after(*acts, players=3)
    assert state.to_act == {first}
    assert after(*acts, players=3, begins="seat").to_act == {0}
    for seat in (first, first + 1, first + 2, first):
        assert state.to_act == {seat % 3}
        state = state.apply(next(act for act in state.legal_actions() if act.startswith(("F", "S"))))


@pytest.mark.parametrize("players", [1, 2, 4])
@pytest.mark.rule("SQ-4")
def test_sq_4_seat_0_begins_otherwise(players: int) -> None:
    acts = [f"C@{square}" for square in ("a1", "f6", "a6", "f1")][:players]
    for begins in ("corner", "seat"):
        assert after(*acts, players=players, board=6, begins=begins).to_act == {0}


@pytest.mark.rule("SQ-4")
def test_sq_4_a_small_board_has_corners_of_its_own() -> None:
    assert after("C@b1", "C@d4", "C@a1", players=3, board=4).to_act == {1}
    assert after("C@b1", "C@c1", "C@a3", players=3, board=4).to_act == {0}


def test_saved_tells_who_began() -> None:
    """Where it was not seat 0: after whole rounds the board does not show it."""
    state = after("C@b1", "C@a6", "C@f6", players=3)
    assert "first" not in state._position()
    for act in ("F@a5", "F@f5", "F@a1"):
        state = state.apply(act)
        assert state._position()["first"] == 1
        assert state.game.from_json(state.to_json()) == state
    assert state.to_act == {1}
    usual = after("C@a1", "C@a6", "C@f6", "F@b1", players=3)
    assert "first" not in usual._position()
    assert usual.game.from_json(usual.to_json()).to_act == {1}


def test_saved_refused() -> None:
    state = after("C@b1", "C@a6", "C@f6", players=3)
    position = {**state.apply("F@a5")._position()}
    for first in (0, 3, -1, True, 1.0, "1", None):
        with pytest.raises(BadRecord, match="first is the seat that began where that was not seat 0, from 1 to 2, not"):
            set_up(state.game, **{**position, "first": first})
    with pytest.raises(BadRecord, match=r"seats take turns, so they can't have placed \[0, 1, 0\] friends \(SQ-5\)"):
        set_up(state.game, **{**position, "first": 2})
    with pytest.raises(BadRecord, match="before the first friend the captains alone say who begins"):
        set_up(state.game, **{**state._position(), "first": 1})
    with pytest.raises(BadRecord, match="has the entries captains, faces, friends and supply"):
        set_up(icetable.load("squad", players=3, begins="seat"), **position)
    with pytest.raises(BadRecord, match=r"the captain of seat 1 can't have come to b6 and show 1 so soon"):
        set_up(state.game, **{**position, "captains": ["b1", "b6", "f6"], "friends": {"a5": "1F"}})


@pytest.mark.rule("SQ-6")
def test_sq_6_own_friends_and_exact_numbers() -> None:
    """Seat 0 has captain and freshman side by side: a freshman goes beside one of its own, whoever else is near."""
    drawing = """
    1C1 1F  .   .
    .   .   .   .
    0F  x   .   .
    0C1 x   .   .
    """
    position = Oracle.drawn(drawing, friends="own")
    state = state_of(position)
    assert {str(act) for act in state.legal_actions()} == position.legal()
    assert state.fault("F@b1") is None
    assert state.fault("S@b1") is not None
    fault = state.fault("J@b2")
    assert fault is not None
    assert fault.message == "A junior needs 3 friends of its colour beside it; on b2 it would have 1."


STUCK = """
1C1 .   .   .
.   .   .   .
.   .   .   .
0C1 .   .   .
"""


@pytest.mark.rule("SQ-13")
def test_sq_13_anyone_stuck_ends_the_game() -> None:
    """Seat 0 keeps juniors only after its act, and none fits; seat 1 is to move and could go on."""
    fallen = "0F 0S 0S 1F"
    mover = Oracle.drawn(STUCK, fallen=fallen)
    anyone = Oracle.drawn(STUCK, fallen=fallen, stuck="anyone")
    assert state_of(mover).apply("F@b1").to_act == {1}
    over = state_of(anyone).apply("F@b1")
    assert anyone.apply("F@b1").ended_by == over.ended_by == "SQ-13"
    assert over.view()["end"] == {"seat": 0, "kind": "no-square"}


@pytest.mark.rule("SQ-13")
def test_sq_13_anyone_after_the_last_captain() -> None:
    """With own friends only, seat 2 is shut in before anybody has placed a friend."""
    own: dict[str, Any] = {"players": 3, "friends": "own"}
    acts = ("C@a2", "C@b1", "C@a1")
    assert after(*acts, **own, begins="seat").to_act == {0}
    over = after(*acts, **own, begins="seat", stuck="anyone")
    assert over.ended_by == "SQ-13"
    assert over.view()["end"] == {"seat": 2, "kind": "no-square"}
    shut = after("C@a2", "C@a1", "C@b1", **own)
    assert shut.view()["end"] == {"seat": 1, "kind": "no-square"}


def over(friends: dict[str, str], faces: list[int], tie: str) -> State:
    """A game for three on the small board that seat 0 has ended with its last friend."""
    game = icetable.load("squad", players=3, board=4, trios=2, tie=tie)
    supply = [{"F": 0, "S": 0, "J": 0}, {"F": 0, "S": 0, "J": 1}, {"F": 0, "S": 0, "J": 1}]
    return set_up(game, captains=["a1", "d1", "a4"], faces=faces, friends=friends, supply=supply)


@pytest.mark.parametrize(
    ("friends", "faces", "tied", "every"),
    [
        ({"b2": "0F", "c3": "1F", "d3": "2F", "d4": "2S"}, [2, 2, 1], {0, 1}, {2}),
        ({"b2": "0F", "c3": "1F", "d3": "2F"}, [2, 2, 1], {0, 1}, {0, 1, 2}),
        ({"b2": "0F", "c3": "1F", "c2": "1S", "d3": "2F", "d4": "2S"}, [2, 2, 1], {1}, {1, 2}),
        ({"b2": "0F", "c3": "1F", "d3": "2F", "d4": "2S"}, [2, 1, 1], {0}, {0}),
    ],
    ids=["a seat behind wins", "all share", "shared with a seat behind", "no tie, no friends counted"],
)
@pytest.mark.rule("SQ-15")
def test_sq_15_ties(friends: dict[str, str], faces: list[int], tied: set[int], every: set[int]) -> None:
    assert over(friends, faces, "tied").winners == tied
    assert over(friends, faces, "all").winners == every
