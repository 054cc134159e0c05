"""Saved positions of WreckTangle: what is written, and every reason to refuse one."""

from __future__ import annotations

from typing import Any

import pytest

import icetable
from icetable import BadRecord, Game, State

from .material import FRAME, STUCK, described
from .product import drawn, set_up, state_of

EARLIER = ["c2", "c5", "f2", "f5"]

NOTHING_TOWARD = """
#   2P  2D  2Q  2Q  2D  2P  #
.   .   .   .   .   .   .   .
.   .   .   .   .   .   .   .
.   .   .   .   .   .   .   .
.   .   .   .   .   .   .   .
.   .   .   .   .   .   .   .
1P  1D  1Q  1Q  1D  1P  .   .
#   0P  0P  0D  0D  .   .   #
"""
"""Seat 0 has no normal move; and nothing can go toward its home row: edges and pyramids are in the way."""


@pytest.fixture(scope="module")
def game() -> Game:
    """For two."""
    return icetable.load("wrecktangle")


def position(game: Game, **changes: Any) -> dict[str, Any]:
    """A good position, with some of its entries changed: seat 1 has lost two."""
    return {**described(game, FRAME, (0, 2), last=[[EARLIER], []]), **changes}


def test_written(game: Game) -> None:
    state = game.start().apply("die:swap").apply("~d1*e8")
    assert state.to_json() == (
        '{"icetable":1,"game":"wrecktangle","options":{"players":2,"leap":false,"rectangles":"upright",'
        '"home_coin":"stays","fallen":"removed","turn_limit":400},"position":{"turn":0,"turn_of":0,"roll":"swap","normal_owed":true,'
        '"die_unused":false,"coin":"heads","pieces":{"b1":"0P","b8":"1P","c1":"0D","c8":"1D","d1":"1Q","d8":"1Q",'
        '"e1":"0Q","e8":"0Q","f1":"0D","f8":"1D","g1":"0P","g8":"1P"},"lost":[0,0],"last":[[],[]]}}'
    )


def test_the_order_of_squares_and_corners_does_not_matter(game: Game) -> None:
    good = position(game)
    other = {**good, "pieces": dict(reversed(good["pieces"].items())), "last": [[EARLIER[::-1]], []]}
    assert set_up(game, **good) == set_up(game, **other)
    assert set_up(game, **good).to_json() == set_up(game, **other).to_json()
    two = [["c2", "c5", "f2", "f5"], ["c2", "c5", "g2", "g5"]]
    one, other_one = (set_up(game, **position(game, last=[pair, []])) for pair in (two, two[::-1]))
    assert one == other_one
    assert one.to_json() == other_one.to_json()


ENTRIES = "a position of WreckTangle has the entries turn, turn_of, roll, normal_owed, die_unused, coin, pieces"


@pytest.mark.parametrize("saved", [None, [], "", {}, {"turn": 0}])
def test_no_position(game: Game, saved: Any) -> None:
    with pytest.raises(BadRecord) as error:
        game.from_saved({"icetable": 1, "game": "wrecktangle", "options": dict(game.options), "position": saved})
    assert str(error.value).startswith(ENTRIES)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"more": 1}, ENTRIES),
        ({"turn": -1}, "turn is a whole number from 0 to 400, not -1"),
        ({"turn": 401}, "turn is a whole number from 0 to 400, not 401"),
        ({"turn": 10**30}, f"turn is a whole number from 0 to 400, not {10**30}"),
        ({"turn": 1.0}, "turn is a whole number from 0 to 400, not 1.0"),
        ({"turn": True}, "turn is a whole number from 0 to 400, not True"),
        ({"turn_of": 2}, "turn_of is a seat from 0 to 1, not 2"),
        ({"turn_of": -1}, "turn_of is a seat from 0 to 1, not -1"),
        ({"turn_of": "0"}, "turn_of is a seat from 0 to 1, not '0'"),
        ({"turn_of": 1}, "turn 0 is not seat 1's (WT-4)"),
        ({"turn": 3}, "turn 3 is not seat 0's (WT-4)"),
        ({"roll": "up"}, "roll is null or one of away, toward, diag-away, diag-toward, swap, wild, not 'up'"),
        ({"roll": 4}, "roll is null or one of away"),
        ({"roll": ["swap"]}, "roll is null or one of away"),
        ({"coin": "edge"}, "coin is heads or tails, not 'edge'"),
        ({"coin": None}, "coin is heads or tails, not None"),
        ({"coin": ["heads"]}, "coin is heads or tails, not ['heads']"),
        ({"normal_owed": 1}, "normal_owed is true or false, not 1"),
        ({"die_unused": None}, "die_unused is true or false, not None"),
        ({"normal_owed": False}, "there are no moves before the roll (WT-5)"),
        ({"die_unused": False}, "there are no moves before the roll (WT-5)"),
        ({"roll": "swap", "normal_owed": False, "die_unused": False}, "no act is left in this turn, so it has passed"),
        ({"pieces": []}, "pieces is a table of squares, not []"),
        ({"pieces": None}, "pieces is a table of squares, not None"),
        ({"lost": [0]}, "lost is a list of 2 numbers, not [0]"),
        ({"lost": 0}, "lost is a list of 2 numbers, not 0"),
        ({"lost": [0, 7]}, "a player has lost from 0 to 6 pyramids, not 7"),
        ({"lost": [0, -1]}, "a player has lost from 0 to 6 pyramids, not -1"),
        ({"lost": [0, True]}, "a player has lost from 0 to 6 pyramids, not True"),
        ({"lost": [0, 1]}, "seat 1 has lost 1 pyramids and can't have 4 (WT-15, WT-16)"),
        ({"lost": [1, 2]}, "seat 0 has lost 1 pyramids and can't have 6 (WT-15, WT-16)"),
        ({"lost": [0, 3]}, "seat 1 has lost 3 pyramids and can't have 4 (WT-15, WT-16)"),
        ({"last": []}, "last has a list of rectangles for each of 2 seats, not []"),
        ({"last": {}}, "last has a list of rectangles for each of 2 seats, not {}"),
        ({"last": [None, []]}, "no move forms the rectangles None (WT-13)"),
        ({"last": [[EARLIER] * 3, []]}, "no move forms the rectangles "),
        ({"last": [[EARLIER] * 2, []]}, "the rectangles "),
        ({"last": [[EARLIER, ["b3", "b6", "g3", "g6"]], []]}, "the rectangles "),
        ({"last": [[["c2", "c4", "d2", "d4"], ["c2", "c3", "f2", "f3"]], []]}, "the rectangles "),
        ({"last": [[["c2", "c5", "f2"]], []]}, "['c2', 'c5', 'f2'] are not the corners of a rectangle (WT-10)"),
        ({"last": [[["c2", "c5", "f2", "f6"]], []]}, "['c2', 'c5', 'f2', 'f6'] are not the corners of a rectangle"),
        ({"last": [[["c2", "c2", "f2", "f2"]], []]}, "['c2', 'c2', 'f2', 'f2'] are not the corners of a rectangle"),
        ({"last": [[["c4", "d3", "d5", "e4"]], []]}, "['c4', 'd3', 'd5', 'e4'] are not the corners of a rectangle"),
        ({"last": [["c2 c5 f2 f5"], []]}, "'c2 c5 f2 f5' are not the corners of a rectangle (WT-10)"),
        ({"last": [[[1, 2, 3, 4]], []]}, "[1, 2, 3, 4] are not the corners of a rectangle (WT-10)"),
        ({"last": [[["a1", "a5", "c1", "c5"]], []]}, "['a1', 'a5', 'c1', 'c5'] are not the corners of a rectangle"),
        ({"last": [[["c1", "c5", "f1", "f5"]], []]}, "the rectangle c1 c5 f1 f5 has a corner in a home row (WT-12)"),
        (
            {"last": [[["c4", "c5", "d4", "d5"]], []]},
            "the rectangle c4 c5 d4 d5 has neither inside nor sides to capture on (WT-10)",
        ),
        ({"last": [[], []]}, "last and lost contradict each other for seat 1 (WT-13)"),
        ({"last": [[EARLIER], [EARLIER]]}, "last and lost contradict each other for seat 1 (WT-13)"),
        ({"turn": 400, "roll": "swap"}, "there is no roll after 400 turns (WT-18)"),
    ],
)
def test_refused(game: Game, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(BadRecord) as error:
        set_up(game, **position(game, **changes))
    assert str(error.value).startswith(message)
    assert str(error.value).isprintable()


@pytest.mark.parametrize(
    ("pieces", "message"),
    [
        ({"a1": "0P"}, "the board has no square 'a1' (WT-1)"),
        ({"i5": "0P"}, "the board has no square 'i5' (WT-1)"),
        ({"D4": "0P"}, "the board has no square 'D4' (WT-1)"),
        ({"d4": "P0"}, "a pyramid is written as seat and size, such as 0Q, not 'P0'"),
        ({"d4": "0S"}, "a pyramid is written as seat and size, such as 0Q, not '0S'"),
        ({"d4": "0Q\n"}, "a pyramid is written as seat and size, such as 0Q, not '0Q\\n'"),
        ({"d4": "2Q"}, "a pyramid is written as seat and size, such as 0Q, not '2Q'"),
        ({"d4": None}, "a pyramid is written as seat and size, such as 0Q, not None"),
        ({"d4": ["0Q"]}, "a pyramid is written as seat and size, such as 0Q, not ['0Q']"),
        ({"d4": "0Q", "d5": "0Q", "d6": "0Q"}, "there are more than 2 pyramids 0Q (WT-2)"),
    ],
)
def test_refused_pieces(game: Game, pieces: dict[str, Any], message: str) -> None:
    with pytest.raises(BadRecord) as error:
        set_up(game, **position(game, pieces=pieces))
    assert str(error.value) == message


def won(**changes: Any) -> State:
    """Seat 0 has won."""
    game = icetable.load("wrecktangle")
    pieces = {square: name for square, name in game.start().view()["pieces"].items() if name[0] == "0"}
    good = position(game, pieces=pieces, lost=[0, 3], roll="swap", normal_owed=False)
    return set_up(game, **good | changes)


def test_a_game_that_is_won() -> None:
    """WT-17: by a normal move, by a die move, or after both."""
    for owed, unused in ((False, True), (True, False), (False, False)):
        state = won(normal_owed=owed, die_unused=unused)
        assert (state.ended_by, state.winners) == ("WT-17", frozenset({0}))
    with pytest.raises(BadRecord, match=r"has won by a move, and none was made \(WT-17\)"):
        won(normal_owed=True, die_unused=True)
    with pytest.raises(BadRecord, match=r"before the roll \(WT-5\)"):
        won(roll=None)
    with pytest.raises(BadRecord, match=r"seat 1 is out of the game and has no turn \(WT-16\)"):
        won(turn=1, turn_of=1)
    with pytest.raises(BadRecord, match=r"there is no roll after 400 turns \(WT-18\)"):
        won(turn=400)
    with pytest.raises(BadRecord, match=r"seat 1 has lost 2 pyramids and can't have 0"):
        won(lost=[0, 2])


def test_a_game_that_is_drawn(game: Game) -> None:
    """WT-18."""
    state = set_up(game, **position(game, turn=400))
    assert (state.ended_by, state.winners) == ("WT-18", frozenset({0, 1}))


def test_a_turn_that_has_passed() -> None:
    """WT-9: where nothing can be done, nobody can be about to do it."""
    state = state_of(drawn(NOTHING_TOWARD, players=3))
    saved = state._position() | {"last": [[], [EARLIER], []]}
    with pytest.raises(BadRecord, match="no act is left in this turn"):
        set_up(state.game, **saved | {"roll": "toward"})
    assert set_up(state.game, **saved | {"roll": "away"}).to_act == {0}


def test_bounds_follow_the_options() -> None:
    """More players, other home rows; tilted rectangles; who is out may leave pyramids, and any order of turns."""
    four = icetable.load("wrecktangle", players=4, rectangles="tilted", fallen="stay", turn_limit=0)
    last = [[["c4", "d3", "d5", "e4"]], [], [], []]
    good = described(four, {}, (0, 3), last=last, turn=10**12, turn_of=3)
    state = set_up(four, **good)
    assert state.view()["out"] == [1]
    assert state.view()["turn_of"] == 3
    with pytest.raises(BadRecord, match=f"turn is a whole number from 0 to {10**12}, not"):
        set_up(four, **good | {"turn": 10**12 + 1})
    with pytest.raises(BadRecord, match="seat 1 is out of the game"):
        set_up(four, **good | {"turn_of": 1})
    with pytest.raises(BadRecord, match="has a corner in a home row"):
        set_up(four, **good | {"last": [[["a3", "a5", "c3", "c5"]], [], [], []]})
    removed = icetable.load("wrecktangle", players=4, rectangles="tilted", turn_limit=0)
    with pytest.raises(BadRecord, match=r"seat 1 has lost 3 pyramids and can't have 3"):
        set_up(removed, **good)


def test_stuck_is_no_reason_to_refuse() -> None:
    game = icetable.load("wrecktangle")
    state = set_up(game, **described(game, STUCK, (2, 0), roll="away", last=[[], [EARLIER]]))
    assert state.to_act == {0}
    assert not state.view()["normal_possible"]
