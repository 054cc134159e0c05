"""Settings for all tests."""

from __future__ import annotations

from hypothesis import settings

# The first call of a kernel compiles it, so how long an example takes says nothing.
settings.register_profile("icetable", deadline=None, print_blob=True)
settings.load_profile("icetable")
