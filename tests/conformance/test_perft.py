"""The number of sequences of acts, against each game's table."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

import icetable
from icetable import Game, GameInfo, State
from icetable.core.turns import TurnGame
from tests.conformance.cases import INFOS
from tests.conformance.material import GAMES_FOLDER
from tests.games.pairs import class_alone

MAX_FOR_THE_KERNEL = 20_000_000
MAX_FOR_THE_ADAPTER = 4000
MAX_FOR_THE_CLASS = 400


def tables() -> list[tuple[Game, list[int]]]:
    """The games of the tables, each with its counts at depth 1, 2, …"""
    return [(icetable.load(info.name, **entry["options"]), entry["depths"]) for info in INFOS for entry in table(info)]


def table(info: GameInfo) -> list[dict[str, Any]]:
    """The table of a game, empty where it has none."""
    path = GAMES_FOLDER / info.name / "perft.json"
    entries: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    return entries


each_game_of_turns = pytest.mark.parametrize(
    "info", [info for info in INFOS if isinstance(info.load(), TurnGame)], ids=lambda info: info.name
)
each_table = pytest.mark.parametrize(("game", "depths"), tables(), ids=str)


@each_game_of_turns
def test_every_number_of_players_has_a_table(info: GameInfo) -> None:
    least, most = info.players
    assert {entry["options"].get("players", info.default_players) for entry in table(info)} == set(
        range(least, most + 1)
    )


@each_table
def test_perft(game: Game, depths: list[int]) -> None:
    start = game.start()
    assert icetable.perft(start, 0) == 1
    counted = first_of(depths, MAX_FOR_THE_KERNEL)
    assert [icetable.perft(start, depth) for depth in range(1, len(counted) + 1)] == counted


@each_table
def test_perft_by_playing(game: Game, depths: list[int]) -> None:
    counted = first_of(depths, MAX_FOR_THE_ADAPTER)
    assert counted
    assert [count_by_playing(game.start(), depth) for depth in range(1, len(counted) + 1)] == counted


@each_table
def test_perft_of_the_class(game: Game, depths: list[int]) -> None:
    counted = first_of(depths, MAX_FOR_THE_CLASS)
    assert counted
    start = class_alone(game).start()
    assert [count_by_playing(start, depth) for depth in range(1, len(counted) + 1)] == counted


def first_of(depths: list[int], most: int) -> list[int]:
    """The counts up to the first that is above `most`; deeper ones may be smaller again."""
    return list(itertools.takewhile(lambda count: count <= most, depths))


def count_by_playing(state: State, depth: int) -> int:
    """Perft in the plainest way."""
    if depth == 0:
        return 1
    return sum(
        count_by_playing(state.apply(act, seat), depth - 1)
        for seat in state.to_act
        for act in state.legal_actions(seat)
    )
