"""Ratings of players from matches between all pairs of them."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from icetable.core.errors import GameError
from icetable.lab.agents import told_apart
from icetable.lab.intervals import LEVEL, MIN_BLOCKS, RESAMPLES, Estimate, mean
from icetable.lab.ladders import share_of_first
from icetable.lab.measures import Games
from icetable.lab.plan import Plan
from icetable.lab.running import run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    from icetable.core.game import Game
    from icetable.lab.intervals import Reals
    from icetable.lab.players import Chooser
    from icetable.lab.running import OnProgress

ELO_PER_LOG_ODDS = 400 / math.log(10)
PRIOR_DEVIATION = 1000 / ELO_PER_LOG_ODDS
"""Prior standard deviation of strengths: so weak that it only matters for a player who lost or won all games, and whose
rating would be infinite."""
MAX_STEPS, MIN_STEP = 100, 1e-9
"""Limits of Newton's method."""


class Rated(NamedTuple):
    """A player: its difference in Elo from the first player, its share of its games, and their number."""

    player: str
    elo: Estimate
    share: Estimate
    games: int


class Meeting(NamedTuple):
    """The share of a player against another one who fills all other seats."""

    player: str
    against: str
    share: Estimate


@dataclass(frozen=True)
class Ratings:
    """The players, best first, and their matches."""

    game: Game
    rated: list[Rated]
    meetings: list[Meeting]

    def described(self) -> dict[str, Any]:
        """The ratings as a JSON-able dict."""
        return {
            "game": self.game.info.name,
            "options": dict(self.game.options),
            "ratings": [
                {"player": row.player, "elo": row.elo.described(), "share": row.share.described(), "games": row.games}
                for row in self.rated
            ],
            "meetings": [{**meeting._asdict(), "share": meeting.share.described()} for meeting in self.meetings],
        }


def elo(
    game: Game | str | type,
    agents: Sequence[str | Chooser],
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    blocks: int = 100,
    seed: int = 0,
    out: Path | None = None,
    where: Executor | None = None,
    jobs: int = 1,
    tell: OnProgress | None = None,
) -> Ratings:
    """Let all pairs of players meet, from the same `blocks` openings in every seat, and rate them.

    `agents`: players by name or choosers, as in `Plan`. With three or more seats, each player meets each other one, who
    fills all other seats.

    The ratings maximise the likelihood if shares are proportional to strengths (Bradley and Terry, 1952, for two), with
    shared wins counted in parts. They are in Elo, 400 for odds of ten to one, relative to the first player, with
    bootstrap intervals over the openings, which all matches share. The rating of a player who won or lost all games has
    no bound on that side. `out`: a folder for the games, with a subfolder per match.

    Raises GameError.

    >>> from icetable import lab
    >>> [one.player for one in lab.elo("squad", ["random", "greedy"], blocks=50).rated]
    ['greedy', 'random']
    """
    plans = plans_of(game, agents, players, options, blocks, seed)
    names = list(dict.fromkeys(name for plan in plans for name in plan.seats[:2]))
    folders = [out and out / str(number) for number in range(len(plans))]
    played = [
        Games(plan, run(plan, folder, where, jobs, tell).rows) for plan, folder in zip(plans, folders, strict=True)
    ]
    matches = Matches(
        np.column_stack([games.by_block(share_of_first) for games in played]),
        [(names.index(plan.seats[0]), names.index(plan.seats[1])) for plan in plans],
        len(names),
        plans[0].game.players,
    )
    elos, games = elos_of(matches), blocks * len(plans[0].orders)
    rated = []
    for number, name in enumerate(names):
        own = matches.own(number)
        rated.append(Rated(name, elos[number], mean(own.mean(axis=1), 0, 1), games * own.shape[1]))
    meetings = [
        Meeting(plan.seats[0], plan.seats[1], mean(shares, 0, 1))
        for plan, shares in zip(plans, matches.shares.T, strict=True)
    ]
    return Ratings(plans[0].game, sorted(rated, key=lambda player: -player.elo.value), meetings)


def plans_of(
    game: Game | str | type,
    agents: Sequence[str | Chooser],
    players: int | None,
    options: Mapping[str, Any] | None,
    blocks: int,
    seed: int,
) -> list[Plan]:
    """The plans of the matches of all pairs. Raises GameError."""
    if len(agents) < 2:
        raise GameError("ratings need at least two players")
    others = Plan(game, players, options, agents[:1]).game.players - 1
    if others == 0:
        raise GameError("a game for one player has no matches")
    pairs = (itertools.combinations if others == 1 else itertools.permutations)(told_apart(agents), 2)
    plans = [Plan(game, players, options, [one, *[other] * others], blocks, seed) for one, other in pairs]
    for plan in plans:
        if plan.seats[0] == plan.seats[1]:
            raise GameError(f"{plan.seats[0]} is named twice")
    return plans


class Matches(NamedTuple):
    """The results of all matches: the first player's `shares`, with a row per block and a column per match; the numbers
    of both players of each match; the numbers of players and of seats."""

    shares: Reals
    pairs: list[tuple[int, int]]
    players: int
    seats: int

    def own(self, number: int) -> Reals:
        """The shares of a player, with a column per match in which it has one seat."""
        columns = []
        for column, (first, other) in enumerate(self.pairs):
            if number == first:
                columns.append(self.shares[:, column])
            elif number == other and self.seats == 2:
                columns.append(1 - self.shares[:, column])
        return np.column_stack(columns)


def elos_of(matches: Matches) -> list[Estimate]:
    """The difference in Elo of each player from the first one."""
    shares, blocks = matches.shares, len(matches.shares)

    def relative(some: Reals) -> Reals:
        strengths = strengths_of(some.mean(axis=0), len(some), matches)
        elos: Reals = ELO_PER_LOG_ODDS * (strengths - strengths[0])
        return elos

    values, method = relative(shares), "none"
    lows, highs = np.full(matches.players, -math.inf), np.full(matches.players, math.inf)
    if blocks >= MIN_BLOCKS:
        rng, method = np.random.default_rng(0), "bootstrap"
        resampled = [relative(shares[rng.integers(blocks, size=blocks)]) for _ in range(RESAMPLES)]
        lows, highs = np.quantile(resampled, ((1 - LEVEL) / 2, (1 + LEVEL) / 2), axis=0)
    anchor = matches.own(0)
    estimates = [Estimate(0.0, 0.0, 0.0, method, blocks, "Elo")]
    for number in range(1, matches.players):
        own = matches.own(number)
        low = -math.inf if own.max() == 0 or anchor.min() == 1 else float(lows[number])
        high = math.inf if own.min() == 1 or anchor.max() == 0 else float(highs[number])
        estimates.append(Estimate(float(values[number]), low, high, method, blocks, "Elo"))
    return estimates


def strengths_of(shares: Reals, blocks: int, matches: Matches) -> Reals:
    """The logarithms of the most likely strengths, from the first player's share of each match, by Newton's method."""
    differences = np.zeros((len(shares), matches.players))
    for row, (first, other) in enumerate(matches.pairs):
        differences[row, first], differences[row, other] = 1, -1
    strengths: Reals = np.zeros(matches.players)
    prior = 1 / PRIOR_DEVIATION**2
    for _ in range(MAX_STEPS):
        expected = 1 / (1 + (matches.seats - 1) * np.exp(-(differences @ strengths)))
        gradient = blocks * differences.T @ (shares - expected) - prior * strengths
        hessian = blocks * (differences.T * (expected * (1 - expected))) @ differences + prior * np.eye(matches.players)
        step: Reals = np.clip(np.linalg.solve(hessian, gradient), -1, 1)
        strengths += step
        if np.abs(step).max() < MIN_STEP:
            break
    return strengths
