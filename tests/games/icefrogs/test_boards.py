"""The drawn boards and the oracle's own set-ups, played by the product."""

from __future__ import annotations

import pytest

from .oracle import SIZES, Board, Oracle, coordinates, read_boards
from .product import all_texts, game_of, key, patient, state_of

BOARDS = read_boards()
each_board = pytest.mark.parametrize(
    "board",
    [pytest.param(board, marks=pytest.mark.rule(board.rule), id=f"{board.rule} {board.title}") for board in BOARDS],
)


@each_board
def test_destinations(board: Board) -> None:
    state = state_of(board.position)
    spaces = [space["name"] for space in state.game.layout()["spaces"]]
    legal = state.legal_actions()
    assert {last for last in spaces if board.act(last) in legal} == board.destinations
    assert {last for last in spaces if state.fault(board.act(last)) is None} == board.destinations


@each_board
def test_every_text(board: Board) -> None:
    """Not only the pyramid that the board is about: all 1481 acts, the rule that each breaks, and where they lead."""
    position = patient(board.position)
    state = state_of(board.position)
    assert key(state) == board.position.key()
    assert {str(act) for act in state.legal_actions()} == position.legal()
    for text in all_texts(board.board):
        fault = state.fault(text)
        assert (fault.rule if fault else None) == position.fault(text), text
    for text in position.legal():
        assert key(state.apply(text)) == board.position.apply(text).key()


@pytest.mark.parametrize("board", ["star", "hexagon"])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_layout(board: str, players: int) -> None:
    """IF-1 … IF-4: names, places and starts."""
    position = Oracle(players, board)
    layout = game_of(position).layout()
    assert layout["board"] == board
    places = {space["name"]: (space["y"], space["x"]) for space in layout["spaces"]}
    assert places == coordinates(board)
    starts = {space["start"]: space["name"] for space in layout["spaces"] if space["start"] is not None}
    assert starts == dict(enumerate(position.starts))
    start = game_of(position).start()
    assert start.view()["supply"] == [dict.fromkeys(SIZES, 5)] * players
    assert start.view()["stacks"] == {}
    assert key(start) == position.key()
