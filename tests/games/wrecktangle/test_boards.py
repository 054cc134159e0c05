"""The drawn boards and the oracle's own set-ups, played by the product."""

from __future__ import annotations

import pytest

from .material import well_formed
from .oracle import EDGES, HOME_ROW, PLACES, SEATS, Board, Oracle, marked, read_boards
from .product import effects, game_of, grown, key, patient, state_of

BOARDS = read_boards()
each_board = pytest.mark.parametrize(
    "board",
    [pytest.param(board, marks=pytest.mark.rule(board.rule), id=f"{board.rule} {board.title}") for board in BOARDS],
)


def ends(board: Board) -> bool:
    """Whether the board says what comes of an act; else it says where acts lead."""
    return board.after != ""


@each_board
def test_what_is_drawn(board: Board) -> None:
    state = state_of(grown(board.position))
    if ends(board):
        after = state.apply(board.act)
        drawn = {
            square: f"{seat}{size}"
            for square, (seat, size) in Oracle.drawn(board.after, **board.settings).standing.items()
        }
        assert after.view()["pieces"] == drawn
        assert after.view()["coin"] == board.coin.strip()
    else:
        destinations = marked(board.drawing)
        legal = {str(act) for act in state.legal_actions()}
        assert {square for square in PLACES if board.act_to(square) in legal} == destinations


@each_board
def test_every_text(board: Board) -> None:
    """Not only the act that the board is about: every roll, move and swap, which rule each breaks, and all effects."""
    position = grown(board.position)
    twin, state = patient(position), state_of(position)
    assert key(state) == position.key()
    assert {str(act) for act in state.legal_actions()} == twin.legal()
    for text in well_formed(state.game):
        fault = state.fault(text)
        assert (fault.rule if fault else None) == twin.fault(text), text
    for text in sorted(twin.legal()):
        after, twin_after = state.apply(text), position.apply(text)
        assert key(after) == twin_after.key()
        assert after.effects == effects(position, text, twin_after)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_layout(players: int) -> None:
    """WT-1 … WT-4: squares, home rows, line-ups, the coin, and who begins."""
    position = Oracle(players)
    state = game_of(position).start()
    layout = state.game.layout()
    assert {square["name"]: (square["x"] + 1, square["y"] + 1) for square in layout["squares"]} == PLACES
    for seat, edge in enumerate(SEATS[players]):
        row, away = EDGES[edge]
        assert layout["seats"][seat] == {"home": list(row), "away": away}
        assert [square["name"] for square in layout["squares"] if square["home"] == seat] == sorted(row)
        assert [state.view()["pieces"][square] for square in row] == [f"{seat}{size}" for size in HOME_ROW]
    assert len(layout["squares"]) == 60
    assert state.view()["coin"] == "heads"
    assert state.view()["turn_of"] == 0
    assert key(state) == position.key()
