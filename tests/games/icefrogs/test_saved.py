"""Saved positions of IceFrogs: what is written, and every reason to refuse one."""

from __future__ import annotations

from typing import Any

import pytest

import icetable
from icetable import BadRecord, Game

from .product import set_up


@pytest.fixture(scope="module")
def game() -> Game:
    """For two on the star."""
    return icetable.load("icefrogs")


def test_written(game: Game) -> None:
    state = game.start().apply("L@b1").apply("S@h2").apply("M@b1")
    assert state.to_json() == (
        '{"icetable":1,"game":"icefrogs","options":{"players":2,"board":"star","turn_limit":400},'
        '"position":{"turn":3,"passes":0,"stacks":{"b1":["0L","0M"],"h2":["1S"]}}}'
    )


def test_the_order_of_spaces_does_not_matter(game: Game) -> None:
    one = set_up(game, turn=2, passes=0, stacks={"b1": ["0L"], "h1": ["1L"]})
    other = set_up(game, turn=2, passes=0, stacks={"h1": ["1L"], "b1": ["0L"]})
    assert one == other
    assert one.to_json() == other.to_json()


def test_a_game_that_is_over(game: Game) -> None:
    """The pyramid that has just won may stand on a start; the limit and the passes end a game too (IF-16 … IF-18)."""
    won = set_up(game, turn=3, passes=0, stacks={"i1": ["0M"], "e3": ["1S"]})
    assert (won.ended_by, won.winners) == ("IF-16", frozenset({0}))
    won = set_up(game, turn=400, passes=0, stacks={"a1": ["1M"]})
    assert (won.ended_by, won.winners) == ("IF-16", frozenset({1}))
    assert set_up(game, turn=400, passes=0, stacks={}).ended_by == "IF-18"
    assert set_up(game, turn=2, passes=2, stacks={}).ended_by == "IF-17"
    assert set_up(game, turn=400, passes=2, stacks={}).ended_by == "IF-17"


ENTRIES = "a position of IceFrogs has the entries turn, passes and stacks"
START = "no pyramid can stand on the start space"


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (None, ENTRIES),
        ([], ENTRIES),
        ("", ENTRIES),
        ({}, ENTRIES),
        ({"turn": 0, "passes": 0}, ENTRIES),
        ({"turn": 0, "passes": 0, "stacks": {}, "actor": 0}, ENTRIES),
        ({"turn": -1, "passes": 0, "stacks": {}}, "turn is a whole number from 0 to 400, not -1"),
        ({"turn": 401, "passes": 0, "stacks": {}}, "turn is a whole number from 0 to 400, not 401"),
        ({"turn": 1.0, "passes": 0, "stacks": {}}, "turn is a whole number from 0 to 400, not 1.0"),
        ({"turn": True, "passes": 0, "stacks": {}}, "turn is a whole number from 0 to 400, not True"),
        ({"turn": "1", "passes": 0, "stacks": {}}, "turn is a whole number from 0 to 400, not '1'"),
        ({"turn": None, "passes": 0, "stacks": {}}, "turn is a whole number from 0 to 400, not None"),
        ({"turn": 10**30, "passes": 0, "stacks": {}}, f"turn is a whole number from 0 to 400, not {10**30}"),
        ({"turn": 1, "passes": 2, "stacks": {}}, "passes is a whole number from 0 to 1, not 2"),
        ({"turn": 9, "passes": 3, "stacks": {}}, "passes is a whole number from 0 to 2, not 3"),
        ({"turn": 9, "passes": -1, "stacks": {}}, "passes is a whole number from 0 to 2, not -1"),
        ({"turn": 9, "passes": [], "stacks": {}}, "passes is a whole number from 0 to 2, not []"),
        ({"turn": 0, "passes": 0, "stacks": []}, "stacks is a table of spaces, not []"),
        ({"turn": 0, "passes": 0, "stacks": None}, "stacks is a table of spaces, not None"),
        ({"turn": 0, "passes": 0, "stacks": {"z9": ["0L"]}}, "the board has no space 'z9' (IF-2)"),
        ({"turn": 0, "passes": 0, "stacks": {"B1": ["0L"]}}, "the board has no space 'B1' (IF-2)"),
        ({"turn": 0, "passes": 0, "stacks": {"": ["0L"]}}, "the board has no space '' (IF-2)"),
        ({"turn": 0, "passes": 0, "stacks": {"b1": []}}, "the stack on b1 is a list of pyramids from bottom to top"),
        ({"turn": 0, "passes": 0, "stacks": {"b1": "0L"}}, "the stack on b1 is a list of pyramids from bottom to top"),
        ({"turn": 0, "passes": 0, "stacks": {"b1": None}}, "the stack on b1 is a list of pyramids from bottom to top"),
        ({"turn": 0, "passes": 0, "stacks": {"b1": ["L0"]}}, "a pyramid is written as seat and size, such as 0L"),
        ({"turn": 0, "passes": 0, "stacks": {"b1": ["0l"]}}, "a pyramid is written as seat and size, such as 0L"),
        ({"turn": 0, "passes": 0, "stacks": {"b1": ["0L\n"]}}, "a pyramid is written as seat and size, such as 0L"),
        ({"turn": 0, "passes": 0, "stacks": {"b1": ["2L"]}}, "a pyramid is written as seat and size, such as 0L"),
        ({"turn": 0, "passes": 0, "stacks": {"b1": [0]}}, "a pyramid is written as seat and size, such as 0L"),
        ({"turn": 0, "passes": 0, "stacks": {"b1": [["0L"]]}}, "a pyramid is written as seat and size, such as 0L"),
        ({"turn": 0, "passes": 0, "stacks": {"b1": ["1M"] * 6}}, "there are more than 5 pyramids 1M (IF-3)"),
        (
            {"turn": 0, "passes": 0, "stacks": {"b1": ["1M"] * 3, "b2": ["1M"] * 3}},
            "there are more than 5 pyramids 1M (IF-3)",
        ),
        ({"turn": 0, "passes": 0, "stacks": {"b1": ["0S", "1M"]}}, "on b1 a pyramid lies on a smaller one (IF-8)"),
        (
            {"turn": 0, "passes": 0, "stacks": {"b1": ["0M", "1M", "0L"]}},
            "on b1 a pyramid lies on a smaller one (IF-8)",
        ),
        ({"turn": 0, "passes": 0, "stacks": {"i1": ["0L"]}}, f"{START} i1 (IF-13, IF-16)"),
        ({"turn": 1, "passes": 0, "stacks": {"a1": ["0L"]}}, f"{START} a1 (IF-13, IF-16)"),
        ({"turn": 2, "passes": 0, "stacks": {"i1": ["0L"]}}, f"{START} i1 (IF-13, IF-16)"),
        ({"turn": 1, "passes": 1, "stacks": {"i1": ["0L"]}}, f"{START} i1 (IF-13, IF-16)"),
        ({"turn": 1, "passes": 0, "stacks": {"i1": ["1L"]}}, f"{START} i1 (IF-13, IF-16)"),
        ({"turn": 1, "passes": 0, "stacks": {"i1": ["1L", "0S"]}}, f"{START} i1 (IF-13, IF-16)"),
        ({"turn": 3, "passes": 0, "stacks": {"i1": ["0L"], "a1": ["1L"]}}, f"{START} "),
    ],
)
def test_refused(game: Game, position: Any, message: str) -> None:
    with pytest.raises(BadRecord) as error:
        game.from_saved({"icetable": 1, "game": "icefrogs", "options": dict(game.options), "position": position})
    assert str(error.value).startswith(message)
    assert str(error.value).isprintable()


def test_bounds_follow_the_options() -> None:
    """More players, more seats and passes; another limit, other turns; another board, other spaces."""
    six = icetable.load("icefrogs", players=6, board="hexagon", turn_limit=0)
    state = set_up(six, turn=10**12, passes=5, stacks={"a2": ["5S"], "d4": ["3L"]})
    assert state.to_act == {10**12 % 6}
    with pytest.raises(BadRecord, match=f"turn is a whole number from 0 to {10**12}, not"):
        set_up(six, turn=10**12 + 1, passes=0, stacks={})
    with pytest.raises(BadRecord, match="passes is a whole number from 0 to 6, not 7"):
        set_up(six, turn=20, passes=7, stacks={})
    with pytest.raises(BadRecord, match="the board has no space 'h1'"):
        set_up(six, turn=0, passes=0, stacks={"h1": ["0L"]})
    with pytest.raises(BadRecord, match="start space d1"):
        set_up(six, turn=0, passes=0, stacks={"d1": ["0L"]})
