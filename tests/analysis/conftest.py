"""What the tests of analysis share."""

from __future__ import annotations

from tests.lab.conftest import toys  # noqa: F401 (a fixture)
