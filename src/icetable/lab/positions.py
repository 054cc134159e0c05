"""How many positions a game has, from how often its games meet in the same one."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from icetable.core.turns import TurnGame
from icetable.kernels.layout import TURN
from icetable.lab.blocks import ACTS
from icetable.lab.intervals import Estimate

if TYPE_CHECKING:
    from icetable.lab.blocks import Row
    from icetable.lab.measures import Figures, Games

NORMAL = 1.96
"""95 of 100 normal values lie so many deviations round their mean, or nearer."""


def states(games: Games) -> Figures:
    """How many positions such games can be in halfway, as a decimal logarithm: at least so many (Chao), by how many
    positions were met in one game and in two. There is no upper bound: what is never met can't be counted.
    """
    game = games.plan.game
    assert isinstance(game, TurnGame)
    first = games.rows[:: len(games.plan.orders)]
    seen = Counter(Counter(halfway(game, row) for row in first).values())
    value, low = chao(len(first), sum(seen.values()), seen[1], seen[2])
    return {"": Estimate(math.log10(value), math.log10(low), math.inf, "Chao", len(first), "log10")}


def halfway(game: TurnGame, row: Row) -> bytes:
    """The position after half of a game's acts. How many turns were played is not part of it."""
    position = game.first_position()
    acts = row.log.split(ACTS)
    for act in acts[: len(acts) // 2]:
        code = game.code(act)
        assert code is not None
        game.rules.apply(position, code)
    position[TURN] = 0
    return game.key(position)


def chao(drawn: int, kinds: int, once: int, twice: int) -> tuple[float, float]:
    """A lower bound of a number of kinds, and the lower end of its interval at 95 % (Chao, 1987, without bias).

    `drawn` were seen, of so many `kinds`, of which some were seen `once` and some `twice`.
    """
    rest = (drawn - 1) / drawn
    unseen = rest * once * (once - 1) / (2 * (twice + 1))
    if unseen == 0:
        return float(kinds), float(kinds)
    pairs = twice + 1
    variance = once * (once - 1) / (2 * pairs) + once * (2 * once - 1) ** 2 / (4 * pairs**2)
    variance += once**2 * twice * (once - 1) ** 2 / (4 * pairs**4)
    widening = math.exp(NORMAL * math.sqrt(math.log1p(variance / unseen**2)))
    return kinds + unseen, float(kinds + math.floor(unseen / widening))
