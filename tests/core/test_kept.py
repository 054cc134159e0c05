"""Records from before a game had an option: they are played as they were then, and their text stays the same."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from icetable import BadRecord, Option
from icetable.core.options import completed
from tests.core import toy

INFO = dataclasses.replace(
    toy.INFO,
    options=(
        *toy.INFO.options,
        Option("hands", "choice", "two", "How many hands take", "TO-5", ("one", "two"), before="one"),
    ),
)
OLD_OPTIONS = toy.INFO.load("few", depth=1).options
OLD, NEW = INFO.load("few", hands="one", depth=1), INFO.load("few", depth=1)


@pytest.fixture(autouse=True)
def plain(plain_mode: None) -> None:
    """The toy has no compiled rules."""


def old_position() -> dict[str, Any]:
    return {"icetable": 1, "game": "toy", "options": OLD_OPTIONS, "position": {"heap": 2, "seat": 1, "turn": 1}}


def old_record() -> str:
    state = toy.INFO.load("few", depth=1).start()
    for act in ("die:4", "take:1", "die:2", "take:2"):
        state = state.apply(act)
    return state.record()


def test_completed() -> None:
    assert completed(INFO.options, OLD_OPTIONS) == {**OLD_OPTIONS, "hands": "one"}
    assert completed(INFO.options, NEW.options) == NEW.options
    assert NEW.options["hands"] == "two"
    assert INFO.load_stored(OLD_OPTIONS) == OLD
    assert INFO.load_stored(NEW.options) == NEW


@pytest.mark.parametrize("game", [OLD, NEW], ids=["old reading", "new reading"])
def test_old_texts_have_the_old_reading(game: Any) -> None:
    """Also where they are read by the game with its default: nothing in the text contradicts it."""
    for state in (game.replay(old_record()), game.from_saved(old_position())):
        assert state.game == OLD
    assert game.replay(old_record()).scores == (0, 1)


def test_an_old_position_in_a_record() -> None:
    setup = toy.INFO.load("few", depth=1).from_saved(old_position()).to_json()
    head = old_record().split("\n\n")[0]
    state = NEW.replay(f"{head}\nsetup {setup}\n\n* die:5\n1 take:2 # leaves heap 0\nend TO-6 winners 1 scores 0 1\n")
    assert state.game == OLD
    assert state.winners == {1}


def test_new_texts_say_what_they_are() -> None:
    for game, other in ((OLD, NEW), (NEW, OLD)):
        state = game.start().apply("die:4")
        assert game.replay(state.record()) == game.from_json(state.to_json()) == state
        for read, text in ((other.replay, state.record()), (other.from_json, state.to_json())):
            with pytest.raises(BadRecord, match="of a game with other options"):
                read(text)


def test_an_option_that_always_was_has_to_be_there() -> None:
    with pytest.raises(BadRecord, match="of a game with other options"):
        NEW.replay(old_record().replace("option beans 3\n", ""))
