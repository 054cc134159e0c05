"""Promises of all games and states, and their other parts."""

from __future__ import annotations

import copy
import json
import operator
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import icetable
from icetable import Game, State
from icetable.core.game import GAME_NAMES, STATE_NAMES, Fixed
from tests.core import toy

REFERENCE = Path(__file__).parents[2] / "docs" / "library.md"


@pytest.mark.parametrize("name", [info.name for info in icetable.list_games()])
def test_completion_shows_what_is_promised(name: str) -> None:
    game = icetable.load(name)
    for value, promised in ((game, GAME_NAMES), (game.start(), STATE_NAMES)):
        assert [shown for shown in dir(value) if not shown.startswith("_")] == sorted(promised)
        assert all(hasattr(value, shown) for shown in dir(value))


@pytest.mark.parametrize(("kind", "promised"), [(Game, GAME_NAMES), (State, STATE_NAMES)])
def test_the_reference_shows_what_is_promised(kind: type, promised: tuple[str, ...]) -> None:
    """`info`, `options` and `players` are told of where a game is made."""
    listed = re.search(
        rf"::: icetable\.{kind.__name__}\n    options:\n      members: \[([^]]+)\]", REFERENCE.read_text()
    )
    assert listed is not None
    assert set(re.split(r",\s+", listed[1])) == set(promised) - {"info", "options", "players"}


CHANGES: dict[str, Callable[[Any], object]] = {
    "set": lambda mapping: operator.setitem(mapping, "players", 3),
    "delete": lambda mapping: operator.delitem(mapping, "players"),
    "add": lambda mapping: mapping.__ior__({"players": 3}),
    "update": lambda mapping: mapping.update(players=3),
    "setdefault": lambda mapping: mapping.setdefault("mine", 3),
    "pop": lambda mapping: mapping.pop("players"),
    "popitem": lambda mapping: mapping.popitem(),
    "clear": lambda mapping: mapping.clear(),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_nobody_changes_options_and_presets(game: Game, change: Callable[[Any], object]) -> None:
    for mapping in (game.options, toy.INFO.presets, toy.INFO.presets["few"]):
        before = dict(mapping)
        with pytest.raises(TypeError, match="this can't be changed"):
            change(mapping)
        assert mapping == before


def test_for_readers_it_is_a_dictionary(game: Game) -> None:
    options = game.options
    assert options == dict(options)
    assert json.loads(json.dumps(options)) == json.loads(json.dumps(dict(options)))
    assert repr(options) == repr(dict(options))
    for again in (copy.copy(options), copy.deepcopy(options), pickle.loads(pickle.dumps(options))):
        assert (type(again), again) == (Fixed, options)
    assert type({**options}) is dict
    assert type(options | {"players": 3}) is dict  # type: ignore[operator]
    assert pickle.loads(pickle.dumps(game)) == game
