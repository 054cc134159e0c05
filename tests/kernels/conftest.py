"""Fixtures of the core for the tests of kernels."""

from tests.core.conftest import plain_mode

__all__ = ["plain_mode"]
