"""The evaluation of games that have none: before the end every seat is worth the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.core.jit import kernel
from icetable.core.kernel import ACTOR, NOBODY, SEATS, share

if TYPE_CHECKING:
    from icetable.core.jit import Floats, Ints


@kernel
def evaluate(state: Ints, values: Floats) -> None:
    """Write the shares of a game that is over, else equal ones."""
    if state[ACTOR] == NOBODY:
        share(state, values)
    else:
        for seat in range(state[SEATS]):
            values[seat] = 1.0 / state[SEATS]
