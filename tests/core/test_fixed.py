"""Options and presets are read, never changed."""

from __future__ import annotations

import copy
import json
import operator
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from icetable import Game
from icetable.core.fixed import Fixed
from tests.core import toy

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
