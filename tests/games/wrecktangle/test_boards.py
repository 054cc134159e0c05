"""The drawn boards, a file for each rule, and the layout: kernel and class say what is drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from icetable.games.wrecktangle.game import HOME_ROWS, SIDES
from tests.games.boards import Board, each_board, read_boards

from .drawings import PLACES, SHEET, drawn, start, tokens
from .material import well_formed

BOARDS = read_boards(Path(__file__).parent / "boards")


def test_every_rule_of_the_board_has_a_board() -> None:
    assert {board.rule for board in BOARDS} == {
        *("WT-1", "WT-6", "WT-7", "WT-8", "WT-10", "WT-11", "WT-12", "WT-14"),
    }


@each_board(BOARDS)
def test_board(board: Board) -> None:
    """The board as drawn, where every legal act leads and what it causes, and which rule some others break."""
    pair = drawn(board.drawing, **{"roll": "wild", **board.settings})
    if board.verb == "gives":
        coin, drawing = board.after.split("\n", 1)
        after = pair.apply(board.act)
        expected = {square: token for square, token in SHEET.read(drawing).items() if token != "."}
        assert tokens(after) == expected
        assert after.table.coin == coin.strip()
    else:
        legal = pair.legal()
        assert {square for square in PLACES if act_to(board, square) in legal} == SHEET.marked(board.drawing)
    pair.assert_agreed(board.some(well_formed(pair.state.game)))


def act_to(board: Board, square: str) -> str:
    """The notation of the act that is ended by a square."""
    if board.verb == "goes":
        return f"{board.act}-{square}"
    first, second = sorted((board.act.removeprefix("~"), square))
    return f"~{first}*{second}"


@pytest.mark.rule("WT-1")
def test_wt_1_squares() -> None:
    assert set(start().table.spaces) == set(PLACES)
    assert " ".join(PLACES) == (
        "a2 a3 a4 a5 a6 a7 b1 b2 b3 b4 b5 b6 b7 b8 c1 c2 c3 c4 c5 c6 c7 c8 d1 d2 d3 d4 d5 d6 d7 d8 "
        "e1 e2 e3 e4 e5 e6 e7 e8 f1 f2 f3 f4 f5 f6 f7 f8 g1 g2 g3 g4 g5 g6 g7 g8 h2 h3 h4 h5 h6 h7"
    )


@pytest.mark.parametrize("players", [2, 3, 4])
def test_layout(players: int) -> None:
    """WT-1 … WT-3: squares, home rows and line-ups."""
    position = start(players=players)
    layout = position.game.layout()
    assert {space["name"]: (space["x"] + 1, space["y"] + 1) for space in layout["spaces"]} == PLACES
    assert "".join(layout["forward"].values()) == SIDES[players]
    for seat, side in enumerate(SIDES[players]):
        row = HOME_ROWS[side]
        assert {space["name"] for space in layout["spaces"] if space["zone"] == seat} == {*row}
        assert [tokens(position)[square] for square in row] == [f"{seat}{size}" for size in "PDQQDP"]
