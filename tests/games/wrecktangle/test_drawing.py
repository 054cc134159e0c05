"""The drawing for terminals tells the whole position, and tells it without colours."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import icetable
from icetable import State
from icetable.workshop.editions.wrecktangle import HOME_ROWS, SIDES

from .material import set_ups
from .product import set_up

ARROWS = {"n": "up", "e": "right", "s": "down", "w": "left"}
SEAT = r"^([> ]) seat (\d)  home (\S+) (\w+) +lost (\d), (in|out)(?:  captured by (.*))?$"
TURN = re.compile(r"Seat (\d) has rolled (\S+), (owes|has made) its normal move and (may use|has used) the die\.")


def positions(players: int) -> list[State]:
    """The states of a random game, and the set-ups with a few acts after each."""
    rng = np.random.default_rng(players)
    game = icetable.load("wrecktangle", players=players, turn_limit=30)
    found = []
    for first in (game.start(), *(set_up(game, **position) for position in set_ups(game))):
        state = first
        while not state.is_terminal and len(list(state.history())) < 60:
            state = state.apply(state.game.random_act(state, rng))
        found += list(state.history())
    return found


def read(drawing: str) -> dict[str, Any]:
    """What a drawing tells, in the words of a view."""
    board, rest = drawing.split("\n\n")
    *ranks, files = board.splitlines()
    cells = {}
    for line in ranks:
        rank, row = line[0], line[3:].ljust(40)
        for index, file in enumerate("abcdefgh"):
            cells[f"{file}{rank}"] = row[5 * index : 5 * index + 5]
    assert files.split() == list("abcdefgh")
    assert [files.index(file) for file in "abcdefgh"] == [4 + 5 * index for index in range(8)]
    coin, sentence = re.match(r"Coin: (\w+)\. (.*)", rest).groups()  # type: ignore[union-attr]
    seats = re.findall(SEAT, rest, re.MULTILINE)
    turn = TURN.fullmatch(sentence)
    return {
        "pieces": {square: cell.strip(" []") for square, cell in cells.items() if cell.strip(" [].")},
        "touched": {square for square, cell in cells.items() if "[" in cell},
        "blank": {square for square, cell in cells.items() if not cell.strip()},
        "coin": coin,
        "roll": turn[2] if turn else None,
        "normal_owed": turn[3] == "owes" if turn else True,
        "die_unused": turn[4] == "may use" if turn else True,
        "turn_of": [int(seat) for mark, seat, *_ in seats if mark == ">"],
        "homes": [(home, arrow) for _, _, home, arrow, *_ in seats],
        "lost": [int(seat[4]) for seat in seats],
        "out": [int(seat[1]) for seat in seats if seat[5] == "out"],
        "last": [[corners.split() for corners in seat[6].split("; ")] if seat[6] else [] for seat in seats],
        "turns": re.findall(r"^Turns played: (.*)$", rest, re.MULTILINE),
    }


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_tells_the_whole_position(players: int) -> None:
    for state in positions(players):
        view = state.view()
        touched = {square for effect in state.effects for square in effect.spaces}
        told = read(state.game.draw(view, touched))
        for entry in ("pieces", "coin", "lost", "out", "last"):
            assert told[entry] == view[entry]
        if view["over"]:
            assert "The game is over." in state.game.draw(view)
            assert told["turn_of"] == []
        else:
            for entry in ("roll", "normal_owed", "die_unused"):
                assert told[entry] == view[entry]
            assert told["turn_of"] == [view["turn_of"]]
        assert told["touched"] == touched
        assert told["blank"] == {"a1", "a8", "h1", "h8"}
        assert told["homes"] == [
            (f"{HOME_ROWS[side][0]}-{HOME_ROWS[side][-1]}", ARROWS[side]) for side in SIDES[players]
        ]
        assert told["turns"] == [f"{view['turn']} of 30"]
