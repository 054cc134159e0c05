"""The features of games whose evaluation is made by hand alone: none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icetable.core.jit import clear, kernel

if TYPE_CHECKING:
    from icetable.core.jit import Floats, Ints

FEATURES = 0
MOST_ACTIVE = 0
NO_WEIGHTS: Floats = np.empty(0)
"""With them the hand-made evaluation serves."""


@kernel
def features(_state: Ints, _active: Ints, _amounts: Floats, ends: Ints) -> None:
    """Write nothing."""
    clear(ends)
