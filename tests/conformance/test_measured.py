"""Measured figures in the games' folders: complete, of this game, and measured by the command."""

from __future__ import annotations

import shlex

import pytest

from icetable import GameInfo, games
from icetable.cli.options import game_of
from icetable.cli.parser import build

MEASURED = [info for info in games.list_games() if info.measured()]
each_measured = pytest.mark.parametrize("info", MEASURED, ids=lambda info: info.name)
ALWAYS = ("Players", "Playing time", "Setup time", "Complexity", "Mechanics")


@each_measured
def test_numbers_of_players(info: GameInfo) -> None:
    least, most = info.players
    assert info.default_players in info.measured()
    assert all(least <= players <= most for players in info.measured())
    assert list(info.measured()) == sorted(info.measured())


@each_measured
def test_the_box_is_full(info: GameInfo) -> None:
    for players, found in info.measured().items():
        cells = {cell.name: cell for cell in found.cells}
        assert len(cells) == len(found.cells)
        assert cells.keys() >= {*ALWAYS, *(["Seats", "Strategy depth"] if players > 1 else [])}
        assert cells.keys() >= ({"Length"} if info.turns else set())
        assert cells["Mechanics"].text == ", ".join(info.mechanics)
        assert all(cell.text and not {"nan", "inf"} & set(cell.text.split()) for cell in found.cells)
        assert found.said.endswith(".")


@each_measured
def test_the_command_measures_what_pages_suggest(info: GameInfo) -> None:
    suggested = {option.name: option.recommended for option in info.options if option.recommended is not None}
    for players, found in info.measured().items():
        program, *words = shlex.split(found.command)
        assert program == "icetable"
        game = game_of(build().parse_args(words))
        assert game == games.load(info.name, players=players, **suggested)
