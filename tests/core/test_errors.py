"""Errors: one family, each with a sentence; a refused act carries its fault."""

from __future__ import annotations

import pickle

import pytest

import icetable
from icetable import BadNotation, BadOption, BadRecord, Fault, Game, GameError, IllegalAction, UnknownGame


def test_family() -> None:
    for error in (UnknownGame, BadOption, BadNotation, IllegalAction, BadRecord):
        assert issubclass(error, GameError)
        assert error.__bases__ == (GameError,)
    assert not issubclass(GameError, ValueError | KeyError | TypeError)


def test_illegal_action_carries_its_fault(game: Game) -> None:
    state = game.start()
    with pytest.raises(IllegalAction) as refused:
        state.apply("take:1")
    fault = Fault("wrong-time", "That is not the order of things.", "TO-4")
    assert refused.value.fault == fault == state.fault("take:1")
    assert str(refused.value) == fault.message


def test_illegal_action_travels() -> None:
    error = IllegalAction(Fault("far", "Too far.", "TO-9", ("a1", "b2")))
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is IllegalAction
    assert again.fault == error.fault
    assert str(again) == "Too far."


def test_public_names() -> None:
    assert all(getattr(icetable, name) is not None for name in icetable.__all__)
    assert icetable.CHANCE == -1
