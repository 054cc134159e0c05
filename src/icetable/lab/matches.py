"""How strong players are: matches from different openings, each played in every seat; ladders of ever stronger players;
ratings of many; and the regret of one against perfect play, in solved games.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from icetable import games
from icetable.bots import levels
from icetable.bots.realtime import play
from icetable.core.errors import GameError
from icetable.core.options import check_whole
from icetable.core.turns import TurnGame
from icetable.extras.strength import can_solve, regrets
from icetable.lab.intervals import LEVEL, MIN_BLOCKS, MIN_VARIANCE, RESAMPLES, Estimate, mean, part, squared
from icetable.lab.luck import check_luck, share_without_luck
from icetable.lab.measures import Games, by_known_block, distinct
from icetable.lab.plan import ACT_SEPARATOR, Plan, seed_of, share_of_first
from icetable.lab.players import with_labels
from icetable.lab.runs import known_to, run, run_until
from icetable.lab.storage import hash_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from concurrent.futures import Executor
    from pathlib import Path

    from icetable.bots.realtime import Maker
    from icetable.core.game import Game, State
    from icetable.core.realtime import RealTimeGame
    from icetable.lab.intervals import Reals
    from icetable.lab.plan import Row
    from icetable.lab.players import Chooser
    from icetable.lab.runs import OnProgress


RUNG_SHARE = 0.6
"""Share that a player gets against another one a rung below."""
ELO_PER_RUNG = 400 * math.log10(RUNG_SHARE / (1 - RUNG_SHARE))
MAX_ELO = 800.0
"""Difference in Elo of two players of whom one always wins."""
ELO_PER_LOG_ODDS = 400 / math.log(10)
PRIOR_DEVIATION = 1000 / ELO_PER_LOG_ODDS
"""Prior standard deviation of strengths: so weak that it only matters for a player who lost or won all games, and whose
rating would be infinite."""
MAX_STEPS, MIN_STEP = 100, 1e-9
"""Limits of Newton's method."""
MAX_LOSS = 1.0
"""Maximum loss of an act with two players, in shares; with one player, points have no limit."""


@dataclass(frozen=True)
class Rung:
    """A player against the next weaker one."""

    player: str
    """The name of the stronger player."""
    against: str
    """The name of the weaker one, who fills all other seats."""
    share: Estimate
    """The share of the game of the stronger player."""
    elo: Estimate
    """The difference in Elo that the share corresponds to."""
    pairing: Estimate
    """The variance of the share, relative to that of independent games: see `pairing_of`."""


@dataclass(frozen=True)
class Ladder:
    """Steps from random play upwards.

    A rung is the difference at which one of two players wins 60 of 100 games (70 Elo).
    """

    steps: list[Rung]
    """Each player against the next weaker one, the weakest first."""
    elo: Estimate
    """The difference from bottom to top in Elo."""
    rungs: Estimate
    """The difference from bottom to top in rungs."""

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
    executor: Executor | None = None,
    jobs: int = 1,
    on_progress: OnProgress | None = None,
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
        played = Games(plan, run(plan, out and out / strong.replace(":", "-"), executor, jobs, on_progress).rows)
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


class Sources(NamedTuple):
    """The sources of the first player's results, as parts of their mean squared distance from an equal share."""

    skill: Estimate
    """The part of the player."""
    seat: Estimate
    """The part of the player's seat."""
    draw: Estimate
    """The part of the advantage that a block's opening and chance give to a seat, independent of its player."""
    rest: Estimate
    """The part of everything else, such as the players' own random choices."""


@dataclass(frozen=True)
class Match:
    """The result of a match."""

    plan: Plan
    """The plan, with the blocks that were played."""
    step: Rung
    """The first player's share and difference in Elo."""
    sources: Sources
    """The sources of the first player's results."""
    distinct: Estimate
    """The share of distinct games."""
    sure: Estimate | None = None
    """The share with an anytime-valid interval, if the match was to stop early; otherwise None."""
    is_enough: bool = True
    """Whether the share is known as well as was wanted."""
    without_luck: Estimate | None = None
    """The share without luck, which has the same mean, if luck was to be taken out; otherwise None."""
    hash: str = ""
    """The hash of the games, as `icetable lab games` prints it."""

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
    executor: Executor | None = None,
    jobs: int = 1,
    on_progress: OnProgress | None = None,
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
        games = Games(plan, run(plan, out, executor, jobs, on_progress).rows)
    else:
        games, (sure,), is_enough = run_until(
            plan, enough_for(plan, until, decide), [share_of_first], out, executor, jobs, on_progress
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


class Rated(NamedTuple):
    """The rating of a player."""

    player: str
    """Its name."""
    elo: Estimate
    """Its difference in Elo from the first player."""
    share: Estimate
    """Its share of its games."""
    games: int
    """The number of its games."""


class Meeting(NamedTuple):
    """The result of a player against another one."""

    player: str
    """Its name."""
    against: str
    """The name of the other one, who fills all other seats."""
    share: Estimate
    """The share of the game of the first one."""


@dataclass(frozen=True)
class Ratings:
    """The ratings of players, from matches of all pairs."""

    game: Game
    """The game that they have played."""
    rated: list[Rated]
    """The players, best first."""
    meetings: list[Meeting]
    """The results of all matches."""

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
    executor: Executor | None = None,
    jobs: int = 1,
    on_progress: OnProgress | None = None,
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
        Games(plan, run(plan, folder, executor, jobs, on_progress).rows)
        for plan, folder in zip(plans, folders, strict=True)
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
    pairs = (itertools.combinations if others == 1 else itertools.permutations)(with_labels(agents), 2)
    plans = [Plan(game, players, options, [one, *[other] * others], blocks, seed) for one, other in pairs]
    for plan in plans:
        if plan.seats[0] == plan.seats[1]:
            raise GameError(f"{plan.seats[0]} is named twice")
    return plans


class Matches(NamedTuple):
    """The results of all matches."""

    shares: Reals
    """The first player's share, with a row per block and a column per match."""
    pairs: list[tuple[int, int]]
    """The numbers of both players of each match."""
    players: int
    """The number of players."""
    seats: int
    """The number of seats."""

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


Losses = list[tuple[float, float]]
"""For each act its loss, and that of the worst act in its place."""


@dataclass(frozen=True)
class Regret:
    """A player's loss against perfect play, in shares of the game, or in points with one player."""

    player: str
    """Its name."""
    act: Estimate
    """The mean loss per act."""
    game: Estimate
    """The mean of the sum of losses per game."""
    perfect: Estimate
    """The part of acts without loss, among those that could lose anything."""

    def described(self) -> dict[str, Any]:
        """The regret as a JSON-able dict."""
        figures = {name: getattr(self, name).described() for name in ("act", "game", "perfect")}
        return {"player": self.player, **figures}


def regret(
    plan: Plan,
    out: Path | str | None = None,
    executor: Executor | None = None,
    jobs: int = 1,
    on_progress: OnProgress | None = None,
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
    rows = run(plan, out, executor, jobs, on_progress).rows
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


def matches(
    game: RealTimeGame, makers: Sequence[Maker], games: int, seed: int = 0
) -> Iterator[tuple[State, list[int]]]:
    """Play `games` games; in game n player p sits at seat (p + n) modulo the number of players.

    Yields the last state of each game and the seats of the players, in their order. The same seed gives the same games
    if the players use no other source of randomness.
    """
    for number in range(games):
        rng = np.random.default_rng([seed, number])
        seats = [(player + number) % game.players for player in range(game.players)]
        bots = {seat: makers[player](int(rng.integers(2**31))) for player, seat in enumerate(seats)}
        yield play(game, [bots[seat] for seat in range(game.players)], game.draw_timer(rng)), seats
