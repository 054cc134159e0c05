"""Ratings of several players from all the matches between them."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from icetable.core.errors import GameError
from icetable.lab.intervals import FEW, LEVEL, RESAMPLES, Estimate, mean
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
    from icetable.lab.running import Tell

PER_ODDS = 400 / math.log(10)
"""The distance in Elo of players of whom one wins e times as often."""
USUAL_SPREAD = 1000 / PER_ODDS
"""How far ratings lie from their mean, before anything is known of them: so weak that it counts only for a player who
has lost or won all games, and whose rating would have no end."""
STEPS, NEAR = 100, 1e-9
"""Newton's method ends after so many steps, or one that is so short."""


class Rated(NamedTuple):
    """A player: its distance in Elo from the first one of all, its share of all its games, and how many these are."""

    player: str
    elo: Estimate
    share: Estimate
    games: int


class Meeting(NamedTuple):
    """The share of a player against another one, who holds all other seats."""

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
        """The ratings as JSON can hold them."""
        return {
            "game": self.game.info.name,
            "options": dict(self.game.options),
            "ratings": [
                {"player": one.player, "elo": one.elo.described(), "share": one.share.described(), "games": one.games}
                for one in self.rated
            ],
            "meetings": [{**one._asdict(), "share": one.share.described()} for one in self.meetings],
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
    tell: Tell | None = None,
) -> Ratings:
    """Let each two of some players meet, from the same `blocks` openings in every seat, and rate them all.

    `agents`: players by name or of one's own, as in `Plan`. With three and more seats each of them meets each other
    one, who holds all other seats.

    The ratings are those that make the results most likely if shares are as the strengths of those who sit at a table
    (Bradley and Terry, 1952, for two), where a shared win counts as its parts. They are told from the first player on,
    who has 0, with the bootstrap's interval over openings, which are the same in all matches; in Elo, 400 for ten to
    one. A player who has won or lost all games has no bound on that side. `out`: a folder for the games, in which each
    match has one.

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
    return Ratings(plans[0].game, sorted(rated, key=lambda one: -one.elo.value), meetings)


def plans_of(
    game: Game | str | type,
    agents: Sequence[str | Chooser],
    players: int | None,
    options: Mapping[str, Any] | None,
    blocks: int,
    seed: int,
) -> list[Plan]:
    """The matches of all pairs. Raises GameError."""
    if len(agents) < 2:
        raise GameError("ratings are those of two and more players")
    others = Plan(game, players, options, agents[:1]).game.players - 1
    if others == 0:
        raise GameError("a player alone meets nobody")
    pairs = (itertools.combinations if others == 1 else itertools.permutations)(agents, 2)
    plans = [Plan(game, players, options, [one, *[other] * others], blocks, seed) for one, other in pairs]
    for plan in plans:
        if plan.seats[0] == plan.seats[1]:
            raise GameError(f"{plan.seats[0]} is named twice")
    return plans


class Matches(NamedTuple):
    """The results of all matches: the first player's `shares`, a row a block and a column a match; the numbers of both
    players of each match; how many players and seats there are."""

    shares: Reals
    pairs: list[tuple[int, int]]
    players: int
    seats: int

    def own(self, number: int) -> Reals:
        """The shares of a player, a column for each match in which it holds one seat."""
        columns = []
        for column, (first, other) in enumerate(self.pairs):
            if number == first:
                columns.append(self.shares[:, column])
            elif number == other and self.seats == 2:
                columns.append(1 - self.shares[:, column])
        return np.column_stack(columns)


def elos_of(matches: Matches) -> list[Estimate]:
    """The distance of each player from the first."""
    shares, blocks = matches.shares, len(matches.shares)

    def told(some: Reals) -> Reals:
        strengths = strengths_of(some.mean(axis=0), len(some), matches)
        from_first: Reals = PER_ODDS * (strengths - strengths[0])
        return from_first

    values, method = told(shares), "none"
    lows, highs = np.full(matches.players, -math.inf), np.full(matches.players, math.inf)
    if blocks >= FEW:
        rng, method = np.random.default_rng(0), "bootstrap"
        again = [told(shares[rng.integers(blocks, size=blocks)]) for _ in range(RESAMPLES)]
        lows, highs = np.quantile(again, ((1 - LEVEL) / 2, (1 + LEVEL) / 2), axis=0)
    anchor = matches.own(0)
    estimates = [Estimate(0.0, 0.0, 0.0, method, blocks, "Elo")]
    for number in range(1, matches.players):
        own = matches.own(number)
        low = -math.inf if own.max() == 0 or anchor.min() == 1 else float(lows[number])
        high = math.inf if own.min() == 1 or anchor.max() == 0 else float(highs[number])
        estimates.append(Estimate(float(values[number]), low, high, method, blocks, "Elo"))
    return estimates


def strengths_of(shares: Reals, blocks: int, matches: Matches) -> Reals:
    """The most likely strengths as logarithms, from the first player's share of each match: by Newton's method."""
    differences = np.zeros((len(shares), matches.players))
    for row, (first, other) in enumerate(matches.pairs):
        differences[row, first], differences[row, other] = 1, -1
    strengths: Reals = np.zeros(matches.players)
    prior = 1 / USUAL_SPREAD**2
    for _ in range(STEPS):
        expected = 1 / (1 + (matches.seats - 1) * np.exp(-(differences @ strengths)))
        slope = blocks * differences.T @ (shares - expected) - prior * strengths
        bend = blocks * (differences.T * (expected * (1 - expected))) @ differences + prior * np.eye(matches.players)
        step: Reals = np.clip(np.linalg.solve(bend, slope), -1, 1)
        strengths += step
        if np.abs(step).max() < NEAR:
            break
    return strengths
