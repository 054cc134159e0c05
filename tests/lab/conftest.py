"""Fixtures of the tests of runs."""

from __future__ import annotations

import pytest

from icetable import GameInfo, games
from icetable.kernels import jit
from icetable.lab import intervals, matches, studies
from tests.lab.toys import TOYS


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """The toys stand in the registry, and kernels run in plain mode, as theirs have to."""
    by_name, registered = {toy.name: toy for toy in TOYS}, games.info

    def info(name: str, source: object = None) -> GameInfo:
        return by_name[name] if name in by_name else registered(name, source)

    monkeypatch.setattr(games, "info", info)
    monkeypatch.setattr(jit, "ALWAYS_PLAIN", True)


@pytest.fixture
def few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bootstraps that are quick and coarse."""
    for module in (intervals, matches):
        monkeypatch.setattr(module, "RESAMPLES", 200)


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A page for reports, as the front end would build it."""
    built = tmp_path_factory.mktemp("page") / "report.html"
    built.write_text(f"<body>{studies.DATA_START}{studies.DATA_END}</body>", encoding="utf-8")
    monkeypatch.setattr(studies, "PAGE", built)
