"""Where the package of a game has its `make`."""

from tests.server.toy import make

__all__ = ["make"]
