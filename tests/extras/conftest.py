"""What the tests of what a game may add share with those of the core."""

from tests.core.conftest import game, plain_mode

__all__ = ["game", "plain_mode"]
