"""Measures of games. Each is a function of games, and its docstring is its definition in reports.

All intervals are over blocks (`intervals`). A *share* is one of the game: 1 for a single winner, split among several.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from icetable.core.errors import GameError
from icetable.core.game import CHANCE
from icetable.core.options import allowed_for, short_repr
from icetable.lab.blocks import ACT_SEPARATOR, MAX_GAME_ACTS, UNFINISHED
from icetable.lab.intervals import (
    MIN_BLOCKS,
    Estimate,
    false_discoveries,
    mean,
    p_of_mean,
    p_of_vector,
    quantile,
    statistic,
)

if TYPE_CHECKING:
    from icetable.core.game import Game
    from icetable.lab.blocks import Row
    from icetable.lab.intervals import Reals
    from icetable.lab.plan import Plan

QUANTILES = (5, 25, 50, 75, 95)
TENTHS = 10
ROUNDING_ERROR = 1e-9
PRECISION_DIVISORS = (16, 8, 4, 2, 1)
MAX_OPENINGS = 24
"""As many as a chart can show."""
SECONDS_PER_TURN = (10, 20)
"""Assumed duration of a turn."""


class Games(NamedTuple):
    """Games of a plan."""

    plan: Plan
    rows: Sequence[Row]

    def by_block(self, value: Callable[[Row], float]) -> Reals:
        """The mean of a figure in each block."""
        means: Reals = self.of_each(value).mean(axis=1)
        return means

    def of_each(self, value: Callable[[Row], float]) -> Reals:
        """A figure of each game, a row per block."""
        return np.array([value(row) for row in self.rows], float).reshape(-1, len(self.plan.orders))


def by_known_block(values: Sequence[float], orders: int) -> Reals:
    """The mean of a figure in each block, from its values in all games. Blocks skip games without a value (NaN)."""
    blocks = np.array(values, float).reshape(-1, orders)
    known = blocks[~np.isnan(blocks).all(axis=1)]
    means: Reals = np.nanmean(known, axis=1) if len(known) else np.empty(0)
    return means


Figures = Mapping[str, Estimate]
"""Estimates by label; "" if there is only one."""


class Measure(NamedTuple):
    """A measure and the function that computes it."""

    name: str
    function: Callable[[Any], Figures]

    @property
    def about(self) -> str:
        """The definition in reports."""
        return " ".join(inspect.cleandoc(self.function.__doc__ or "").split())


class Measures:
    """The measures of some games, as attributes or called by name; each is computed on access.

    Raises GameError for an unknown name, and AttributeError for an unknown attribute.
    """

    def __init__(self, games: Games) -> None:
        self._games = games

    def __call__(self, name: str) -> Figures:
        known = {measure.name: measure for measure in measures_for(self._games.plan.game)}
        if name not in known:
            raise GameError(f"there is no measure {short_repr(name)}; {allowed_for(name, known)}")
        return known[name].function(self._games)

    def __getattr__(self, name: str) -> Figures:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self(name)
        except GameError as error:
            raise AttributeError(str(error)) from None

    def __dir__(self) -> list[str]:
        return [measure.name for measure in measures_for(self._games.plan.game)]


def seat_share(games: Games) -> Figures:
    """The mean share of each seat, whichever player sits there."""
    seats = range(games.plan.game.players)
    return {
        f"seat {seat + 1}": mean(games.by_block(lambda row, seat=seat: row.shares[seat]), 0, 1)  # type: ignore[misc]
        for seat in seats
    }


def player_share(games: Games) -> Figures:
    """The mean share of each player by name, over all seats and players of this name; nothing for a single name."""
    shares: dict[str, list[int]] = {}
    for number, name in enumerate(games.plan.seats):
        shares.setdefault(name, []).append(number)
    if len(shares) == 1:
        return {}

    def share(row: Row, numbers: Sequence[int]) -> float:
        return sum(row.shares[row.players.index(number)] for number in numbers) / len(numbers)

    return {
        name: mean(games.by_block(lambda row, numbers=numbers: share(row, numbers)), 0, 1)  # type: ignore[misc]
        for name, numbers in shares.items()
    }


def precision(games: Games) -> Figures:
    """Half the width of the interval of the first seat's share after 1/16, 1/8, 1/4, half and all of the games."""
    shares = games.by_block(lambda row: row.shares[0])
    figures = {}
    for divisor in PRECISION_DIVISORS:
        some = len(shares) // divisor
        if some >= MIN_BLOCKS:
            found = mean(shares[:some], 0, 1)
            half = (found.high - found.low) / 2
            figures[str(some * len(games.plan.orders))] = Estimate(half, half, half, "counted", some)
    return figures


def unfairness(games: Games) -> Figures:
    """How far the shares of the seats are from equal ones: the root of the sum of squared distances, minus what chance
    alone would give (0 if that is more).
    """
    players = games.plan.game.players
    shares = np.array([row.shares for row in games.rows]).reshape(-1, len(games.plan.orders), players).mean(axis=1)

    def distance(values: Reals) -> float:
        noise = values.var(axis=0, ddof=1).sum() / len(values) if len(values) > 1 else 0.0
        return math.sqrt(max(0.0, float(((values.mean(axis=0) - 1 / players) ** 2).sum() - noise)))

    return {"": statistic(shares, distance)}


def p_of_equal_seats(games: Games) -> float:
    """The p-value of the hypothesis that all seats have the same share (Hotelling's test, over blocks)."""
    players = games.plan.game.players
    shares = np.array([row.shares for row in games.rows]).reshape(-1, len(games.plan.orders), players).mean(axis=1)
    return p_of_vector(shares[:, :-1], 1 / players)


def endings(games: Games) -> Figures:
    """The share of games that each rule ends."""
    rules = sorted({row.ended_by for row in games.rows})
    return {
        rule: mean(games.by_block(lambda row, rule=rule: row.ended_by == rule), 0, 1)  # type: ignore[misc]
        for rule in rules
    }


def draws(games: Games) -> Figures:
    """The share of games that no side wins alone, a seat or a team."""
    return {"": mean(games.by_block(lambda row: is_drawn(games.plan.game, row)), 0, 1)}


def is_drawn(game: Game, row: Row) -> bool:
    """Whether no side wins a game alone, a seat or a team."""
    return max(math.fsum(row.shares[seat] for seat in team) for team in game.teams) < 1 - ROUNDING_ERROR


def cut_short(games: Games) -> Figures:
    """The share of games that end only by a limit: the turn limit of the rules, or the lab's limit of 2,000 acts, at
    which games are broken off and shared by all seats (`unfinished` among the endings).
    """
    return {"": mean(were_cut(games).mean(axis=1), 0, 1)}


def turns(games: Games) -> Figures:
    """The number of turns of a game: its mean and its 5th, 25th, 50th, 75th and 95th percentiles. In percentiles, games
    that a limit cuts short count as longer than that (Kaplan and Meier).
    """
    return censored_spread(games, lambda row: row.turns, "turns")


def acts(games: Games) -> Figures:
    """The number of players' acts in a game: its mean and its 5th, 25th, 50th, 75th and 95th percentiles."""
    return censored_spread(games, lambda row: len(row.seats) - row.seats.count(CHANCE), "acts")


def minutes(games: Games) -> Figures:
    """The duration of a game: by its clock if it has one, otherwise the median number of turns at 10 and at 20 seconds
    each.
    """
    if games.rows[0].times:
        return spread_of(games, lambda row: row.times[-1] / 60_000, "minutes")
    turns, cut = games.of_each(lambda row: row.turns), were_cut(games)
    quick, slow = (_quantile(turns * seconds / 60, cut, 50, "minutes") for seconds in SECONDS_PER_TURN)
    return {f"at {SECONDS_PER_TURN[0]} s a turn": quick, f"at {SECONDS_PER_TURN[1]} s a turn": slow}


def waiting(games: Games) -> Figures:
    """The mean number of other players' acts between two turns of a seat: how long a player waits. 0 in a game in which
    no seat has a second turn.
    """
    return {"": mean(games.by_block(lambda row: _mean_wait(row.seats)), unit="acts")}


def _mean_wait(seats: Sequence[int]) -> float:
    last: dict[int, int] = {}
    waits = []
    players = [seat for seat in seats if seat != CHANCE]
    for number, seat in enumerate(players):
        if seat in last and number - last[seat] > 1:
            waits.append(number - last[seat] - 1)
        last[seat] = number
    return float(np.mean(waits)) if waits else 0.0


def choice(games: Games) -> Figures:
    """The number of legal acts that a player has: the mean over a game's acts, the median and the 95th percentile."""
    return {
        "mean": mean(games.by_block(lambda row: of_choices(row, np.mean)), unit="acts"),
        "median": mean(games.by_block(lambda row: of_choices(row, np.median)), unit="acts"),
        "95 %": mean(
            games.by_block(lambda row: of_choices(row, lambda choices: np.quantile(choices, 0.95))), unit="acts"
        ),
    }


def forced(games: Games) -> Figures:
    """The share of a game's acts that are forced, because only one is legal."""
    return {"": mean(games.by_block(lambda row: of_choices(row, lambda choices: np.mean(choices == 1))), 0, 1)}


def choice_by_tenth(games: Games) -> Figures:
    """The mean number of legal acts in each tenth of a game. Acts that span two tenths count in proportion."""

    def tenth(row: Row, number: int) -> float:
        return of_choices(row, lambda choices: np.repeat(choices, TENTHS).reshape(TENTHS, -1)[number].mean())

    return {
        str(number + 1): mean(games.by_block(lambda row, number=number: tenth(row, number)), unit="acts")  # type: ignore[misc]
        for number in range(TENTHS)
    }


def tree(games: Games) -> Figures:
    """The size of the game tree, as a decimal logarithm: the mean over games of the summed logarithms of the numbers of
    legal acts, without acts of chance. For random play, ten to this mean is at most the number of leaves of the tree
    (Knuth, by Jensen's inequality).
    """
    return {"": mean(games.by_block(lambda row: float(np.log10(own_choices(row)).sum())), unit="log10")}


def distinct(games: Games) -> Figures:
    """The share of games that do not repeat an earlier one, act for act, up to the last act of a player. Repeated games
    are no further evidence.
    """
    seen: set[str] = set()
    new = []
    for row in games.rows:
        log = until_last_act(row)
        new.append(log not in seen)
        seen.add(log)
    share = float(np.mean(new))
    return {"": Estimate(share, share, share, "counted", len(games.rows) // len(games.plan.orders))}


def until_last_act(row: Row) -> str:
    """The acts of a game up to the last one of a player."""
    acts = row.log.split(ACT_SEPARATOR)
    last = max((number for number, seat in enumerate(row.seats) if seat != CHANCE), default=-1)
    return ACT_SEPARATOR.join(acts[: last + 1])


def openings(games: Games) -> Figures:
    """The share of the seat that acts first, by its first act, for the most common first acts with at least 50 blocks.
    If chance does not act first, openings are drawn at random.
    """
    return {act: mean(shares, 0, 1) for act, shares in shares_by_opening(games).items()}


def p_of_openings(games: Games) -> dict[str, float]:
    """For each of the `openings`, the p-value of the hypothesis that its share is that of all games, adjusted for their
    number (Benjamini and Hochberg).
    """
    found = shares_by_opening(games)
    usual = float(np.mean([row.shares[first_player(row)[1]] for row in games.rows]))
    return dict(zip(found, false_discoveries([p_of_mean(shares, usual) for shares in found.values()]), strict=True))


def shares_by_opening(games: Games) -> dict[str, Reals]:
    """The shares, by block, of the seat that acts first, for each common first act."""
    blocks: dict[str, dict[int, list[float]]] = {}
    for row in games.rows:
        act, seat = first_player(row)
        blocks.setdefault(act, {}).setdefault(row.block, []).append(row.shares[seat])
    most_common = sorted(blocks.items(), key=lambda pair: -len(pair[1]))[:MAX_OPENINGS]
    return {
        act: np.array([np.mean(shares) for shares in some.values()])
        for act, some in most_common
        if len(some) >= MIN_BLOCKS
    }


def first_player(row: Row) -> tuple[str, int]:
    """The first act of a player, and the seat; ("", 0) if chance decides the game before."""
    acts = zip(row.log.split(ACT_SEPARATOR), row.seats, strict=True)
    return next(((act, seat) for act, seat in acts if seat != CHANCE), ("", 0))


def points(games: Games) -> Figures:
    """The points of each seat at the end."""
    seats = range(games.plan.game.players)
    return {
        f"seat {seat + 1}": mean(games.by_block(lambda row, seat=seat: row.points[seat]), unit="points")  # type: ignore[misc]
        for seat in seats
    }


def points_alone(games: Games) -> Figures:
    """The points of a single player: the mean, and the 5th, 25th, 50th, 75th and 95th percentiles."""
    return spread_of(games, lambda row: row.points[0], "points")


IN_TURNS = (
    seat_share, player_share, unfairness, precision, endings, draws, cut_short, turns, acts, minutes, waiting, choice,
    forced, choice_by_tenth, tree, distinct, openings, points,
)  # fmt: skip
ALONE = (endings, turns, acts, minutes, choice, forced, choice_by_tenth, tree, distinct, points_alone)
IN_REAL_TIME = (seat_share, player_share, unfairness, precision, endings, draws, acts, minutes, points)


def measures_for(game: Game) -> list[Measure]:
    """The measures that make sense for a game."""
    functions = IN_REAL_TIME if not game.info.turns else ALONE if game.players == 1 else IN_TURNS
    return [Measure(function.__name__, function) for function in functions]


def measured(games: Games) -> dict[str, Figures]:
    """All measures of some games, by name."""
    return {measure.name: measure.function(games) for measure in measures_for(games.plan.game)}


def limit_rule(game: Game) -> str | None:
    """The rule that ends a game after a number of turns; None if the game has no turn limit."""
    return next((option.rule for option in game.info.options if option.name == "turn_limit"), None)


def at_limit(game: Game) -> str:
    """Say that more than half of the games are cut short."""
    return f"more than half of the games reach {limit_of(game)}"


def limit_of(game: Game) -> str:
    """The limit that cuts games short, in words."""
    limit = game.options.get("turn_limit")
    return f"the limit of {limit} turns" if limit else f"the lab's limit of {MAX_GAME_ACTS} acts"


def own_choices(row: Row) -> Reals:
    """The number of legal acts at each act of a player."""
    return np.array([choices for choices, seat in zip(row.choices, row.seats, strict=True) if seat != CHANCE], float)


def of_choices(row: Row, figure: Callable[[Reals], Any]) -> float:
    """A figure of the numbers of legal acts in a game; 0 if chance decides the game before a player acts."""
    choices = own_choices(row)
    return float(figure(choices)) if len(choices) else 0.0


def spread_of(games: Games, value: Callable[[Row], float], unit: str) -> Figures:
    """The mean of a figure and its quantiles."""
    values = games.of_each(value)
    return _spread(values, np.zeros_like(values), unit)


def censored_spread(games: Games, value: Callable[[Row], float], unit: str) -> Figures:
    """The mean of a figure that grows during a game, and its quantiles.

    Games that were cut short (`cut_short`) are censored: quantiles are those of Kaplan and Meier, infinite if too few
    games ended before. The mean takes games as they are.
    """
    return _spread(games.of_each(value), were_cut(games), unit)


def were_cut(games: Games) -> Reals:
    """1 for each game that a limit cut short, otherwise 0; a row per block."""
    limits = {limit_rule(games.plan.game), UNFINISHED}
    return games.of_each(lambda row: row.ended_by in limits)


def _spread(values: Reals, cut: Reals, unit: str) -> Figures:
    found = {"mean": mean(values.mean(axis=1), unit=unit)}
    return found | {f"{percent} %": _quantile(values, cut, percent, unit) for percent in QUANTILES}


def _quantile(values: Reals, cut: Reals, percent: float, unit: str) -> Estimate:
    """A percentile; games that a limit cut short count as longer than all others."""
    figure = quantile_of(np.stack((values, cut), axis=-1), percent)
    return quantile(np.where(cut, math.inf, values), percent / 100, unit, figure)


def quantile_of(values: Reals, percent: float) -> float:
    """A percentile of figures. The last axis of `values` holds a figure, and 1 if a limit cut its game short."""
    figures, cut = values.reshape(-1, 2).T
    if not cut.any():
        return float(np.percentile(figures, percent))
    order = np.lexsort((cut, figures))
    ends = cut[order] == 0
    survival = np.cumprod(np.where(ends, 1 - 1 / np.arange(len(order), 0, -1), 1.0))
    reached = np.flatnonzero(ends & (1 - survival >= percent / 100 - ROUNDING_ERROR))
    return float(figures[order][reached[0]]) if len(reached) else math.inf
