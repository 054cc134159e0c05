"""Measures by the evaluations of positions: drama, lead changes, the time when games are decided.

The evaluation of a position is each seat's expected share, by the evaluation that bots use. It is calibrated by one
exponent, fitted to the results of the same games; `brier` and `reliability` show how reliable it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from icetable.bots.search import INFORMED, search
from icetable.core.game import CHANCE
from icetable.core.turns import TurnGame, TurnState
from icetable.lab.blocks import ACT_SEPARATOR, final_state
from icetable.lab.intervals import mean
from icetable.lab.measures import TENTHS, by_known_block

if TYPE_CHECKING:
    from icetable.core.game import Game
    from icetable.lab.blocks import Row
    from icetable.lab.intervals import Reals
    from icetable.lab.measures import Figures, Games
    from icetable.lab.plan import Plan

EXPONENTS = (0.1, 10.0)
MIN_LEAD = 0.05
"""Minimum lead of a leader, and the largest disadvantage of a good act."""
DECIDED_SHARE = 0.9
MAX_LOST_SHARE = 0.05
MIN_KING_LEAD = 0.2
BINS = 10
EPSILON = 1e-9


class EvaluatedGames(NamedTuple):
    """Games with the evaluations of their positions: float64[acts + 1, players] for each game, exact at the end."""

    games: Games
    evaluations: Sequence[Reals]
    exponent: float

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
