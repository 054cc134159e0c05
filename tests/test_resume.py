"""Stored games of experiments are found by the sources that played them, and a changed source is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from icetable import games

ROOT = Path(__file__).parent.parent


def test_an_experiment_begins_anew_when_its_own_game_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools")
    import resume

    squad = games.info("squad")
    sources = {"icetable.games.squad.rules": "1", "icetable.bots.search": "1"}
    monkeypatch.setattr(resume, "game_sources", lambda _info, *_: dict(sources))
    first = resume.folder_of(tmp_path / "squad-2", squad)
    assert resume.folder_of(tmp_path / "squad-2", squad) == first
    assert capsys.readouterr().out == ""
    sources["icetable.games.squad.rules"] = "2"
    assert resume.folder_of(tmp_path / "squad-2", squad) != first
    assert capsys.readouterr().out == "squad-2 starts again, with a changed icetable.games.squad.rules\n"
    sources["icetable.games.squad.rules"] = "1"
    assert resume.folder_of(tmp_path / "squad-2", squad) == first
