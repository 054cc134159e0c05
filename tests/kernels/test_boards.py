"""Boards: a shift of their bits leads to the neighbour in that direction, or to no space at all."""

from __future__ import annotations

from itertools import pairwise

import pytest

from icetable.kernels.boards import ROW_STRIDE, HexBoard, SquareBoard

BOARDS = {
    "star": HexBoard((1, 2, 7, 6, 5, 6, 7, 2, 1)),
    "hexagon": HexBoard((4, 5, 6, 7, 6, 5, 4)),
    "one row": HexBoard((7,)),
    "triangle": HexBoard((1, 2, 3, 4)),
    "hourglass": HexBoard((3, 2, 1, 2, 3)),
}
EVERY_BOARD = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)

SHIFTS = {
    1: (2, 0),
    -1: (-2, 0),
    ROW_STRIDE: (1, 1),
    -ROW_STRIDE: (-1, -1),
    ROW_STRIDE - 1: (-1, 1),
    1 - ROW_STRIDE: (1, -1),
}
"""By how much a shift goes on in x and y."""


@EVERY_BOARD
def test_places(board: HexBoard) -> None:
    spaces = iter(board.spaces)
    for y, length in enumerate(board.row_lengths):
        row = [next(spaces) for _ in range(length)]
        assert [space.name for space in row] == [f"{'abcdefghi'[y]}{number}" for number in range(1, length + 1)]
        assert {space.y for space in row} == {y}
        assert all(right.x - left.x == 2 for left, right in pairwise(row))
        assert row[0].x == -row[-1].x
    assert next(spaces, None) is None


@EVERY_BOARD
def test_every_space_has_a_bit_of_its_own(board: HexBoard) -> None:
    squares = [space.square for space in board.spaces]
    assert len(set(squares)) == len(squares)
    assert min(squares) >= 0
    assert max(squares) < 63
    assert f"{board.mask:b}".count("1") == len(squares)
    assert all(board.mask >> square & 1 for square in squares)
    assert board.names == {space.square: space.name for space in board.spaces}
    assert board.by_name == {space.name: space for space in board.spaces}


@EVERY_BOARD
def test_shifts_lead_to_neighbours_or_nowhere(board: HexBoard) -> None:
    places = {(space.x, space.y): space.square for space in board.spaces}
    squares = set(places.values())
    for space in board.spaces:
        for shift, (x, y) in SHIFTS.items():
            neighbour = places.get((space.x + x, space.y + y))
            shifted = space.square + shift
            assert (shifted if shifted in squares else None) == neighbour, (space.name, shift)


@pytest.mark.parametrize("board", [SquareBoard(4, 4), SquareBoard(6, 6), SquareBoard(3, 5), SquareBoard(7, 8)], ids=str)
def test_squares(board: SquareBoard) -> None:
    """Names from the bottom left, a bit for each, and shifts that lead to the square beside or off the board."""
    places = {(space.x, space.y): space for space in board.spaces}
    assert list(places) == [(x, y) for y in range(board.rows) for x in range(board.columns)]
    assert board.spaces[0].name == "a1"
    assert board.spaces[-1].name == f"{'abcdefgh'[board.columns - 1]}{board.rows}"
    assert {board.by_name[name].square: name for name in board.by_name} == board.names
    assert f"{board.mask:b}".count("1") == board.columns * board.rows
    for (x, y), space in places.items():
        assert space.name == f"{'abcdefgh'[x]}{y + 1}"
        for shift, step in ((1, (1, 0)), (-1, (-1, 0)), (ROW_STRIDE, (0, 1)), (-ROW_STRIDE, (0, -1))):
            beside = places.get((x + step[0], y + step[1]))
            assert board.names.get(space.square + shift) == (beside.name if beside else None)
