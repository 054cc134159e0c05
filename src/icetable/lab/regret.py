"""How much players lose against perfect play, in solved games."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from icetable.core.errors import GameError
from icetable.extras.strength import can_solve, regrets
from icetable.lab.blocks import ACT_SEPARATOR
from icetable.lab.intervals import Estimate, mean
from icetable.lab.measures import by_known_block
from icetable.lab.running import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor
    from pathlib import Path

    from icetable.lab.blocks import Row
    from icetable.lab.plan import Plan
    from icetable.lab.running import OnProgress

Losses = list[tuple[float, float]]
"""For each act its loss, and that of the worst act in its place."""
MAX_LOSS = 1.0
"""Maximum loss of an act with two players, in shares; with one player, points have no limit."""


@dataclass(frozen=True)
class Regret:
    """A player's loss against perfect play: the mean per `act` and the sum per `game`, in shares of the game, or in
    points with one player. `perfect`: the part of acts without loss, among those that could lose anything.
    """

    player: str
    act: Estimate
    game: Estimate
    perfect: Estimate

    def described(self) -> dict[str, Any]:
        """The regret as a JSON-able dict."""
        figures = {name: getattr(self, name).described() for name in ("act", "game", "perfect")}
        return {"player": self.player, **figures}


def regret(
    plan: Plan,
    out: Path | str | None = None,
    where: Executor | None = None,
    jobs: int = 1,
    tell: OnProgress | None = None,
) -> list[Regret]:
    """Play a plan, and compare each act of its players with perfect play; random openings are left out.

    The arguments are those of `run`. Raises GameError, also if the game can't be solved.

    >>> from icetable import lab
    >>> solver, = lab.regret(lab.Plan("squad", seats=["solver"], blocks=5))
    >>> solver.player, solver.game.value, solver.perfect.value
    ('solver', 0.0, 1.0)
    """
    if not can_solve(plan.game):
        raise GameError(f"{plan.game!r} can't be solved, so the loss of an act is unknown")
    rows = run(plan, out, where, jobs, tell).rows
    losses = [losses_of(plan, row) for row in rows]
    alone = plan.game.players == 1
    most, unit = (math.inf, "points") if alone else (MAX_LOSS, "of a game")

    def estimate(name: str, of: Callable[[Losses], float], most: float, unit: str = "") -> Estimate:
        return mean(by_known_block([of(game[name]) for game in losses], len(plan.orders)), 0, most, unit)

    return [
        Regret(
            name,
            estimate(name, lambda acts: average([lost for lost, _ in acts]), most, unit),
            estimate(name, lambda acts: sum(lost for lost, _ in acts), math.inf, unit),
            estimate(name, lambda acts: average([lost == 0 for lost, worst in acts if worst > 0]), 1),
        )
        for name in dict.fromkeys(plan.seats)
    ]


def losses_of(plan: Plan, row: Row) -> dict[str, Losses]:
    """The losses of each player's acts in a game."""
    found: dict[str, Losses] = {name: [] for name in plan.seats}
    state = plan.game.start()
    for number, (act, seat) in enumerate(zip(row.log.split(ACT_SEPARATOR), row.seats, strict=True)):
        if number >= plan.opening:
            by_act = regrets(state)
            found[plan.seats[row.players[seat]]].append((by_act[state.game.parse(act)], max(by_act.values())))
        state = state.apply(act)
    return found


def average(values: list[float]) -> float:
    """The mean; NaN if there are no values."""
    return sum(values) / len(values) if values else math.nan
