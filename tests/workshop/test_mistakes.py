"""Mistakes that everybody makes are found, in a sentence with file, line and mend: by loading, playing and `check`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from icetable import GameError, games
from icetable.core.turns import TurnState
from icetable.workshop import files
from icetable.workshop.checking import check
from icetable.workshop.files import WorkshopInfo
from tests.workshop.mistakes import CHECKED, HERE, PLAYED, REFUSED, SOUND, Slip


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No game is registered for other tests."""
    monkeypatch.setattr(files, "REGISTERED", {})
    monkeypatch.chdir(tmp_path)


def written(slip: Slip) -> str:
    """Write the file with a slip. Returns what is said of it."""
    text = SOUND.replace(slip.old, slip.new, 1)
    assert text != SOUND
    Path("fill.py").write_text(text, encoding="utf-8")
    lines = [number for number, line in enumerate(text.splitlines(), 1) if line.endswith(HERE)]
    return f"fill.py:{lines[0]}" if lines else "fill.py" if "fill.py" in slip.said else ""


def loaded() -> WorkshopInfo:
    info = games.register("fill.py")
    assert isinstance(info, WorkshopInfo)
    return info


def played() -> str:
    """The error while a game is played and looked at; empty if there is none."""
    try:
        state = loaded().load().start()
        assert isinstance(state, TurnState)
        rng = np.random.default_rng(0)
        for _ in range(100):
            state.view(0)
            if state.is_terminal:
                break
            state.fault("S@z9")
            state = state.apply(state.game.random_act(state, rng))
        state.record()
    except GameError as error:
        return str(error)
    return ""


def found() -> str:
    return "\n".join(map(str, check(loaded()).findings))


def ids(slips: list[Slip]) -> list[str]:
    return [f"{number} {slip.said[:40]}" for number, slip in enumerate(slips)]


@pytest.mark.usefixtures("few_games")
def test_the_game_is_sound_without_them() -> None:
    Path("fill.py").write_text(SOUND, encoding="utf-8")
    assert found() == ""
    assert played() == ""


@pytest.mark.parametrize("slip", REFUSED, ids=ids(REFUSED))
def test_loading_says(slip: Slip) -> None:
    place = written(slip)
    with pytest.raises(GameError) as refused:
        loaded()
    assert slip.said in str(refused.value)
    assert place in str(refused.value)


@pytest.mark.usefixtures("few_games")
@pytest.mark.parametrize("slip", PLAYED, ids=ids(PLAYED))
def test_playing_says(slip: Slip) -> None:
    place = written(slip)
    said = slip.said.replace("{line}", place.rpartition(":")[2])
    for told in (played(), found()):
        assert said in told
        assert place in told


@pytest.mark.usefixtures("few_games")
@pytest.mark.parametrize("slip", CHECKED, ids=ids(CHECKED))
def test_the_check_says(slip: Slip) -> None:
    place = written(slip)
    told = found()
    assert slip.said in told
    assert place in told
