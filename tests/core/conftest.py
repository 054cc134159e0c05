"""Fixtures of the tests of the core."""

from __future__ import annotations

import pytest

from icetable import Game
from icetable.kernels import jit
from tests.core import toy


@pytest.fixture
def plain_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels that have not been compiled yet stay so."""
    monkeypatch.setattr(jit, "ALWAYS_PLAIN", True)


@pytest.fixture
def game(plain_mode: None) -> Game:
    """The toy for two, its rules in plain mode."""
    return toy.INFO.load()
