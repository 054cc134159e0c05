"""The drawn boards, a file for each rule, and the layout: kernel and class say what is drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

import icetable
from tests.games.boards import Board, each_board, read_boards

from .drawings import all_texts, drawn, sheet, squares, start, tokens

BOARDS = read_boards(Path(__file__).parent / "boards")


def test_every_rule_of_the_board_has_a_board() -> None:
    assert {board.rule for board in BOARDS} == {
        *("SQ-1", "SQ-4", "SQ-6", "SQ-7", "SQ-8", "SQ-9", "SQ-10", "SQ-11", "SQ-11a", "SQ-12")
    }


@each_board(BOARDS)
def test_board(board: Board) -> None:
    """The act as drawn, and every other one: the rule that it breaks, or where it leads and what it causes."""
    pair = drawn(board.drawing, **board.settings)
    paper = sheet(pair.options["board"])
    if board.verb == "gives":
        told, drawing = board.after.split("\n", 1)
        after = pair.apply(board.act)
        expected = {square: token for square, token in paper.read(drawing).items() if token != "."}
        assert tokens(after) == expected
        if told:
            assert ", ".join(map(str, after.state.effects[1:])) == told.strip().replace("nothing", "")
    else:
        legal = pair.legal()
        goes_to = {square for square in pair.table.spaces if f"{board.act}@{square}" in legal}
        assert goes_to == paper.marked(board.drawing)
    pair.assert_agreed(all_texts(6))


@pytest.mark.rule("SQ-1")
def test_sq_1_small_board() -> None:
    assert " ".join(squares(4)) == "a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3 a4 b4 c4 d4"


@pytest.mark.rule("SQ-1")
def test_sq_1_large_board() -> None:
    assert " ".join(squares(6)) == (
        "a1 b1 c1 d1 e1 f1 a2 b2 c2 d2 e2 f2 a3 b3 c3 d3 e3 f3 a4 b4 c4 d4 e4 f4 a5 b5 c5 d5 e5 f5 a6 b6 c6 d6 e6 f6"
    )


@pytest.mark.parametrize("board", [4, 6])
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_layout(board: int, players: int) -> None:
    """SQ-1, SQ-4: names, places, and where captains begin."""
    position = start(players=players, board=board)
    layout = position.game.layout()
    assert [square["name"] for square in layout["spaces"]] == list(squares(board))
    for square in layout["spaces"]:
        assert square["name"] == f"{'abcdef'[square['x']]}{square['y'] + 1}"
    rim = ("a", "abcdef"[board - 1], "1", str(board))
    edges = {name: (name[0] in rim) + (name[1] in rim) for name in squares(board)}
    least = 1 if players == 3 else 2
    assert {f"C@{name}" for name in squares(board) if edges[name] >= least} == position.legal()


@pytest.mark.parametrize(
    ("players", "board", "trios"), [(1, 4, 3), (2, 4, 2), (3, 6, 3), (4, 6, 3)], ids=lambda value: str(value)
)
def test_defaults_follow_the_number_of_players(players: int, board: int, trios: int) -> None:
    """SQ-1, SQ-2; and what is chosen is kept."""
    game = icetable.load("squad", players=players)
    assert dict(game.options) == {
        "players": players,
        "board": board,
        "trios": trios,
        "captain_start": 1,
        "friends": "any",
        "formation": "exact",
        "begins": "corner",
        "stuck": "mover",
        "tie": "tied",
    }
    other = icetable.load("squad", players=players, board=10 - board, trios=5 - trios)
    assert (other.options["board"], other.options["trios"]) == (10 - board, 5 - trios)
    assert len(other.layout()["spaces"]) == (10 - board) ** 2
    pads = other.start().view()["pads"]
    assert [count for pad in pads for count in pad.values()] == [1, *[5 - trios] * 3] * players
