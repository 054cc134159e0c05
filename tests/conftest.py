"""Settings for all tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from icetable.core import jit

if TYPE_CHECKING:
    from collections.abc import Iterator

# The first call of a kernel compiles it, so how long an example takes says nothing.
settings.register_profile("icetable", deadline=None, print_blob=True)
settings.load_profile("icetable")


@pytest.fixture(autouse=True, scope="module")
def _impatient() -> Iterator[None]:
    """A server makes its whole process patient; the modules tested after it get compiled kernels again."""
    yield
    jit._patience.clear()
