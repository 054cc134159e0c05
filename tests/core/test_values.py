"""What all games and states promise, and what else they have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import icetable
from icetable import Game, State
from icetable.core.values import GAME_NAMES, STATE_NAMES

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
