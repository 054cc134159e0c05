"""The depth of a game: how much stronger players get with each doubling of the search, or with each level."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from icetable import games
from icetable.bots import levels
from icetable.core.options import check_whole
from icetable.core.turns import TurnGame
from icetable.lab.intervals import Estimate, mean, part
from icetable.lab.measures import Games
from icetable.lab.plan import Plan
from icetable.lab.running import run
from icetable.lab.streams import seed_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from concurrent.futures import Executor
    from pathlib import Path

    from icetable.core.game import Game
    from icetable.lab.blocks import Row
    from icetable.lab.intervals import Reals
    from icetable.lab.running import OnProgress

RUNG_SHARE = 0.6
"""Share that a player gets against another one a rung below."""
ELO_PER_RUNG = 400 * math.log10(RUNG_SHARE / (1 - RUNG_SHARE))
MAX_ELO = 800.0
"""Difference in Elo of two players of whom one always wins."""


@dataclass(frozen=True)
class Rung:
    """A player against the next weaker one: its share, and the difference in Elo that it corresponds to.

    `pairing` is the variance of the share relative to that of independent games: see `pairing_of`.
    """

    player: str
    against: str
    share: Estimate
    elo: Estimate
    pairing: Estimate


@dataclass(frozen=True)
class Ladder:
    """Steps from random play upwards, and the difference from bottom to top in Elo and in rungs.

    A rung is the difference at which one of two players wins 60 of 100 games (70 Elo).
    """

    steps: list[Rung]
    elo: Estimate
    rungs: Estimate

    @property
    def slope(self) -> Estimate:
        """The gain from the last doubling of the search, in Elo."""
        return self.steps[-1].elo

    def described(self) -> dict[str, Any]:
        """The ladder as a JSON-able dict."""
        steps = [
            {"player": one.player, "against": one.against}
            | {name: getattr(one, name).described() for name in ("share", "elo", "pairing")}
            for one in self.steps
        ]
        return {"steps": steps, "elo": self.elo.described(), "rungs": self.rungs.described()}


def ladder(
    game: Game | str | type,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    doublings: int = 6,
    blocks: int = 100,
    seed: int = 0,
    out: Path | None = None,
    where: Executor | None = None,
    jobs: int = 1,
    tell: OnProgress | None = None,
) -> Ladder:
    """Let players of 1, 2, 4, … 2**`doublings` simulations meet the next weaker ones, and the first random players.

    In a game without an evaluation their search uses random playouts; in a game without turns each level plays against
    the next weaker one. With more than two players, one stronger player meets weaker ones in all other seats. Each step
    has its own openings and chance, so the steps are independent. Raises GameError.
    """
    check_whole("doublings", doublings, 0)
    first = "random" if games.info_of(game).turns else levels(game)[0].name
    loaded = Plan(game, players, options, [first]).game
    if isinstance(loaded, TurnGame):
        search = "sims" if loaded.is_evaluated else "pure"
        names = ["random", *(f"{search}:{1 << power}" for power in range(doublings + 1))]
    else:
        names = [level.name for level in levels(game)]
    others = loaded.players - 1
    plans = [
        Plan(game, players, options, [strong] + [weak] * others, blocks, seed_of(seed, strong))
        for weak, strong in itertools.pairwise(names)
    ]
    steps = []
    for plan in plans:
        strong, weak = plan.seats[:2]
        played = Games(plan, run(plan, out and out / strong.replace(":", "-"), where, jobs, tell).rows)
        steps.append(step_of(played, strong, weak))
    elo = total([step.elo for step in steps])
    value, low, high = (figure / ELO_PER_RUNG for figure in (elo.value, elo.low, elo.high))
    return Ladder(steps, elo, Estimate(value, low, high, elo.method, elo.blocks, "rungs"))


def step_of(played: Games, strong: str, weak: str) -> Rung:
    """Compare the first player of a plan with the others: the bound in Elo is infinite if it may always win."""
    players = played.plan.game.players
    share = mean(played.by_block(share_of_first), 0, 1)
    value = elo_of(share.value, players)
    low = elo_of(share.low, players) if share.low > 0 else -math.inf
    high = elo_of(share.high, players) if share.high < 1 else math.inf
    elo = Estimate(value, low, high, share.method, share.blocks, "Elo")
    return Rung(strong, weak, share, elo, pairing_of(played))


def pairing_of(played: Games) -> Estimate:
    """The variance of the first player's share over blocks, times the games per block, relative to that over games.

    Below 1, playing each opening in every seat saves games; 1 if a block has one game, or if all games are equal.
    """
    shares = played.of_each(share_of_first)
    return part(shares, _pairing, most=shares.shape[1])


def share_of_first(row: Row) -> float:
    """The share of a plan's first player, whatever its seat."""
    return row.shares[row.players.index(0)]


def _pairing(values: Reals) -> float:
    variance = float(values.var())
    return float(values.mean(axis=1).var()) * values.shape[1] / variance if variance else 1.0


def elo_of(share: float, players: int) -> float:
    """The difference in Elo of a player with this share against others who fill all other seats, at most MAX_ELO."""
    odds = share * (players - 1) / (1 - share) if share < 1 else math.inf
    if odds <= 0 or math.isinf(odds):
        return math.copysign(MAX_ELO, odds - 1)
    return max(-MAX_ELO, min(MAX_ELO, 400 * math.log10(odds)))


def total(steps: list[Estimate]) -> Estimate:
    """The sum of independent estimates: the squares of the half-widths add up."""
    value = sum(step.value for step in steps)
    below = math.sqrt(sum((step.value - step.low) ** 2 for step in steps))
    above = math.sqrt(sum((step.high - step.value) ** 2 for step in steps))
    return Estimate(value, value - below, value + above, "sum", min(step.blocks for step in steps), "Elo")
