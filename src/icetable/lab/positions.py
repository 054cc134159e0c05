"""The number of positions of a game, estimated from how often games reach the same one."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from icetable.core.turns import TurnGame
from icetable.kernels.layout import TURN
from icetable.lab.blocks import ACT_SEPARATOR
from icetable.lab.intervals import Estimate

if TYPE_CHECKING:
    from icetable.lab.blocks import Row
    from icetable.lab.measures import Figures, Games

NORMAL_95 = 1.96
"""95 % of normal values are within this many standard deviations of the mean."""


def states(games: Games) -> Figures:
    """A lower bound of the number of positions that such games can reach halfway, as a decimal logarithm, from the
    numbers of positions reached once and twice (Chao). There is no upper bound, as rare positions may go unseen.
    """
    game = games.plan.game
    assert isinstance(game, TurnGame)
    first = games.rows[:: len(games.plan.orders)]
    seen = Counter(Counter(halfway(game, row) for row in first).values())
    value, low = chao(len(first), sum(seen.values()), seen[1], seen[2])
    return {"": Estimate(math.log10(value), math.log10(low), math.inf, "Chao", len(first), "log10")}


def halfway(game: TurnGame, row: Row) -> bytes:
    """The position after half of a game's acts, without its number of turns."""
    position = game.first_position()
    acts = row.log.split(ACT_SEPARATOR)
    for act in acts[: len(acts) // 2]:
        code = game.read(act)
        assert code is not None
        game.play(position, code, act)  # the text says which of many outcomes of chance came, its code does not
    position[TURN] = 0
    return game.key(position)


def chao(drawn: int, kinds: int, once: int, twice: int) -> tuple[float, float]:
    """A lower bound of a number of kinds, and the lower end of its 95 % interval (Chao, 1987, bias-corrected).

    `drawn`: the sample size. `kinds`: the number of kinds seen, of which some were seen `once` and some `twice`.
    """
    rest = (drawn - 1) / drawn
    unseen = rest * once * (once - 1) / (2 * (twice + 1))
    if unseen == 0:
        return float(kinds), float(kinds)
    pairs = twice + 1
    variance = once * (once - 1) / (2 * pairs) + once * (2 * once - 1) ** 2 / (4 * pairs**2)
    variance += once**2 * twice * (once - 1) ** 2 / (4 * pairs**4)
    widening = math.exp(NORMAL_95 * math.sqrt(math.log1p(variance / unseen**2)))
    return kinds + unseen, float(kinds + math.floor(unseen / widening))
