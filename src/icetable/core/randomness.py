"""Checks of the random generators that callers pass in."""

from __future__ import annotations

import numpy as np

from icetable.core.errors import GameError
from icetable.core.options import short_repr


def check_generator(rng: object) -> None:
    """Raise GameError unless `rng` is a generator of numpy."""
    if not isinstance(rng, np.random.Generator):
        raise GameError(f"rng is a numpy.random.Generator, such as numpy.random.default_rng(5), not {short_repr(rng)}")
