"""The thinking effort of bots in turn-based games. A game defines it per level, in its module `levels`."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Effort:
    """The search limits and the weaknesses of a bot.

    A search ends after `simulations` or `seconds`, whichever comes first. The bot notices each legal act with the
    probability `notices`, and plays the best of those that it notices. With `near` up to 1 it varies its play among all
    acts with at least `near` times the visits of the best. An `exact` bot plays perfectly if the game can be solved
    quickly. In games with hidden information a bot remembers the last `memory` acts, None for all, and samples the
    rest. `version` increases whenever another field changes, or the search style, weights or evaluation of the level.
    """

    simulations: int | None = None
    seconds: float | None = None
    notices: float = 1.0
    near: float = math.inf
    exact: bool = False
    memory: int | None = None
    version: int = 1


Efforts = Mapping[int, Mapping[str, Effort]]
"""By the minimum number of players: the efforts of levels by name, weakest first."""

BEST = Effort(seconds=1.0, near=0.9)
PERFECT = dataclasses.replace(BEST, exact=True)
"""The efforts of the strongest level, without and with a solver."""
