"""The oracle against the rule text: every expected value was worked out by hand and stands here as a literal.

Where pieces can go and what comes of an act is drawn on the boards in `boards/`, a file for each rule; the rest
is below.
"""

import random
from typing import Any

import pytest

from .oracle import Board, Oracle, marked, neighbours, read_boards, squares, tokens

BOARDS = read_boards()

CORNERS = {"C@a1", "C@a4", "C@d1", "C@d4"}

OPENED = """
1C1 .   .   .
.   .   .   .
.   .   .   .
0C1 .   .   .
"""
"""Two captains on corners of one edge, nothing else."""

MIDDLE_GAME = """
1C2 1J  .   .
.   .   .   .
.   0S  .   .
0C3 0J  0J  1F
"""
"""Scores 13 and 7."""


def position_after(*acts: str, **options: Any) -> Oracle:
    """The position to which the acts lead from the start."""
    position = Oracle(**options)
    for text in acts:
        position = position.apply(text)
    return position


def test_every_rule_of_the_board_has_a_board() -> None:
    assert {board.rule for board in BOARDS} == {
        *("SQ-1", "SQ-4", "SQ-6", "SQ-7", "SQ-8", "SQ-9", "SQ-10", "SQ-11", "SQ-11a", "SQ-12")
    }


@pytest.mark.parametrize(
    "board",
    [pytest.param(board, marks=pytest.mark.rule(board.rule), id=f"{board.rule} {board.title}") for board in BOARDS],
)
def test_board(board: Board) -> None:
    position = board.position
    size = position.board
    if board.after:
        assert tokens(str(position.apply(board.act)), size) == tokens(board.after, size)
        return
    expected = marked(board.drawing, size)
    assert {square for square in squares(size) if f"{board.act}@{square}" in position.legal()} == expected
    assert {square for square in squares(size) if position.fault(f"{board.act}@{square}") is None} == expected


@pytest.mark.rule("SQ-1")
def test_sq_1_small_board() -> None:
    assert " ".join(squares(4)) == "a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3 a4 b4 c4 d4"


@pytest.mark.rule("SQ-1")
def test_sq_1_large_board() -> None:
    assert " ".join(squares(6)) == (
        "a1 b1 c1 d1 e1 f1 a2 b2 c2 d2 e2 f2 a3 b3 c3 d3 e3 f3 a4 b4 c4 d4 e4 f4 a5 b5 c5 d5 e5 f5 a6 b6 c6 d6 e6 f6"
    )


@pytest.mark.parametrize(("players", "board"), [(1, 4), (2, 4), (3, 6), (4, 6)])
@pytest.mark.rule("SQ-1")
def test_sq_1_board_by_players(players: int, board: int) -> None:
    assert Oracle(players).board == board
    assert Oracle(players, board=4).board == 4
    assert Oracle(players, board=6).board == 6


@pytest.mark.parametrize(
    ("square", "near"),
    [
        ("a1", {"a2", "b1"}),
        ("d4", {"d3", "c4"}),
        ("c1", {"b1", "d1", "c2"}),
        ("a3", {"a2", "a4", "b3"}),
        ("b3", {"a3", "c3", "b2", "b4"}),
    ],
)
@pytest.mark.rule("SQ-1")
def test_sq_1_adjacent(square: str, near: set[str]) -> None:
    assert neighbours(square, 4) == near


@pytest.mark.parametrize(("players", "trios"), [(1, 3), (2, 2), (3, 3), (4, 3)])
@pytest.mark.rule("SQ-2")
def test_sq_2_friends_by_players(players: int, trios: int) -> None:
    assert Oracle(players).supplies == [{"F": trios, "S": trios, "J": trios}] * players
    assert Oracle(players, trios=2).supplies == [{"F": 2, "S": 2, "J": 2}] * players
    assert Oracle(players, trios=3).supplies == [{"F": 3, "S": 3, "J": 3}] * players


@pytest.mark.rule("SQ-2")
def test_sq_2_a_size_runs_out() -> None:
    acts = ("C@a1", "F@b1", "F@b2")
    position = position_after(*acts, players=1, trios=2)
    assert position.supplies == [{"F": 0, "S": 2, "J": 2}]
    assert position.legal() == {"S@c2"}
    assert position.fault("F@d1") == "SQ-2"
    assert position_after(*acts, players=1).legal() == {"S@c2", "F@a1", "F@a2", "F@b3", "F@d1"}


@pytest.mark.parametrize(("captain_start", "numbers"), [(0, (0, 0, 0)), (1, (1, 1, 1))])
@pytest.mark.rule("SQ-3")
def test_sq_3_captain_start(captain_start: int, numbers: tuple[int, ...]) -> None:
    """Before and after it is placed, until its first stunt; the others go on showing it."""
    position = Oracle(3, captain_start=captain_start)
    for text in ("C@a1", "C@f6", "C@a6"):
        assert position.scores == numbers
        position = position.apply(text)
    assert position.scores == numbers
    assert position.apply("F@b1").scores == (1, *numbers[1:])


@pytest.mark.rule("SQ-4")
def test_sq_4_captains_in_seat_order() -> None:
    """The seat that places first also plays first."""
    position = Oracle(4)
    seats = []
    for text in ("C@f6", "C@a1", "C@a6", "C@f1"):
        seats.append(position.to_act)
        assert all(act.startswith("C@") for act in position.legal())
        position = position.apply(text)
    assert seats == [{0}, {1}, {2}, {3}]
    assert position.to_act == {0}
    assert position.standing == {"f6": (0, "C"), "a1": (1, "C"), "a6": (2, "C"), "f1": (3, "C")}
    assert position.legal() == {"F@e6", "F@f5", "F@a2", "F@b1", "F@a5", "F@b6", "F@e1", "F@f2"}


@pytest.mark.rule("SQ-4")
def test_sq_4_opening() -> None:
    assert Oracle().legal() == CORNERS
    assert position_after("C@d4").legal() == CORNERS - {"C@d4"}
    assert position_after("C@a1", players=1).legal() == {"F@a2", "F@b1"}


@pytest.mark.rule("SQ-5")
def test_sq_5_seats_in_order() -> None:
    position = position_after("C@a1", "C@f6", "C@a6", players=3)
    seats = []
    for text in ("F@b1", "F@e6", "F@b6", "F@d1"):
        seats.append(position.to_act)
        position = position.apply(text)
    assert seats == [{0}, {1}, {2}, {0}]
    assert position.to_act == {1}


@pytest.mark.rule("SQ-6")
def test_sq_6_a_friend_leaves_the_supply() -> None:
    position = Oracle.drawn(OPENED)
    after = position.apply("F@b1")
    assert after.standing["b1"] == (0, "F")
    assert after.supplies == [{"F": 1, "S": 2, "J": 2}, {"F": 2, "S": 2, "J": 2}]
    assert position.supplies == [{"F": 2, "S": 2, "J": 2}] * 2
    assert "b1" not in position.standing


@pytest.mark.rule("SQ-8")
def test_sq_8_stunts_are_told() -> None:
    after = position_after("C@a1", "C@a4", "F@a3")
    assert after.effects == (("stunt", 1, "a4", "a2", 2),)
    assert after.standing == {"a1": (0, "C"), "a2": (1, "C"), "a3": (0, "F")}
    assert after.numbers == [1, 2]


@pytest.mark.rule("SQ-8")
def test_sq_8_no_stunt_is_told_where_there_is_none() -> None:
    assert position_after("C@a1").effects == ()
    assert Oracle.drawn(OPENED.replace("0C1 .   . ", ".   .   0C1")).apply("F@d1").effects == ()


def board_titled(words: str) -> Board:
    """The one drawn board whose title has these words."""
    (board,) = [board for board in BOARDS if words in board.title]
    return board


@pytest.mark.parametrize(
    ("words", "effects"),
    [
        ("Two captains on opposite sides", ()),
        ("Two at a right angle", (("stunt", 0, "a2", "c2", 1), ("stunt", 1, "b1", "b3", 1))),
        ("Of three the two that are opposite stay", (("stunt", 2, "b1", "b3", 1),)),
        ("A captain is a friend too", (("stunt", 0, "a1", "c1", 2),)),
        (
            "Two captains make a freshman fall each",
            (
                *(("stunt", 0, "a2", "c2", 2), ("stunt", 1, "b1", "b3", 2)),
                *(("fall", 1, "F", "d2"), ("fall", 0, "F", "b4")),
            ),
        ),
        (
            "falls once",
            (("stunt", 0, "a2", "c2", 2), ("stunt", 1, "b1", "b3", 2), ("fall", 1, "F", "c3")),
        ),
        (
            "With everybody for a friend",
            (("stunt", 0, "a1", "c1", 3), ("fall", 1, "F", "d1"), ("fall", 0, "F", "c2")),
        ),
        ("With own friends only", (("stunt", 0, "a1", "c1", 2), ("fall", 0, "F", "c2"))),
        ("b2 is not beside it", (("stunt", 0, "a1", "c1", 1),)),
    ],
)
@pytest.mark.rule("SQ-9", "SQ-10", "SQ-11")
def test_sq_9_sq_10_sq_11_effects(words: str, effects: tuple[object, ...]) -> None:
    board = board_titled(words)
    assert board.position.apply(board.act).effects == effects


@pytest.mark.rule("SQ-10")
def test_sq_10_a_number_that_is_shown_stays() -> None:
    """What comes to stand beside a captain later does not turn its die: 1 after the stunt, though it has two then."""
    position = position_after("C@a1", "C@d4", "F@b1", "F@d1")
    assert position.standing["c1"] == (0, "C")
    assert position.numbers == [1, 1]


@pytest.mark.rule("SQ-11")
def test_sq_11_what_falls_is_gone() -> None:
    board = board_titled("Two captains make a freshman fall each")
    assert board.position.supplies == [{"F": 1, "S": 1, "J": 2}, {"F": 1, "S": 1, "J": 2}]
    after = board.position.apply(board.act)
    assert after.supplies == [{"F": 1, "S": 0, "J": 2}, {"F": 1, "S": 1, "J": 2}]
    assert after.fault("F@d4") is None
    assert after.apply("F@d4").supplies[1] == {"F": 0, "S": 1, "J": 2}


@pytest.mark.rule("SQ-11")
def test_sq_11_dice_are_not_turned_by_falls() -> None:
    board = board_titled("A freshman that has two friends beside it falls")
    after = board.position.apply(board.act)
    assert after.numbers == [2, 1]
    assert sorted(square for square in neighbours("c1", 4) if square in after.standing) == ["b1"]


@pytest.mark.rule("SQ-13")
def test_sq_13_the_last_friend_ends_the_game() -> None:
    """Seat 0 has one freshman left, seat 1 all its friends and places enough."""
    position = Oracle.drawn(OPENED, fallen="0F 0S 0S 0J 0J")
    assert position.to_act == {0}
    after = position.apply("F@b1")
    assert after.ended_by == "SQ-13"
    assert after.supplies == [{"F": 0, "S": 0, "J": 0}, {"F": 2, "S": 2, "J": 2}]
    assert after.to_act == set()
    assert after.legal() == set()
    assert position.ended_by is None
    assert Oracle.drawn(OPENED, fallen="0F 0S 0S 0J").apply("F@b1").to_act == {1}


@pytest.mark.rule("SQ-13")
def test_sq_13_no_place_for_the_player_to_move() -> None:
    """Seat 1 has only juniors left, and there is no square beside three friends."""
    after = Oracle.drawn(OPENED, fallen="1F 1F 1S 1S").apply("F@b1")
    assert after.ended_by == "SQ-13"
    assert after.supplies == [{"F": 1, "S": 2, "J": 2}, {"F": 0, "S": 0, "J": 2}]


@pytest.mark.rule("SQ-13")
def test_sq_13_only_the_player_to_move_is_asked() -> None:
    """Seat 2 of three has only juniors left and nowhere to place them: the game goes on until it is its turn."""
    drawing = """
    .   .   .   .   .   1C1
    .   .   .   .   .   .
    .   .   .   .   .   .
    .   .   .   .   .   .
    .   .   .   .   .   .
    0C1 .   .   .   .   2C1
    """
    position = Oracle.drawn(drawing, players=3, fallen="2F 2F 2F 2S 2S 2S").apply("F@b1")
    assert position.ended_by is None
    assert position.to_act == {1}
    assert position.apply("F@e6").ended_by == "SQ-13"
    assert Oracle.drawn(drawing, players=3).apply("F@b1").apply("F@e6").to_act == {2}


MAKES_ROOM = """
1C1 .   .   .   .   .
.   .   .   .   .   .
.   .   .   .   .   .
.   .   .   .   .   .
.   .   .   0F  .   .
0C1 .   .   1F  0S  .
"""
"""When the captain has leapt to c1, the freshman on d1 falls and leaves a square beside three friends."""

TAKES_ROOM = """
1C1 .   .   .   .   .
.   .   .   .   .   .
.   .   .   .   .   .
.   .   .   .   .   .
.   .   .   0S  0F  .
0C1 .   .   1F  .   0J
"""
"""When the captain has leapt to c1, the freshman on d1 falls and leaves e1 beside two friends only."""


@pytest.mark.rule("SQ-13")
def test_sq_13_falls_are_made_first() -> None:
    """Seat 1 has only juniors left."""
    after = Oracle.drawn(MAKES_ROOM, board=6, fallen="1F 1S 1S").apply("F@b1")
    assert after.effects == (("stunt", 0, "a1", "c1", 2), ("fall", 1, "F", "d1"))
    assert after.legal() == {"J@d1"}
    assert Oracle.drawn(MAKES_ROOM, board=6, fallen="1F 1S 1S", seat=1).ended_by == "SQ-13"
    after = Oracle.drawn(TAKES_ROOM, board=6, fallen="1F 1S 1S").apply("F@b1")
    assert after.effects == (("stunt", 0, "a1", "c1", 2), ("fall", 1, "F", "d1"))
    assert after.ended_by == "SQ-13"
    assert Oracle.drawn(TAKES_ROOM, board=6, fallen="1F 1S 1S", seat=1).legal() == {"J@e1"}


@pytest.mark.rule("SQ-13")
def test_sq_13_after_the_last_captain() -> None:
    """With own friends only, two captains can shut in the captain of the seat that plays first."""
    own = {"players": 3, "friends": "own", "formation": "up-to"}
    position = position_after("C@a1", "C@b1", **own)
    assert position.ended_by is None
    after = position.apply("C@a2")
    assert after.ended_by == "SQ-13"
    assert after.winners == {0, 1, 2}
    assert after.scores == (1, 1, 1)
    assert position.apply("C@c1").to_act == {0}
    assert position_after("C@b1", "C@a1", "C@a2", **own).ended_by == "SQ-13"
    assert position_after("C@b1", "C@a1", "C@a2", begins="seat", **own).to_act == {0}
    assert position_after("C@a1", "C@b1", "C@a2", players=3).to_act == {0}


@pytest.mark.rule("SQ-14")
def test_sq_14_scores_at_any_moment() -> None:
    position = Oracle.drawn(MIDDLE_GAME)
    assert position.ended_by is None
    assert position.scores == (13, 7)
    board = board_titled("And falls at four")
    assert board.position.scores == (11, 6)
    assert board.position.apply(board.act).scores == (12, 1)


@pytest.mark.parametrize(
    ("drawing", "fallen", "scores", "winners"),
    [
        # the higher score, whoever has more friends
        (MIDDLE_GAME, "1F 1S 1S 1J", (13, 7), {0}),
        (MIDDLE_GAME.replace("0J  0J", ".   . ").replace("1J", "1F"), "1S 1S 1J 1J", (3, 2), {0}),
        (MIDDLE_GAME.replace("0J", "0F").replace("0S", ". "), "1F 1S 1S 1J", (3, 7), {1}),
        # equal scores: the number of friends, captains apart
        (MIDDLE_GAME.replace("0J  0J", "0J  0F").replace("3", "2"), "1F 1S 1S 1J", (7, 7), {0}),
        (MIDDLE_GAME.replace("0J  0J", "0J  . ").replace("3", "2").replace("0S", "1S"), "1F 1S 1J", (7, 7), {1}),
        (MIDDLE_GAME.replace("0J  0J", ".   . ").replace("1J", "0F").replace("3", "2"), "1F 1S 1S 1J 1J", (2, 2), {0}),
        # equal scores and as many friends
        (MIDDLE_GAME.replace("0J  0J", "0J  . ").replace("3", "2"), "1F 1S 1S 1J", (7, 7), {0, 1}),
    ],
)
@pytest.mark.rule("SQ-15")
def test_sq_15_winners(drawing: str, fallen: str, scores: tuple[int, ...], winners: set[int]) -> None:
    """Seat 1 has no friends left."""
    position = Oracle.drawn(drawing, fallen=fallen)
    assert position.ended_by == "SQ-13"
    assert position.scores == scores
    assert position.winners == winners


@pytest.mark.rule("SQ-15")
def test_sq_15_most_friends_of_the_tied() -> None:
    """Seat 2 has the most friends but the lowest score; of the two best, seat 1 has more friends than seat 0."""
    drawing = """
    1C3 1J  1F  .   .   2C1
    .   .   .   .   2S  2S
    .   .   .   .   .   2S
    .   .   .   .   .   .
    .   .   .   .   .   .
    0C3 0J  .   .   .   .
    """
    position = Oracle.drawn(drawing, players=3, fallen="0F 0F 0F 0S 0S 0S 0J 0J")
    assert position.scores == (8, 8, 1)
    assert position.winners == {1}


@pytest.mark.rule("SQ-15")
def test_sq_15_nobody_has_won_before_the_end() -> None:
    assert Oracle.drawn(MIDDLE_GAME).winners == set()


@pytest.mark.parametrize(("trios", "best"), [(2, 1), (3, 12)])
@pytest.mark.rule("SQ-16")
def test_sq_16_the_best_score_alone(trios: int, best: int) -> None:
    def best_from(position: Oracle) -> int:
        if position.ended_by:
            return position.scores[0]
        return max(best_from(position.apply(text)) for text in position.legal())

    assert best_from(Oracle(1, trios=trios)) == best


@pytest.mark.rule("SQ-16")
def test_sq_16_alone() -> None:
    """With two trios and both freshmen placed in the corner, there is no square beside two friends: over."""
    position = position_after("C@a1", "F@b1", players=1, trios=2)
    assert position.to_act == {0}
    assert position.legal() == {"F@a1", "F@b2", "F@c2", "F@d1"}
    after = position.apply("F@a1")
    assert after.ended_by == "SQ-13"
    assert after.winners == {0}
    assert after.scores == (1,)


@pytest.mark.parametrize(("corner", "value"), [("a4", -1), ("d1", -1), ("d4", 0)])
def test_known_result_of_two_players(corner: str, value: int) -> None:
    """Seat 0 on a1: the second seat wins from an adjacent corner and draws from the opposite one."""
    known: dict[tuple[object, ...], int] = {}

    def value_of(position: Oracle) -> int:
        """1 where seat 0 wins under best play, -1 where seat 1 does, 0 for a draw."""
        if position.ended_by:
            return (0 in position.winners) - (1 in position.winners)
        key = position.key()
        if key not in known:
            sign = 1 if position.seat == 0 else -1
            best = -1
            for text in sorted(position.legal()):
                best = max(best, sign * value_of(position.apply(text)))
                if best == 1:
                    break
            known[key] = sign * best
        return known[key]

    assert value_of(position_after("C@a1", f"C@{corner}")) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "pass",
        "end",
        "c@a1",
        "f@b1",
        "L@b1",
        "X@b1",
        "F@",
        "@b1",
        "F@B1",
        "F@b",
        "F@1b",
        "Fb1",
        "F b1",
        "F-b1",
        "F@b1 ",
        " F@b1",
        "F@b1\n",
        "FF@b1",
        "F@b1@c1",
        "F@b-1",
        "F@b1.0",
        "F@b\u0661",
        "0F@b1",
        "a1-b1",
    ],
)
def test_notation(text: str) -> None:
    """Malformed text is judged before all else, in a game that is over too."""
    assert Oracle().fault(text) == "notation"
    assert Oracle.drawn(OPENED).fault(text) == "notation"
    assert Oracle.drawn(MIDDLE_GAME, fallen="1F 1S 1S 1J").fault(text) == "notation"


@pytest.mark.parametrize("text", ["C@a1", "C@d4", "C@z9", "F@z9", "F@a1", "S@a2", "J@d4"])
def test_fault_game_over(text: str) -> None:
    """SQ-13 comes before every other fault, and before an act that would be legal."""
    assert Oracle.drawn(MIDDLE_GAME, fallen="1F 1S 1S 1J").fault(text) == "SQ-13"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        # no such square
        ("C@e1", "SQ-1"),
        ("C@a5", "SQ-1"),
        ("C@a0", "SQ-1"),
        ("C@a01", "SQ-1"),
        ("F@z9", "SQ-1"),
        ("J@d44", "SQ-1"),
        # no corner, another captain, a friend before all captains
        ("C@b1", "SQ-4"),
        ("C@c3", "SQ-4"),
        ("C@a1", "SQ-4"),
        ("F@b1", "SQ-4"),
        ("F@a1", "SQ-4"),
        ("S@c3", "SQ-4"),
        ("J@d4", "SQ-4"),
        # and what goes
        ("C@a4", None),
        ("C@d1", None),
        ("C@d4", None),
    ],
)
def test_fault_while_captains_are_placed(text: str, rule: str | None) -> None:
    assert position_after("C@a1").fault(text) == rule


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        # no such square
        ("C@a5", "SQ-1"),
        ("J@e1", "SQ-1"),
        ("S@z9", "SQ-1"),
        ("F@a0", "SQ-1"),
        # a captain when all stand, on a corner or not, empty or not
        ("C@d4", "SQ-4"),
        ("C@a1", "SQ-4"),
        ("C@b3", "SQ-4"),
        # no junior left, whatever the square is like: occupied, too few friends, three
        ("J@b1", "SQ-2"),
        ("J@d4", "SQ-2"),
        ("J@a2", "SQ-2"),
        # occupied by a captain, a friend, another's friend, whatever stands beside it
        ("F@a1", "SQ-6"),
        ("F@b1", "SQ-6"),
        ("S@c1", "SQ-6"),
        ("S@d1", "SQ-6"),
        ("F@a4", "SQ-6"),
        # beside none, too few, too many
        ("F@d4", "SQ-7"),
        ("S@d4", "SQ-7"),
        ("S@c4", "SQ-7"),
        ("S@b3", None),
        ("F@c2", "SQ-7"),
        ("F@a2", "SQ-7"),
        ("F@b3", "SQ-7"),
        # and what goes
        ("F@c4", None),
        ("F@d2", None),
        ("S@a2", None),
        ("S@c2", None),
    ],
)
def test_fault_of_the_middle_game(text: str, rule: str | None) -> None:
    """Seat 0 to move, its juniors both on the board."""
    assert Oracle.drawn(MIDDLE_GAME).fault(text) == rule


def test_fault_on_the_large_board() -> None:
    position = position_after("C@a1", players=4)
    assert position.fault("C@f6") is None
    assert position.fault("C@d4") == "SQ-4"
    assert position.fault("C@g1") == "SQ-1"
    assert position.fault("C@a7") == "SQ-1"
    assert position_after("C@a1", players=3).fault("C@d4") == "SQ-4"
    assert position_after("C@a1", players=3).fault("C@d6") is None


def test_apply_refuses_faults_and_loses_nothing() -> None:
    position = Oracle.drawn(MIDDLE_GAME)
    before = position.key()
    for text, rule in (("J@d4", "SQ-2"), ("F@a1", "SQ-6"), ("S@d4", "SQ-7"), ("f@b3", "notation"), ("C@d4", "SQ-4")):
        with pytest.raises(ValueError, match=f"{text}: {rule}"):
            position.apply(text)
    assert position.key() == before


def test_key() -> None:
    assert position_after("C@a1", "C@d4", "F@b1").key() == (
        (1,),
        None,
        (),
        (1, 1),
        ((1, 2, 2), (2, 2, 2)),
        (("b1", (0, "F")), ("c1", (0, "C")), ("d4", (1, "C"))),
    )
    assert Oracle.drawn(OPENED, fallen="0F 0S 0S 0J 0J").apply("F@b1").key() == (
        (),
        "SQ-13",
        (0,),
        (1, 1),
        ((0, 0, 0), (2, 2, 2)),
        (("a4", (1, "C")), ("b1", (0, "F")), ("c1", (0, "C"))),
    )


def test_key_tells_positions_apart() -> None:
    """The number on a captain and what has fallen are parts of the position, which the board alone does not show."""
    keys = {
        Oracle.drawn(drawing, seat=seat, fallen=fallen).key()
        for drawing in (OPENED, OPENED.replace("0C1", "0C2"))
        for seat in (0, 1)
        for fallen in ("", "0F", "1F")
    }
    assert len(keys) == 12


def test_drawing() -> None:
    position = Oracle.drawn(MIDDLE_GAME, seat=1)
    assert position.standing == {
        "a1": (0, "C"),
        "b1": (0, "J"),
        "c1": (0, "J"),
        "d1": (1, "F"),
        "b2": (0, "S"),
        "a4": (1, "C"),
        "b4": (1, "J"),
    }
    assert position.numbers == [3, 2]
    assert position.supplies == [{"F": 2, "S": 1, "J": 0}, {"F": 1, "S": 2, "J": 1}]
    assert position.to_act == {1}
    assert Oracle.drawn(str(position), seat=1).key() == position.key()
    assert str(position).splitlines() == ["1C2 1J  .   .", ".   .   .   .", ".   0S  .   .", "0C3 0J  0J  1F"]
    assert marked(MIDDLE_GAME.replace("0S  . ", "0S  x ")) == {"c2"}
    assert Oracle.drawn(str(position_after("C@d4"))).key() == position_after("C@d4").key()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0S", "0S .", "4 rows of 4"),
        (".   0S  .   .\n", "", "4 rows of 4"),
        ("0S", "0s", "a token is"),
        ("0S", "4S", "a token is"),
        ("0C3", "0C", "a token is"),
        ("0C3", "0C5", "a token is"),
        ("0S", "0S1F", "a token is"),
        ("0S", "2S", "nobody has seat 2"),
        ("0S", "0J", "more than 2 friends of size J"),
        ("0C3", ".  ", "one by one in seat order"),
        ("1C2", "0C2", "one by one in seat order"),
        ("1C2", ".  ", "friends are placed after all captains"),
    ],
)
def test_drawing_of_what_cannot_be(old: str, new: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Oracle.drawn(MIDDLE_GAME.replace(old, new))


def test_drawing_of_captains_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="a captain begins where it may"):
        Oracle.drawn(OPENED.replace("1C1", ".  ").replace("0C1 . ", ".   0C1"))
    with pytest.raises(ValueError, match="friends are placed after all captains"):
        Oracle.drawn(OPENED.replace("1C1", ".  "), fallen="0F")
    for fallen in ("2F", "0C", "1F 0X"):
        with pytest.raises(ValueError, match="the fallen are friends"):
            Oracle.drawn(OPENED, fallen=fallen)


def test_options() -> None:
    for options, message in (
        ({"players": 0}, "players is 1 to 4, not 0"),
        ({"players": 5}, "players is 1 to 4, not 5"),
        ({"board": 5}, "board is 4 or 6, not 5"),
        ({"trios": 1}, "trios is 2 or 3, not 1"),
        ({"trios": 4}, "trios is 2 or 3, not 4"),
        ({"captain_start": 2}, "captain_start is 0 or 1, not 2"),
        ({"friends": "all"}, "friends is any or own, not all"),
        ({"formation": "upto"}, "formation is exact or up-to, not upto"),
        ({"begins": "corners"}, "begins is corner or seat, not corners"),
        ({"stuck": "any"}, "stuck is mover or anyone, not any"),
        ({"tie": "every"}, "tie is tied or all, not every"),
    ):
        with pytest.raises(ValueError, match=message):
            Oracle(**options)
    assert Oracle(friends="any", formation="up-to").legal() == CORNERS
    assert Oracle(friends="own").legal() == CORNERS


@pytest.mark.parametrize(
    ("players", "counts"),
    [
        (1, (1, 4, 8, 32, 160, 400, 1112, 2784, 1792, 240, 0)),
        (2, (1, 4, 12, 48, 256, 1664, 11776)),
        (3, (1, 20, 380, 6840)),
        (4, (1, 4, 12, 24, 24, 192, 1920)),
    ],
)
def test_perft(players: int, counts: tuple[int, ...]) -> None:
    position = Oracle(players)
    assert tuple(position.perft(depth) for depth in range(len(counts))) == counts


@pytest.mark.parametrize(
    "options",
    [
        {"players": 1},
        {"players": 1, "board": 6},
        {"players": 2},
        {"players": 2, "trios": 3, "formation": "up-to", "captain_start": 0},
        {"players": 2, "friends": "own", "formation": "up-to"},
        {"players": 3},
        {"players": 3, "board": 4, "friends": "own", "formation": "up-to"},
        {"players": 2, "friends": "own", "stuck": "anyone"},
        {"players": 3, "formation": "up-to", "begins": "seat", "tie": "all"},
        {"players": 4},
        {"players": 4, "board": 4, "trios": 2, "formation": "up-to"},
    ],
    ids=str,
)
def test_played_positions_hold_together(options: dict[str, Any]) -> None:
    """In random play an act is legal just when it has no fault, and what follows from the rules holds.

    Among that is why three rulings can't be told by any position. A stunt's landing square is never adjacent to
    another captain's squares of the same turn, so that the order of stunts and counts is of no account (SQ-10).
    Friends that fall together are never adjacent, so that one fall can't save another (SQ-11). And the friend that
    was placed never falls in the same turn: the captains that leap over it are beside it before and after.
    """
    dice = random.Random(str(options))
    falls = 0
    for game in range(100):
        if game >= 10 and falls:
            break
        position = Oracle(**options)
        acts = {f"{kind}@{square}" for kind in "CFSJ" for square in squares(position.board)}
        fallen = [0] * position.players
        while not position.ended_by:
            assert {text for text in acts if position.fault(text) is None} == position.legal()
            text = dice.choice(sorted(position.legal()))
            after = position.apply(text)
            told = {kind: [effect for effect in after.effects if effect[0] == kind] for kind in ("stunt", "fall")}
            touched = {str(square) for effect in told["stunt"] for square in effect[2:4]}
            assert not any(neighbours(square, after.board) & touched for square in touched)
            fell = {str(effect[3]) for effect in told["fall"]}
            assert not any(neighbours(square, after.board) & fell for square in fell)
            assert text[2:] not in fell
            falls += len(fell)
            for effect in told["fall"]:
                fallen[int(effect[1])] += 1
            for seat, supply in enumerate(after.supplies):
                standing = [kind for owner, kind in after.standing.values() if owner == seat]
                friends = len(standing) - standing.count("C")
                assert friends + sum(supply.values()) + fallen[seat] == 3 * after.trios  # SQ-2
                assert standing.count("C") == (seat in {owner for owner, _ in after.standing.values()})  # SQ-12
            position = after
        assert all(number <= 4 for number in position.numbers)
        leading = {seat for seat, points in enumerate(position.scores) if points == max(position.scores)}
        assert position.winners <= leading or (len(leading) > 1 and position.tie == "all")
        assert position.winners
    assert falls > 0
