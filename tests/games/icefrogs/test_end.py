"""Every way to win; and that the order in which pyramids came leaves no trace."""

from __future__ import annotations

import pytest

import icetable
from icetable import Effect

from .drawings import start, state_with


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("board", ["star", "hexagon"])
@pytest.mark.rule("IF-16")
def test_if_16_every_opponents_start_wins(board: str, players: int) -> None:
    """From the space next to it, for every seat; the own start and nobody's points win nothing."""
    position = start(players=players, board=board)
    homes, points = position.design.homes, start(players=6, board=board).design.homes
    for seat in range(players):
        for point in points:
            near = min(position.table.neighbours(point))
            state = state_with(position.game, seat, {near: f"{seat}L"})
            if point == homes[seat]:
                fault = state.fault(f"{near}-{point}")
                assert fault is not None
                assert fault.rule == "IF-13"
                continue
            after = state.apply(f"{near}-{point}", seat)
            if point in homes:
                assert (after.ended_by, after.winners, after.to_act) == ("IF-16", frozenset({seat}), frozenset())
                assert after.scores == tuple(int(other == seat) for other in range(players))
                assert after.effects[-1] == Effect("reaches", (point,))
            else:
                assert (after.ended_by, after.winners) == (None, frozenset())
                assert after.to_act == {(seat + 1) % players}


def test_transpositions() -> None:
    """The order in which equal pyramids came in leaves no trace."""
    first = icetable.load("icefrogs").start()
    one = first.apply("S@b1").apply("S@h1").apply("S@b2").apply("S@h2")
    other = first.apply("S@b2").apply("S@h2").apply("S@b1").apply("S@h1")
    assert one == other
    assert hash(one) == hash(other)
    assert one.to_json() == other.to_json()
    assert sorted(one.legal_actions()) == sorted(other.legal_actions())
    assert one.record() != other.record()
