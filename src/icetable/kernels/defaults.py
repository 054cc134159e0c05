"""The kernels that a game may leave out: its evaluation, its features, what its deals are worth."""

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
"""With them the hand-made evaluation serves."""


@kernel
def evaluate(state: Ints, values: Floats) -> None:
    """Write the shares of a game that is over, else equal ones."""
    if state[ACTOR] == NOBODY:
        share(state, values)
    else:
        for seat in range(state[SEATS]):
            values[seat] = 1.0 / state[SEATS]


@kernel
def features(_state: Ints, _active: Ints, _amounts: Floats, ends: Ints) -> None:
    """Write nothing."""
    clear(ends)


@kernel
def expect(_state: Ints) -> float:
    """Know nothing."""
    return UNPROVEN
