"""Who began is saved, where it was not seat 0 (SQ-4)."""

from __future__ import annotations

from typing import Any

import pytest

import icetable
from icetable import BadRecord, State

from .product import set_up


def after(*acts: str, **options: Any) -> State:
    """The state after some acts."""
    state: State = icetable.load("squad", **options).start()
    for act in acts:
        state = state.apply(act)
    return state


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
        with pytest.raises(BadRecord, match="first is the seat that began if it was not seat 0, from 1 to 2, not"):
            set_up(state.game, **{**position, "first": first})
    with pytest.raises(BadRecord, match=r"seats take turns, so they can't have placed \[0, 1, 0\] friends \(SQ-5\)"):
        set_up(state.game, **{**position, "first": 2})
    with pytest.raises(BadRecord, match="there is no entry first before a friend is placed"):
        set_up(state.game, **{**state._position(), "first": 1})
    with pytest.raises(BadRecord, match="has the entries captains, faces, friends and supply"):
        set_up(icetable.load("squad", players=3, begins="seat"), **position)
    with pytest.raises(BadRecord, match=r"the captain of seat 1 can't have come to b6 and show 1 so soon"):
        set_up(state.game, **{**position, "captains": ["b1", "b6", "f6"], "friends": {"a5": "1F"}})
