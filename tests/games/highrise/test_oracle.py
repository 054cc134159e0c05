"""The oracle against the rule text: every expected value was worked out by hand and stands here as a literal.

What is hidden from sight and what a finished game scores is drawn on the boards in `boards/`, a file for each
rule; the rest is below.
"""

import random
from typing import Any

import pytest

from .oracle import Board, Oracle, hidden, read_boards, squares

BOARDS = read_boards()

COVERED = """
.         .      L:green
M:orange  .      .
S:redL:white  .  S:cyanM:black
"""
"""Each seat has placed three pyramids."""


def position_after(*acts: str, **options: Any) -> Oracle:
    """The position to which the acts lead from the start."""
    position = Oracle(**{"numbers": "unseen", **options})
    for text in acts:
        position = position.apply(text)
    return position


def board_titled(words: str) -> Board:
    """The one drawn board whose title has these words."""
    (board,) = [board for board in BOARDS if words in board.title]
    return board


def all_placed(**options: Any) -> Oracle:
    """A position with all pyramids on the board and the deal to come: both seats have the same in each stack."""
    position = Oracle(**{"numbers": "unseen", **options})
    if position.to_be_rolled:
        position = position.apply("roll:112344566")
    for size, count in (("L", 10), ("M", 10), ("S", 5)):
        for number in range(count):
            square = position.squares[number % 9]
            position = position.apply(f"{size}@{square}").apply(f"{size}@{square}")
    return position


def test_every_rule_of_the_stacks_has_a_board() -> None:
    assert {board.rule for board in BOARDS} == {"HR-7", "HR-9"}


@pytest.mark.parametrize("board", [board for board in BOARDS if board.rule == "HR-7"], ids=lambda board: board.title)
@pytest.mark.rule("HR-7")
def test_hr_7_board(board: Board) -> None:
    expected = hidden(board.drawing)
    for seat in (0, 1, None):
        seen = board.position.visible(seat)
        assert {square: [piece == "?" for piece in stack] for square, stack in seen.items()} == expected


@pytest.mark.parametrize("board", [board for board in BOARDS if board.rule == "HR-9"], ids=lambda board: board.title)
@pytest.mark.rule("HR-9")
def test_hr_9_board(board: Board) -> None:
    position = board.position
    assert position.to_act == {-1}
    assert position.scores == (0, 0)
    assert position.apply(board.deal).scores == board.scores


@pytest.mark.rule("HR-1")
def test_hr_1_squares() -> None:
    assert " ".join(squares(3, 3)) == "a1 b1 c1 a2 b2 c2 a3 b3 c3"
    assert " ".join(squares(3, 4)) == "a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3"
    assert " ".join(squares(4, 3)) == "a1 b1 c1 a2 b2 c2 a3 b3 c3 a4 b4 c4"
    assert squares(8, 8)[7:9] == ("h1", "a2")
    assert squares(8, 8)[63] == "h8"


@pytest.mark.rule("HR-1")
def test_hr_1_set_up() -> None:
    position = Oracle(numbers="unseen")
    assert position.to_act == {0}
    assert position.ended_by is None
    assert position.winners == set()
    assert position.scores == (0, 0)
    assert position.effects == ()
    assert not any(position.stacks.values())
    assert position.visible(0) == {square: [] for square in ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")}


@pytest.mark.parametrize(
    ("rows", "cols", "small", "others"),
    [(3, 3, 5, 10), (3, 4, 10, 15), (4, 4, 15, 20), (3, 5, 10, 15), (5, 5, 20, 25), (8, 3, 20, 25), (8, 8, 60, 65)],
)
@pytest.mark.rule("HR-3")
def test_hr_3_stashes(rows: int, cols: int, small: int, others: int) -> None:
    """9 squares: 2 stashes a player; 12: 3; 16: 4; 15: 3; 25: 5; 24: 5; 64: 13."""
    position = Oracle(rows=rows, cols=cols)
    for seat in (0, 1):
        assert [position.left_of_size(seat, size) for size in "SML"] == [small, others, others]


@pytest.mark.rule("HR-3")
def test_hr_3_colours_of_a_stash() -> None:
    position = Oracle(numbers="unseen")
    rainbow = ("red", "yellow", "green", "blue", "black")
    xeno = ("purple", "orange", "clear", "cyan", "white")
    for stash, colours in zip(position.stashes, (rainbow, xeno), strict=True):
        assert stash == {
            **{("S", colour): 1 for colour in colours},
            **{("M", colour): 2 for colour in colours},
            **{("L", colour): 2 for colour in colours},
        }


@pytest.mark.rule("HR-3")
def test_hr_3_a_size_runs_out() -> None:
    position = position_after(*["S@a1"] * 9)
    assert position.to_act == {1}
    assert [position.left_of_size(seat, "S") for seat in (0, 1)] == [0, 1]
    assert "S@c3" in position.legal()
    position = position.apply("S@a1")
    assert position.fault("S@b2") == "HR-3"
    assert position.legal() == {f"{size}{number}" for size in ("L@a", "L@b", "L@c") for number in "123"} | {
        f"{size}{number}" for size in ("M@a", "M@b", "M@c") for number in "123"
    }


@pytest.mark.rule("HR-4", "HR-5")
def test_hr_4_seat_0_begins_and_hr_5_the_seats_take_turns() -> None:
    position = Oracle(numbers="unseen")
    seats = []
    for text in ("L@b2", "S@b2", "M@a1", "L@c3"):
        seats.append(position.to_act)
        position = position.apply(text)
    assert seats == [{0}, {1}, {0}, {1}]
    assert position.to_act == {0}


@pytest.mark.rule("HR-5")
def test_hr_5_any_stack_and_any_size() -> None:
    everywhere = {
        *("S@a1", "S@b1", "S@c1", "S@a2", "S@b2", "S@c2", "S@a3", "S@b3", "S@c3"),
        *("M@a1", "M@b1", "M@c1", "M@a2", "M@b2", "M@c2", "M@a3", "M@b3", "M@c3"),
        *("L@a1", "L@b1", "L@c1", "L@a2", "L@b2", "L@c2", "L@a3", "L@b3", "L@c3"),
    }
    assert Oracle(numbers="unseen").legal() == everywhere
    position = position_after("S@b2", "L@b2", "M@b2")
    assert position.legal() == everywhere
    assert position.stacks["b2"] == [("S", "red"), ("L", "purple"), ("M", "red")]
    assert position.stacks["a1"] == []
    assert position.fault("pass") == "notation"


@pytest.mark.rule("HR-5")
def test_hr_5_a_pyramid_leaves_the_stash() -> None:
    before = Oracle(numbers="unseen")
    after = before.apply("L:blue@b2")
    assert after.stashes[0]["L", "blue"] == 1
    assert after.left(0) == 24
    assert after.left(1) == 25
    assert before.left(0) == 25
    assert before.stacks["b2"] == []
    assert after.effects == ()


@pytest.mark.rule("HR-6")
def test_hr_6_the_usual_colour() -> None:
    """Two large ones and one small one of each colour; the first where equally many are left."""
    position = position_after(*["L@a1"] * 14, *["S@b1"] * 10)
    larges, smalls = position.stacks["a1"], position.stacks["b1"]
    rainbow = ["red", "yellow", "green", "blue", "black"]
    xeno = ["purple", "orange", "clear", "cyan", "white"]
    assert larges[0::2] == [("L", colour) for colour in [*rainbow, "red", "yellow"]]
    assert larges[1::2] == [("L", colour) for colour in [*xeno, "purple", "orange"]]
    assert smalls[0::2] == [("S", colour) for colour in rainbow]
    assert smalls[1::2] == [("S", colour) for colour in xeno]


@pytest.mark.rule("HR-6")
def test_hr_6_the_usual_colour_after_named_ones() -> None:
    """Red large ones are the fewest then, and of medium ones, of which none has been placed, red is still first."""
    position = position_after("L:red@a1", "L:white@a1", "L:yellow@a1", "L:white@a1")
    assert position.usual_colour(0, "L") == "green"
    assert position.usual_colour(0, "M") == "red"
    assert position.usual_colour(1, "L") == "purple"
    position = position.apply("L@b1").apply("L@b1")
    assert position.stacks["b1"] == [("L", "green"), ("L", "purple")]
    assert position.usual_colour(0, "L") == "blue"
    assert position.usual_colour(1, "L") == "orange"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("L:red@a1", None),
        ("M:yellow@b1", None),
        ("S:green@c1", None),
        ("L:blue@c3", None),
        ("L:black@a1", None),
        ("L:purple@a1", "HR-6"),
        ("L:orange@a1", "HR-6"),
        ("L:clear@a1", "HR-6"),
        ("L:cyan@a1", "HR-6"),
        ("L:white@a1", "HR-6"),
    ],
)
@pytest.mark.rule("HR-6")
def test_hr_6_ones_own_colours_only(text: str, rule: str | None) -> None:
    assert Oracle(numbers="unseen").fault(text) == rule
    assert position_after("L@b2").fault(text) == (None if rule else "HR-6")


@pytest.mark.rule("HR-6")
def test_hr_6_a_colour_runs_out() -> None:
    position = position_after("S:blue@a1", "S@a1")
    assert position.fault("S:blue@a1") == "HR-3"
    assert position.fault("S@a1") is None
    assert position.fault("M:blue@a1") is None


@pytest.mark.rule("HR-7")
def test_hr_7_what_is_seen() -> None:
    """The red small one lies under a large one, the cyan small one under a medium one."""
    position = Oracle.drawn(COVERED)
    for seat in (0, 1, None):
        assert position.visible(seat) == {
            **{square: [] for square in ("b1", "b2", "c2", "a3", "b3")},
            "a1": ["?", "L:white"],
            "c1": ["?", "M:black"],
            "a2": ["M:orange"],
            "c3": ["L:green"],
        }


@pytest.mark.rule("HR-7")
def test_hr_7_memory_off() -> None:
    seen = Oracle.drawn(COVERED, memory="off").visible(1)
    assert seen["a1"] == ["S:red", "L:white"]
    assert seen["c1"] == ["S:cyan", "M:black"]


@pytest.mark.parametrize("memory", ["on", "off"])
@pytest.mark.rule("HR-7")
def test_hr_7_all_is_shown_after_the_deal(memory: str) -> None:
    """The medium ones that lie on small ones were not hidden, those under large ones were."""
    board = board_titled("Points for the opponent's pips")
    position = Oracle.drawn(board.drawing, memory=memory)
    assert position.visible(0)["a2"].count("?") == (3 if memory == "on" else 0)
    seen = position.apply("deal:111111111").visible(0)
    assert [piece[0] for piece in seen["a2"]] == ["M", "M", "M", "L"]
    assert not any("?" in stack for stack in seen.values())


@pytest.mark.rule("HR-7")
def test_hr_7_memory_changes_no_rule() -> None:
    position = Oracle.drawn(COVERED, memory="off")
    assert position.key() == Oracle.drawn(COVERED).key()
    assert position.legal() == Oracle.drawn(COVERED).legal()


@pytest.mark.rule("HR-8")
def test_hr_8_the_deal() -> None:
    position = all_placed()
    assert position.to_act == {-1}
    assert position.ended_by is None
    assert position.winners == set()
    assert position.numbers is None
    after = position.apply("deal:352164135")
    assert after.ended_by == "HR-8"
    assert after.to_act == set()
    assert after.legal() == set()
    assert after.effects == (
        ("reveal", "a1", 3),
        ("reveal", "b1", 5),
        ("reveal", "c1", 2),
        ("reveal", "a2", 1),
        ("reveal", "b2", 6),
        ("reveal", "c2", 4),
        ("reveal", "a3", 1),
        ("reveal", "b3", 3),
        ("reveal", "c3", 5),
    )
    assert position.numbers is None


@pytest.mark.rule("HR-8")
def test_hr_8_not_before_all_are_placed() -> None:
    """Seat 0 has placed its last pyramid, seat 1 has one left."""
    acts = ["L@a1"] * 20 + ["M@a1"] * 20 + ["S@a1"] * 9
    position = position_after(*acts)
    assert (position.left(0), position.left(1)) == (0, 1)
    assert position.to_act == {1}
    assert position.legal() == {"S@a1", "S@b1", "S@c1", "S@a2", "S@b2", "S@c2", "S@a3", "S@b3", "S@c3"}
    assert position.fault("deal:111111111") == "HR-8"
    position = position.apply("S@a1")
    assert position.to_act == {-1}
    assert position.fault("S@a1") == "HR-8"
    assert position.fault("deal:111111111") is None


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("deal:111111111", None),
        ("deal:123456654", None),
        ("deal:11111111", "HR-2"),
        ("deal:1111111111", "HR-2"),
        ("deal:111111110", "HR-2"),
        ("deal:111111117", "HR-2"),
        ("deal:10,1,1,1,1,1,1,1,1", "HR-2"),
        ("deal:12,1,1,1,1,1,1,1,1", "HR-2"),
        ("deal:12,34", "HR-2"),
    ],
)
@pytest.mark.rule("HR-2")
def test_hr_2_numbers_of_dice(text: str, rule: str | None) -> None:
    assert all_placed().fault(text) == rule


@pytest.mark.rule("HR-2")
def test_hr_2_outcomes_of_dice_are_not_listed() -> None:
    with pytest.raises(ValueError, match="too many"):
        all_placed().legal()


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("deal:10,0,0,0,0,0,0,0,0", None),
        ("deal:0,0,0,0,0,0,0,0,10", None),
        ("deal:0,0,0,0,0,0,0,0,11", "HR-2"),
        ("deal:0,0,0,0,0,0,0,10,10", "HR-2"),
        ("deal:0,0,0,0,0,0,0,10", "HR-2"),
        ("deal:0,0,0,0,0,0,0,0,0,10", "HR-2"),
        ("deal:000000000", "HR-2"),
        ("deal:0000000010", "HR-2"),
        ("deal:111111111", "HR-2"),
    ],
)
@pytest.mark.rule("HR-2")
def test_hr_2_numbers_of_the_list(text: str, rule: str | None) -> None:
    assert all_placed(values=[0, 10, 0, 0, 0, 0, 0, 0, 0]).fault(text) == rule


@pytest.mark.rule("HR-2")
def test_hr_2_outcomes_of_the_list() -> None:
    """Listed up to 1000: nine places for the one number; 9·8·7 = 504 with three, 9·8·7·6 = 3024 with four."""
    assert all_placed(values=[7] * 9).legal() == {"deal:777777777"}
    assert all_placed(values=[1] + [0] * 8).legal() == {
        *("deal:100000000", "deal:010000000", "deal:001000000", "deal:000100000", "deal:000010000"),
        *("deal:000001000", "deal:000000100", "deal:000000010", "deal:000000001"),
    }
    assert all_placed(values=[9] * 9).legal() == {"deal:999999999"}
    assert all_placed(values=[10] * 9).legal() == {"deal:10,10,10,10,10,10,10,10,10"}
    assert "deal:0,0,12,0,0,0,0,0,0" in all_placed(values=[12] + [0] * 8).legal()
    assert len(all_placed(values=[1, 2, 3, 0, 0, 0, 0, 0, 0]).legal()) == 504
    with pytest.raises(ValueError, match="3024 outcomes are too many"):
        all_placed(values=[1, 2, 3, 4, 0, 0, 0, 0, 0]).legal()


@pytest.mark.rule("HR-2")
def test_hr_2_perft_counts_each_outcome_once() -> None:
    position = all_placed(values=[1, 2, 3, 0, 0, 0, 0, 0, 0])
    assert [position.perft(depth) for depth in (0, 1, 2)] == [1, 504, 0]


@pytest.mark.rule("HR-2")
def test_hr_2_perft_through_the_deal() -> None:
    """A small pyramid is left to place on one of nine squares, then one number of nine is not 0."""
    position = position_after(*["L@a1"] * 20, *["M@a1"] * 20, *["S@a1"] * 9, values=[5] + [0] * 8)
    assert [position.perft(depth) for depth in (1, 2, 3)] == [9, 81, 0]


@pytest.mark.rule("HR-2")
def test_hr_2_the_dice_are_rolled_openly() -> None:
    """Seat 0 begins after the roll, and all know the numbers, which are dealt in the end."""
    position = Oracle()
    assert position.to_act == {-1}
    assert position.known is None
    after = position.apply("roll:112344566")
    assert position.rolled is None
    assert after.to_act == {0}
    assert after.rolled == after.known == [1, 1, 2, 3, 4, 4, 5, 6, 6]
    assert after.effects == tuple(("roll", number) for number in (1, 1, 2, 3, 4, 4, 5, 6, 6))
    assert after.key() != position_after(numbers="unseen").key()
    placed = all_placed(numbers="seen")
    assert placed.fault("deal:664452132") == "HR-2"
    assert placed.fault("deal:664452131") is None
    assert placed.apply("deal:664452131").ended_by == "HR-8"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("roll:112344566", None),
        ("roll:111111111", None),
        ("roll:666666666", None),
        ("roll:211344566", "HR-2"),
        ("roll:11234456", "HR-2"),
        ("roll:1112344566", "HR-2"),
        ("roll:011234456", "HR-2"),
        ("roll:112344567", "HR-2"),
        ("roll:10,2", "HR-2"),
        ("roll:1,2,3", "notation"),
        ("roll:", "notation"),
        ("L@a1", "HR-2"),
        ("L@z9", "HR-2"),
        ("L:cyan@a1", "HR-2"),
        ("deal:112344566", "HR-8"),
        ("deal:1", "HR-8"),
    ],
)
@pytest.mark.rule("HR-2")
def test_hr_2_before_the_roll(text: str, rule: str | None) -> None:
    assert Oracle().fault(text) == rule


@pytest.mark.parametrize("options", [{}, {"numbers": "unseen"}, {"values": [1, 1, 2, 3, 4, 4, 5, 6, 6]}], ids=str)
@pytest.mark.rule("HR-2")
def test_hr_2_no_second_roll_and_none_of_what_is_unseen_or_given(options: dict[str, Any]) -> None:
    position = position_after(*([] if options else ["roll:112344566"]), **{"numbers": "seen", **options})
    assert position.to_act == {0}
    assert position.fault("roll:112344566") == "HR-2"
    assert position.apply("L@a1").fault("roll:112344566") == "HR-2"
    assert position.known == (None if "numbers" in options else [1, 1, 2, 3, 4, 4, 5, 6, 6])


@pytest.mark.rule("HR-2")
def test_hr_2_rolled_numbers_that_can_be_listed() -> None:
    """Nine places for the one die that shows another number."""
    position = Oracle().apply("roll:333333335")
    for size, count in (("L", 20), ("M", 20), ("S", 10)):
        for _ in range(count):
            position = position.apply(f"{size}@a1")
    assert len(position.legal()) == 9
    assert "deal:333353333" in position.legal()


@pytest.mark.rule("HR-9")
def test_hr_9_the_most_pips_control() -> None:
    position = board_titled("Points for the opponent's pips").position
    assert {square: position.pips(square) for square in position.squares} == {
        "a1": (15, 6),
        "b1": (4, 12),
        "c1": (2, 2),
        "a2": (6, 3),
        "b2": (0, 0),
        "c2": (2, 3),
        "a3": (3, 10),
        "b3": (12, 9),
        "c3": (11, 10),
    }
    assert {square: position.control(square) for square in position.squares} == {
        "a1": 0,
        "b1": 1,
        "c1": None,
        "a2": 0,
        "b2": None,
        "c2": 1,
        "a3": 1,
        "b3": 0,
        "c3": 0,
    }


@pytest.mark.parametrize(
    ("values", "deal", "scores", "winners"),
    [
        ("dice", "deal:121111111", (1, 2), {1}),
        ("dice", "deal:651111111", (6, 5), {0}),
        ("dice", "deal:221111111", (2, 2), {0, 1}),
        ([100, 20, 0, 0, 0, 0, 0, 0, 0], "deal:20,100,0,0,0,0,0,0,0", (20, 100), {1}),
        ([1, 2, 3, 4, 5, 6, 7, 8, 0], "deal:023456781", (0, 2), {1}),
        ([0] * 9, "deal:000000000", (0, 0), {0, 1}),
    ],
)
@pytest.mark.rule("HR-10")
def test_hr_10_most_points_win(values: Any, deal: str, scores: tuple[int, int], winners: set[int]) -> None:
    """All of seat 0 on a1, all of seat 1 on b1."""
    after = Oracle.drawn(board_titled("A lonely tower").drawing, values=values).apply(deal)
    assert after.scores == scores
    assert after.winners == winners


@pytest.mark.rule("HR-10")
def test_hr_10_nobody_has_won_before_the_deal() -> None:
    position = board_titled("A lonely tower").position
    assert position.winners == set()
    assert position.scores == (0, 0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "pass",
        "l@a1",
        "X@a1",
        "L@A1",
        "L@a",
        "L@1a",
        "L@",
        "@a1",
        "L a1",
        "L-a1",
        "L@a1 ",
        " L@a1",
        "L@a1\n",
        "L@a\u0661",
        "LM@a1",
        "L:@a1",
        "L:pink@a1",
        "L:Red@a1",
        "L:redblue@a1",
        "L :red@a1",
        "red@a1",
        "L@a1:red",
        "deal",
        "deal:",
        "deal: 111111111",
        "deal:111111111 ",
        "deal:1,1,1,1,1,1,1,1,1",
        "deal:10,1,1,1,1,1,1,1,",
        "deal:,10,1,1,1,1,1,1,1",
        "deal:10,01,1,1,1,1,1,1,1",
        "deal:10,-1,1,1,1,1,1,1,1",
        "deal:-1",
        "deal:1.5",
        "deal:10;1",
        "deal:10, 1",
        "Deal:111111111",
        "deal:11111111a",
        "die:1",
    ],
)
def test_notation(text: str) -> None:
    """Malformed text is judged before all else: at a placing, at the deal, and in a game that is over."""
    assert Oracle(numbers="unseen").fault(text) == "notation"
    assert all_placed().fault(text) == "notation"
    assert all_placed().apply("deal:111111111").fault(text) == "notation"


@pytest.mark.parametrize("text", ["L@a1", "L@z9", "S:cyan@a1", "deal:111111111", "deal:7", "deal:10,1"])
def test_fault_game_over(text: str) -> None:
    """HR-8 comes before every other fault, and before an act that would be legal."""
    assert all_placed().apply("deal:111111111").fault(text) == "HR-8"


@pytest.mark.parametrize("text", ["L@a1", "L@z9", "L:cyan@z9", "L:red@a1", "S:cyan@a1"])
def test_fault_nothing_is_left_to_place(text: str) -> None:
    assert all_placed().fault(text) == "HR-8"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        # a deal before its time, whatever the numbers
        ("deal:111111111", "HR-8"),
        ("deal:7", "HR-8"),
        ("deal:10,1", "HR-8"),
        # no such square, though the colour is another's and no small one is left
        ("L@d1", "HR-1"),
        ("L@a4", "HR-1"),
        ("L@a0", "HR-1"),
        ("L@a01", "HR-1"),
        ("L@z9", "HR-1"),
        ("S@d1", "HR-1"),
        ("L:cyan@d1", "HR-1"),
        ("S:cyan@d1", "HR-1"),
        # another's colour, though no small one is left
        ("L:cyan@a1", "HR-6"),
        ("S:cyan@a1", "HR-6"),
        # none left of that size, or of that size and colour
        ("S@a1", "HR-3"),
        ("S:red@a1", "HR-3"),
        ("L:red@a1", "HR-3"),
        # and what goes
        ("L@a1", None),
        ("L:black@a1", None),
        ("M:red@c3", None),
    ],
)
def test_fault(text: str, rule: str | None) -> None:
    """Seat 0 to move without small ones and red large ones."""
    position = position_after(*["S@a1"] * 10, *["L:red@b1", "L@b1"] * 2)
    assert position.to_act == {0}
    assert position.fault(text) == rule


def test_fault_on_another_board() -> None:
    position = Oracle(rows=8, cols=4, numbers="unseen")
    assert position.fault("L@d8") is None
    assert position.fault("L@e1") == "HR-1"
    assert position.fault("L@a9") == "HR-1"


def test_apply_refuses_faults_and_loses_nothing() -> None:
    position = Oracle.drawn(COVERED)
    before = position.key()
    for text, rule in (("L@z9", "HR-1"), ("L:cyan@a1", "HR-6"), ("deal:111111111", "HR-8"), ("l@a1", "notation")):
        with pytest.raises(ValueError, match=f"{text}: {rule}"):
            position.apply(text)
    assert position.key() == before


def test_key() -> None:
    position = position_after("L@b2", "S:white@b2")
    assert position.key() == (
        (0,),
        None,
        (),
        (
            (
                *((("L", "black"), 2), (("L", "blue"), 2), (("L", "green"), 2), (("L", "red"), 1)),
                *((("L", "yellow"), 2), (("M", "black"), 2), (("M", "blue"), 2), (("M", "green"), 2)),
                *((("M", "red"), 2), (("M", "yellow"), 2), (("S", "black"), 1), (("S", "blue"), 1)),
                *((("S", "green"), 1), (("S", "red"), 1), (("S", "yellow"), 1)),
            ),
            (
                *((("L", "clear"), 2), (("L", "cyan"), 2), (("L", "orange"), 2), (("L", "purple"), 2)),
                *((("L", "white"), 2), (("M", "clear"), 2), (("M", "cyan"), 2), (("M", "orange"), 2)),
                *((("M", "purple"), 2), (("M", "white"), 2), (("S", "clear"), 1), (("S", "cyan"), 1)),
                *((("S", "orange"), 1), (("S", "purple"), 1), (("S", "white"), 0)),
            ),
        ),
        ((), (), (), (), (("L", "red"), ("S", "white")), (), (), (), ()),
        None,
        None,
    )


def test_key_tells_positions_apart() -> None:
    """The same pyramids in another order, another colour, another number under a stack."""
    keys = {position_after(*acts).key() for acts in (("L@a1", "L@b1"), ("L@b1", "L@a1"), ("L:blue@a1", "L@b1"))}
    assert len(keys) == 3
    assert position_after("S@a1", "L@b1", "L@a1").key() != position_after("L@a1", "L@b1", "S@a1").key()
    assert position_after("L@a1", "L@b1", "S@c1").key() == position_after("S@c1", "L@b1", "L@a1").key()
    dealt = {all_placed().apply(deal).key() for deal in ("deal:111111111", "deal:111111112")}
    assert len(dealt | {all_placed().key()}) == 3


def test_drawing() -> None:
    position = Oracle.drawn(COVERED)
    assert {square: stack for square, stack in position.stacks.items() if stack} == {
        "a1": [("S", "red"), ("L", "white")],
        "c1": [("S", "cyan"), ("M", "black")],
        "a2": [("M", "orange")],
        "c3": [("L", "green")],
    }
    assert (position.left(0), position.left(1)) == (22, 22)
    assert position.to_act == {0}
    assert Oracle.drawn(str(position)).key() == position.key()
    assert str(position).splitlines() == [
        "." + " " * 13 + "." + " " * 13 + "L:green",
        "M:orange      .             .",
        "S:redL:white  .             S:cyanM:black",
    ]
    assert hidden("S:red?0L 1S?0M .\n. . .\n. . .") == {
        **{square: [] for square in ("a1", "b1", "c1", "a2", "b2", "c2", "c3")},
        "a3": [True, False],
        "b3": [True, False],
    }


def test_drawing_of_another_board() -> None:
    position = Oracle.drawn(". . . 0L\n. 1M . .\n. . . .", rows=3, cols=4)
    assert position.stacks["d3"] == [("L", "red")]
    assert position.stacks["b2"] == [("M", "purple")]
    assert position.to_act == {0}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("L:green", "L:green .", "3 rows of 3"),
        (".         .      L:green\n", "", "3 rows of 3"),
        ("L:green", "L:pink", "a token is"),
        ("L:green", "2L", "a token is"),
        ("L:green", "L", "a token is"),
        ("L:green", "x", "a token is"),
        ("L:green", "S:red", "seat 0 has no more red pyramid of size S"),
        ("L:green", "0S0S0S0S0S", "seat 0 has no more red pyramid of size S"),
        ("L:green", ". ", "the seats place in turn"),
        ("L:green", "0L0L", None),
        ("L:green", "0L0L0L", "the seats place in turn"),
    ],
)
def test_drawing_of_what_cannot_be(old: str, new: str, message: str | None) -> None:
    drawing = COVERED.replace(old, new)
    if message is None:
        assert Oracle.drawn(drawing).to_act == {1}
        return
    with pytest.raises(ValueError, match=message):
        Oracle.drawn(drawing)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 1}, "players is 2, not 1"),
        ({"players": 3}, "players is 2, not 3"),
        ({"rows": 2}, "rows is 3 to 8, not 2"),
        ({"rows": 9}, "rows is 3 to 8, not 9"),
        ({"cols": 2}, "cols is 3 to 8, not 2"),
        ({"cols": 9}, "cols is 3 to 8, not 9"),
        ({"memory": "maybe"}, "memory is on or off, not maybe"),
        ({"numbers": "maybe"}, "numbers is seen or unseen, not maybe"),
        ({"values": "chips"}, "values is dice or a list of 9 numbers"),
        ({"values": [1] * 8}, "values is dice or a list of 9 numbers"),
        ({"values": [1] * 9, "rows": 4}, "values is dice or a list of 12 numbers"),
        ({"values": [1] * 8 + [-1]}, "whole numbers of 0 or more"),
        ({"values": [1] * 8 + [1.5]}, "whole numbers of 0 or more"),
        ({"values": [1] * 8 + [True]}, "whole numbers of 0 or more"),
    ],
)
def test_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Oracle(**options)


def test_perft() -> None:
    assert [Oracle(numbers="unseen").perft(depth) for depth in range(5)] == [1, 27, 729, 19683, 531441]
    assert [Oracle().perft(depth) for depth in range(3)] == [1, 2002, 2002 * 27]


@pytest.mark.parametrize(
    "options",
    [{}, {"rows": 3, "cols": 4, "memory": "off"}, {"values": [0, 0, 9, 9, 9, 12, 0, 0, 0]}, {"rows": 8, "cols": 8}],
    ids=str,
)
def test_played_positions_hold_together(options: dict[str, Any]) -> None:
    """In random play an act is legal just when it has no fault, and what follows from the rules holds."""
    dice = random.Random(str(options))
    position = Oracle(**{"numbers": "unseen", **options})
    acts = {f"{size}@{square}" for size in "SML" for square in position.squares}
    total = position.left(0)
    placed = 0
    while -1 not in position.to_act:
        assert {text for text in acts if position.fault(text) is None} == position.legal()
        assert position.to_act == {placed % 2}  # HR-5
        assert sum(map(len, position.stacks.values())) == placed
        assert position.left(0) + position.left(1) + placed == 2 * total  # HR-3
        for stack in position.visible(dice.choice([0, 1, None])).values():
            assert not stack or stack[-1] != "?"  # HR-7
        assert position.scores == (0, 0)  # HR-8
        position = position.apply(dice.choice(sorted(position.legal())))
        placed += 1
    assert placed == 2 * total
    count = len(position.squares)
    numbers = [dice.randint(1, 6) for _ in range(count)] if position.values == "dice" else list(options["values"])
    after = position.apply("deal:" + ("," if max(numbers) > 9 else "").join(map(str, numbers)))
    assert after.ended_by == "HR-8"
    won = [after.control(square) for square in after.squares]
    pips = [after.pips(square) for square in after.squares]
    assert sum(after.scores) == sum(  # HR-9
        min(both) + number for seat, both, number in zip(won, pips, numbers, strict=True) if seat is not None
    )
