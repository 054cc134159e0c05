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
from .product import begin, load, set_up, stacks_of


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
def test_refused_as_a_whole(position: Any, message: str) -> None:
    refused(load(numbers="unseen"), position, message)


def refused(game: HighRise, position: Any, message: str) -> None:
    """A game takes no such position, and says why."""
    saved = {"icetable": 1, "game": "highrise", "options": dict(game.options), "position": position}
    with pytest.raises(BadRecord) as error:
        game.from_saved(saved)
    assert str(error.value) == message


ROLLED_ENTRIES = "a position of High Rise has the entries stacks, rolled and numbers"


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ({"stacks": {}, "numbers": None}, ROLLED_ENTRIES),
        ({"rolled": [1] * 9}, ROLLED_ENTRIES),
        (
            {"stacks": {}, "rolled": "112334556", "numbers": None},
            "rolled is null or a list of whole numbers from 0 to 1000000000, not '112334556' (HR-2)",
        ),
        (
            {"stacks": {}, "rolled": [1] * 3, "numbers": None},
            "[1, 1, 1] can't be the numbers: There are 9 squares, so a roll has 9 numbers, not 3. (HR-2)",
        ),
        (
            {"stacks": {}, "rolled": [2, 1, 1, 1, 1, 1, 1, 1, 1], "numbers": None},
            "[2, 1, 1, 1, 1, 1, 1, 1, 1] can't be the numbers: The numbers of a roll are listed smallest first. (HR-2)",
        ),
        (
            {"stacks": {"a1": ["0L:red"]}, "rolled": None, "numbers": None},
            "before the dice are rolled there are no stacks and no numbers (HR-2)",
        ),
        (
            {"stacks": {}, "rolled": None, "numbers": [1] * 9},
            "before the dice are rolled there are no stacks and no numbers (HR-2)",
        ),
    ],
    ids=range(7),
)
def test_refused_rolls(position: Any, message: str) -> None:
    refused(load(), position, message)


def test_numbers_that_were_not_rolled(game: HighRise) -> None:
    with pytest.raises(BadRecord, match=r"are those that were rolled, in any order\. \(HR-2\)"):
        set_up(game, built(game, 0)["stacks"], [1] * 9)


def test_the_start_and_the_roll_are_saved() -> None:
    start = load().start()
    for state in (start, start.apply("roll:111111116"), start.apply("roll:111111116").apply("L@a1")):
        assert start.game.from_json(state.to_json()) == state
    assert start.apply("roll:111111116") != start.apply("roll:111111166")


def test_what_was_kept_before_dice_were_seen_is_played_as_it_was() -> None:
    """A position and a record that say nothing of it: nobody has seen the numbers."""
    unseen = load(numbers="unseen")
    last = unseen.random_game(np.random.default_rng(1))
    options = {name: value for name, value in unseen.options.items() if name != "numbers"}
    for game in (load(), unseen):
        assert game.replay(last.record().replace('option numbers "unseen"\n', "")) == last
        saved = {"icetable": 1, "game": "highrise", "options": options, "position": {"stacks": {}, "numbers": None}}
        state = game.from_saved(saved)
        assert state == unseen.start()
        assert state.to_act == {0}


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
def test_refused_numbers(numbers: Any, message: str) -> None:
    unseen = load(numbers="unseen")
    with pytest.raises(BadRecord) as error:
        set_up(unseen, built(unseen, 0)["stacks"], numbers)
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
    one: State = begin(game)
    other: State = begin(game)
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
    state: State = begin(game)
    while state.to_act != {CHANCE}:
        legal = [act for act in state.legal_actions() if str(act)[2:] in game.squares[:hot]]
        state = state.apply(legal[int(rng.integers(len(legal)))])
        if rng.integers(20) == 0:
            assert set_up(game, stacks_of(state)) == state
    assert set_up(game, stacks_of(state)) == state
