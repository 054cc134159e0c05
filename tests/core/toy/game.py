"""Where the package of a game has its `make`."""

from tests.core.toy import make

__all__ = ["make"]
