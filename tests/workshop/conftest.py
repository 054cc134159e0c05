"""What the tests of checks share."""

from __future__ import annotations

import pytest


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check plays few games, looks closely at how they begin, and calls none slow."""
    for constant, value in {"SLOW": 0, "TIMED": 0.01, "USUAL_GAMES": 4, "GAMES": 1, "LOOKED_AT": 15}.items():
        monkeypatch.setattr(f"icetable.workshop.checking.{constant}", value)
