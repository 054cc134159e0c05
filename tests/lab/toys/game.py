"""Where the package of a game has its `make`."""

from tests.lab.toys import make

__all__ = ["make"]
