"""Saved positions: what is written, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

import icetable
from icetable import BadRecord, Game
from tests.conformance.cases import set_up

from .drawings import saved, state_with


@pytest.fixture(scope="module")
def game() -> Game:
    """For two on the star."""
    return icetable.load("icefrogs")


def test_written(game: Game) -> None:
    state = game.start().apply("L@b1").apply("S@h2").apply("M@b1")
    position = saved(game, 3, {"b1": "0L0M", "h2": "1S"})
    assert state == set_up(game, position)
    assert state.to_json() == set_up(game, position).to_json()


def test_the_order_of_spaces_does_not_matter(game: Game) -> None:
    one, other = state_with(game, 2, {"b1": "0L", "h1": "1L"}), state_with(game, 2, {"h1": "1L", "b1": "0L"})
    assert one == other
    assert one.to_json() == other.to_json()


def test_a_game_that_is_over(game: Game) -> None:
    """The pyramid that has just won may stand on a start; the limit and the passes end a game too (IF-16 … IF-18)."""
    for state, rule, winners in (
        (state_with(game, 3, {"i1": "0M", "e3": "1S"}), "IF-16", {0}),
        (state_with(game, 400, {"a1": "1M"}), "IF-16", {1}),
        (state_with(game, 400, {}), "IF-18", {0, 1}),
        (state_with(game, 2, {}, passes=2), "IF-17", {0, 1}),
        (state_with(game, 400, {}, passes=2), "IF-17", {0, 1}),
    ):
        assert state.ended_by == rule
        assert state.winners == winners


SMALL, LARGE, OTHER = ({"pyramid": [size, seat]} for size, seat in (("S", 0), ("L", 0), ("L", 1)))
START = "only a pyramid that has just won stands on a start space"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"turn": -1}, "turn is a whole number from 0 to"),
        ({"turn": 10**30}, "turn is a whole number from 0 to"),
        ({"turn": 3}, "contradict"),
        ({"own": {"passes": 3}}, r"passes is a whole number from 0 to 2 \(IF-17\)"),
        ({"own": {"passes": -1}}, r"passes is a whole number from 0 to 2 \(IF-17\)"),
        ({"own": {"passes": "1"}}, "can't go on"),
        ({"own": {}}, "can't go on"),
        ({"stacks": {"b1": [SMALL, LARGE]}}, r"on b1 a pyramid lies on a smaller one \(IF-8\)"),
        ({"stacks": {"b1": [LARGE] * 6}}, "there are more of the piece '0L'"),
        ({"stacks": {"i1": [LARGE]}}, START),
        ({"stacks": {"a1": [OTHER]}, "turn": 1, "seat": 1}, START),
        ({"stacks": {"b1": [LARGE]}}, "contradict"),
        ({"stacks": {"z9": [LARGE]}}, "spaces, seats or pieces"),
    ],
    ids=str,
)
def test_refused(game: Game, changes: dict[str, Any], message: str) -> None:
    position = saved(game, 2, {"b1": "0L"})
    if "stacks" in changes:
        stand = [piece for stack in changes["stacks"].values() for piece in stack]
        pads = [[piece for piece in pad if piece not in stand] for pad in saved(game, 2, {})["pad"]]
        position["pad"] = pads
    with pytest.raises(BadRecord, match=message):
        set_up(game, position | changes)


def test_bounds_follow_the_options() -> None:
    six = icetable.load("icefrogs", players=6, board="hexagon", turn_limit=0)
    assert state_with(six, 10**12, {"a2": "5S", "d4": "3L"}, passes=5).to_act == {10**12 % 6}
    with pytest.raises(BadRecord, match=r"passes is a whole number from 0 to 6"):
        state_with(six, 20, {}, passes=7)
