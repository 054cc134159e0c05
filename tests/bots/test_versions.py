"""Levels by their versions: the table tells what plays now, and a level that plays otherwise is a new version."""

from __future__ import annotations

import dataclasses

import pytest
from levels import PAGE, merge, page, rows, stored

import icetable
from icetable import GameError
from icetable.bots.levels import timeless_levels
from icetable.lab.players import player


def test_the_table_and_its_page_tell_what_levels_are() -> None:
    table = stored()
    assert merge(table, rows()) == table
    assert PAGE.read_text(encoding="utf-8") == page(table)


def test_a_level_that_plays_otherwise_is_a_new_version() -> None:
    (row, *_), table = rows(), stored()
    with pytest.raises(ValueError, match=f"{row['level']} of {row['game']} .* make it a new version"):
        merge(table, [row | {"notices": 0.123}])
    new = row | {"notices": 0.123, "level": f"{row['level']}9"}
    assert merge(table, [new]) == [*table, new]


def test_a_level_goes_by_its_version_too_and_by_no_other() -> None:
    game = icetable.load("icefrogs")
    for level in timeless_levels(game):
        assert level.fixed_name == f"{level.name}@{level.effort.version}"
        assert vars(player(game, level.fixed_name)) == vars(player(game, level.name))
        newer = dataclasses.replace(level, effort=dataclasses.replace(level.effort, version=7))
        with pytest.raises(GameError, match="no longer of version V"):
            player(game, newer.fixed_name)
    with pytest.raises(GameError, match="there is no player 'greedy@1'"):
        player(game, "greedy@1")
