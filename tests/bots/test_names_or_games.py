"""What takes a game takes its name as well."""

from __future__ import annotations

from itertools import islice

import pytest

import icetable
from icetable import UnknownGame, analysis, bots, games, lab

SQUAD = icetable.load("squad")


def test_levels() -> None:
    for info in icetable.list_games():
        for players in range(info.players[0], info.players[1] + 1):
            assert bots.levels(info.load(players=players)) == bots.levels(info.name, players)
        assert bots.levels(info.name) == bots.levels(info.load())
    assert bots.levels(SQUAD, 3) == bots.levels("squad", 3)


def test_bots() -> None:
    assert bots.Bot("squad", "casual").game == SQUAD
    start = SQUAD.start()
    assert bots.Bot("squad", "casual", 1).choose(start, 0) == bots.Bot(SQUAD, "casual", 1).choose(start, 0)


def test_bots_without_turns() -> None:
    assert bots.RealTimeBot("icehouse", "casual", 1).game == icetable.load("icehouse")


def test_plans() -> None:
    assert lab.Plan(SQUAD) == lab.Plan("squad")
    small = icetable.load("icefrogs", board="hexagon", players=3)
    assert lab.Plan(small) == lab.Plan("icefrogs", 3, {"board": "hexagon"})
    assert lab.Plan(small, 2, {"turn_limit": 40}).game == icetable.load("icefrogs", board="hexagon", turn_limit=40)


def test_puzzles() -> None:
    assert list(islice(analysis.puzzles("squad", 1), 1)) == list(islice(analysis.puzzles(SQUAD, 1), 1))


@pytest.mark.parametrize("ask", [bots.levels, lab.Plan, lambda name: bots.Bot(name, "casual"), games.info_of])
def test_no_game(ask: object) -> None:
    assert callable(ask)
    for name in ("go", None, 5):
        with pytest.raises(UnknownGame):
            ask(name)
