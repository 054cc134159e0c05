"""A kernel that checks a single act."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from icetable.kernels import jit
from icetable.kernels.layout import Rules

if TYPE_CHECKING:
    from icetable.kernels.jit import Ints

rules = cast("Rules", None)  # bound for each game


@jit.allocating
def is_legal(position: Ints, act: int) -> bool:
    """Whether an act is legal. The game must not be over."""
    acts = np.empty(rules.MAX_ACTS, np.int64)
    for number in range(rules.legal(position, acts)):  # noqa: SIM110 (Numba does not support generators in `any`)
        if acts[number] == act:
            return True
    return False
