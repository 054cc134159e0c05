"""Fixtures of the tests of checks."""

from __future__ import annotations

import pytest


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check plays few games, looks closely at how they begin, and calls none slow."""
    for constant, value in {
        "MIN_ACTS_PER_SECOND": 0,
        "TIMED_SECONDS": 0.01,
        "DEFAULT_GAMES": 4,
        "GAMES_PER_VARIANT": 1,
        "DENSE_POSITIONS": 15,
    }.items():
        monkeypatch.setattr(f"icetable.workshop.checking.{constant}", value)
