"""Rectangles that do not count, and several at once."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

import icetable
from icetable import State
from icetable.games.wrecktangle import rules

from .material import FRAME, described
from .oracle import EDGES, PLACES, SEATS, inside, is_box, sides, tilted, upright
from .product import set_up

OLD = ["c3", "c6", "f3", "f6"]


def told(state: State) -> list[str]:
    """What the last act caused, but for the move itself."""
    return [str(effect) for effect in state.effects[1:]]


def position(pieces: dict[str, str], home_coin: str = "stays", **changes: Any) -> State:
    """Seat 0 has captured one of seat 1."""
    game = icetable.load("wrecktangle", home_coin=home_coin)
    return set_up(game, **described(game, pieces, (0, 1), **{"roll": "wild", "last": [[OLD], []], **changes}))


@pytest.mark.rule("WT-13")
def test_wt_13_the_last_capturing_rectangle_does_nothing() -> None:
    """Whoever stands on its corners now; the coin stays too."""
    after = position(FRAME).apply("f5-f3")
    assert told(after) == ["forms c3 c6 f3 f6 repeated"]
    assert after.view()["coin"] == "heads"
    assert after.view()["last"] == [[OLD], []]


@pytest.mark.rule("WT-13")
def test_wt_13_after_another_one_has_captured_it_counts_again() -> None:
    after = position(FRAME, last=[[["c2", "c6", "f2", "f6"]], []]).apply("f5-f3")
    assert told(after)[:3] == ["forms c3 c6 f3 f6 resolved", "captures d4 1Q", "captures e5 1D"]
    assert after.view()["last"] == [[OLD], []]


@pytest.mark.rule("WT-13")
def test_wt_13_it_goes_by_squares() -> None:
    """Another pyramid on the fourth corner makes no other rectangle."""
    pieces = {"c3": "0D", "c6": "0D", "f3": "0Q", "f6": "0Q", "h6": "0P", "d4": "1Q"}
    after = position(pieces).apply("~f6-f7").apply("h6-f6")
    assert told(after) == ["forms c3 c6 f3 f6 repeated", "turn 1"]


@pytest.mark.rule("WT-13")
def test_wt_13_a_rectangle_without_prey_frees_nothing() -> None:
    """It turns the coin, and the last to capture stays the last."""
    pieces = {"c3": "0D", "c6": "0Q", "f6": "0Q", "f5": "0P", "g2": "1Q"}
    after = position(pieces, last=[[["c2", "c6", "f2", "f6"]], []]).apply("f5-f3")
    assert told(after) == ["forms c3 c6 f3 f6 resolved", "coin tails"]
    assert after.view()["last"] == [[["c2", "c6", "f2", "f6"]], []]


@pytest.mark.rule("WT-10")
def test_wt_10_the_smallest_turns_the_coin() -> None:
    pieces = {"c3": "0D", "c4": "0Q", "d4": "0Q", "f3": "0P", "d6": "1Q"}
    after = position(pieces).apply("f3-d3")
    assert told(after) == ["forms c3 c4 d3 d4 resolved", "coin tails"]


TWO = {"b2": "0P", "b5": "0D", "e2": "0Q", "e7": "0Q", "h2": "0P", "h5": "0D"}
"""e7-e5 forms b2 b5 e2 e5 and e2 e5 h2 h5."""
LEFT, RIGHT = ["b2", "b5", "e2", "e5"], ["e2", "e5", "h2", "h5"]


def two(prey: dict[str, str], **changes: Any) -> State:
    game = icetable.load("wrecktangle")
    return set_up(game, **described(game, TWO | prey, (0, 1), **{"roll": "wild", "last": [[OLD], []], **changes}))


@pytest.mark.rule("WT-14")
def test_wt_14_two_at_once_turn_the_coin_once() -> None:
    after = two({"c3": "1P", "g4": "1D"}).apply("e7-e5")
    assert told(after)[:6] == [
        "forms b2 b5 e2 e5 resolved",
        "forms e2 e5 h2 h5 resolved",
        "captures c3 1P",
        "captures g4 1D",
        "coin tails",
        "out 1",
    ]
    assert after.view()["last"] == [[LEFT, RIGHT], []]


@pytest.mark.rule("WT-13")
def test_wt_13_two_that_share_their_prey_are_both_the_last() -> None:
    after = two({"e3": "1Q"}, coin="tails").apply("e7-e5")
    assert "captures e3 1Q" in told(after)
    assert after.view()["last"] == [[LEFT, RIGHT], []]


@pytest.mark.rule("WT-13")
def test_wt_13_one_of_two_captures() -> None:
    after = two({"c3": "1Q"}).apply("e7-e5")
    assert after.view()["last"] == [[LEFT], []]
    assert after.view()["lost"] == [0, 2]


@pytest.mark.rule("WT-13")
def test_wt_13_a_repeated_one_beside_one_that_captures() -> None:
    """It takes nothing then, and is free afterwards."""
    after = two({"c3": "1Q", "g4": "1D"}, last=[[RIGHT], []]).apply("e7-e5")
    assert told(after)[:4] == [
        "forms b2 b5 e2 e5 resolved",
        "forms e2 e5 h2 h5 repeated",
        "captures c3 1Q",
        "coin tails",
    ]
    assert "g4" in after.view()["pieces"]
    assert after.view()["last"] == [[LEFT], []]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.rule("WT-12")
def test_wt_12_home_rows_are_those_of_all_who_began(players: int) -> None:
    """Every rectangle of the board counts unless a corner is at home."""
    state = rules.start(players, False, "tilted", "stays", "removed", 0)
    homes = {square for edge in SEATS[players] for square in EDGES[edge][0]}
    count = 0
    for corners in boxes():
        squares = sum(1 << rules.SQUARES[corner] for corner in corners)
        assert bool(rules.counts(state, squares)) == (not homes & set(corners))
        count += 1
    assert count > 600


HOME_ALONE = {"c1": "0D", "f1": "0D", "c6": "0Q", "f4": "0P", "d4": "1Q"}
"""f4-f6 forms c1 c6 f1 f6, which has two corners at home."""
HOME_AND_NOT = {"c1": "0D", "f1": "0D", "c6": "0Q", "c3": "0Q", "f3": "0P", "f4": "0P", "d4": "1Q", "c4": "1D"}
"""f4-f6 forms that one and c3 c6 f3 f6, with a queen inside."""


@pytest.mark.rule("WT-12")
def test_wt_12_the_coin_of_a_home_row() -> None:
    """It stays, or it turns with nothing captured."""
    for home_coin, more, coin in (("stays", [], "heads"), ("turns", ["coin tails"], "tails")):
        after = position(HOME_ALONE, home_coin).apply("f4-f6")
        assert told(after) == ["forms c1 c6 f1 f6 home-row", *more]
        assert after.view()["coin"] == coin
        assert after.view()["last"] == [[OLD], []]
        assert "d4" in after.view()["pieces"]


@pytest.mark.parametrize("home_coin", ["stays", "turns"])
@pytest.mark.rule("WT-12", "WT-14")
def test_wt_12_the_coin_turns_once_for_all_of_a_move(home_coin: str) -> None:
    """What is captured goes by the side that showed before."""
    after = position(HOME_AND_NOT, home_coin, last=[[["c2", "c6", "f2", "f6"]], []]).apply("f4-f6")
    assert told(after)[:4] == [
        "forms c1 c6 f1 f6 home-row",
        "forms c3 c6 f3 f6 resolved",
        "captures d4 1Q",
        "coin tails",
    ]
    assert "c4" in after.view()["pieces"]
    assert after.view()["last"] == [[OLD], []]


@pytest.mark.rule("WT-12", "WT-13")
def test_wt_12_a_repeated_rectangle_turns_no_coin() -> None:
    """Neither alone nor, with the home rows' reading, in any case."""
    assert told(position(FRAME, "turns").apply("f5-f3")) == ["forms c3 c6 f3 f6 repeated"]
    both = position(HOME_AND_NOT, "turns").apply("f4-f6")
    assert told(both) == ["forms c1 c6 f1 f6 home-row", "forms c3 c6 f3 f6 repeated", "coin tails"]


def boxes() -> list[tuple[str, str, str, str]]:
    """All rectangles of the board, both kinds, in the order of their names."""
    found = []
    names = sorted(PLACES)
    for a, d in combinations(names, 2):
        for b, c in combinations([name for name in names if a < name < d], 2):
            corners = (a, b, c, d)
            if is_box(corners, upright) or is_box(corners, tilted):
                found.append(corners)
    return found


@pytest.mark.rule("WT-10")
def test_wt_10_inside_and_sides_of_every_rectangle() -> None:
    """WT-14: heads inside, tails on the sides."""
    for corners in boxes():
        squares = sum(1 << rules.SQUARES[corner] for corner in corners)
        for coin, expected in ((rules.HEADS, inside(corners)), (rules.TAILS, sides(corners))):
            caught = int(rules.caught(squares, coin))
            assert {name for name, square in rules.SQUARES.items() if caught >> square & 1} == expected, corners


@pytest.mark.rule("WT-11")
def test_wt_11_every_rectangle_is_found_from_each_of_its_corners() -> None:
    state = rules.start(2, False, "tilted", "stays", "removed", 0)
    for corners in boxes():
        squares = sum(1 << rules.SQUARES[corner] for corner in corners)
        state[rules.OWN] = np.int64(squares)
        for corner in corners:
            assert rules.rectangle(state, rules.SQUARES[corner], 0) == squares
            assert rules.rectangle(state, rules.SQUARES[corner], 1) == 0
