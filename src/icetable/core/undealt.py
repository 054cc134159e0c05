"""The deals of games in which no chance has too many outcomes to list: none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.core.jit import kernel
from icetable.core.kernel import UNPROVEN

if TYPE_CHECKING:
    from icetable.core.jit import Ints


@kernel
def expect(_state: Ints) -> float:
    """Know nothing."""
    return UNPROVEN
