"""What the tests of kernels share with those of the core."""

from tests.core.conftest import plain_mode

__all__ = ["plain_mode"]
