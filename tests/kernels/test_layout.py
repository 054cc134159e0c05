"""The words of a position: each has its place, and a name by which people read it."""

from __future__ import annotations

import pytest

from icetable import GameInfo, list_games
from icetable.core.turns import TurnGame
from icetable.kernels.layout import COMMON, ENDED_BY, Words

OF_TURNS = [info for info in list_games() if info.turns]


def test_words_follow_each_other() -> None:
    words = Words(COMMON)
    assert words.add("heap", "The beans.") == COMMON.length == ENDED_BY + 1
    assert words.add("pips", "By seat: its pips.", 2) == COMMON.length + 1
    assert words.add("last", "The last act.") == words.length - 1
    assert [word.name for word in COMMON.declared] == [word.name for word in words.declared][: len(COMMON.declared)]


def test_an_array_is_read_by_name() -> None:
    words = Words(first=1)
    words.add("heap", "The beans.")
    words.add("pips", "By seat: its pips.", 2)
    words.add("log", "The acts, one after another.", 9)
    assert words.read([7, 1, 2, 3]) == {"heap": 1, "pips": [2, 3]}
    assert words.read([7, 1, 2, 3, 4]) == {"heap": 1, "pips": [2, 3], "log": [4]}
    assert words.differences([7, 1, 2, 3], [8, 1, 2, 4, 5]) == {"pips": ([2, 3], [2, 4])}


@pytest.mark.parametrize("info", OF_TURNS, ids=lambda info: info.name)
def test_every_word_of_a_position_is_declared_once(info: GameInfo) -> None:
    for players in range(max(info.players[0], 2), info.players[1] + 1):
        game = info.load(players=players)
        assert isinstance(game, TurnGame)
        words, position = game.rules.WORDS, game.first_position()
        names = [word.name for word in words.declared]
        assert len(names) == len(set(names))
        assert names[: len(COMMON.declared)] == [word.name for word in COMMON.declared]
        assert sum(word.length for word in words.declared) == words.length >= len(position)
        assert all(word.first < len(position) and word.meaning.endswith(".") for word in words.declared)
        assert words.read(position)["seats"] == players
