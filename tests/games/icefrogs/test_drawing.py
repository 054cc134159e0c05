"""The drawing for terminals tells the whole position, and tells it without colours."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import icetable
from icetable import State
from icetable.games.icefrogs.rules import BOARDS

STARTS = {
    (2, "star"): ("a1", "i1"),
    (3, "star"): ("a1", "g7", "g1"),
    (6, "star"): ("a1", "c7", "g7", "i1", "g1", "c1"),
    (2, "hexagon"): ("a1", "g4"),
    (3, "hexagon"): ("a1", "d7", "g1"),
    (6, "hexagon"): ("a1", "a4", "d7", "g4", "g1", "d1"),
}
CELL = re.compile(r"(\[)?([a-i]\d)(?::(\d[SML])(?:\+(\d+))?)?\]?")


def positions(players: int, board: str) -> list[State]:
    """The states of a random game."""
    rng = np.random.default_rng([players, len(board)])
    state = icetable.load("icefrogs", players=players, board=board).start()
    while not state.is_terminal:
        state = state.apply(state.game.random_act(state, rng))
    return list(state.history())


def read(drawing: str) -> dict[str, Any]:
    """What a drawing tells, in the words of a view."""
    board, rest = drawing.split("\n\n")
    cells = [CELL.fullmatch(word) for line in board.splitlines() for word in line.split()]
    tops = {cell[2]: (cell[3], int(cell[4] or 0) + 1) for cell in cells if cell and cell[3]}
    listed = re.search(r"Stacks, bottom first: ((?:.|\n  )*)", rest)
    words = re.findall(r"(\w\d) ((?:\d[SML])+)", " ".join(listed[1].split())) if listed else []
    stacks = {space: re.findall("..", pyramids) for space, pyramids in words}
    for space, (top, height) in tops.items():
        assert height == len(stacks.setdefault(space, [top]))
        assert stacks[space][-1] == top
    seats = re.findall(r"^([> ]) seat (\d)  start (\w\d)  supply (\d) S  (\d) M  (\d) L$", rest, re.MULTILINE)
    return {
        "stacks": stacks,
        "supply": [dict(zip("SML", map(int, seat[3:]), strict=True)) for seat in seats],
        "to_act": [int(seat) for mark, seat, *_ in seats if mark == ">"],
        "starts": tuple(start for _, _, start, *_ in seats),
        "touched": {cell[2] for cell in cells if cell and cell[1]},
        "turns": re.findall(r"^Turns played: (.*)$", rest, re.MULTILINE),
    }


@pytest.mark.parametrize("board", ["star", "hexagon"])
@pytest.mark.parametrize("players", [2, 3, 6])
def test_it_tells_the_whole_position(players: int, board: str) -> None:
    for state in positions(players, board):
        view = state.view()
        touched = {space for effect in state.effects for space in effect.spaces}
        told = read(state.game.draw(view, touched))
        assert told["stacks"] == view["stacks"]
        assert told["supply"] == view["supply"]
        assert told["to_act"] == view["to_act"]
        assert told["starts"] == STARTS[players, board]
        assert told["touched"] == touched
        assert told["turns"] == [f"{view['turn']} of 400"]


def test_without_a_limit_none_is_named() -> None:
    start = icetable.load("icefrogs", turn_limit=0).start()
    assert start.game.draw(start.view()).endswith("Turns played: 0")


@pytest.mark.parametrize("name", BOARDS)
def test_spaces_stand_where_they_lie(name: str) -> None:
    board = BOARDS[name]
    for state in positions(6, name)[::10]:
        rows = state.game.draw(state.view()).splitlines()[: len(board.row_lengths)]
        for row, y in zip(rows, reversed(range(len(rows))), strict=True):
            here = [space for space in board.spaces if space.y == y]
            found = list(CELL.finditer(row))
            assert [cell[2] for cell in found] == [space.name for space in here]
            leftmost = 1 - max(board.row_lengths)
            for cell, space in zip(found, here, strict=True):
                assert abs((cell.start() + cell.end()) / 2 - 5 * (space.x - leftmost + 1)) <= 1, row
        assert max(map(len, rows)) < 80
