"""Saved positions: what play can lead to is taken, all else refused with a reason."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np
import pytest

from icetable import CHANCE, BadRecord, State
from icetable.games.highrise.game import HighRise
from icetable.games.highrise.towers import Pyramid, can_be_built

from .material import built
from .product import load, set_up, stacks_of


@pytest.fixture(scope="module")
def game() -> HighRise:
    return load()


def test_the_end_is_saved_with_its_numbers(game: HighRise) -> None:
    stacks = built(game, 0)["stacks"]
    state = set_up(game, stacks, [3, 5, 2, 1, 6, 4, 1, 3, 5])
    assert state.ended_by == "HR-8"
    assert state == set_up(game, stacks).apply("deal:352164135")
    assert state.view()["account"] is not None


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ([], "a position of High Rise has the entries stacks and numbers"),
        (None, "a position of High Rise has the entries stacks and numbers"),
        ({"stacks": {}}, "a position of High Rise has the entries stacks and numbers"),
        (
            {"stacks": {}, "numbers": None, "turn": 0},
            "a position of High Rise has the entries stacks and numbers",
        ),
    ],
)
def test_refused_as_a_whole(game: HighRise, position: Any, message: str) -> None:
    saved = {"icetable": 1, "game": "highrise", "options": dict(game.options), "position": position}
    with pytest.raises(BadRecord) as error:
        game.from_saved(saved)
    assert str(error.value) == message


FORM = "a pyramid is written as seat, size and colour of that seat, such as 0L:red"
IN_TURN = "the seats place in turn, seat 0 first, and can't have built these stacks (HR-5)"


@pytest.mark.parametrize(
    ("stacks", "message"),
    [
        ([], "stacks is a table of squares, not []"),
        (None, "stacks is a table of squares, not None"),
        ({"d1": ["0L:red"]}, "the board has no square 'd1' (HR-1)"),
        ({"A1": ["0L:red"]}, "the board has no square 'A1' (HR-1)"),
        ({"a1": []}, "the stack on a1 is a list of pyramids from bottom to top, not []"),
        ({"a1": "0L:red"}, "the stack on a1 is a list of pyramids from bottom to top, not '0L:red'"),
        ({"a1": None}, "the stack on a1 is a list of pyramids from bottom to top, not None"),
        ({"a1": [None]}, f"{FORM}, not None"),
        ({"a1": ["0L"]}, f"{FORM}, not '0L'"),
        ({"a1": ["L:red"]}, f"{FORM}, not 'L:red'"),
        ({"a1": ["1L:red"]}, f"{FORM}, not '1L:red'"),
        ({"a1": ["0L:grey"]}, f"{FORM}, not '0L:grey'"),
        ({"a1": ["0L:red\n"]}, f"{FORM}, not '0L:red\\n'"),
        ({"a1": [["0L:red"]]}, f"{FORM}, not ['0L:red']"),
        ({"a1": ["0S:red", "1S:cyan", "0S:red"]}, "there are more pyramids 0S:red than the stash has (HR-3)"),
        ({"a1": ["1L:cyan"]}, IN_TURN),
        ({"a1": ["1L:cyan", "0L:red"]}, IN_TURN),
        ({"a1": ["0L:red", "0M:red"]}, IN_TURN),
        ({"a1": ["0L:red", "0M:red", "1L:cyan"], "b1": ["0M:red", "1M:cyan"]}, IN_TURN),
        ({"a1": ["0L:red", "0M:red", "1L:cyan", "1M:cyan"], "b1": ["0L:red", "0M:red", "1L:cyan", "1M:cyan"]}, IN_TURN),
    ],
)
def test_refused_stacks(game: HighRise, stacks: Any, message: str) -> None:
    with pytest.raises(BadRecord) as error:
        set_up(game, stacks)
    assert str(error.value) == message


NO_LIST = "numbers is null or a list of whole numbers from 0 to 1000000000, not"


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        (0, f"{NO_LIST} 0 (HR-2)"),
        ("352164135", f"{NO_LIST} '352164135' (HR-2)"),
        ([True] * 9, f"{NO_LIST} [True, True, True, True, True, True, True, True, True] (HR-2)"),
        ([1.0], f"{NO_LIST} [1.0] (HR-2)"),
        ([-1], f"{NO_LIST} [-1] (HR-2)"),
        ([10**5000], f"{NO_LIST} something of type list (HR-2)"),
        ([], "[] can't be the numbers: There are 9 squares, so a deal has 9 numbers, not 0. (HR-2)"),
        (
            [1, 1, 1, 1, 1, 1, 1, 1, 7],
            "[1, 1, 1, 1, 1, 1, 1, 1, 7] can't be the numbers: A die shows 1 to 6. (HR-2)",
        ),
    ],
    ids=range(8),
)
def test_refused_numbers(game: HighRise, numbers: Any, message: str) -> None:
    with pytest.raises(BadRecord) as error:
        set_up(game, built(game, 0)["stacks"], numbers)
    assert str(error.value) == message


def test_numbers_before_the_deal(game: HighRise) -> None:
    with pytest.raises(BadRecord, match=r"the numbers are not known before both stashes are empty \(HR-8\)"):
        set_up(game, built(game, 1)["stacks"], [1] * 9)


def test_numbers_of_another_list() -> None:
    game = load(values=[0] * 8 + [9])
    stacks = built(game, 0)["stacks"]
    assert set_up(game, stacks, [0, 0, 0, 9, 0, 0, 0, 0, 0]).is_terminal
    with pytest.raises(BadRecord, match=r"are those of this game's values, in any order\. \(HR-2\)"):
        set_up(game, stacks, [0, 0, 0, 9, 0, 0, 0, 0, 9])


def test_the_order_of_placing_leaves_no_trace(game: HighRise) -> None:
    """Stacks that came about on different ways are the same position."""
    one: State = game.start()
    other: State = game.start()
    for act in ("L@a1", "L@b1", "S@c1", "M@a1"):
        one = one.apply(act)
    for act in ("S@c1", "L@b1", "L@a1", "M@a1"):
        other = other.apply(act)
    assert one == other
    assert hash(one) == hash(other)
    assert one.to_json() == other.to_json()
    assert one.record() != other.record()


def in_turn(seats: tuple[tuple[int, ...], ...]) -> bool:
    """Whether the stacks can have been built in turn, found out by trying everything."""
    total = sum(map(len, seats))

    @cache
    def leads_on(heights: tuple[int, ...]) -> bool:
        placed = sum(heights)
        return placed == total or any(
            height < len(tower)
            and tower[height] == placed % 2
            and leads_on((*heights[:number], height + 1, *heights[number + 1 :]))
            for number, (tower, height) in enumerate(zip(seats, heights, strict=True))
        )

    return leads_on((0,) * len(seats))


@pytest.mark.rule("HR-5")
def test_hr_5_what_can_be_built_in_turn() -> None:
    """Small towers of every kind, against a search through all orders."""
    dice = random.Random(7)
    verdicts = {True: 0, False: 0}
    for _ in range(4000):
        towers: list[list[int]] = [[] for _ in range(dice.randint(2, 5))]
        seats = [0, 1] * dice.randint(1, 7) + [0] * dice.randint(0, 1)
        dice.shuffle(seats)
        for seat in seats:
            dice.choice(towers).append(seat)
        expected = in_turn(tuple(map(tuple, towers)))
        assert can_be_built([[Pyramid(seat, 0, 0) for seat in tower] for tower in towers]) == expected
        verdicts[expected] += 1
    assert min(verdicts.values()) > 500


@pytest.mark.parametrize(("rows", "cols", "hot"), [(3, 3, 9), (3, 3, 2), (5, 5, 25), (8, 8, 64), (8, 8, 5)])
def test_whatever_was_played_can_be_loaded(rows: int, cols: int, hot: int) -> None:
    """Also where all goes to a few towers."""
    game = load(rows=rows, cols=cols)
    rng = np.random.default_rng(hot)
    state: State = game.start()
    while state.to_act != {CHANCE}:
        legal = [act for act in state.legal_actions() if str(act)[2:] in game.squares[:hot]]
        state = state.apply(legal[int(rng.integers(len(legal)))])
        if rng.integers(20) == 0:
            assert set_up(game, stacks_of(state)) == state
    assert set_up(game, stacks_of(state)) == state
