"""Default kernels for games without their own evaluation, features or expected shares of deals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from icetable.kernels.jit import clear, kernel
from icetable.kernels.layout import ACTOR, NOBODY, SEATS, UNPROVEN, share

if TYPE_CHECKING:
    from icetable.kernels.jit import Floats, Ints

FEATURES = 0
MAX_ACTIVE = 0
NO_WEIGHTS: Floats = np.empty(0)
"""Selects the hand-written evaluation."""


@kernel
def evaluate(state: Ints, values: Floats) -> None:
    """Write the shares of a finished game, otherwise equal shares."""
    if state[ACTOR] == NOBODY:
        share(state, values)
    else:
        for seat in range(state[SEATS]):
            values[seat] = 1.0 / state[SEATS]


@kernel
def features(_state: Ints, _active: Ints, _amounts: Floats, ends: Ints) -> None:
    clear(ends)


@kernel
def expect(_state: Ints) -> float:
    return UNPROVEN
