"""How a game ends: the win, the draw of those who all pass, and the limit of turns."""

from __future__ import annotations

import pytest

import icetable
from icetable import Effect, State

from .oracle import Oracle
from .product import set_up, state_of

BURIED = {"e3": [*["0L"] * 5, *["0M"] * 5, *["0S"] * 5, "1S"]}
"""Seat 0's whole stash under a small pyramid of seat 1."""


def state_with(stacks: dict[str, list[str]], turn: int = 0, passes: int = 0, **options: object) -> State:
    """A set-up."""
    return set_up(icetable.games.load("icefrogs", **options), turn=turn, passes=passes, stacks=stacks)  # type: ignore[arg-type]


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("board", ["star", "hexagon"])
@pytest.mark.rule("IF-16")
def test_if_16_every_opponents_start_wins(board: str, players: int) -> None:
    """From the space next to it, for every seat; the own start and nobody's points win nothing."""
    position = Oracle(players, board)
    points = Oracle(6, board).starts
    for seat in range(players):
        for point in points:
            near = min(position.neighbours(point))
            state = state_with({near: [f"{seat}L"]}, turn=seat, players=players, board=board)
            if point == position.starts[seat]:
                fault = state.fault(f"{near}-{point}")
                assert fault is not None
                assert fault.rule == "IF-13"
                continue
            after = state.apply(f"{near}-{point}", seat)
            if point in position.starts:
                assert (after.ended_by, after.winners, after.to_act) == ("IF-16", frozenset({seat}), frozenset())
                assert after.scores == tuple(int(other == seat) for other in range(players))
                assert after.effects[-1] == Effect("reaches", (point,))
            else:
                assert (after.ended_by, after.winners) == (None, frozenset())
                assert after.to_act == {(seat + 1) % players}


@pytest.mark.rule("IF-17")
def test_if_17_a_seat_that_can_only_pass() -> None:
    state = state_with(BURIED)
    assert state.legal_actions() == ["pass"]
    assert state.fault("pass") is None
    after = state.apply("pass")
    assert after.effects == ()
    assert after.to_act == {1}
    assert after.view()["turn"] == 1
    assert after._position()["passes"] == 1
    freed = after.apply("e3-e2")
    assert freed._position()["passes"] == 0
    assert "e3-d3" in freed.legal_actions()
    fault = freed.fault("pass")
    assert fault is not None
    assert fault.rule == "IF-17"


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.rule("IF-17")
def test_if_17_draw(players: int) -> None:
    """The others have passed; when seat 0 does too, everybody has won."""
    state = state_with(BURIED, turn=players, passes=players - 1, players=players)
    assert state.to_act == {0}
    assert not state.is_terminal
    after = state.apply("pass")
    assert after.is_terminal
    assert after.ended_by == "IF-17"
    assert after.winners == set(range(players))
    assert after.scores == (1,) * players
    assert after.effects == (Effect("draw", (), "IF-17"),)
    assert after.game.from_json(after.to_json()) == after


@pytest.mark.rule("IF-18")
def test_if_18_limit() -> None:
    start = icetable.load("icefrogs", turn_limit=3).start()
    state = start.apply("S@b1").apply("S@h1")
    assert not state.is_terminal
    after = state.apply("b1-b2")
    assert (after.ended_by, after.winners, after.scores) == ("IF-18", frozenset({0, 1}), (1, 1))
    assert after.effects[-1] == Effect("draw", (), "IF-18")


@pytest.mark.rule("IF-18")
def test_if_18_a_win_on_the_last_turn_is_a_win() -> None:
    state = state_with({"h1": ["0S"]}, turn=2, turn_limit=3)
    assert state.apply("h1-h2").ended_by == "IF-18"
    assert state.apply("h1-i1").ended_by == "IF-16"
    assert state.apply("h1-i1").winners == {0}


@pytest.mark.rule("IF-18")
def test_if_18_a_pass_is_a_turn() -> None:
    """And all passing on the last turn is the draw of those who pass."""
    assert state_with(BURIED, turn=2, turn_limit=3).apply("pass").ended_by == "IF-18"
    assert state_with(BURIED, turn=2, passes=1, turn_limit=3).apply("pass").ended_by == "IF-17"


@pytest.mark.parametrize(("limit", "turn"), [(0, 10**12 - 1), (10**9, 10**9 - 1), (400, 399)])
@pytest.mark.rule("IF-18")
def test_if_18_far_on(limit: int, turn: int) -> None:
    state = state_with({"b1": ["0S"], "h1": ["1S"]}, turn=turn, turn_limit=limit)
    seat = turn % 2
    after = state.apply("b1-b2" if seat == 0 else "h1-h2", seat)
    assert after.ended_by == (None if limit == 0 else "IF-18")
    assert after._position()["turn"] == turn + 1


@pytest.mark.rule("IF-18")
def test_if_18_no_limit() -> None:
    state = icetable.load("icefrogs", turn_limit=0).start().apply("S@b1").apply("S@h1")
    shuttle = ["b1-b2", "h1-h2", "b2-b1", "h2-h1"]
    for turn in range(1000):
        state = state.apply(shuttle[turn % 4])
    assert not state.is_terminal
    assert state.view()["turn"] == 1002


@pytest.mark.rule("IF-12")
def test_if_12_what_lay_beneath_shows() -> None:
    """The pyramid that leaves uncovers another's, which is then its seat's to move."""
    state = state_of(Oracle()).game.from_json(state_with({"b1": ["1L", "0S"]}).to_json())
    after = state.apply("b1-b2")
    assert after.view()["stacks"] == {"b1": ["1L"], "b2": ["0S"]}
    assert after.fault("b1-c4") is None


def test_transpositions() -> None:
    """The order in which equal pyramids came in leaves no trace."""
    start = icetable.load("icefrogs").start()
    one = start.apply("S@b1").apply("S@h1").apply("S@b2").apply("S@h2")
    other = start.apply("S@b2").apply("S@h2").apply("S@b1").apply("S@h1")
    assert one == other
    assert hash(one) == hash(other)
    assert one.to_json() == other.to_json()
    assert sorted(one.legal_actions()) == sorted(other.legal_actions())
    assert one.record() != other.record()
