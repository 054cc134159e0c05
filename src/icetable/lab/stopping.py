"""Playing until shares are known well enough, by anytime-valid intervals."""

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
from icetable.lab.running import Run, check_kept, finish

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from icetable.lab.blocks import Row
    from icetable.lab.intervals import Estimate
    from icetable.lab.plan import Plan
    from icetable.lab.running import OnProgress

BATCHES_BEFORE_FIRST_CHECK = 2
"""Number of batches before the first check; it doubles for each further one."""

Share = Callable[["Row"], float]
Enough = Callable[["list[Estimate]"], bool]
"""Whether shares are known well enough."""


class Stopped(NamedTuple):
    """Games that were played until shares were known well enough, or until the end of their plan.

    `shares` have anytime-valid intervals (`anytime`). `is_enough`: they are known well enough.
    """

    games: Games
    shares: list[Estimate]
    is_enough: bool


def known_to(precision: object) -> Enough:
    """Whether each share is known to plus or minus a precision. Raises GameError for an invalid one."""
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
    tell: OnProgress | None = None,
) -> Stopped:
    """Play a plan until some shares, by default those of the seats, are known well enough, or to its end.

    Equal calls stop after the same games, even if one was interrupted and continued. Raises GameError, also for a game
    for one player, which has no shares.
    """
    if plan.game.players == 1:
        raise GameError("until needs two players or more: one player has no share of the game")
    check_kept(plan, out)
    measured = shares or [_share_of(seat) for seat in range(plan.game.players)]
    with contextlib.ExitStack() as stack:
        folder = out or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="icetable-")))
        blocks = BATCHES_BEFORE_FIRST_CHECK * plan.batch
        while True:
            part = plan.changed(blocks=min(blocks, plan.blocks))
            games = Games(part, finish(Run(part, folder), where, jobs, tell).rows)
            estimates = [anytime(games.by_block(share)) for share in measured]
            if enough(estimates) or part.blocks == plan.blocks:
                return Stopped(games, estimates, enough(estimates))
            blocks *= 2


def _share_of(seat: int) -> Share:
    return lambda row: row.shares[seat]
