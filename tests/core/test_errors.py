"""Errors: one family, each with a sentence; a refused act carries its fault."""

from __future__ import annotations

import pickle
import subprocess
import sys

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


@pytest.mark.parametrize("error", [GameError, UnknownGame, BadOption, BadNotation, IllegalAction, BadRecord])
def test_errors_name_the_package(error: type[Exception]) -> None:
    """So do tracebacks and pickles; those of earlier versions name the module, and are read still."""
    assert f"{error.__module__}.{error.__qualname__}" == f"icetable.{error.__name__}"
    assert getattr(icetable, error.__name__) is error
    assert pickle.loads(f"cicetable.core.errors\n{error.__name__}\n.".encode()) is error
    assert b"core" not in pickle.dumps(error)


def test_public_names() -> None:
    assert all(getattr(icetable, name) is not None for name in icetable.__all__)
    assert icetable.CHANCE == -1
    assert {*icetable.__all__, "analysis", "games", "lab", "__version__"} <= {*dir(icetable)}


def test_parts_and_the_version_are_there_without_an_import_of_their_own() -> None:
    program = "import icetable as it\nprint(it.games.info.__name__, it.lab.Plan.__name__, it.__version__)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == f"info Plan {icetable.__version__}\n"
    with pytest.raises(AttributeError, match="no attribute 'lob'"):
        _ = icetable.lob  # type: ignore[attr-defined]
