"""The oracle against the rule text: every expected value was worked out by hand and stands here as a literal.

Where pyramids can go and what a move captures is drawn on the boards in `boards/`, a file for each rule; the rest
is below.
"""

import random
from typing import Any

import pytest

from .oracle import FACES, PLACES, Board, Oracle, inside, marked, read_boards, read_rectangle, sides, tokens

BOARDS = read_boards()

ROLLS = {"die:away", "die:toward", "die:diag-away", "die:diag-toward", "die:swap", "die:wild"}

OPENING_MOVES = {
    *("b1-b3", "g1-g3", "c1-a3", "c1-e3", "f1-d3", "f1-h3"),
    *("d1-b3", "d1-d3", "d1-f3", "e1-c3", "e1-e3", "e1-g3"),
}
"""The normal moves of the seat on rank 1."""

BLOCKED = """
#   .   .   .   .   .   .   #
.   .   .   .   .   .   .   1P
.   .   .   .   .   .   .   .
.   .   .   .   .   .   .   .
.   1Q  .   .   .   .   .   .
0D  .   1Q  .   .   .   .   .
0P  0D  .   .   .   .   .   .
#   0P  1D  .   .   .   .   #
"""
"""Seat 0 has no normal move: the queen on c3 stands before the drone on b2, that on b4 before the drone on a3."""

STUCK = """
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

TWO_RECTANGLES = """
#   1P  .   1Q  .   .   1D  #
.   .   .   .   0Q  .   .   .
.   .   .   .   .   .   .   .
.   0D  .   .   .   .   .   0D
.   .   .   .   .   .   1D  .
.   .   1P  .   1Q  .   .   .
.   0P  .   .   0Q  .   .   0P
#   .   .   .   .   .   .   #
"""
"""From e7 to e5 the queen forms two: c3 is inside the left one, g4 inside the right one, e3 on a side of both."""

LEFT, RIGHT = ("b2", "b5", "e2", "e5"), ("e2", "e5", "h2", "h5")
NONE, ONLY_LEFT, ONLY_RIGHT, BOTH = (frozenset(found) for found in ((), (LEFT,), (RIGHT,), (LEFT, RIGHT)))

THREE_PLAYERS = """
#   2P  2D  2Q  2Q  .   .   #
.   .   .   .   0Q  .   .   .
1D  .   .   .   .   .   .   .
1Q  0D  .   .   .   .   .   .
1Q  .   .   .   .   .   .   .
.   .   1P  .   .   .   .   .
.   0P  .   .   0Q  .   .   .
#   .   .   .   .   .   .   #
"""
"""Seats 1 and 2 have lost two each; from e7 to e5 the queen takes the third of seat 1, on c3."""


def position_after(*acts: str, **options: Any) -> Oracle:
    """The position to which the acts lead from the start."""
    position = Oracle(**options)
    for text in acts:
        position = position.apply(text)
    return position


def played(position: Oracle, *acts: str) -> Oracle:
    """The position to which the acts lead."""
    for text in acts:
        position = position.apply(text)
    return position


def test_every_rule_of_the_board_has_a_board() -> None:
    assert {board.rule for board in BOARDS} == {
        *("WT-1", "WT-6", "WT-7", "WT-8", "WT-10", "WT-11", "WT-12", "WT-14"),
    }


@pytest.mark.parametrize(
    "board",
    [pytest.param(board, marks=pytest.mark.rule(board.rule), id=f"{board.rule} {board.title}") for board in BOARDS],
)
def test_board(board: Board) -> None:
    position = board.position
    if board.after:
        after = position.apply(board.act)
        assert tokens(str(after)) == tokens(board.after)
        assert after.coin == board.coin
        return
    expected = marked(board.drawing)
    assert {square for square in PLACES if board.act_to(square) in position.legal()} == expected
    others = [square for square in PLACES if square not in board.act]  # no notation swaps a square with itself
    assert {square for square in others if position.fault(board.act_to(square)) is None} == expected


@pytest.mark.rule("WT-1")
def test_wt_1_squares() -> None:
    assert " ".join(PLACES) == (
        "a2 a3 a4 a5 a6 a7 b1 b2 b3 b4 b5 b6 b7 b8 c1 c2 c3 c4 c5 c6 c7 c8 d1 d2 d3 d4 d5 d6 d7 d8 "
        "e1 e2 e3 e4 e5 e6 e7 e8 f1 f2 f3 f4 f5 f6 f7 f8 g1 g2 g3 g4 g5 g6 g7 g8 h2 h3 h4 h5 h6 h7"
    )
    assert len(PLACES) == 60


@pytest.mark.rule("WT-2", "WT-3")
def test_wt_2_home_rows_of_two_players() -> None:
    """WT-3: rank 1, rank 8."""
    assert str(Oracle()).split() == (
        ["#", "1P", "1D", "1Q", "1Q", "1D", "1P", "#"] + ["."] * 48 + ["#", "0P", "0D", "0Q", "0Q", "0D", "0P", "#"]
    )


@pytest.mark.rule("WT-2", "WT-3")
def test_wt_2_home_rows_of_three_players() -> None:
    """WT-3: rank 1, file a, rank 8."""
    assert str(Oracle(3)).splitlines() == [
        "#  2P 2D 2Q 2Q 2D 2P #",
        "1P .  .  .  .  .  .  .",
        "1D .  .  .  .  .  .  .",
        "1Q .  .  .  .  .  .  .",
        "1Q .  .  .  .  .  .  .",
        "1D .  .  .  .  .  .  .",
        "1P .  .  .  .  .  .  .",
        "#  0P 0D 0Q 0Q 0D 0P #",
    ]


@pytest.mark.rule("WT-2", "WT-3")
def test_wt_2_home_rows_of_four_players() -> None:
    """WT-3: clockwise, rank 1, file a, rank 8, file h."""
    assert str(Oracle(4)).splitlines() == [
        "#  2P 2D 2Q 2Q 2D 2P #",
        "1P .  .  .  .  .  .  3P",
        "1D .  .  .  .  .  .  3D",
        "1Q .  .  .  .  .  .  3Q",
        "1Q .  .  .  .  .  .  3Q",
        "1D .  .  .  .  .  .  3D",
        "1P .  .  .  .  .  .  3P",
        "#  0P 0D 0Q 0Q 0D 0P #",
    ]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.rule("WT-4")
def test_wt_4_start(players: int) -> None:
    position = Oracle(players)
    assert position.coin == "heads"
    assert position.seat == 0
    assert position.to_act == {-1}
    assert position.legal() == ROLLS
    assert position.ended_by is None
    assert position.winners == set()
    assert position.scores == (0,) * players
    assert position.effects == ()


@pytest.mark.rule("WT-5")
def test_wt_5_the_roll_comes_first() -> None:
    position = Oracle()
    for text in ("b1-b3", "~b1-b2", "~b1*c1", "end"):
        assert position.fault(text) == "WT-5"
    position = position.apply("die:away")
    assert position.to_act == {0}
    assert position.roll == "away"
    for text in ROLLS:
        assert position.fault(text) == "WT-5"


@pytest.mark.rule("WT-5")
def test_wt_5_normal_move_first() -> None:
    position = position_after("die:away", "b1-b3")
    assert position.to_act == {0}
    assert not OPENING_MOVES & position.legal()
    assert position.fault("g1-g3") == "WT-5"
    assert "~b3-b4" in position.legal()
    after = position.apply("~b3-b4")
    assert after.to_act == {-1}
    assert after.seat == 1
    assert after.standing["b4"] == (0, "P")
    assert after.effects == (("turn", 1),)


@pytest.mark.rule("WT-5")
def test_wt_5_die_move_first() -> None:
    position = position_after("die:away", "~b1-b2")
    assert position.to_act == {0}
    assert position.fault("~c1-c2") == "WT-5"
    assert position.fault("~b1*c1") == "WT-5"
    assert position.fault("end") == "WT-5"
    assert position.legal() == {  # the pawn stands in the way of the drone now
        *("b2-b4", "b2-d2", "g1-g3", "c1-e3", "f1-d3", "f1-h3"),
        *("d1-b3", "d1-d3", "d1-f3", "e1-c3", "e1-e3", "e1-g3"),
    }
    after = position.apply("b2-d2")
    assert after.seat == 1
    assert after.to_act == {-1}


@pytest.mark.rule("WT-5")
def test_wt_5_the_die_move_may_be_left_out() -> None:
    position = position_after("die:away", "b1-b3")
    after = position.apply("end")
    assert after.seat == 1
    assert after.to_act == {-1}
    assert after.effects == (("turn", 1),)
    assert after.standing == position.standing


@pytest.mark.rule("WT-5")
def test_wt_5_a_die_move_that_opens_a_normal_move_makes_it_owed() -> None:
    """With c3 empty the drone on b2 can go."""
    position = Oracle.drawn(BLOCKED, roll="away")
    assert position.legal() == {"~a3-a4", "~b2-b3", "~b4-b3", "~c3-c2", "~h7-h6", "end"}
    after = position.apply("~c3-c2")
    assert after.to_act == {0}
    assert after.legal() == {"b2-d4"}
    assert after.fault("end") == "WT-5"
    assert after.apply("b2-d4").effects == (("turn", 1),)


@pytest.mark.rule("WT-5")
def test_wt_5_a_die_move_may_take_the_last_normal_move_away() -> None:
    drawing = """
    #   .   .   .   .   .   .   #
    .   .   .   .   .   .   .   1P
    .   .   .   .   .   .   .   .
    .   .   .   .   .   .   .   .
    .   1Q  1Q  .   .   .   .   .
    0D  .   .   .   .   .   .   .
    0P  0D  .   .   .   .   .   .
    #   0P  1D  .   .   .   .   #
    """
    position = Oracle.drawn(drawing, roll="away")
    assert position.normal_moves() == {"b2-d4"}
    assert position.legal() == {"b2-d4", "~a3-a4", "~b2-b3", "~b4-b3", "~c4-c3", "~h7-h6"}
    after = position.apply("~c4-c3")
    assert after.effects == (("turn", 1),)
    assert after.to_act == {-1}
    assert after.seat == 1


@pytest.mark.rule("WT-6")
def test_wt_6_opening() -> None:
    assert Oracle.drawn(str(Oracle()), roll="toward").legal() == OPENING_MOVES
    position = Oracle.drawn(str(Oracle()), roll="toward", seat=1)
    assert position.legal() == {
        *("b8-b6", "g8-g6", "c8-a6", "c8-e6", "f8-d6", "f8-h6"),
        *("d8-b6", "d8-d6", "d8-f6", "e8-c6", "e8-e6", "e8-g6"),
    }


@pytest.mark.parametrize("text", ["d4-d5", "d4-e5", "d4-d7", "d4-e6", "d4-f5", "d4-f3", "d4-d4", "d4-h8", "d4-i4"])
@pytest.mark.rule("WT-6")
def test_wt_6_no_other_moves(text: str) -> None:
    """One square, three, round a corner, nowhere, off the board: not even for a queen."""
    board = board_titled("A queen exactly two squares either way")
    assert board.position.fault(text) == "WT-6"


def board_titled(words: str) -> Board:
    """The one drawn board whose title has these words."""
    (board,) = [board for board in BOARDS if words in board.title]
    return board


@pytest.mark.parametrize(
    ("seat", "away", "toward", "diag_away", "diag_toward"),
    [
        (0, "d5", "d3", {"c5", "e5"}, {"c3", "e3"}),
        (1, "e4", "c4", {"e3", "e5"}, {"c3", "c5"}),
        (2, "d3", "d5", {"c3", "e3"}, {"c5", "e5"}),
        (3, "c4", "e4", {"c3", "c5"}, {"e3", "e5"}),
    ],
)
@pytest.mark.rule("WT-7")
def test_wt_7_steps_seen_from_the_home_row(
    seat: int, away: str, toward: str, diag_away: set[str], diag_toward: set[str]
) -> None:
    """A queen of each seat on d4 in turn, though it is seat 0's turn."""
    row, queen = {0: ("d1", "0Q"), 1: ("a4", "1Q"), 2: ("d8", "2Q"), 3: ("h4", "3Q")}[seat]
    position = Oracle(4)
    position.standing["d4"] = position.standing.pop(row)
    assert str(position).split().count(queen) == 2
    found = {}
    for face in FACES:
        legal = Oracle.drawn(str(position), players=4, roll=face).legal()
        found[face] = {text.removeprefix("~d4-") for text in legal if text.startswith("~d4-")}
    assert found == {
        "away": {away},
        "toward": {toward},
        "diag-away": diag_away,
        "diag-toward": diag_toward,
        "swap": set(),
        "wild": {away, toward, *diag_away, *diag_toward},
    }


@pytest.mark.parametrize(
    ("face", "count"), [("away", 12), ("toward", 0), ("diag-away", 24), ("diag-toward", 0), ("swap", 60), ("wild", 96)]
)
@pytest.mark.rule("WT-7")
def test_wt_7_die_moves_of_the_opening(face: str, count: int) -> None:
    """12 pyramids; 66 pairs of them but for 6 of two alike."""
    legal = position_after(f"die:{face}").legal()
    assert len([text for text in legal if text.startswith("~")]) == count
    assert {text for text in legal if not text.startswith("~")} == OPENING_MOVES


@pytest.mark.rule("WT-8")
def test_wt_8_swaps_change_the_position() -> None:
    position = position_after("die:swap")
    for text in ("~b1*g1", "~c1*f1", "~d1*e1", "~d8*e8", "~b8*g8"):
        assert position.fault(text) == "WT-8"
        assert text not in position.legal()
    after = position.apply("~b1*d8")
    assert after.standing["b1"] == (1, "Q")
    assert after.standing["d8"] == (0, "P")
    assert {"~b1*b8", "~d1*d8", "~b1*c1", "~c8*f1"} <= position.legal()


@pytest.mark.parametrize(
    ("text", "rule"),
    [("~d8*d1", "notation"), ("~d1*c1", "notation"), ("~d1*d1", "notation"), ("~c1*d1", None), ("~d1*d8", None)],
)
@pytest.mark.rule("WT-8")
def test_wt_8_the_lower_square_first(text: str, rule: str | None) -> None:
    assert position_after("die:wild").fault(text) == rule


@pytest.mark.rule("WT-9")
def test_wt_9_the_normal_move_is_owed() -> None:
    for face in FACES:
        assert position_after(f"die:{face}").fault("end") == "WT-5"


@pytest.mark.rule("WT-9")
def test_wt_9_without_die_moves_the_die_stays_on_offer() -> None:
    """Nothing can go toward its home row before the normal move; after it the pawn can."""
    position = position_after("die:toward")
    assert position.legal() == OPENING_MOVES
    position = position.apply("b1-b3")
    assert position.to_act == {0}
    assert position.legal() == {"~b3-b2", "end"}


@pytest.mark.rule("WT-9")
def test_wt_9_no_normal_move_at_all() -> None:
    position = Oracle.drawn(BLOCKED, roll="away")
    assert position.normal_moves() == set()
    assert position.fault("end") is None
    after = position.apply("end")
    assert after.effects == (("turn", 1),)
    after = position.apply("~h7-h6")
    assert after.effects == (("turn", 1),)
    assert after.to_act == {-1}


@pytest.mark.rule("WT-9")
def test_wt_9_the_turn_passes_by_itself_right_after_the_roll() -> None:
    position = Oracle.drawn(STUCK, players=3)
    assert position.legal() == ROLLS
    after = position.apply("die:toward")
    assert after.to_act == {-1}
    assert after.seat == 1
    assert after.roll is None
    assert after.turns == 1
    assert after.effects == (("turn", 1),)
    assert position.apply("die:diag-toward").to_act == {0}
    assert position.apply("die:away").to_act == {0}


@pytest.mark.rule("WT-9")
def test_wt_9_the_turn_passes_by_itself_after_the_normal_move() -> None:
    """All pyramids stand on the edge of their home rows, so that `toward` moves none."""
    drawing = """
    #   1P  1D  1Q  1Q  .   .   #
    .   .   .   .   .   .   .   .
    .   .   .   .   .   .   .   .
    .   .   .   .   .   .   .   .
    .   .   .   .   .   .   .   .
    .   .   .   .   .   .   .   .
    .   .   .   .   .   .   .   .
    #   0P  .   .   0Q  0D  0P  #
    """
    position = Oracle.drawn(drawing, roll="toward")
    after = position.apply("b1-d1")
    assert after.effects == (("turn", 1),)
    assert after.to_act == {-1}
    assert position.apply("b1-b3").to_act == {0}


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
    rectangle = read_rectangle(corners)
    assert inside(rectangle) == within
    assert sides(rectangle) == edge


@pytest.mark.parametrize("corners", ["b2 b5 e2 e4", "b2 b3 b4 b5", "c3 d4 e5 f6", "c4 d2 e5 f3", "b2 b5 e2 g7"])
@pytest.mark.rule("WT-10")
def test_wt_10_no_rectangles(corners: str) -> None:
    with pytest.raises(ValueError, match="is no rectangle"):
        read_rectangle(corners)


@pytest.mark.rule("WT-11", "WT-14")
def test_wt_11_wt_14_effects() -> None:
    position = Oracle.drawn(TWO_RECTANGLES, roll="wild")
    after = position.apply("e7-e5")
    assert after.effects == (
        ("rectangle", *LEFT, "counts"),
        ("rectangle", *RIGHT, "counts"),
        ("capture", "c3", 1, "P"),
        ("capture", "g4", 1, "D"),
        ("coin", "tails"),
    )
    assert after.to_act == {0}
    assert position.coin == "heads"
    assert position.standing["c3"] == (1, "P")


@pytest.mark.rule("WT-11")
def test_wt_11_effects_come_before_the_turn_passes() -> None:
    after = Oracle.drawn(TWO_RECTANGLES, roll="wild", die_used=True, coin="tails").apply("e7-e5")
    assert after.effects == (
        ("rectangle", *LEFT, "counts"),
        ("rectangle", *RIGHT, "counts"),
        ("capture", "e3", 1, "Q"),
        ("coin", "heads"),
        ("turn", 1),
    )


@pytest.mark.parametrize(
    ("words", "effects"),
    [
        ("A corner in another's home row", (("rectangle", "c5", "c8", "f5", "f8", "home"),)),
        (
            "One with a corner in a home row besides one that counts",
            (
                ("rectangle", "b1", "b5", "e1", "e5", "home"),
                ("rectangle", "b2", "b5", "e2", "e5", "counts"),
                ("capture", "c3", 1, "P"),
                ("coin", "tails"),
            ),
        ),
        ("A rectangle that a die move forms for another player", (("turn", 1),)),
        ("No rectangle: the coin stays", ()),
        ("Nobody there", (("rectangle", "b2", "b5", "e2", "e5", "counts"), ("coin", "tails"))),
        ("in the upright game", ()),
        (
            "In the tilted game it is",
            (("rectangle", "c4", "d3", "d5", "e4", "counts"), ("capture", "d4", 1, "P"), ("coin", "tails")),
        ),
        (
            "Pyramids of several opponents",
            (
                ("rectangle", "b2", "b5", "e2", "e5", "counts"),
                ("capture", "c3", 1, "P"),
                ("capture", "d4", 2, "Q"),
                ("coin", "tails"),
            ),
        ),
    ],
)
@pytest.mark.rule("WT-11", "WT-12", "WT-14")
def test_wt_11_wt_12_wt_14_effects_of_boards(words: str, effects: tuple[object, ...]) -> None:
    board = board_titled(words)
    settings = {**board.settings, "normal_made": board.act.startswith("~")}
    assert Oracle.drawn(board.drawing, **settings).apply(board.act).effects == effects


@pytest.mark.rule("WT-12", "WT-13")
def test_wt_12_wt_13_void_rectangles_are_never_the_last_to_capture() -> None:
    board = board_titled("A corner in another's home row")
    assert board.position.apply(board.act).last == (NONE, NONE)


@pytest.mark.rule("WT-13")
def test_wt_13_a_repeated_rectangle_is_of_no_effect() -> None:
    """Both capture; then the queen goes away and comes back. With tails e3 would be theirs."""
    position = played(Oracle.drawn(TWO_RECTANGLES, roll="away"), "e7-e5", "end")
    assert position.last == (BOTH, NONE)
    assert position.coin == "tails"
    position = played(position, "die:away", "b8-b6", "end", "die:away", "e5-e7", "end")
    position = played(position, "die:away", "b6-b8", "end", "die:away", "e7-e5")
    assert position.effects == (("rectangle", *LEFT, "repeated"), ("rectangle", *RIGHT, "repeated"))
    assert position.coin == "tails"
    assert position.standing["e3"] == (1, "Q")
    assert position.last == (BOTH, NONE)


@pytest.mark.rule("WT-13")
def test_wt_13_another_that_captures_frees_it() -> None:
    """Formed together with the right one, the left one takes nothing, and is free when it is formed again."""
    position = Oracle.drawn(TWO_RECTANGLES, roll="away", last="b2 b5 e2 e5").apply("e7-e5")
    assert position.effects == (
        ("rectangle", *LEFT, "repeated"),
        ("rectangle", *RIGHT, "counts"),
        ("capture", "g4", 1, "D"),
        ("coin", "tails"),
    )
    assert position.standing["c3"] == (1, "P")
    assert position.last == (ONLY_RIGHT, NONE)
    position = played(position, "end", "die:away", "b8-b6", "end", "die:away", "e5-e7", "end")
    position = played(position, "die:away", "b6-b8", "end", "die:away", "e7-e5")
    assert position.effects == (
        ("rectangle", *LEFT, "counts"),
        ("rectangle", *RIGHT, "repeated"),
        ("capture", "e3", 1, "Q"),
        ("coin", "heads"),
    )
    assert position.last == (ONLY_LEFT, NONE)


@pytest.mark.rule("WT-13")
def test_wt_13_all_that_share_the_prey_are_the_last() -> None:
    after = Oracle.drawn(TWO_RECTANGLES, roll="away", coin="tails").apply("e7-e5")
    assert after.last == (BOTH, NONE)


@pytest.mark.rule("WT-13")
def test_wt_13_only_those_that_take_something_are_the_last() -> None:
    drawing = TWO_RECTANGLES.replace("1D  .\n.   .   1P", ".   .\n.   .   1P")
    after = Oracle.drawn(drawing, roll="away").apply("e7-e5")
    assert after.effects == (
        ("rectangle", *LEFT, "counts"),
        ("rectangle", *RIGHT, "counts"),
        ("capture", "c3", 1, "P"),
        ("coin", "tails"),
    )
    assert after.last == (ONLY_LEFT, NONE)


@pytest.mark.rule("WT-13")
def test_wt_13_one_that_captures_nothing_frees_none() -> None:
    """The big one and the right one find nobody, so that the left one stays void; with tails c2 is on its side."""
    drawing = """
    #   .   .   1Q  .   .   1D  #
    .   .   .   .   .   0Q  .   0Q
    .   .   .   .   .   .   .   .
    .   0D  .   .   1Q  .   .   .
    .   .   .   .   .   .   .   .
    .   .   .   .   .   .   .   .
    .   0P  1P  .   0D  .   .   0P
    #   .   .   .   .   .   .   #
    """
    position = Oracle.drawn(drawing, roll="swap", last="b2 b5 e2 e5").apply("h7-h5")
    assert position.effects == (("rectangle", "b2", "b5", "h2", "h5", "counts"), ("coin", "tails"))
    assert position.last == (ONLY_LEFT, NONE)
    position = position.apply("~e5*f7")
    assert position.effects == (
        ("rectangle", *LEFT, "repeated"),
        ("rectangle", *RIGHT, "counts"),
        ("coin", "heads"),
        ("turn", 1),
    )
    assert position.standing["c2"] == (1, "P")
    assert position.last == (ONLY_LEFT, NONE)
    free = played(Oracle.drawn(drawing, roll="swap"), "h7-h5", "~e5*f7")
    assert free.last == (ONLY_LEFT, NONE)
    assert "c2" not in free.standing


@pytest.mark.rule("WT-13")
def test_wt_13_each_player_has_its_own() -> None:
    """Seat 1 captures with the squares of seat 0's last one."""
    drawing = """
    #   0P  .   0Q  .   .   0D  #
    .   .   .   .   1Q  .   .   .
    .   .   .   .   .   .   .   .
    .   1D  .   .   .   .   .   .
    .   .   .   .   .   .   .   .
    .   .   0P  .   .   .   .   .
    .   1P  .   .   1Q  .   .   0D
    #   .   .   .   .   .   .   #
    """
    position = Oracle.drawn(drawing, seat=1, roll="away")
    position.last = (ONLY_LEFT, NONE)
    after = position.apply("e7-e5")
    assert ("capture", "c3", 0, "P") in after.effects
    assert after.last == (ONLY_LEFT, ONLY_LEFT)


@pytest.mark.rule("WT-14")
def test_wt_14_the_coin_is_turned_by_each_move_that_forms() -> None:
    """Two moves of one turn: the first forms the big one under heads, the second the other two under tails."""
    drawing = """
    #   1P  .   1Q  .   .   1D  #
    .   .   .   .   .   0Q  .   0Q
    .   .   .   .   .   .   .   .
    .   0D  .   .   1Q  .   .   .
    .   .   .   .   .   .   .   .
    .   .   .   .   .   .   1P  .
    .   0P  1D  .   0D  .   .   0P
    #   .   .   .   .   .   .   #
    """
    position = Oracle.drawn(drawing, roll="swap").apply("h7-h5")
    assert position.effects == (
        ("rectangle", "b2", "b5", "h2", "h5", "counts"),
        ("capture", "g3", 1, "P"),
        ("coin", "tails"),
    )
    position = position.apply("~e5*f7")
    assert position.effects == (
        ("rectangle", *LEFT, "counts"),
        ("rectangle", *RIGHT, "counts"),
        ("capture", "c2", 1, "D"),
        ("coin", "heads"),
        ("turn", 1),
    )


@pytest.mark.rule("WT-15")
def test_wt_15_captured_pyramids_are_gone() -> None:
    after = Oracle.drawn(TWO_RECTANGLES, roll="away").apply("e7-e5")
    assert sorted(square for square, (seat, _) in after.standing.items() if seat == 1) == ["b8", "d8", "e3", "g8"]
    assert after.is_in(1)


@pytest.mark.rule("WT-16")
def test_wt_16_a_player_who_has_lost_three_is_out() -> None:
    position = Oracle.drawn(THREE_PLAYERS, players=3, roll="away").apply("e7-e5")
    assert position.effects == (
        ("rectangle", *LEFT, "counts"),
        ("capture", "c3", 1, "P"),
        ("coin", "tails"),
        ("out", 1),
        ("removed", "a4", 1, "Q"),
        ("removed", "a5", 1, "Q"),
        ("removed", "a6", 1, "D"),
    )
    assert position.seats_in() == [0, 2]
    assert position.ended_by is None
    assert position.to_act == {0}
    assert not [square for square, (seat, _) in position.standing.items() if seat == 1]
    position = position.apply("end")
    assert position.effects == (("turn", 2),)
    position = played(position, "die:away", "b8-b6", "end")
    assert position.effects == (("turn", 0),)


@pytest.mark.rule("WT-16")
def test_wt_16_the_fallen_stay() -> None:
    """They can be moved by die moves of others, and captured; their seat has no turn any more."""
    position = Oracle.drawn(THREE_PLAYERS, players=3, roll="away", fallen="stay").apply("e7-e5")
    assert position.effects == (
        ("rectangle", *LEFT, "counts"),
        ("capture", "c3", 1, "P"),
        ("coin", "tails"),
        ("out", 1),
    )
    assert position.seats_in() == [0, 2]
    assert {"~a4-b4", "~a5-b5", "~a6-b6"} & position.legal() == {"~a4-b4", "~a6-b6"}
    position = position.apply("~a4-b4")
    assert position.standing["b4"] == (1, "Q")
    assert position.effects == (("turn", 2),)


@pytest.mark.rule("WT-16")
def test_wt_16_the_fallen_are_opponents_still() -> None:
    """Seat 1 has been out for long; one of its last three pyramids is captured."""
    drawing = THREE_PLAYERS.replace("1D", ". ")
    after = Oracle.drawn(drawing, players=3, roll="away", fallen="stay").apply("e7-e5")
    assert after.effects == (("rectangle", *LEFT, "counts"), ("capture", "c3", 1, "P"), ("coin", "tails"))
    assert sorted(square for square, (seat, _) in after.standing.items() if seat == 1) == ["a4", "a5"]
    assert after.seats_in() == [0, 2]


WINNING = """
#   1P  1Q  .   .   .   1D  #
.   .   .   .   0Q  .   .   .
.   .   .   .   .   .   .   .
.   0D  .   .   .   .   .   0D
.   .   .   .   .   .   1D  .
.   .   1P  1Q  .   .   .   .
.   0P  .   .   0Q  .   .   0P
#   .   .   .   .   .   .   #
"""
"""From e7 to e5 the queen takes three: those on c3, d3 and g4."""


@pytest.mark.parametrize(("fallen", "left"), [("removed", []), ("stay", ["b8", "c8", "g8"])])
@pytest.mark.rule("WT-17")
def test_wt_17_the_last_player_wins(fallen: str, left: list[str]) -> None:
    """At once: the die move of this turn is not made any more."""
    after = Oracle.drawn(WINNING, roll="away", fallen=fallen).apply("e7-e5")
    assert after.ended_by == "WT-17"
    assert after.winners == {0}
    assert after.scores == (1, 0)
    assert after.to_act == set()
    assert after.legal() == set()
    assert after.turns == 0
    assert sorted(square for square, (seat, _) in after.standing.items() if seat == 1) == left
    assert after.effects[:6] == (
        ("rectangle", *LEFT, "counts"),
        ("rectangle", *RIGHT, "counts"),
        ("capture", "c3", 1, "P"),
        ("capture", "d3", 1, "Q"),
        ("capture", "g4", 1, "D"),
        ("coin", "tails"),
    )
    removed = [("removed", "b8", 1, "P"), ("removed", "c8", 1, "Q"), ("removed", "g8", 1, "D")]
    assert after.effects[6:] == (("out", 1), *(removed if fallen == "removed" else []))


@pytest.mark.rule("WT-17")
def test_wt_17_two_go_out_at_once() -> None:
    drawing = """
    #   2P  2D  2Q  .   .   .   #
    .   .   .   .   0Q  .   .   .
    1D  .   .   .   .   .   .   .
    1Q  0D  .   .   .   .   .   0D
    1Q  .   .   .   .   .   2Q  .
    .   .   1P  .   .   .   .   .
    .   0P  .   .   0Q  .   .   0P
    #   .   .   .   .   .   .   #
    """
    after = Oracle.drawn(drawing, players=3, roll="away", turns=6).apply("e7-e5")
    assert after.ended_by == "WT-17"
    assert after.winners == {0}
    assert after.scores == (1, 0, 0)
    assert [effect for effect in after.effects if effect[0] == "out"] == [("out", 1), ("out", 2)]
    assert {seat for seat, _ in after.standing.values()} == {0}


@pytest.mark.rule("WT-17")
def test_wt_17_by_a_die_move() -> None:
    """The normal move that is owed is not made any more."""
    drawing = WINNING.replace("0Q  .   .   .\n.   .   .   .   . ", ".   .   .   .\n.   .   .   .   0Q")
    after = Oracle.drawn(drawing, roll="toward").apply("~e6-e5")
    assert after.ended_by == "WT-17"
    assert after.winners == {0}
    assert not after.normal_made


def shuttled(turns: int, turn_limit: int) -> Oracle:
    """The position after so many turns in which both seats move one pawn to and fro."""
    position = Oracle(turn_limit=turn_limit)
    there_and_back = ["b1-b3", "b8-b6", "b3-b1", "b6-b8"]
    for turn in range(turns):
        position = played(position, "die:away", there_and_back[turn % 4], "end")
    return position


@pytest.mark.rule("WT-18")
def test_wt_18_turn_limit() -> None:
    assert shuttled(6, turn_limit=7).ended_by is None
    position = shuttled(7, turn_limit=7)
    assert position.ended_by == "WT-18"
    assert position.winners == {0, 1}
    assert position.scores == (1, 1)
    assert position.to_act == set()
    assert position.legal() == set()
    assert position.effects == ()


@pytest.mark.rule("WT-18")
def test_wt_18_default_of_400_turns() -> None:
    assert Oracle().turn_limit == 400
    assert shuttled(399, turn_limit=400).ended_by is None
    assert shuttled(400, turn_limit=400).ended_by == "WT-18"


@pytest.mark.rule("WT-18")
def test_wt_18_no_limit() -> None:
    position = shuttled(450, turn_limit=0)
    assert position.ended_by is None
    assert position.turns == 450


@pytest.mark.rule("WT-18")
def test_wt_18_a_turn_counts_when_it_passes_by_itself() -> None:
    after = Oracle.drawn(STUCK, players=3, turn_limit=1).apply("die:toward")
    assert after.ended_by == "WT-18"
    assert after.winners == {0, 1, 2}
    after = played(Oracle.drawn(BLOCKED, roll="away", turn_limit=1), "~h7-h6")
    assert after.ended_by == "WT-18"


@pytest.mark.rule("WT-18")
def test_wt_18_a_draw_is_among_those_still_in() -> None:
    after = played(Oracle.drawn(THREE_PLAYERS, players=3, roll="away", turns=3, turn_limit=4), "e7-e5", "end")
    assert after.ended_by == "WT-18"
    assert after.winners == {0, 2}
    assert after.scores == (1, 0, 1)


@pytest.mark.rule("WT-18")
def test_wt_18_a_win_in_the_last_turn_is_a_win() -> None:
    position = Oracle.drawn(WINNING, roll="away", die_used=True, turn_limit=1)
    assert position.apply("e7-e5").ended_by == "WT-17"
    assert position.apply("e7-g5").ended_by == "WT-18"


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "pass", "End", "end ", "end\n", "die", "die:", "die:tip", "die:Swap", "die:swap ", "die: swap"),
        *("die:1", "d1", "d1-", "-d1", "d1-d3-d5", "d1 - d3", "d1d3", "D1-d3", "d1-D3", "d-d3", "d1-d", "1d-3d"),
        *(" d1-d3", "d1-d3 ", "d1-d3\n", "d1\u2013d3", "d\u0661-d3", "d1*e1", "d1@d3", "P@d3", "d1.0-d3", "d-1-d3"),
        *("~d1", "~d1-", "~~d1-d2", "~ d1-d2", "d1~d2", "~d1~d2", "~d1-d2 ", "~d1*", "~*d1", "~d1*e1*f1", "~d1 * e1"),
        *("~e1*d1", "~d2*d1", "~d1*d1", "~z9*a2", "~a10*a2", "~d1*D2", "die:away,b1-b3", "b1-b3,end"),
    ],
)
def test_notation(text: str) -> None:
    """Malformed text is judged before all else: before the roll, after it, and in a game that is over."""
    assert Oracle().fault(text) == "notation"
    assert position_after("die:wild").fault(text) == "notation"
    assert shuttled(4, turn_limit=4).fault(text) == "notation"


@pytest.mark.parametrize(
    "text", ["die:away", "end", "b1-b3", "z9-a1", "~b1-b2", "~z9-a1", "~b1*c1", "~b1*g1", "~a1*z9", "~a2*a10"]
)
def test_fault_game_over(text: str) -> None:
    """The rule that ended the game comes before every other fault, and before an act that would be legal."""
    assert shuttled(4, turn_limit=4).fault(text) == "WT-18"
    assert Oracle.drawn(WINNING, roll="away").apply("e7-e5").fault(text) == "WT-17"


@pytest.mark.parametrize("text", ["end", "e7-e5", "z9-a1", "c3-c5", "~c3-c2", "~z9-a1", "~b2*c3", "~b2*h2", "~b2*z9"])
def test_fault_before_the_roll(text: str) -> None:
    assert Oracle.drawn(TWO_RECTANGLES).fault(text) == "WT-5"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        # the wrong phase
        ("die:away", "WT-5"),
        ("die:swap", "WT-5"),
        ("end", "WT-5"),
        # no such square, a corner, an empty square, another's pyramid, no way of a queen, in the way, occupied
        ("z9-a1", "WT-6"),
        ("e7-z9", "WT-6"),
        ("e7-e9", "WT-6"),
        ("a1-a3", "WT-6"),
        ("h2-h0", "WT-6"),
        ("c4-c6", "WT-6"),
        ("c3-c5", "WT-6"),
        ("e7-e6", "WT-6"),
        ("e7-d5", "WT-6"),
        ("e2-e4", "WT-6"),
        ("e2-c4", None),
        ("e2-g4", "WT-6"),
        ("b2-d4", "WT-6"),
        ("b5-b7", "WT-6"),
        # no such square, another way, two squares, an empty square, a swap
        ("~z9-a1", "WT-7"),
        ("~e7-z9", "WT-7"),
        ("~b2-c2", "WT-7"),
        ("~c3-c4", "WT-7"),
        ("~b2-b4", "WT-7"),
        ("~c4-c5", "WT-7"),
        ("~e2-e3", "WT-7"),
        ("~b2*c3", "WT-7"),
        ("~b2*h2", "WT-7"),
        # and what goes
        ("e7-e5", None),
        ("e7-g5", None),
        ("~b2-b3", None),
        ("~c3-c2", None),
        ("~e7-e8", None),
    ],
)
def test_fault_after_the_roll(text: str, rule: str | None) -> None:
    """The roll is `away`, nothing has been moved."""
    assert Oracle.drawn(TWO_RECTANGLES, roll="away").fault(text) == rule


@pytest.mark.parametrize("roll", ["swap", "wild"])
@pytest.mark.parametrize(
    ("text", "rule"),
    [
        # no such square, an empty square, two alike
        ("~b2*z9", "WT-7"),
        ("~a1*b2", "WT-7"),
        ("~b2*b3", "WT-7"),
        ("~b3*b4", "WT-7"),
        ("~b2*h2", "WT-8"),
        ("~b5*h5", "WT-8"),
        ("~e2*e7", "WT-8"),
        ("~d8*e3", "WT-8"),
        ("~g4*g8", "WT-8"),
        # and what goes
        ("~b2*c3", None),
        ("~b2*b5", None),
        ("~c3*g4", None),
    ],
)
def test_fault_of_a_swap(roll: str, text: str, rule: str | None) -> None:
    assert Oracle.drawn(TWO_RECTANGLES, roll=roll).fault(text) == rule


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("e7-e5", "WT-5"),
        ("z9-a1", "WT-5"),
        ("c3-c5", "WT-5"),
        ("die:away", "WT-5"),
        ("~b2-c2", "WT-7"),
        ("~b2*c3", "WT-7"),
        ("~b2-b3", None),
        ("end", None),
    ],
)
def test_fault_when_the_normal_move_is_made(text: str, rule: str | None) -> None:
    assert Oracle.drawn(TWO_RECTANGLES, roll="away", normal_made=True).fault(text) == rule


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("~b2-b3", "WT-5"),
        ("~z9-a1", "WT-5"),
        ("~b2*c3", "WT-5"),
        ("~b2*h2", "WT-5"),
        ("end", "WT-5"),
        ("e7-e6", "WT-6"),
        ("e7-e5", None),
    ],
)
def test_fault_when_the_die_is_used(text: str, rule: str | None) -> None:
    assert Oracle.drawn(TWO_RECTANGLES, roll="swap", die_used=True).fault(text) == rule


def test_fault_when_no_normal_move_is_possible() -> None:
    position = Oracle.drawn(BLOCKED, roll="away")
    assert position.fault("b2-d4") == "WT-6"
    assert position.fault("end") is None


def test_apply_refuses_faults_and_loses_nothing() -> None:
    position = Oracle.drawn(TWO_RECTANGLES, roll="away")
    before = position.key()
    for text, rule in (("end", "WT-5"), ("c3-c5", "WT-6"), ("~b2-c2", "WT-7"), ("~d1-c1", "WT-7"), ("x", "notation")):
        with pytest.raises(ValueError, match=f"{text}: {rule}"):
            position.apply(text)
    assert position.key() == before


def test_key() -> None:
    after = Oracle.drawn(TWO_RECTANGLES, roll="away", turns=8).apply("e7-e5")
    assert after.key() == (
        (0,),
        0,
        "away",
        True,
        False,
        "tails",
        8,
        None,
        (),
        ((LEFT, RIGHT), ()),
        (
            *(("b2", (0, "P")), ("b5", (0, "D")), ("b8", (1, "P")), ("d8", (1, "Q")), ("e2", (0, "Q"))),
            *(("e3", (1, "Q")), ("e5", (0, "Q")), ("g8", (1, "D")), ("h2", (0, "P")), ("h5", (0, "D"))),
        ),
    )


def test_key_tells_positions_apart() -> None:
    """What the board does not show is part of the position: the turn, the coin and the last rectangle."""
    turns: list[dict[str, Any]] = [
        *({"roll": roll} for roll in (None, *FACES)),
        *({"roll": "away", "normal_made": True}, {"roll": "away", "die_used": True}),
        *({"coin": "tails"}, {"turns": 1}, {"seat": 1}, {"last": "b2 b5 e2 e5"}),
    ]
    assert len({Oracle.drawn(TWO_RECTANGLES, **settings).key() for settings in turns}) == 13


def test_key_forgets_how_the_turn_was_made() -> None:
    ways = (("d1-d3", "~b1-b2"), ("~b1-b2", "d1-d3"))
    assert len({played(position_after("die:away"), *acts).key() for acts in ways}) == 1


def test_drawing() -> None:
    position = Oracle.drawn(TWO_RECTANGLES)
    assert position.standing["e7"] == (0, "Q")
    assert position.standing["b8"] == (1, "P")
    assert position.standing["h2"] == (0, "P")
    assert len(position.standing) == 12
    assert position.to_act == {-1}
    assert Oracle.drawn(str(position)).key() == position.key()
    assert Oracle.drawn(str(Oracle(4)), players=4).key() == Oracle(4).key()
    assert marked(TWO_RECTANGLES.replace("1P", "1Px").replace("#\n.   ", "#\nx   ")) == {"b8", "c3", "a7"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("#   1P", "#   1P  .", "8 rows of 8"),
        ("#   .   .   .   .   .   .   #\n", "", "8 rows of 8"),
        ("1D  #", "1D  .", "a token is"),
        ("1D  #", "#   #", "a token is"),
        ("1D  #", "1S  #", "a token is"),
        ("1D  #", "D1  #", "a token is"),
        ("1D  #", "2D  #", "nobody has seat 2"),
        ("1D  #", "1Q  #", "more than two of size Q"),
        ("1D", ". ", None),
        ("1Q", ". ", None),
        ("1P", ". ", None),
        ("0D", ". ", None),
    ],
)
def test_drawing_of_what_cannot_be(old: str, new: str, message: str | None) -> None:
    drawing = TWO_RECTANGLES.replace(old, new)
    if message is None:
        assert len(Oracle.drawn(drawing).standing) == 10
        return
    with pytest.raises(ValueError, match=message):
        Oracle.drawn(drawing)


@pytest.mark.parametrize(
    ("drawing", "settings", "message"),
    [
        (TWO_RECTANGLES.replace("1D", ". ").replace("1Q  .   .", ".   .   ."), {}, "has no pyramids on the board"),
        (
            TWO_RECTANGLES.replace("1D", ". ").replace("1Q  .   .", ".   .   ."),
            {"fallen": "stay"},
            "the last player in the game has won",
        ),
        (THREE_PLAYERS.replace("1D", ". "), {"players": 3, "fallen": "stay", "seat": 1}, "seat 1 is out"),
        (TWO_RECTANGLES, {"roll": "tip"}, "no face of the die is tip"),
        (TWO_RECTANGLES, {"normal_made": True}, "the roll comes first"),
        (TWO_RECTANGLES, {"die_used": True}, "the roll comes first"),
        (TWO_RECTANGLES, {"roll": "away", "normal_made": True, "die_used": True}, "the turn has passed by itself"),
        (STUCK, {"players": 3, "roll": "toward"}, "the turn has passed by itself"),
        (TWO_RECTANGLES, {"last": "b2 b5 e2 e4"}, "is no rectangle"),
    ],
)
def test_drawing_of_turns_that_cannot_be(drawing: str, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Oracle.drawn(drawing, **settings)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 1}, "players is 2 to 4, not 1"),
        ({"players": 5}, "players is 2 to 4, not 5"),
        ({"leap": "yes"}, "leap is false or true, not yes"),
        ({"rectangles": "all"}, "rectangles is upright or tilted, not all"),
        ({"fallen": "gone"}, "fallen is removed or stay, not gone"),
        ({"turn_limit": -1}, "turn_limit is 0"),
    ],
)
def test_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Oracle(**options)


@pytest.mark.parametrize(
    ("players", "counts"),
    [(2, (1, 6, 264, 4708, 28248)), (3, (1, 6, 454, 8586)), (4, (1, 6, 716, 13144))],
)
def test_perft(players: int, counts: tuple[int, ...]) -> None:
    position = Oracle(players)
    assert tuple(position.perft(depth) for depth in range(len(counts))) == counts


def test_perft_with_leap() -> None:
    """In the opening whatever could be leapt over has another pyramid behind it, so that nothing changes."""
    assert [Oracle(leap=True).perft(depth) for depth in (1, 2)] == [6, 264]


def test_perft_does_not_count_what_the_end_cuts_short() -> None:
    """After the roll `toward` each of the 12 normal moves leaves the die on offer, then the one turn is over."""
    position = Oracle(turn_limit=1).apply("die:toward")
    assert position.perft(1) == 12
    assert position.perft(3) == 0


@pytest.mark.parametrize(
    "options",
    [
        {"players": 2, "turn_limit": 0},
        {"players": 2, "leap": True, "rectangles": "tilted"},
        {"players": 3, "rectangles": "tilted"},
        {"players": 4, "fallen": "stay"},
        {"players": 4, "leap": True, "turn_limit": 0},
    ],
    ids=str,
)
def test_played_positions_hold_together(options: dict[str, Any]) -> None:
    """In random play an act is legal just when it has no fault, and what follows from the rules holds."""
    dice = random.Random(str(options))
    names = [*PLACES, "a1", "z9"]
    captured = 0
    position = Oracle(**options)
    for _ in range(600):
        legal = position.legal()
        if position.ended_by:
            break
        for _ in range(5):
            first, last = dice.choice(names), dice.choice(names)
            for text in (f"{first}-{last}", f"~{first}-{last}", f"~{min(first, last)}*{max(first, last)}", "end"):
                assert (position.fault(text) is None) == (text in legal)
        assert all(position.fault(text) is None for text in dice.sample(sorted(legal), min(5, len(legal))))
        assert (position.roll is None) == (position.to_act == {-1}) == (legal == ROLLS)
        assert legal != {"end"}  # WT-9
        assert position.is_in(position.seat)  # WT-16
        for seat in range(position.players):
            own = sorted(size for owner, size in position.standing.values() if owner == seat)
            assert all(own.count(size) <= 2 for size in "PDQ")  # WT-2
            assert position.is_in(seat) == (len(own) >= 4)
            assert own == [] or position.is_in(seat) or position.fallen == "stay"
        # Of some acts the one that turns the coin and captures most, so that this happens at all.
        tried = [position.apply(text) for text in dice.sample(sorted(legal), min(15, len(legal)))]
        position = max(tried, key=lambda after: len(after.effects) - (("turn", after.seat) in after.effects))
        captured += len([effect for effect in position.effects if effect[0] == "capture"])
    assert captured > 0
