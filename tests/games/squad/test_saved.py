"""Saved positions: what is written, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

import icetable
from icetable import BadRecord, State
from tests.conformance.cases import changed, set_up


@pytest.fixture(scope="module")
def saved() -> dict[str, Any]:
    """After C@a1, C@a4, F@b1 and F@a3."""
    state = icetable.load("squad").start()
    for act in ("C@a1", "C@a4", "F@b1", "F@a3"):
        state = state.apply(act)
    position: dict[str, Any] = json.loads(state.to_json())["position"]
    return position


FRESHMAN = {"pyramid": ["S", 0]}


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("turn", 5, r"the number of turns is not that of the pieces that were placed \(SQ-5\)"),
        ("pad.0", [], r"the number of turns is not that"),
        ("stacks.b1", [FRESHMAN, {"token": ["C1", 1]}], "there are more of the piece '1C'"),
        ("stacks", {"b1": [FRESHMAN, {"pyramid": ["S", 1]}]}, r"more than one piece stands on b1 \(SQ-6\)"),
        ("stacks.b1", [{"pyramid": ["M", 0, None]}], "there are more of the piece"),
        ("stacks.b1", [{"pyramid": ["S", 0, "n"]}], "there are more of the piece"),
        ("stacks.b1", [{"pyramid": ["S", 2, None]}], "spaces, seats or pieces"),
        ("stacks.c1", [{"token": ["C5", 0]}], "there are more of the piece"),
        ("stacks.c1", [{"token": ["D1", 0]}], "there are more of the piece"),
        ("stacks.c1", [{"token": ["C1", 1]}], "there are more of the piece"),
        ("stacks.e1", [FRESHMAN], "spaces, seats or pieces"),
        ("out", [0], "contradict"),
        ("score", [1, 0], "contradict"),
        ("own", {"passes": 1}, "contradict"),
        ("asked", {"0": ["a"]}, "contradict"),
        ("odds", {"die:1": 1.0}, "contradict"),
        ("seat", 2, "spaces, seats or pieces"),
    ],
)
def test_refused(saved: dict[str, Any], path: str, value: Any, message: str) -> None:
    game = icetable.load("squad")
    assert set_up(game, saved).to_act == {0}
    with pytest.raises(BadRecord, match=message):
        set_up(game, changed(saved, path, value))


@pytest.mark.rule("SQ-4")
def test_captains_come_first(saved: dict[str, Any]) -> None:
    position = changed(saved, "stacks.b4", [FRESHMAN])
    del position["stacks"]["a2"]
    position["pad"][0] = [piece for piece in position["pad"][0] if piece != FRESHMAN]
    position["pad"][1].append({"token": ["C1", 1]})
    with pytest.raises(BadRecord, match="all captains are placed before the first friend"):
        set_up(icetable.load("squad"), position)


@pytest.mark.rule("SQ-4")
def test_the_seat_to_act_is_saved(saved: dict[str, Any]) -> None:
    """After whole rounds only the seat to act shows it."""
    state: State = icetable.load("squad", players=3).start()
    for act in ("C@b1", "C@a6", "C@f6", "F@a5", "F@f5", "F@a1"):
        state = state.apply(act)
    again = state.game.from_json(state.to_json())
    assert again == state
    assert again.to_act == {1}
