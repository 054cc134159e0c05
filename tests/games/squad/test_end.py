"""How a game ends, who wins it, and what the score shows."""

from __future__ import annotations

import pytest

import icetable
from icetable import State

from .oracle import Oracle
from .product import set_up, state_of


@pytest.mark.rule("SQ-13")
def test_sq_13_the_last_friend() -> None:
    """Seat 0 places its last one; seat 1 still has one, and could place it."""
    drawing = """
    1C1 .   .   .
    .   0F  .   1J
    .   .   .   .
    0C1 .   .   0J
    """
    position = Oracle.drawn(drawing, fallen="0S 0S 0J 1F 1S 1S 1J")
    after = state_of(position).apply("F@b1")
    assert after.ended_by == "SQ-13"
    assert after.view()["supply"] == [{"F": 0, "S": 0, "J": 0}, {"F": 1, "S": 0, "J": 0}]
    assert after.view()["end"] == {"seat": 0, "kind": "last-friend"}
    position.supplies[0]["J"] = 1
    assert not state_of(position).apply("F@b1").is_terminal


@pytest.mark.rule("SQ-13")
def test_sq_13_the_player_to_move_can_place_none() -> None:
    """Only juniors are left to seat 1, and no square has three friends around it; seat 0 could go on."""
    drawing = """
    1C1 .   .   .
    .   .   .   .
    .   .   .   .
    0C1 .   .   .
    """
    position = Oracle.drawn(drawing, fallen="0F 0S 1F 1F 1S 1S")
    state = state_of(position)
    assert state.to_act == {0}
    assert state.view()["end"] is None
    after = state.apply("F@b1")
    assert after.ended_by == "SQ-13"
    assert after.view()["end"] == {"seat": 1, "kind": "no-square"}
    assert after.view()["supply"] == [{"F": 0, "S": 1, "J": 2}, {"F": 0, "S": 0, "J": 2}]
    assert position.apply("F@b1").ended_by == "SQ-13"


@pytest.mark.rule("SQ-13")
def test_sq_13_after_the_last_captain_a_freshman_fits() -> None:
    """There is always a square beside a captain, so no game ends before its first friend."""
    for players in (1, 2, 3, 4):
        for board in (4, 6):
            state = icetable.load("squad", players=players, board=board).start()
            for _ in range(players):
                state = state.apply(state.legal_actions()[0])
            assert not state.is_terminal
            assert any(act.startswith("F@") for act in state.legal_actions())


@pytest.mark.rule("SQ-14")
def test_sq_14_scores_show_at_any_moment() -> None:
    drawing = """
    1C2 1J  .   .
    .   .   .   .
    .   0S  .   .
    0C3 0J  0J  1F
    """
    assert state_of(Oracle.drawn(drawing)).scores == (13, 7)
    for start in (0, 1):
        state = icetable.load("squad", players=4, captain_start=start).start()
        assert state.scores == (start,) * 4
        assert state.winners == frozenset()


OVER: dict[str, dict[str, int]] = {"0": {"F": 0, "S": 0, "J": 0}, "1": {"F": 0, "S": 0, "J": 1}}


def over(friends: dict[str, str], faces: tuple[int, int]) -> State:
    """A game for two that seat 0 has ended with its last friend; captains on b4 and c1, all others have fallen."""
    game = icetable.load("squad")
    return set_up(game, captains=["b4", "c1"], faces=list(faces), friends=friends, supply=[OVER["0"], OVER["1"]])


@pytest.mark.parametrize(
    ("friends", "faces", "winners", "scores"),
    [
        ({"b1": "0F", "c3": "1F"}, (3, 2), {0}, (3, 2)),
        ({"b1": "0F", "c3": "1F"}, (2, 3), {1}, (2, 3)),
        ({"b1": "0F", "c3": "1J"}, (3, 1), {1}, (3, 6)),
        ({"b1": "0F", "c3": "1F", "d3": "1S"}, (2, 2), {1}, (2, 2)),
        ({"b1": "0F", "a1": "0F", "d3": "1S"}, (2, 2), {0}, (2, 2)),
        ({"b1": "0F", "c3": "1F"}, (2, 2), {0, 1}, (2, 2)),
        ({"b1": "0J", "c3": "1F", "d3": "1S"}, (1, 3), {0}, (6, 3)),
    ],
)
@pytest.mark.rule("SQ-15")
def test_sq_15_winners(
    friends: dict[str, str], faces: tuple[int, int], winners: set[int], scores: tuple[int, int]
) -> None:
    """Points first, then friends on the board, then it is shared."""
    state = over(friends, faces)
    assert state.ended_by == "SQ-13"
    assert state.winners == winners
    assert state.scores == scores


@pytest.mark.rule("SQ-15")
def test_sq_15_only_those_who_tie_for_the_score_are_compared() -> None:
    """Seat 2 has most friends and fewest points."""
    game = icetable.load("squad", players=3, trios=2)
    supply = [{"F": 0, "S": 0, "J": 0}, {"F": 0, "S": 0, "J": 1}, {"F": 0, "S": 0, "J": 1}]
    friends = {"a2": "0F", "c3": "1F", "d3": "1S", "e5": "2F", "f5": "2S", "b5": "2S"}
    state = set_up(game, captains=["a1", "c1", "f1"], faces=[2, 2, 1], friends=friends, supply=supply)
    assert state.is_terminal
    assert state.scores == (2, 2, 1)
    assert state.winners == {1}


@pytest.mark.rule("SQ-16")
def test_sq_16_alone_the_score_counts() -> None:
    state = icetable.load("squad", players=1).start()
    for text in ("C@a1", "F@b1", "F@d1", "F@b2", "S@c2", "S@b3", "J@c1", "S@a2", "J@b1"):
        state = state.apply(text)
    assert state.is_terminal
    assert state.scores == (12,)
    assert state.winners == {0}
