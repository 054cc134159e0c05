"""Playing until a figure is known well enough, which may be looked at as often as one likes."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from icetable.core.errors import GameError
from icetable.core.options import short_repr
from icetable.lab.intervals import anytime
from icetable.lab.measures import Games
from icetable.lab.running import Run, check_kept, go_on

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from icetable.lab.blocks import Row
    from icetable.lab.intervals import Estimate
    from icetable.lab.plan import Plan
    from icetable.lab.running import Tell

FIRST = 2
"""The batches after which the games are first looked at; then each time when there are twice as many."""

Share = Callable[["Row"], float]
"""A share of a game that is to be known."""
Enough = Callable[["list[Estimate]"], bool]
"""Whether shares are known well enough."""


class Stopped(NamedTuple):
    """Games that were played until they were enough, or until all of their plan were played.

    `shares` are in intervals that hold however often somebody looks (`anytime`). `is_enough`: they are known well
    enough.
    """

    games: Games
    shares: list[Estimate]
    is_enough: bool


def known_to(precision: object) -> Enough:
    """Whether each share is known to plus or minus a precision. Raises GameError for what is none."""
    if not isinstance(precision, int | float) or not 0 < precision < 0.5:
        raise GameError(f"until is half the width of an interval, above 0 and below 0.5, not {short_repr(precision)}")
    return lambda shares: all(share.high - share.low <= 2 * precision for share in shares)


def run_until(
    plan: Plan,
    enough: Enough,
    shares: list[Share] | None = None,
    out: Path | None = None,
    where: Executor | None = None,
    jobs: int = 1,
    tell: Tell | None = None,
) -> Stopped:
    """Play a plan until some shares, by default those of the seats, are known well enough, or to its end.

    Of two runs with the same plan and question both stop after the same games, also where one was stopped and went on.
    Raises GameError, also for a game for one, where no share can be known.
    """
    if plan.game.players == 1:
        raise GameError("a player alone has no share of the game that could be known: until is for two and more")
    check_kept(plan, out)
    asked = shares or [_share_of(seat) for seat in range(plan.game.players)]
    with contextlib.ExitStack() as stack:
        folder = out or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="icetable-")))
        blocks = FIRST * plan.batch
        while True:
            part = plan.changed(blocks=min(blocks, plan.blocks))
            games = Games(part, go_on(Run(part, folder), where, jobs, tell).rows)
            known = [anytime(games.by_block(share)) for share in asked]
            if enough(known) or part.blocks == plan.blocks:
                return Stopped(games, known, enough(known))
            blocks *= 2


def _share_of(seat: int) -> Share:
    return lambda row: row.shares[seat]
