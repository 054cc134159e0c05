"""The golden playthroughs go as they always went."""

from __future__ import annotations

from pathlib import Path

import pytest

import icetable
from tests.conformance import plays
from tests.conformance.cases import INFOS, Case, each_case
from tests.conformance.material import GAMES_FOLDER

FILES = [path for info in INFOS for path in sorted((GAMES_FOLDER / info.name).glob("*.play"))]


@each_case
def test_every_case_has_a_play(case: Case) -> None:
    path = plays.path(case)
    assert path.exists(), "make it with: python -m tests.conformance.plays"
    assert case.game.replay(plays.record_of(path.read_text(encoding="utf-8"))).game == case.game


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_play(path: Path) -> None:
    play = path.read_text(encoding="utf-8")
    assert plays.write(icetable.replay(plays.record_of(play))) == play
