"""Fixtures of the tests of analysis."""

from __future__ import annotations

from tests.lab.conftest import toys  # noqa: F401 (a fixture)
