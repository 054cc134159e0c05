"""Matches between players, from different openings, each played in every seat."""

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
from icetable.lab.store import hash_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor
    from pathlib import Path

    from icetable.lab.intervals import Reals
    from icetable.lab.ladders import Rung
    from icetable.lab.plan import Plan
    from icetable.lab.running import OnProgress


class Sources(NamedTuple):
    """The sources of the first player's results, as parts of their mean squared distance from an equal share.

    `skill`: the player. `seat`: the player's seat. `draw`: the advantage that a block's opening and chance give to a
    seat, whoever plays it. `rest`: everything else, such as the players' own random choices.
    """

    skill: Estimate
    seat: Estimate
    draw: Estimate
    rest: Estimate


@dataclass(frozen=True)
class Match:
    """A match: the first player's share and difference in Elo, the sources of its results, and the share of distinct
    games. If the match was to stop early, `sure` is the share with an anytime-valid interval, and `is_enough` says
    whether the goal was reached. If luck was to be taken out, `without_luck` is the share without it, which has the
    same mean. `hash` is that of its games, as `icetable lab games` prints it.
    """

    plan: Plan
    step: Rung
    sources: Sources
    distinct: Estimate
    sure: Estimate | None = None
    is_enough: bool = True
    without_luck: Estimate | None = None
    hash: str = ""

    @property
    def equal(self) -> float:
        """An equal share."""
        return 1 / self.plan.game.players

    @property
    def coins(self) -> Estimate | None:
        """The share of games that a coin could decide before the better player, winning all others, got no more than
        here; None with more than two players (Duersch, Lambrecht and Oechssler, 2020).
        """
        if self.plan.game.players > 2:
            return None
        share = self.step.share
        ends = sorted(2 * min(end, 1 - end) for end in (share.low, share.high))
        high = 1.0 if share.low <= 0.5 <= share.high else ends[1]
        return Estimate(2 * min(share.value, 1 - share.value), ends[0], high, share.method, share.blocks)

    def described(self) -> dict[str, Any]:
        """The match as a JSON-able dict."""
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
            "hash": self.hash,
        }


def match(
    plan: Plan,
    until: float | None = None,
    decide: bool = False,
    out: Path | None = None,
    where: Executor | None = None,
    jobs: int = 1,
    tell: OnProgress | None = None,
    analyst: int | None = None,
) -> Match:
    """Play a plan whose first player meets identical others.

    `until`: stop once the first player's share is known to plus or minus this much. `decide`: stop once it is surely
    more or less than an equal share. Both use anytime-valid intervals, and stop at the plan's end at the latest.
    `analyst`: the number of simulations of the searches, in `jobs` threads, that take the luck out. Raises GameError.

    >>> from icetable import lab
    >>> lab.match(lab.Plan("squad", seats=["greedy", "random"], blocks=20)).step.share.value > 0.5
    True
    """
    first, *others = plan.seats
    if not others or len(set(others)) > 1:
        raise GameError("a match needs a first player and others that are all the same")
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
    return Match(games.plan, step, sources, distinct(games)[""], sure, is_enough, without_luck, hash_of(games.rows))


def enough_for(plan: Plan, until: float | None, decide: bool) -> Callable[[list[Estimate]], bool]:
    """A function that says whether the first player's share is known well enough to stop."""
    is_known = (lambda _: False) if until is None else known_to(until)
    equal = 1 / plan.game.players

    def enough(shares: list[Estimate]) -> bool:
        return is_known(shares) or (decide and not shares[0].low <= equal <= shares[0].high)

    return enough


def sources_of(games: Games) -> Sources:
    """The sources of the first player's results: an analysis of variance over blocks and places."""
    shares = games.of_each(share_of_first)
    parts = [part(shares, lambda some, at=at: float(parts_of(some)[at])) for at in range(4)]  # type: ignore[misc]
    parts[0] = squared(shares, root_of_skill)
    if shares.shape[1] == 2:  # with more places, the difference has no sign
        parts[1] = squared(shares, root_of_seat)
    return Sources(*parts)


def root_of_skill(shares: Reals) -> float:
    """The signed root of the part of skill in `parts_of`; negative if the first player is weaker."""
    return float(shares.mean() - 1 / shares.shape[1]) / _distance(shares)


def root_of_seat(shares: Reals) -> float:
    """The signed root of the part of the seat in `parts_of` for two places; negative if the second one is better."""
    first, second = shares.mean(axis=0)
    return float(first - second) / 2 / _distance(shares)


def _distance(shares: Reals) -> float:
    """The root mean square distance of shares from equal ones."""
    return math.sqrt(max(float(((shares - 1 / shares.shape[1]) ** 2).mean()), MIN_VARIANCE))


def parts_of(shares: Reals) -> Reals:
    """The parts of `Sources` in the first player's shares, with a row per block and a column per place.

    By chance, the part of the draw may be negative and the rest above 1.
    """
    places = shares.shape[1]
    residuals = shares - shares.mean(axis=0)
    within = float((residuals**2).mean())
    # Two games of a block share only its draw, and what favours one place harms all others equally.
    covariance = float((places * residuals.mean(axis=1) ** 2 - (residuals**2).mean(axis=1)).mean())
    draw = -covariance
    skill, seat = (shares.mean() - 1 / places) ** 2, shares.mean(axis=0).var()
    parts = np.array([skill, seat, draw, within - draw])
    return parts / max(float(parts.sum()), MIN_VARIANCE)
