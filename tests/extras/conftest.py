"""Fixtures of the core for the tests of a game's optional parts."""

from tests.core.conftest import game, plain_mode

__all__ = ["game", "plain_mode"]
