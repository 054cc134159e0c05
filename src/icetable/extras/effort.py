"""How hard bots think in games of turns. A game sets it for each level, in its module `levels`."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Effort:
    """How hard a bot thinks, and what it overlooks.

    `simulations` and `seconds` bound a search: it ends at the first of the two limits. The bot notices each legal act
    with the probability `notices`, and plays the best of those that it notices. With `near` up to 1 it varies its play:
    any act with at least `near` times the visits of the best will do. An `exact` bot plays perfectly where the game can
    be solved at once. Where a game hides what was played, a bot remembers the last `memory` acts, and imagines the
    rest; None is all of them. `version` grows when anything else here does, or what the level plays by: its style of
    search, its weights, its evaluation.
    """

    simulations: int | None = None
    seconds: float | None = None
    notices: float = 1.0
    near: float = math.inf
    exact: bool = False
    memory: int | None = None
    version: int = 1


Efforts = Mapping[int, Mapping[str, Effort]]
"""By the fewest players that they are for: the efforts of levels by name, the weakest first."""

BEST = Effort(seconds=1.0, near=0.9)
PERFECT = dataclasses.replace(BEST, exact=True)
"""Those of the strongest level, where a game has no solver and where it has one."""
