"""The oracle against the rule text: every expected value was worked out by hand and stands here as a literal.

What a pyramid can reach is drawn on the boards in `boards/`, a file for each rule; the rest is below.
"""

import random

import pytest

from .oracle import SIZES, Board, Oracle, coordinates, marked, read_boards

BOARDS = read_boards()

OPENING = {"S@b1", "S@b2", "M@b1", "M@b2", "L@b1", "L@b2"}

BURIED = """
                .
               . .
       .   .   .   .   .   .   .
         .   .   .   .   .   .
 . . 0L0L0L0L0L0M0M0M0M0M0S0S0S0S0S1S . .
         .   .   .   .   .   .
       .   .   .   .   .   .   .
               . .
                .
"""
"""All the pyramids of seat 0 in one tower on e3, a small one of seat 1 on top."""

HEMMED_IN = """
                .
               . .
 .   .   .   .   .   .   0L0L0L0L0M0M0M0M0M0S0S0S0S0S1S
   .   .   .   .   .   .
    1M   .   .   .   .
  1S   .   .   .   .   .
 0L  1S  1S  .   .   .   .
               . .
                .
"""
"""The last large pyramid of seat 0 stands on c1 between smaller ones, its others are buried on g7."""

FAULTS = """
              .
            .   1S
  .   .   .   .   .   .   .
    .   .   .   .   .   .
      .   .  0L  0M1S .
   0S  .   .   1S  .   .
  .   .   .   .   .   .   .
            .   .
              .
"""
"""Seat 0 has a large pyramid on e3, a buried one on e4 and a small one on d1."""


def position_after(*acts: str, players: int = 2, board: str = "star", turn_limit: int = 400) -> Oracle:
    """The position to which the acts lead from the start."""
    position = Oracle(players, board, turn_limit)
    for text in acts:
        position = position.apply(text)
    return position


def test_every_rule_of_movement_has_a_board() -> None:
    assert {board.rule for board in BOARDS} == {
        f"IF-{n}" for n in (1, 2, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17)
    }


@pytest.mark.parametrize(
    "board",
    [pytest.param(board, marks=pytest.mark.rule(board.rule), id=f"{board.rule} {board.title}") for board in BOARDS],
)
def test_board(board: Board) -> None:
    position = board.position
    reached = {last for last in position.stacks if board.act(last) in position.legal()}
    assert reached == board.destinations
    assert {last for last in position.stacks if position.fault(board.act(last)) is None} == board.destinations


@pytest.mark.rule("IF-1")
def test_if_1_star() -> None:
    assert " ".join(coordinates("star")) == (
        "a1 b1 b2 c1 c2 c3 c4 c5 c6 c7 d1 d2 d3 d4 d5 d6 e1 e2 e3 e4 e5 f1 f2 f3 f4 f5 f6 g1 g2 g3 g4 g5 g6 g7 h1 h2 i1"
    )
    assert len(coordinates("star")) == 37


@pytest.mark.rule("IF-1")
def test_if_1_hexagon() -> None:
    assert " ".join(coordinates("hexagon")) == (
        "a1 a2 a3 a4 b1 b2 b3 b4 b5 c1 c2 c3 c4 c5 c6 d1 d2 d3 d4 d5 d6 d7 e1 e2 e3 e4 e5 e6 f1 f2 f3 f4 f5 g1 g2 g3 g4"
    )
    assert len(coordinates("hexagon")) == 37


@pytest.mark.parametrize(
    ("board", "space", "place"),
    [
        ("star", "a1", (0, 0)),
        ("star", "b2", (1, 1)),
        ("star", "c1", (2, -6)),
        ("star", "d1", (3, -5)),
        ("star", "e5", (4, 4)),
        ("star", "g7", (6, 6)),
        ("hexagon", "a1", (0, -3)),
        ("hexagon", "b1", (1, -4)),
        ("hexagon", "d7", (3, 6)),
        ("hexagon", "g4", (6, 3)),
    ],
)
@pytest.mark.rule("IF-2")
def test_if_2_places(board: str, space: str, place: tuple[int, int]) -> None:
    assert coordinates(board)[space] == place


@pytest.mark.parametrize(("board", "pairs"), [("star", 84), ("hexagon", 90)])
@pytest.mark.rule("IF-2")
def test_if_2_neighbours_are_mutual(board: str, pairs: int) -> None:
    """Star: 28 pairs within the rows, 28 + 28 between them; hexagon: 30, 30 + 30."""
    position = Oracle(board=board)
    near = {(space, other) for space in position.stacks for other in position.neighbours(space)}
    assert near == {(other, space) for space, other in near}
    assert len(near) == 2 * pairs


@pytest.mark.rule("IF-3")
def test_if_3_set_up() -> None:
    for players in (2, 3, 4, 5, 6):
        position = Oracle(players)
        assert position.supplies == [{"S": 5, "M": 5, "L": 5}] * players
        assert not any(position.stacks.values())
        assert position.to_act == {0}
        assert position.ended_by is None
        assert position.winners == set()
        assert position.scores == (0,) * players


@pytest.mark.rule("IF-3")
def test_if_3_a_supply_runs_out() -> None:
    entries = ["S@b1", "S@h1"]
    shuttle = ["b1-b2", "h1-h2"]
    position = position_after(*entries, *shuttle, *entries, *shuttle, *entries, *shuttle, *entries, *shuttle)
    assert position.supplies == [{"S": 1, "M": 5, "L": 5}] * 2
    assert position.stacks["b2"] == [(0, "S")] * 4
    position = position.apply("S@b1")
    assert position.supplies[0] == {"S": 0, "M": 5, "L": 5}
    position = position.apply("S@h1")
    assert not [text for text in position.legal() if text.startswith("S@")]
    assert position.fault("S@b1") == "IF-6"


@pytest.mark.parametrize(
    ("board", "players", "starts"),
    [
        ("star", 2, ("a1", "i1")),
        ("star", 3, ("a1", "g7", "g1")),
        ("star", 4, ("a1", "c7", "i1", "g1")),
        ("star", 5, ("a1", "c7", "g7", "i1", "g1")),
        ("star", 6, ("a1", "c7", "g7", "i1", "g1", "c1")),
        ("hexagon", 2, ("a1", "g4")),
        ("hexagon", 3, ("a1", "d7", "g1")),
        ("hexagon", 4, ("a1", "a4", "g4", "g1")),
        ("hexagon", 5, ("a1", "a4", "d7", "g4", "g1")),
        ("hexagon", 6, ("a1", "a4", "d7", "g4", "g1", "d1")),
    ],
)
@pytest.mark.rule("IF-4")
def test_if_4_starts(board: str, players: int, starts: tuple[str, ...]) -> None:
    assert Oracle(players, board).starts == starts


@pytest.mark.rule("IF-5")
def test_if_5_seats_in_order() -> None:
    position = Oracle(players=3)
    seats = []
    for text in ("S@b1", "S@f6", "S@f1", "b1-b2", "f6-f5"):
        seats.append(position.to_act)
        position = position.apply(text)
    assert seats == [{0}, {1}, {2}, {0}, {1}]
    assert position.to_act == {2}


@pytest.mark.rule("IF-6")
def test_if_6_opening() -> None:
    assert Oracle().legal() == OPENING
    assert position_after("S@b1").legal() == {"S@h1", "S@h2", "M@h1", "M@h2", "L@h1", "L@h2"}


@pytest.mark.rule("IF-6")
def test_if_6_moves_and_entries() -> None:
    """A small pyramid on b1: a new small one may step onto it, all may jump over it, and it may step on."""
    assert position_after("S@b1", "S@h1").legal() == {
        *("S@b1", "S@b2", "S@c3"),
        *("M@b2", "M@c3", "L@b2", "L@c3"),
        *("b1-b2", "b1-c3", "b1-c4"),
    }


@pytest.mark.rule("IF-6")
def test_if_6_entry_leaves_the_supply() -> None:
    position = position_after("L@b2")
    assert position.supplies == [{"S": 5, "M": 5, "L": 4}, {"S": 5, "M": 5, "L": 5}]
    assert position.stacks["b2"] == [(0, "L")]
    assert position.stacks["a1"] == []


@pytest.mark.rule("IF-6")
def test_if_6_only_ones_own_moves() -> None:
    position = position_after("S@b1", "S@h1")
    assert position.fault("h1-h2") == "IF-6"
    assert not [text for text in position.legal() if text.startswith("h1")]


@pytest.mark.rule("IF-6")
def test_if_6_only_moves_with_an_empty_supply() -> None:
    """The tower on e3 is seat 0's whole stash, with a small pyramid of its own on top."""
    position = Oracle.drawn(BURIED.replace("0S1S", "0S"))
    assert position.supplies[0] == {"S": 0, "M": 0, "L": 0}
    assert position.legal() == {"e3-d3", "e3-d4", "e3-e2", "e3-e4", "e3-f3", "e3-f4"}
    assert position.fault("S@b1") == "IF-6"


@pytest.mark.rule("IF-7")
def test_if_7_the_top_moves_alone() -> None:
    position = Oracle.drawn(FAULTS.replace("0M1S", "1L0S"))
    after = position.apply("e4-e5")
    assert after.stacks["e4"] == [(1, "L")]
    assert after.stacks["e5"] == [(0, "S")]
    assert position.stacks["e4"] == [(1, "L"), (0, "S")]


@pytest.mark.rule("IF-7")
def test_if_7_a_buried_pyramid_stays() -> None:
    position = Oracle.drawn(FAULTS)
    assert not [text for text in position.legal() if text.startswith("e4")]
    assert position.fault("e4-e5") == "IF-7"


@pytest.mark.rule("IF-9")
def test_if_9_nothing_is_captured() -> None:
    """Over the small pyramid on d4 from e3 to c5."""
    position = Oracle.drawn(FAULTS)
    after = position.apply("e3-c5")
    assert after.stacks["d4"] == [(1, "S")]
    assert after.stacks["c5"] == [(0, "L")]
    assert after.stacks["e3"] == []
    assert after.supplies == position.supplies


@pytest.mark.rule("IF-10")
def test_if_10_landing_on_a_stack_puts_the_pyramid_on_top() -> None:
    after = position_after("L@b1", "S@h1", "M@b1", "S@h1", "S@b1")
    assert after.stacks["b1"] == [(0, "L"), (0, "M"), (0, "S")]
    assert after.stacks["h1"] == [(1, "S"), (1, "S")]


def board_titled(words: str) -> Board:
    """The one drawn board whose title has these words."""
    (board,) = [board for board in BOARDS if words in board.title]
    return board


@pytest.mark.rule("IF-11")
def test_if_11_hops_of_a_chain() -> None:
    board = board_titled("A long chain may stop")
    assert board.position.hops("c1") == {
        "d1": 1,
        "c3": 1,
        "c5": 2,
        "c6": 3,
        "c7": 3,
        "d6": 4,
        "e5": 4,
        "g7": 5,
        "e4": 5,
    }
    assert board.position.paths("c1")["g7"] == {("c1", "c3", "c5", "c7", "e5", "g7")}
    assert board.position.paths("c1")["e4"] == {("c1", "c3", "c5", "c7", "e5", "e4")}


@pytest.mark.rule("IF-12")
def test_if_12_what_lay_beneath_shows() -> None:
    board = board_titled("The same with a pyramid beneath")
    after = board.position.apply("c3-e3")
    assert after.stacks["c3"] == [(1, "L")]
    assert after.stacks["e3"] == [(0, "M")]
    assert after.fault("c3-b1") is None


@pytest.mark.rule("IF-12")
def test_if_12_a_step_and_a_jump_beat_the_way_round() -> None:
    """From c3 both c5 and e3 are one jump away, though a longer way round leads there as well."""
    board = board_titled("Round the triangle")
    assert board.position.paths("c3") == {
        "b1": {("c3", "b1")},
        "c2": {("c3", "c2")},
        "d2": {("c3", "d2")},
        "c5": {("c3", "c5")},
        "e3": {("c3", "e3")},
    }


@pytest.mark.rule("IF-13")
def test_if_13_through_the_own_start() -> None:
    board = board_titled("The chain touches the own start")
    assert board.position.paths("c3")["c5"] == {("c3", "a1", "c5")}
    assert board.position.fault("c3-a1") == "IF-13"
    board = board_titled("From the own start it may finish")
    assert board.position.paths("c3")["b2"] == {("c3", "a1", "b2")}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.rule("IF-13")
def test_if_13_a_new_pyramid_may_not_stay(size: str) -> None:
    """It came from the supply, so that the position would change: IF-13, not IF-14."""
    assert Oracle().fault(f"{size}@a1") == "IF-13"
    board = board_titled("A new pyramid goes round")
    assert board.position.fault(f"{size}@a1") == "IF-13"


@pytest.mark.rule("IF-14")
def test_if_14_ending_where_it_began() -> None:
    for words in ("Round the triangle", "The same with a pyramid beneath", "Back to where it began"):
        position = board_titled(words).position
        assert position.fault("c3-c3") == "IF-14"
        assert "c3-c3" not in position.legal()


@pytest.mark.rule("IF-15")
def test_if_15_the_path_does_not_matter() -> None:
    position = board_titled("Two ways of two jumps").position
    assert position.paths("c3")["e5"] == {("c3", "c5", "e5"), ("c3", "e3", "e5")}
    after = position.apply("c3-e5")
    assert after.stacks["e5"] == [(0, "M")]
    assert [after.stacks[space] for space in ("c4", "d5", "d3", "e4")] == [[(1, "S")]] * 4


@pytest.mark.parametrize(
    ("words", "text", "winner", "scores"),
    [
        ("A step onto the opponent's start", "h1-i1", 0, (1, 0)),
        ("A jump to the opponent's start ends there", "g3-i1", 0, (1, 0)),
        ("With three players g1 is seat 2's", "g3-g1", 0, (1, 0, 0)),
        ("Seat 2 of three reaches seat 1's start", "g3-g7", 2, (0, 0, 1)),
        ("The whole way from the supply", "L@i1", 0, (1, 0)),
    ],
)
@pytest.mark.rule("IF-16")
def test_if_16_win(words: str, text: str, winner: int, scores: tuple[int, ...]) -> None:
    before = board_titled(words).position
    after = before.apply(text)
    assert after.ended_by == "IF-16"
    assert after.winners == {winner}
    assert after.scores == scores
    assert after.to_act == set()
    assert after.legal() == set()
    assert before.ended_by is None


@pytest.mark.rule("IF-16")
def test_if_16_nobodys_point_wins_nothing() -> None:
    after = board_titled("With three players i1 is nobody's").position.apply("g3-i1")
    assert after.ended_by is None
    assert after.stacks["i1"] == [(0, "L")]
    assert after.to_act == {1}


@pytest.mark.rule("IF-16")
def test_if_16_the_way_to_the_start() -> None:
    position = board_titled("The whole way from the supply").position
    assert position.paths("L") == {
        "b1": {("a1", "b1")},
        "c5": {("a1", "c5")},
        "e5": {("a1", "c5", "e5")},
        "g5": {("a1", "c5", "e5", "g5")},
        "i1": {("a1", "c5", "e5", "g5", "i1")},
    }


@pytest.mark.parametrize("drawing", [BURIED, HEMMED_IN])
@pytest.mark.rule("IF-17")
def test_if_17_pass_when_nothing_else_is_legal(drawing: str) -> None:
    position = Oracle.drawn(drawing)
    assert position.supplies[0] == {"S": 0, "M": 0, "L": 0}
    assert position.legal() == {"pass"}
    assert position.fault("pass") is None
    after = position.apply("pass")
    assert after.stacks == position.stacks
    assert (after.turns, after.passes) == (1, 1)
    assert after.to_act == {1}
    assert after.ended_by is None
    after = after.apply("S@h1")
    assert (after.turns, after.passes) == (2, 0)
    assert after.to_act == {0}
    assert after.legal() == {"pass"}


@pytest.mark.rule("IF-17")
def test_if_17_no_needless_pass() -> None:
    assert Oracle().fault("pass") == "IF-17"
    assert Oracle.drawn(BURIED, seat=1).fault("pass") == "IF-17"
    assert Oracle.drawn(HEMMED_IN.replace("1S  1S", "1S  . ")).fault("pass") == "IF-17"


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.rule("IF-17")
def test_if_17_all_pass(players: int) -> None:
    """No play leads here: the smallest pyramids can always move. So the supplies are taken away by hand."""
    position = Oracle(players)
    for supply in position.supplies:
        supply.update(S=0, M=0, L=0)
    for passes in range(players):
        assert position.ended_by is None
        assert position.legal() == {"pass"}
        assert position.passes == passes
        position = position.apply("pass")
    assert position.ended_by == "IF-17"
    assert position.winners == set(range(players))
    assert position.scores == (1,) * players
    assert position.legal() == set()


def shuttled(turns: int, turn_limit: int) -> Oracle:
    """The position after so many turns in which both seats move one pyramid to and fro."""
    position = position_after("S@b1", "S@h1", turn_limit=turn_limit)
    there_and_back = ["b1-b2", "h1-h2", "b2-b1", "h2-h1"]
    for turn in range(turns - 2):
        position = position.apply(there_and_back[turn % 4])
    return position


@pytest.mark.rule("IF-18")
def test_if_18_turn_limit() -> None:
    assert shuttled(6, turn_limit=7).ended_by is None
    position = shuttled(7, turn_limit=7)
    assert position.ended_by == "IF-18"
    assert position.winners == {0, 1}
    assert position.scores == (1, 1)
    assert position.to_act == set()
    assert position.legal() == set()


@pytest.mark.rule("IF-18")
def test_if_18_default_of_400_turns() -> None:
    assert Oracle().turn_limit == 400
    assert shuttled(399, turn_limit=400).ended_by is None
    assert shuttled(400, turn_limit=400).ended_by == "IF-18"


@pytest.mark.rule("IF-18")
def test_if_18_no_limit() -> None:
    position = shuttled(500, turn_limit=0)
    assert position.ended_by is None
    assert position.turns == 500


@pytest.mark.rule("IF-18")
def test_if_18_a_win_on_the_last_turn_is_a_win() -> None:
    board = board_titled("A step onto the opponent's start")
    position = Oracle.drawn(board.drawing, turn_limit=1)
    assert position.apply("h1-h2").ended_by == "IF-18"
    won = position.apply("h1-i1")
    assert won.ended_by == "IF-16"
    assert won.winners == {0}


@pytest.mark.rule("IF-18")
def test_if_18_a_pass_counts_as_a_turn() -> None:
    assert Oracle.drawn(BURIED, turn_limit=1).apply("pass").ended_by == "IF-18"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "Pass",
        "pass ",
        "pass\n",
        "s@b1",
        "l@b1",
        "X@b1",
        "L@B1",
        "L@b",
        "L@1",
        "L@",
        "L@b1 ",
        " L@b1",
        "L@b1\n",
        "L-b1",
        "LM@b1",
        "b1",
        "b1-",
        "-b1",
        "b1@b2",
        "B1-b2",
        "b1 - b2",
        "b1-b2-b3",
        "b1\u2013b2",
        "b\u0661-b2",
        "b-1-b2",
        "b1.0-b2",
    ],
)
def test_notation(text: str) -> None:
    """Malformed text is judged before all else, in a game that is over too."""
    assert Oracle().fault(text) == "notation"
    assert shuttled(4, turn_limit=4).fault(text) == "notation"


@pytest.mark.parametrize("text", ["pass", "L@z9", "S@a1", "S@b1", "z9-a1", "e3-e3", "b1-a1", "b1-b2", "b1-i1"])
def test_fault_game_over(text: str) -> None:
    """The rule that ended the game comes before every other fault, and before an act that would be legal."""
    drawn = shuttled(4, turn_limit=4)
    assert drawn.fault(text) == "IF-18"
    won = board_titled("A step onto the opponent's start").position.apply("h1-i1")
    assert won.fault(text) == "IF-16"
    stuck = Oracle()
    for supply in stuck.supplies:
        supply.update(S=0, M=0, L=0)
    assert stuck.apply("pass").apply("pass").fault(text) == "IF-17"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        # no such space
        ("L@z9", "IF-2"),
        ("L@a2", "IF-2"),
        ("L@j1", "IF-2"),
        ("L@a0", "IF-2"),
        ("e3-e6", "IF-2"),
        ("e6-e3", "IF-2"),
        ("c1-c8", "IF-2"),
        ("z9-z9", "IF-2"),
        ("z9-a1", "IF-2"),
        ("e4-e6", "IF-2"),
        # no pyramid of one's own: an empty space, an opponent's pyramid
        ("c1-c2", "IF-6"),
        ("d4-c4", "IF-6"),
        ("c1-c1", "IF-6"),
        ("d4-d4", "IF-6"),
        ("c1-a1", "IF-6"),
        ("a1-a1", "IF-6"),
        ("a1-b1", "IF-6"),
        ("c5-d4", "IF-6"),
        ("c1-g7", "IF-6"),
        # one's own pyramid under another
        ("e4-e5", "IF-7"),
        ("e4-e4", "IF-7"),
        ("e4-a1", "IF-7"),
        ("e4-d4", "IF-7"),
        ("e4-g7", "IF-7"),
        # where it began
        ("e3-e3", "IF-14"),
        ("d1-d1", "IF-14"),
        # one's own start, near and far
        ("e3-a1", "IF-13"),
        ("d1-a1", "IF-13"),
        ("S@a1", "IF-13"),
        ("L@a1", "IF-13"),
        # an adjacent smaller top
        ("e3-d4", "IF-8"),
        ("e3-e4", "IF-8"),
        # out of reach: two steps away, a smaller top further off, the far goal, a step after a jump to c5
        ("e3-e1", "IF-9"),
        ("d1-d4", "IF-9"),
        ("e3-h2", "IF-9"),
        ("e3-i1", "IF-9"),
        ("e3-c6", "IF-9"),
        ("L@c3", "IF-9"),
        ("L@d4", "IF-9"),
        ("L@i1", "IF-9"),
        # and what goes: a step, a jump, an entry
        ("e3-d3", None),
        ("e3-c5", None),
        ("e3-e5", None),
        ("L@b1", None),
        # the needless pass
        ("pass", "IF-17"),
    ],
)
def test_fault_of_the_drawn_board(text: str, rule: str | None) -> None:
    assert Oracle.drawn(FAULTS).fault(text) == rule


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("L@z9", "IF-2"),
        ("L@b1", "IF-6"),
        ("L@a1", "IF-6"),
        ("L@i1", "IF-6"),
        ("M@a1", "IF-13"),
        ("M@b1", "IF-8"),
        ("M@c3", None),
        ("M@b2", None),
        ("M@c5", "IF-9"),
    ],
)
def test_fault_of_an_entry(text: str, rule: str | None) -> None:
    """Seat 0 has no large pyramid left; b1 is small, b2 large."""
    drawing = """
                  .
                .   .
    .   .   .   .   .   .   .
      .   .   .   .   .   .
        .   .   .   .   .
      .   .   .   .   .   .
    .   .   .   .   .   .   .
              1S  0L0L0L0L0L
                  .
    """
    assert Oracle.drawn(drawing).fault(text) == rule


def test_fault_when_only_a_pass_is_legal() -> None:
    position = Oracle.drawn(BURIED)
    assert position.fault("S@b1") == "IF-6"
    assert position.fault("e3-e4") == "IF-7"
    position = Oracle.drawn(HEMMED_IN)
    assert position.fault("c1-c2") == "IF-8"
    assert position.fault("c1-d1") == "IF-8"
    assert position.fault("c1-c3") == "IF-9"
    assert position.fault("c1-e1") == "IF-9"


def test_apply_refuses_faults_and_loses_nothing() -> None:
    position = position_after("S@b1", "S@h1")
    before = position.key()
    for text, rule in (("h1-h2", "IF-6"), ("pass", "IF-17"), ("s@b1", "notation"), ("b1-a1", "IF-13")):
        with pytest.raises(ValueError, match=f"{text}: {rule}"):
            position.apply(text)
    assert position.key() == before


def test_key() -> None:
    assert position_after("L@b1", "S@h2").key() == (
        (0,),
        2,
        0,
        None,
        (),
        ((5, 5, 4), (4, 5, 5)),
        (("b1", ((0, "L"),)), ("h2", ((1, "S"),))),
    )
    assert shuttled(3, turn_limit=3).key() == (
        (),
        3,
        0,
        "IF-18",
        (0, 1),
        ((4, 5, 5), (4, 5, 5)),
        (("b2", ((0, "S"),)), ("h1", ((1, "S"),))),
    )


def test_drawing() -> None:
    position = Oracle.drawn(FAULTS)
    occupied = {space: stack for space, stack in position.stacks.items() if stack}
    assert occupied == {
        "d1": [(0, "S")],
        "d4": [(1, "S")],
        "e3": [(0, "L")],
        "e4": [(0, "M"), (1, "S")],
        "h2": [(1, "S")],
    }
    assert position.supplies == [{"S": 4, "M": 4, "L": 4}, {"S": 2, "M": 5, "L": 5}]
    assert Oracle.drawn(str(position)).key() == position.key()
    assert marked(FAULTS.replace("1S  .   .", "1Sx x   .")) == {"d4", "d5"}


def test_drawing_on_the_hexagon() -> None:
    position = position_after("L@b1", "S@f5", board="hexagon")
    assert str(position).splitlines() == [
        "      .   .   .   .",
        "    .   .   .   .   1S",
        "  .   .   .   .   .   .",
        ".   .   .   .   .   .   .",
        "  .   .   .   .   .   .",
        "    0L  .   .   .   .",
        "      .   .   .   .",
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0S", "0S .", "rows of"),
        ("0S", "0s", "a token is"),
        ("0S", "7S", "a token is"),
        ("0S", "xx", "a token is"),
        ("0S", "2S", "nobody has seat 2"),
        ("0S", "0S0M", "stands on a smaller one"),
        ("0S", "0S0S0S0S0S0S", "more than five"),
        ("              .\n", "              0S\n", "a start space is empty"),
    ],
)
def test_drawing_of_what_cannot_be(old: str, new: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Oracle.drawn(FAULTS.replace(old, new))


def test_options() -> None:
    with pytest.raises(ValueError, match="players is 2 to 6, not 1"):
        Oracle(players=1)
    with pytest.raises(ValueError, match="board is star or hexagon, not square"):
        Oracle(board="square")
    with pytest.raises(ValueError, match="turn_limit is 0"):
        Oracle(turn_limit=-1)


@pytest.mark.parametrize(
    ("board", "players", "counts"),
    [("star", 2, (1, 6, 36, 360, 3600, 43800)), ("hexagon", 3, (1, 9, 81, 729, 9963, 136161))],
)
def test_perft(board: str, players: int, counts: tuple[int, ...]) -> None:
    position = Oracle(players, board)
    assert tuple(position.perft(depth) for depth in range(len(counts))) == counts


def test_perft_does_not_count_what_the_end_cuts_short() -> None:
    """Two turns at most, so that there are 36 sequences of two acts and none of three."""
    position = Oracle(turn_limit=2)
    assert [position.perft(depth) for depth in (1, 2, 3)] == [6, 36, 0]


@pytest.mark.parametrize(("board", "players"), [("star", 2), ("star", 6), ("hexagon", 3)])
def test_played_positions_hold_together(board: str, players: int) -> None:
    """In random play an act is legal just when it has no fault, and the set-up's promises stay true."""
    dice = random.Random(f"{board} {players}")
    spaces = list(coordinates(board))
    acts = {"pass", *(f"{size}@{last}" for size in SIZES for last in spaces)}
    acts |= {f"{first}-{last}" for first in spaces for last in spaces}
    position = Oracle(players, board)
    while not position.ended_by:
        if position.turns % 20 == 0:
            assert {text for text in acts if position.fault(text) is None} == position.legal()
        for seat, supply in enumerate(position.supplies):
            standing = sum(owner == seat for stack in position.stacks.values() for owner, _ in stack)
            assert standing + sum(supply.values()) == 15  # IF-3
        assert not any(position.stacks[start] for start in position.starts)  # IF-6
        for stack in position.stacks.values():
            sizes = [SIZES.index(size) for _, size in stack]
            assert sizes == sorted(sizes, reverse=True)  # IF-8
        position = position.apply(dice.choice(sorted(position.legal())))
    assert position.ended_by in {"IF-16", "IF-18"}
