"""The drawn boards, a file for each rule, and the layout: kernel and class say what is drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from icetable.workshop.boards import ROW_HEIGHT
from tests.games.boards import Board, each_board, read_boards

from .drawings import SIZES, all_texts, drawn, sheet, spaces, start

ROWS = {"star": (1, 2, 7, 6, 5, 6, 7, 2, 1), "hexagon": (4, 5, 6, 7, 6, 5, 4)}
BOARDS = read_boards(Path(__file__).parent / "boards")


def test_every_rule_of_movement_has_a_board() -> None:
    assert {board.rule for board in BOARDS} == {
        f"IF-{n}" for n in (1, 2, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17)
    }


@each_board(BOARDS)
def test_board(board: Board) -> None:
    """The board as drawn, where every legal act leads and by which way, and which rule some others break."""
    pair = drawn(board.drawing, **board.settings)
    between = "@" if board.act in SIZES else "-"
    legal = pair.legal()
    ends = {last for last in pair.table.spaces if f"{board.act}{between}{last}" in legal}
    assert ends == sheet(pair.options["board"]).marked(board.drawing)
    pair.assert_agreed(board.some(all_texts(pair.options["board"])))


@pytest.mark.rule("IF-1")
def test_if_1_star() -> None:
    assert " ".join(spaces("star")) == (
        "a1 b1 b2 c1 c2 c3 c4 c5 c6 c7 d1 d2 d3 d4 d5 d6 e1 e2 e3 e4 e5 f1 f2 f3 f4 f5 f6 g1 g2 g3 g4 g5 g6 g7 h1 h2 i1"
    )


@pytest.mark.rule("IF-1")
def test_if_1_hexagon() -> None:
    assert " ".join(spaces("hexagon")) == (
        "a1 a2 a3 a4 b1 b2 b3 b4 b5 c1 c2 c3 c4 c5 c6 d1 d2 d3 d4 d5 d6 d7 e1 e2 e3 e4 e5 e6 f1 f2 f3 f4 f5 g1 g2 g3 g4"
    )


@pytest.mark.parametrize(("board", "pairs"), [("star", 84), ("hexagon", 90)])
@pytest.mark.rule("IF-2")
def test_if_2_neighbours_are_mutual(board: str, pairs: int) -> None:
    """Star: 28 pairs within the rows, 28 + 28 between them; hexagon: 30, 30 + 30."""
    neighbours = start(board=board).table.board.neighbours
    near = {(space, other) for space, others in neighbours.items() for other in others}
    assert near == {(other, space) for space, other in near}
    assert len(near) == 2 * pairs


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
    assert tuple(start(players=players, board=board).design.homes) == starts


@pytest.mark.parametrize("board", ["star", "hexagon"])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_layout(board: str, players: int) -> None:
    """IF-1 … IF-4: names, places and starts."""
    position = start(players=players, board=board)
    layout = position.game.layout()
    places = {space["name"]: (round(space["y"] / ROW_HEIGHT), space["x"]) for space in layout["spaces"]}
    assert places == {
        f"{'abcdefghi'[row]}{number}": (row, number - 1 - (length - 1) / 2)
        for row, length in enumerate(ROWS[board])
        for number in range(1, length + 1)
    }
    starts = {space["zone"]: space["name"] for space in layout["spaces"] if space["zone"] is not None}
    assert starts == dict(enumerate(position.design.homes))
    assert position.entry("supply") == [dict.fromkeys(SIZES, 5)] * players
    assert position.entry("stacks") == {}
