"""Rectangles: which there are, where they catch, and which do not count for where they lie."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import combinations
from typing import cast

import numpy as np
import pytest

from icetable.games.wrecktangle import rules
from icetable.games.wrecktangle.game import HOME_ROWS, SIDES, WreckTangle
from icetable.workshop import Pyramid

from .drawings import PLACES, corners_of, start

START = start(rectangles="tilted")
TILTED = cast("WreckTangle", START.game.design)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.rule("WT-12")
def test_wt_12_home_rows_are_those_of_all_who_began(players: int) -> None:
    """Every rectangle of the board counts unless a corner is at home."""
    state = rules.start(players, False, "tilted", "stays", "removed", 0)
    homes = {square for side in SIDES[players] for square in HOME_ROWS[side]}
    count = 0
    for corners in boxes():
        squares = sum(1 << rules.SQUARES[corner] for corner in corners)
        assert bool(rules.counts(state, squares)) == (not homes & set(corners))
        count += 1
    assert count > 600


@cache
def boxes() -> list[tuple[str, ...]]:
    """All rectangles of the board, both kinds: two pairs of squares that have one middle, if they are one."""
    pairs = defaultdict(list)
    for a, b in combinations(PLACES, 2):
        pairs[PLACES[a][0] + PLACES[b][0], PLACES[a][1] + PLACES[b][1]].append((a, b))
    crossed = [combinations(around, 2) for around in pairs.values()]
    return [
        corners for two in crossed for one, other in two if TILTED.is_rectangle(corners := tuple(sorted(one + other)))
    ]


def caught(corners: tuple[str, ...], coin: str) -> set[str]:
    """Where a rectangle of seat 0 captures if opponents are everywhere (WT-14)."""
    table = START.table.copy()
    table.coin = coin
    table.stacks = {square: (Pyramid("S", 1),) for square in PLACES if square not in corners}
    return set(TILTED.prey(table, 0, corners))


@pytest.mark.rule("WT-10")
def test_wt_10_inside_and_sides_of_every_rectangle() -> None:
    """WT-14: heads inside, tails on the sides."""
    for corners in boxes():
        squares = sum(1 << rules.SQUARES[corner] for corner in corners)
        for coin, expected in ((rules.HEADS, caught(corners, "heads")), (rules.TAILS, caught(corners, "tails"))):
            found = int(rules.caught(squares, coin))
            assert {name for name, square in rules.SQUARES.items() if found >> square & 1} == expected, corners


@pytest.mark.rule("WT-11")
def test_wt_11_every_rectangle_is_found_from_each_of_its_corners() -> None:
    state = rules.start(2, False, "tilted", "stays", "removed", 0)
    for corners in boxes():
        squares = sum(1 << rules.SQUARES[corner] for corner in corners)
        state[rules.OWN] = np.int64(squares)
        for corner in corners:
            assert rules.rectangle(state, rules.SQUARES[corner], 0) == squares
            assert rules.rectangle(state, rules.SQUARES[corner], 1) == 0


@pytest.mark.parametrize(
    ("corners", "within", "edge"),
    [
        ("c3 c4 d3 d4", set(), set()),
        ("c3 c4 e3 e4", set(), {"d3", "d4"}),
        ("c3 c5 e3 e5", {"d4"}, {"c4", "d3", "d5", "e4"}),
        (
            "b2 b5 e2 e5",
            {"c3", "c4", "d3", "d4"},
            {"b3", "b4", "c2", "c5", "d2", "d5", "e3", "e4"},
        ),
        ("a3 a4 h3 h4", set(), {f"{file}{rank}" for file in "bcdefg" for rank in "34"}),
        # tilted
        ("c4 d3 d5 e4", {"d4"}, set()),
        ("c3 d2 d4 e3", {"d3"}, set()),
        ("b4 d2 d6 f4", {"c4", "d3", "d4", "d5", "e4"}, {"c3", "c5", "e3", "e5"}),
        ("c3 d2 f6 g5", {"d3", "e4", "f5"}, {"d4", "e3", "e5", "f4"}),
        ("c5 d6 e3 f4", {"d5", "e4"}, {"d4", "e5"}),
    ],
)
@pytest.mark.rule("WT-10")
def test_wt_10_inside_and_sides(corners: str, within: set[str], edge: set[str]) -> None:
    rectangle = corners_of(corners)
    assert TILTED.is_rectangle(rectangle)
    assert caught(rectangle, "heads") == within
    assert caught(rectangle, "tails") == edge


@pytest.mark.parametrize("corners", ["b2 b5 e2 e4", "b2 b3 b4 b5", "c3 d4 e5 f6", "c4 d2 e5 f3", "b2 b5 e2 g7"])
@pytest.mark.rule("WT-10")
def test_wt_10_no_rectangles(corners: str) -> None:
    assert not TILTED.is_rectangle(corners_of(corners))
