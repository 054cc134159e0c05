"""Measures of games. Each is a function of games, and its docstring is its definition in reports.

All intervals are over blocks (`intervals`). A *share* is one of the game: 1 for a single winner, split among several.

Some measures (drama, lead changes, when games are decided) need evaluations of positions: each seat's expected share,
by the evaluation that bots use, calibrated by one exponent that is fitted to the results of the same games. `brier` and
`reliability` show how reliable it is.
"""

from __future__ import annotations

import inspect
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from icetable.bots.search import INFORMED, search
from icetable.core.errors import GameError
from icetable.core.game import CHANCE
from icetable.core.options import allowed_for, short_repr
from icetable.core.turns import TurnGame, TurnState
from icetable.kernels.layout import TURN
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
from icetable.lab.plan import ACT_SEPARATOR, MAX_GAME_ACTS, UNFINISHED, final_state

if TYPE_CHECKING:
    from icetable.core.game import Game
    from icetable.lab.intervals import Reals
    from icetable.lab.plan import Plan, Row


QUANTILES = (5, 25, 50, 75, 95)
TENTHS = 10
ROUNDING_ERROR = 1e-9
PRECISION_DIVISORS = (16, 8, 4, 2, 1)
MAX_OPENINGS = 24
"""As many as a chart can show."""
SECONDS_PER_TURN = (10, 20)
"""Assumed duration of a turn."""
NORMAL_95 = 1.96
"""95 % of normal values are within this many standard deviations of the mean."""
EXPONENTS = (0.1, 10.0)
MIN_LEAD = 0.05
"""Minimum lead of a leader, and the largest disadvantage of a good act."""
DECIDED_SHARE = 0.9
MAX_LOST_SHARE = 0.05
MIN_KING_LEAD = 0.2
BINS = 10
EPSILON = 1e-9


class Games(NamedTuple):
    """Games of a plan."""

    plan: Plan
    """The plan."""
    rows: Sequence[Row]
    """The games, in the order of the plan."""

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
    """The name of the measure."""
    function: Callable[[Any], Figures]
    """The function of the games that computes its figures, by name."""

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


OF_RESULTS = (seat_share, precision, endings, draws, cut_short, turns, minutes)
"""The measures that need no acts and no points in a game of turns, and are quick for many games: not those by the
bootstrap.
"""


def measures_for(game: Game) -> list[Measure]:
    """The measures that make sense for a game."""
    functions = IN_REAL_TIME if not game.info.turns else ALONE if game.players == 1 else IN_TURNS
    return [Measure(function.__name__, function) for function in functions]


def measured(games: Games, results: Games | None = None) -> dict[str, Figures]:
    """All measures of some games, by name. `results`: other games, for the measures that need no acts."""
    return {
        measure.name: measure.function((results or games) if measure.function in OF_RESULTS else games)
        for measure in measures_for(games.plan.game)
    }


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


def states(games: Games) -> Figures:
    """A lower bound of the number of positions that such games can reach halfway, as a decimal logarithm, from the
    numbers of positions reached once and twice (Chao). There is no upper bound, as rare positions may go unseen.
    """
    game = games.plan.game
    assert isinstance(game, TurnGame)
    first = games.rows[:: len(games.plan.orders)]
    seen = Counter(Counter(halfway(game, row) for row in first).values())
    value, low = chao(len(first), sum(seen.values()), seen[1], seen[2])
    return {"": Estimate(math.log10(value), math.log10(low), math.inf, "Chao", len(first), "log10")}


def halfway(game: TurnGame, row: Row) -> bytes:
    """The position after half of a game's acts, without its number of turns."""
    position = game.first_position()
    acts = row.log.split(ACT_SEPARATOR)
    for act in acts[: len(acts) // 2]:
        code = game.read(act)
        assert code is not None
        game.play(position, code, act)  # the text says which of many outcomes of chance came, its code does not
    position[TURN] = 0
    return game.key(position)


def chao(drawn: int, kinds: int, once: int, twice: int) -> tuple[float, float]:
    """A lower bound of a number of kinds, and the lower end of its 95 % interval (Chao, 1987, bias-corrected).

    `drawn`: the sample size. `kinds`: the number of kinds seen, of which some were seen `once` and some `twice`.
    """
    rest = (drawn - 1) / drawn
    unseen = rest * once * (once - 1) / (2 * (twice + 1))
    if unseen == 0:
        return float(kinds), float(kinds)
    pairs = twice + 1
    variance = once * (once - 1) / (2 * pairs) + once * (2 * once - 1) ** 2 / (4 * pairs**2)
    variance += once**2 * twice * (once - 1) ** 2 / (4 * pairs**4)
    widening = math.exp(NORMAL_95 * math.sqrt(math.log1p(variance / unseen**2)))
    return kinds + unseen, float(kinds + math.floor(unseen / widening))


class EvaluatedGames(NamedTuple):
    """Games with the evaluations of their positions."""

    games: Games
    """The games."""
    evaluations: Sequence[Reals]
    """float64[acts + 1, players] for each game: the expected share of each seat, exact at the end."""
    exponent: float
    """The exponent that calibrates the evaluations, fitted to the results of the games."""

    def by_block(self, value: Callable[[Row, Reals], float]) -> Reals:
        """The mean of a figure in each block; games without a value are left out."""
        values = [value(row, evaluations) for row, evaluations in zip(self.games.rows, self.evaluations, strict=True)]
        return by_known_block(values, len(self.games.plan.orders))


def evaluate(games: Games) -> EvaluatedGames:
    """Evaluate the positions of games of turns."""
    game = games.plan.game
    assert isinstance(game, TurnGame)
    raw = [evaluations_of(game, row) for row in games.rows]
    exponent = fit(raw, [row.shares for row in games.rows])
    return EvaluatedGames(games, [calibrated(evaluations, exponent) for evaluations in raw], exponent)


def evaluations_of(game: TurnGame, row: Row) -> Reals:
    """The uncalibrated evaluations of a game's positions."""
    state = game.start()
    acts = row.log.split(ACT_SEPARATOR)
    evaluations = np.empty((len(acts) + 1, game.players))
    for number, act in enumerate([*acts, None]):
        game.evaluation.evaluate(state.array, evaluations[number])
        if act is not None:
            state = state.apply(act)
    evaluations[-1] = row.shares
    return evaluations


def calibrated(evaluations: Reals, exponent: float) -> Reals:
    """Shares raised to a power and normalised, except those at the end of the game."""
    powers = np.maximum(evaluations, EPSILON) ** exponent
    found: Reals = powers / powers.sum(axis=1, keepdims=True)
    found[-1] = evaluations[-1]
    return found


def fit(raw: Sequence[Reals], shares: Sequence[Sequence[float]]) -> float:
    """The maximum-likelihood exponent, with equal weights for all games."""
    from scipy.optimize import minimize_scalar

    def loss(exponent: float) -> float:
        total = 0.0
        for evaluations, share in zip(raw, shares, strict=True):
            logs = exponent * np.log(np.maximum(evaluations[:-1], EPSILON))
            logs -= np.log(np.exp(logs).sum(axis=1, keepdims=True))
            total -= float((logs @ np.array(share)).mean())
        return total

    return float(minimize_scalar(loss, bounds=EXPONENTS, method="bounded").x)


def brier(evaluated: EvaluatedGames) -> Figures:
    """The Brier score of evaluations: the mean of half the sum of squared distances from the result. 0 is perfect, and
    0.25 is the score of a coin between two players.
    """
    return {"": mean(evaluated.by_block(lambda row, evaluations: _brier(row, evaluations)), 0, 1)}


def _brier(row: Row, evaluations: Reals) -> float:
    return float(((evaluations[:-1] - np.array(row.shares)) ** 2).sum(axis=1).mean() / 2)


def reliability(evaluated: EvaluatedGames) -> Figures:
    """The mean final share of a seat, by its evaluation in tenths: equal to the evaluation if that is reliable."""
    found = {}
    for number in range(BINS):
        low, high = number / BINS, (number + 1) / BINS
        shares = evaluated.by_block(lambda row, values, low=low, high=high: _share_within(row, values, low, high))  # type: ignore[misc]
        if len(shares):
            found[f"{low:.1f} to {high:.1f}"] = mean(shares, 0, 1)
    return found


def _share_within(row: Row, evaluations: Reals, low: float, high: float) -> float:
    within = (evaluations[:-1] >= low) & ((evaluations[:-1] < high) | (high == 1.0))
    return float((within * np.array(row.shares)).sum() / within.sum()) if within.any() else math.nan


def lead_changes(evaluated: EvaluatedGames) -> Figures:
    """The number of lead changes in a game. A leader is ahead of all other seats by at least 0.05."""
    return {"": mean(evaluated.by_block(lambda _, evaluations: _changes(evaluations)), 0)}


def _changes(evaluations: Reals) -> int:
    leader, changes = -1, 0
    for values in evaluations:
        first, second = np.argsort(values)[:-3:-1]
        if first != leader and values[first] - values[second] >= MIN_LEAD:
            changes += leader >= 0
            leader = int(first)
    return changes


def drama(evaluated: EvaluatedGames) -> Figures:
    """How far the winner is behind the leader, on average over the game: 0 if the winner always leads."""
    return {"": mean(evaluated.by_block(_drama), 0, 1)}


def _drama(row: Row, evaluations: Reals) -> float:
    if max(row.shares) < 1:
        return math.nan
    return float((evaluations.max(axis=1) - evaluations[:, row.shares.index(1)]).mean())


def comebacks(evaluated: EvaluatedGames) -> Figures:
    """The share of games won by a seat that was at half an equal share or less in the second half of the game."""
    return {"": mean(evaluated.by_block(_came_back), 0, 1)}


def _came_back(row: Row, evaluations: Reals) -> float:
    if max(row.shares) < 1:
        return math.nan
    late = evaluations[len(evaluations) // 2 :, row.shares.index(1)]
    return float((late <= 0.5 / len(row.shares)).any())


def dead_time(evaluated: EvaluatedGames) -> Figures:
    """The part of a game that is left once the evaluation of its winner stays at 0.9 or more."""
    return {"": mean(evaluated.by_block(_dead_time), 0, 1)}


def _dead_time(row: Row, evaluations: Reals) -> float:
    if max(row.shares) < 1:
        return math.nan
    open_until = np.flatnonzero(evaluations[:, row.shares.index(1)] < DECIDED_SHARE)
    last = int(open_until[-1]) + 1 if len(open_until) else 0
    return 1 - last / (len(evaluations) - 1)


def uncertainty(evaluated: EvaluatedGames) -> Figures:
    """How open a game is: the mean entropy of evaluations, 1 if all seats are equal."""

    def entropy(_row: Row, evaluations: Reals) -> float:
        safe = np.maximum(evaluations, EPSILON)
        return float(-(safe * np.log(safe)).sum(axis=1).mean() / math.log(evaluations.shape[1]))

    return {"": mean(evaluated.by_block(entropy), 0, 1)}


def leader_wins(evaluated: EvaluatedGames) -> Figures:
    """The final share of the seat that leads after a quarter, half and three quarters of the game; the mean if several
    seats tie for the lead.
    """
    return {
        name: mean(evaluated.by_block(lambda row, values, part=part: _share_of_leader(row, values, part)), 0, 1)  # type: ignore[misc]
        for name, part in (("a quarter", 0.25), ("half", 0.5), ("three quarters", 0.75))
    }


def _share_of_leader(row: Row, evaluations: Reals, part: float) -> float:
    then = evaluations[int(part * (len(evaluations) - 1))]
    return float(np.array(row.shares)[then >= then.max() - EPSILON].mean())


def course(evaluated: EvaluatedGames) -> Figures:
    """The evaluation of the single winner in each tenth of a game: how early the win shows."""
    return {
        str(number + 1): mean(evaluated.by_block(lambda row, values, at=number: _winner_in(row, values, at)), 0, 1)  # type: ignore[misc]
        for number in range(TENTHS)
    }


def _winner_in(row: Row, evaluations: Reals, number: int) -> float:
    if max(row.shares) < 1:
        return math.nan
    positions = np.repeat(evaluations[:-1, row.shares.index(1)], TENTHS).reshape(TENTHS, -1)
    return float(positions[number].mean())


def kingmaking(evaluated: EvaluatedGames) -> Figures:
    """The share of acts by a losing seat that make another of the other seats the leader, with three or more players. A
    losing seat's evaluation is below 0.05; the new leader is ahead of the old one by more than 0.2. Nothing if no
    losing seat ever acts.
    """
    values = evaluated.by_block(_kings_made)
    return {"": mean(values, 0, 1)} if len(values) else {}


def _kings_made(row: Row, evaluations: Reals) -> float:
    kings = lost = players = 0
    for number, seat in enumerate(row.seats):
        if seat < 0:
            continue
        players += 1
        before, after = evaluations[number], evaluations[number + 1]
        if before[seat] >= MAX_LOST_SHARE:
            continue
        lost += 1
        others = [other for other in range(len(before)) if other != seat]
        old = max(others, key=lambda other: before[other])
        new = max(others, key=lambda other: after[other])
        kings += old != new and after[new] - before[new] > MIN_KING_LEAD
    return kings / players if lost else math.nan


def surprise(evaluated: EvaluatedGames) -> Figures:
    """How much one event changes the evaluation, on average: half the sum of the changes over the seats, for players'
    acts and for acts of chance.
    """
    found = {}
    for name, is_chance in (("acts", False), ("chance", True)):
        values = evaluated.by_block(lambda row, evaluations, by=is_chance: _mean_move(row, evaluations, by))  # type: ignore[misc]
        if len(values):
            found[name] = mean(values, 0, 1)
    return found


def _mean_move(row: Row, evaluations: Reals, is_chance: bool) -> float:
    moves = np.abs(np.diff(evaluations, axis=0)).sum(axis=1) / 2
    chosen = moves[(np.array(row.seats) == CHANCE) == is_chance]
    return float(chosen.mean()) if len(chosen) else math.nan


def suspense(games: Games) -> Figures:
    """How much depends on acts of chance with outcomes that can be listed: the deviation of the evaluations after the
    outcomes, as the root of half the sum of squares over the seats, averaged over a game. 0.5 if a coin decides between
    two players.
    """
    values = by_known_block([_mean_suspense(games.plan, row) for row in games.rows], len(games.plan.orders))
    return {"": mean(values, 0, 1)} if len(values) else {}


def _mean_suspense(plan: Plan, row: Row) -> float:
    found = []
    for state in final_state(plan, row).history():
        assert isinstance(state, TurnState)
        if state.actor == CHANCE and state.codes():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            evaluations = np.empty((len(outcomes), state.game.players))
            for number, outcome in enumerate(outcomes):
                state.game.evaluation.evaluate(state.apply(outcome).array, evaluations[number])
            squares = ((evaluations - np.average(evaluations, axis=0, weights=odds)) ** 2).sum(axis=1) / 2
            found.append(math.sqrt(np.average(squares, weights=odds)))
    return float(np.mean(found)) if found else math.nan


def real_choice(games: Games) -> Figures:
    """Whether a player's choices matter, by the evaluations of the positions after its acts: the number of `good` acts,
    at most 0.05 worse than the best one, and how much worse the median act is. Forced acts do not count.
    """
    figures = [_mean_options(games.plan, row) for row in games.rows]
    orders = len(games.plan.orders)
    return {
        "good": mean(by_known_block([good for good, _ in figures], orders), 1, unit="acts"),
        "median behind": mean(by_known_block([behind for _, behind in figures], orders), 0, 1),
    }


def _mean_options(plan: Plan, row: Row) -> tuple[float, float]:
    found = []
    for state in final_state(plan, row).history():
        assert isinstance(state, TurnState)
        if not state.is_terminal and state.actor != CHANCE and len(state.codes()) > 1:
            values = np.array([candidate.value for candidate in search(state, INFORMED, simulations=1)])
            behind = values.max() - values
            found.append(((behind <= MIN_LEAD).sum(), np.median(behind)))
    good, median = np.mean(found, axis=0) if found else (math.nan, math.nan)
    return float(good), float(median)


WORTH_MEASURES_FOR_TWO = (
    brier, reliability, lead_changes, drama, comebacks, dead_time, uncertainty, leader_wins, course, surprise,
)  # fmt: skip
WORTH_MEASURES = (*WORTH_MEASURES_FOR_TWO, kingmaking)
OPTION_MEASURES = (real_choice, suspense)


def functions_for(game: Game) -> tuple[Callable[[EvaluatedGames], Figures], ...]:
    """The measures of evaluations that make sense for a game."""
    if not isinstance(game, TurnGame) or game.players == 1 or not game.is_evaluated:
        return ()
    return WORTH_MEASURES if game.players > 2 else WORTH_MEASURES_FOR_TWO


def worth_measures(evaluated: EvaluatedGames) -> dict[str, Figures]:
    """All measures of evaluations that have figures."""
    found = {function.__name__: function(evaluated) for function in functions_for(evaluated.games.plan.game)}
    return {name: figures for name, figures in found.items() if figures}


def option_measures(games: Games) -> dict[str, Figures]:
    """All measures of the options of players and chance that have figures."""
    found = {function.__name__: function(games) for function in OPTION_MEASURES}
    return {name: figures for name, figures in found.items() if figures}


def most_dramatic(evaluated: EvaluatedGames) -> Row:
    """The game whose winner was farthest behind, on average; the first one if no game has a single winner."""
    dramas = [
        _drama(row, evaluations) for row, evaluations in zip(evaluated.games.rows, evaluated.evaluations, strict=True)
    ]
    return evaluated.games.rows[int(np.argmax(np.nan_to_num(dramas)))]


class Thoughts(NamedTuple):
    """The acts of people at a table."""

    game: str
    """The name of the game."""
    acts: Sequence[tuple[int, float]]
    """The seat of each act, in order, and the seconds that it thought."""


def pace(tables: Iterable[Thoughts]) -> dict[str, Figures]:
    """The seconds per act and per turn (consecutive acts of a seat) of each game: the median of each table, averaged
    over the tables with acts.
    """
    by_game: dict[str, list[Thoughts]] = {}
    for table in tables:
        if table.acts:
            by_game.setdefault(table.game, []).append(table)
    return {
        game: {
            "act": mean([float(np.median([seconds for _, seconds in one.acts])) for one in several], 0, unit="seconds"),
            "turn": mean([float(np.median(turns_of(one))) for one in several], 0, unit="seconds"),
        }
        for game, several in sorted(by_game.items())
    }


def turns_of(table: Thoughts) -> list[float]:
    """The seconds of each turn."""
    by_seat = itertools.groupby(table.acts, key=lambda act: act[0])
    return [sum(seconds for _, seconds in acts) for _, acts in by_seat]
