"""By how much players miss perfect play, in games that are solved."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from icetable.core.errors import GameError
from icetable.extras.solving import can_solve, regrets
from icetable.lab.blocks import ACTS
from icetable.lab.intervals import Estimate, mean
from icetable.lab.measures import by_known_block
from icetable.lab.running import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor
    from pathlib import Path

    from icetable.lab.blocks import Row
    from icetable.lab.plan import Plan
    from icetable.lab.running import Tell

Given = list[tuple[float, float]]
"""Of some acts: what each gives away, and what the worst one in its place would have."""
MOST = 1.0
"""What an act of one of two can give away: the game. Alone it is any number of points."""


@dataclass(frozen=True)
class Regret:
    """What a player gives away against perfect play: by an `act` on average, and in a `game` by all of them, in shares
    of it, or in points where one plays alone. `perfect`: of the acts that could give anything away, the part that does
    not.
    """

    player: str
    act: Estimate
    game: Estimate
    perfect: Estimate

    def described(self) -> dict[str, Any]:
        """It as JSON can hold it."""
        figures = {name: getattr(self, name).described() for name in ("act", "game", "perfect")}
        return {"player": self.player, **figures}


def regret(
    plan: Plan,
    out: Path | str | None = None,
    where: Executor | None = None,
    jobs: int = 1,
    tell: Tell | None = None,
) -> list[Regret]:
    """Play a plan, and compare each act of its players with perfect play; openings, which nobody chose, are left out.

    Arguments are those of `run`. Raises GameError, also where the game can't be solved.

    >>> from icetable import lab
    >>> solver, = lab.regret(lab.Plan("squad", seats=["solver"], blocks=5))
    >>> solver.player, solver.game.value, solver.perfect.value
    ('solver', 0.0, 1.0)
    """
    if not can_solve(plan.game):
        raise GameError(f"{plan.game!r} can't be solved, so nobody knows what an act gives away")
    rows = run(plan, out, where, jobs, tell).rows
    given = [given_away(plan, row) for row in rows]
    alone = plan.game.players == 1
    most, unit = (math.inf, "points") if alone else (MOST, "of a game")

    def estimate(name: str, of: Callable[[Given], float], most: float, unit: str = "") -> Estimate:
        return mean(by_known_block([of(one[name]) for one in given], len(plan.orders)), 0, most, unit)

    return [
        Regret(
            name,
            estimate(name, lambda acts: average([lost for lost, _ in acts]), most, unit),
            estimate(name, lambda acts: sum(lost for lost, _ in acts), math.inf, unit),
            estimate(name, lambda acts: average([lost == 0 for lost, worst in acts if worst > 0]), 1),
        )
        for name in dict.fromkeys(plan.seats)
    ]


def given_away(plan: Plan, row: Row) -> dict[str, Given]:
    """By player: what each of its acts in a game gives away, and what the worst one would have."""
    found: dict[str, Given] = {name: [] for name in plan.seats}
    state = plan.game.start()
    for number, (act, seat) in enumerate(zip(row.log.split(ACTS), row.seats, strict=True)):
        if number >= plan.opening:
            known = regrets(state)
            found[plan.seats[row.players[seat]]].append((known[state.game.parse(act)], max(known.values())))
        state = state.apply(act)
    return found


def average(values: list[float]) -> float:
    """Their mean; NaN of none."""
    return sum(values) / len(values) if values else math.nan
