"""Two players against each other: from different openings, each played in every seat."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from icetable.core.errors import GameError
from icetable.lab.intervals import MIN_VARIANCE, Estimate, part, squared
from icetable.lab.ladders import share_of_first, step_of
from icetable.lab.luckless import check_luck, share_without_luck
from icetable.lab.measures import Games, distinct
from icetable.lab.running import run
from icetable.lab.stopping import known_to, run_until

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor
    from pathlib import Path

    from icetable.lab.intervals import Reals
    from icetable.lab.ladders import Rung
    from icetable.lab.plan import Plan
    from icetable.lab.running import Tell


class Sources(NamedTuple):
    """What the first player's results come from, as parts of their mean squared distance from an equal share.

    `skill`: who plays. `seat`: where a player sits. `draw`: what the opening and the chance of a block give to a seat,
    for any player there. `rest`: all else, such as what players draw by themselves.
    """

    skill: Estimate
    seat: Estimate
    draw: Estimate
    rest: Estimate


@dataclass(frozen=True)
class Match:
    """A match: the first player's share, its distance from the others in Elo and what its results come from, and the
    share of games that are not the same as one before. Where the match was to be stopped when enough is known, `sure`
    is the share in an interval that holds however often somebody looks, and `is_enough` says whether it is. Where luck
    was to be taken out, `without_luck` is the share without it, which has the same mean.
    """

    plan: Plan
    step: Rung
    sources: Sources
    distinct: Estimate
    sure: Estimate | None = None
    is_enough: bool = True
    without_luck: Estimate | None = None

    @property
    def equal(self) -> float:
        """The share of an equal player."""
        return 1 / self.plan.game.players

    @property
    def coins(self) -> Estimate | None:
        """The part of games that a coin would have to decide, for the better one of two who wins all others to get no
        more than its share here; None with more players (Duersch, Lambrecht and Oechssler, 2020).
        """
        if self.plan.game.players > 2:
            return None
        share = self.step.share
        ends = sorted(2 * min(end, 1 - end) for end in (share.low, share.high))
        high = 1.0 if share.low <= 0.5 <= share.high else ends[1]
        return Estimate(2 * min(share.value, 1 - share.value), ends[0], high, share.method, share.blocks)

    def described(self) -> dict[str, Any]:
        """The match as JSON can hold it."""
        return {
            "plan": self.plan.described(),
            "player": self.step.player,
            "against": self.step.against,
            "share": self.step.share.described(),
            "equal": self.equal,
            "elo": self.step.elo.described(),
            "pairing": self.step.pairing.described(),
            "sources": {name: part.described() for name, part in self.sources._asdict().items()},
            "coins": None if self.coins is None else self.coins.described(),
            "sure": None if self.sure is None else self.sure.described(),
            "without_luck": None if self.without_luck is None else self.without_luck.described(),
            "distinct": self.distinct.value,
        }


def match(
    plan: Plan,
    until: float | None = None,
    decide: bool = False,
    out: Path | None = None,
    where: Executor | None = None,
    jobs: int = 1,
    tell: Tell | None = None,
    analyst: int | None = None,
) -> Match:
    """Play a plan whose first player meets others that are all alike.

    With `until` it is played only until the first player's share is known to plus or minus that much, with `decide`
    only until it is sure whether that is more or less than an equal part; both by intervals that hold however often
    somebody looks, and at most to the plan's end. With `analyst` searches of so many simulations, in `jobs` threads,
    take the luck out. Raises GameError.

    >>> from icetable import lab
    >>> lab.match(lab.Plan("squad", seats=["greedy", "random"], blocks=20)).step.share.value > 0.5
    True
    """
    first, *others = plan.seats
    if not others or len(set(others)) > 1:
        raise GameError("a match is played by a first player and others that are all alike")
    if first in others:
        raise GameError(f"{first} against itself would show nothing")
    if analyst is not None:
        check_luck(plan, analyst)
    sure, is_enough = None, True
    if until is None and not decide:
        games = Games(plan, run(plan, out, where, jobs, tell).rows)
    else:
        games, (sure,), is_enough = run_until(
            plan, enough_for(plan, until, decide), [share_of_first], out, where, jobs, tell
        )
    without_luck = None if analyst is None else share_without_luck(games, analyst, jobs)
    step, sources = step_of(games, first, others[0]), sources_of(games)
    return Match(games.plan, step, sources, distinct(games)[""], sure, is_enough, without_luck)


def enough_for(plan: Plan, until: float | None, decide: bool) -> Callable[[list[Estimate]], bool]:
    """Whether the first player's share is known well enough to stop."""
    is_known = (lambda _: False) if until is None else known_to(until)
    equal = 1 / plan.game.players

    def enough(shares: list[Estimate]) -> bool:
        return is_known(shares) or (decide and not shares[0].low <= equal <= shares[0].high)

    return enough


def sources_of(games: Games) -> Sources:
    """What the first player's results come from: an analysis of variance over the blocks and its places in them."""
    shares = games.of_each(share_of_first)
    parts = [part(shares, lambda some, at=at: float(parts_of(some)[at])) for at in range(4)]  # type: ignore[misc]
    parts[0] = squared(shares, root_of_skill)
    if shares.shape[1] == 2:  # of more places the differences have no sign
        parts[1] = squared(shares, root_of_seat)
    return Sources(*parts)


def root_of_skill(shares: Reals) -> float:
    """The root of the part of skill in `parts_of`: below 0 where the first player is the weaker one."""
    return float(shares.mean() - 1 / shares.shape[1]) / _distance(shares)


def root_of_seat(shares: Reals) -> float:
    """The root of the seat's part in `parts_of` of two places: below 0 where the second is the better one."""
    first, second = shares.mean(axis=0)
    return float(first - second) / 2 / _distance(shares)


def _distance(shares: Reals) -> float:
    """How far shares lie from equal ones: the root of the mean square."""
    return math.sqrt(max(float(((shares - 1 / shares.shape[1]) ** 2).mean()), MIN_VARIANCE))


def parts_of(shares: Reals) -> Reals:
    """The parts of `Sources` in the first player's shares, a row for each block and a column for each of its places.

    By chance that of the draw may be below 0, and the rest above 1.
    """
    places = shares.shape[1]
    apart = shares - shares.mean(axis=0)
    left = float((apart**2).mean())
    # Two games of a block that have only its draw in common: what favours one place harms each of the others alike.
    common = float((places * apart.mean(axis=1) ** 2 - (apart**2).mean(axis=1)).mean())
    draw = -common
    skill, seat = (shares.mean() - 1 / places) ** 2, shares.mean(axis=0).var()
    parts = np.array([skill, seat, draw, left - draw])
    return parts / max(float(parts.sum()), MIN_VARIANCE)
