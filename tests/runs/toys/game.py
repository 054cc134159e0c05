"""Where the package of a game has its `make`."""

from tests.runs.toys import make

__all__ = ["make"]
