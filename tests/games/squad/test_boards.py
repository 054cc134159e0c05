"""The oracle's drawn boards, played by the product."""

from __future__ import annotations

import pytest

import icetable

from .oracle import Board, Oracle, marked, read_boards, squares
from .product import all_texts, game_of, key, state_of

BOARDS = read_boards()
each_board = pytest.mark.parametrize(
    "board",
    [pytest.param(board, marks=pytest.mark.rule(board.rule), id=f"{board.rule} {board.title}") for board in BOARDS],
)


@each_board
def test_board(board: Board) -> None:
    """Where a piece may go, or what comes of an act."""
    state = state_of(board.position)
    if board.after:
        after = state.apply(board.act)
        assert key(after) == board.position.apply(board.act).key()
        return
    size = board.position.board
    expected = marked(board.drawing, size)
    assert {square for square in squares(size) if f"{board.act}@{square}" in state.legal_actions()} == expected
    assert {square for square in squares(size) if state.fault(f"{board.act}@{square}") is None} == expected


@each_board
def test_every_text(board: Board) -> None:
    """Not only the piece that the board is about: every act, the rule that it breaks, and where it leads."""
    position = board.position
    state = state_of(position)
    assert key(state) == position.key()
    assert {str(act) for act in state.legal_actions()} == position.legal()
    for text in all_texts(6):
        fault = state.fault(text)
        assert (fault.rule if fault else None) == position.fault(text), text
    for text in position.legal():
        assert key(state.apply(text)) == position.apply(text).key()


@pytest.mark.parametrize("board", [4, 6])
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_layout(board: int, players: int) -> None:
    """SQ-1, SQ-4: names, places, and where captains begin."""
    position = Oracle(players, board)
    layout = game_of(position).layout()
    assert layout["board"] == board
    assert [square["name"] for square in layout["squares"]] == list(squares(board))
    for square in layout["squares"]:
        assert square["name"] == f"{'abcdef'[square['x']]}{square['y'] + 1}"
    assert {square["name"] for square in layout["squares"] if square["captains"]} == position.captain_squares()


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
    assert len(other.layout()["squares"]) == (10 - board) ** 2
    assert other.start().view()["supply"] == [{"F": 5 - trios, "S": 5 - trios, "J": 5 - trios}] * players
