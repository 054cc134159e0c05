"""A match without luck: corrects the first player's share for dice and for the players' own random choices.

Luck is the value of a position after chance and then a player have acted, minus its expectation before. The expectation
is the mean over all outcomes of chance, each continued by the same player with other random numbers, as in AIVAT
(Burch, Schmid, Moravčík, Morrill and Bowling, 2018). Luck is 0 on average for any evaluation, so a share minus luck has
the same mean as the share. The better the evaluation predicts the results of these players, the less variance remains.
So the values of a search are calibrated on the other blocks of the match, as a block must not influence its own
correction.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from icetable.analysis.positions import Analyst
from icetable.core.errors import GameError
from icetable.core.game import CHANCE
from icetable.core.options import check_whole
from icetable.core.turns import TurnState
from icetable.kernels.layout import NOBODY
from icetable.lab.blocks import final_state, openings
from icetable.lab.intervals import MIN_VARIANCE, mean
from icetable.lab.ladders import share_of_first
from icetable.lab.streams import seed_of

if TYPE_CHECKING:
    from icetable.lab.blocks import Row
    from icetable.lab.intervals import Estimate, Reals
    from icetable.lab.measures import Games
    from icetable.lab.plan import Plan

TURNS_PER_OUTCOME = 4
"""Number of turns simulated for each outcome of chance."""
FOLDS = 10
"""Number of sets of blocks for cross-fitting: each is corrected by a calibration on the others."""
PRIOR_GAMES = 1.0
"""Weight of the uncalibrated values, in games."""
MIN_VALUE = 1e-3
"""Minimum distance of a value from 0 and 1 before it is calibrated."""


class Draws(NamedTuple):
    """The values for a player after each turn that began with chance: those that a game `reached`, and the `values`
    after simulated turns, with their `odds`.
    """

    reached: Reals
    values: Reals
    odds: Reals


class Calibration(NamedTuple):
    """A correction of values: log odds are multiplied by `exponent`, and `edge`, the player's advantage, is added.
    `part` of the resulting luck is subtracted from a share.
    """

    edge: float = 0.0
    exponent: float = 1.0
    part: float = 1.0


def check_luck(plan: Plan, simulations: int) -> None:
    """Raise GameError if luck can't be taken out of the game, or for a bad number of simulations."""
    if not plan.game.info.turns:
        raise GameError(f"luck is taken out of games of turns, not of {plan.game.info.title}")
    check_whole("simulations", simulations, 1)


def share_without_luck(games: Games, simulations: int, jobs: int = 1) -> Estimate:
    """The first player's share without luck, by searches in `jobs` threads. Raises GameError."""
    check_luck(games.plan, simulations)
    with ThreadPoolExecutor(jobs) as pool:
        draws = list(pool.map(lambda row: draws_of(games.plan, row, simulations), games.rows))
    places = len(games.plan.orders)
    blocks = [draws[first : first + places] for first in range(0, len(draws), places)]
    return mean(without_luck(games.of_each(share_of_first), blocks).mean(axis=1))


def draws_of(plan: Plan, row: Row, simulations: int) -> Draws:
    """Evaluate the ends of all turns of a game that began with chance, actual and simulated, for the first player.

    The luck of chance with too many outcomes to list stays in the share. So does that of a random opening, which all
    games of a block share.
    """
    analyst, seat = Analyst(simulations), row.players.index(0)
    states = [state for state in final_state(plan, row).history() if isinstance(state, TurnState)]
    opening = len(openings(plan, states[0].game).of(row.block))

    cache: dict[tuple[int, bytes], float] = {}  # many simulated turns end in the same position

    def value_of(state: TurnState, number: int) -> float:
        key = number, state.game.key(state.array)
        if key not in cache:
            cache[key] = analyst.analyse(state, number + 1).worth[seat]
        return cache[key]

    reached: list[float] = []
    simulated: list[tuple[float, float]] = []
    for number, state in enumerate(states[:-1]):
        if state.actor == CHANCE and number >= opening and state.codes():
            reached.append(value_of(end_of_turn(states[number + 1 :]), number))
            for (outcome, likely), turn in itertools.product(state.chance_outcomes(), range(TURNS_PER_OUTCOME)):
                after = play_turn(plan, row, state.apply(outcome), number, turn)
                simulated.append((value_of(after, number), likely / TURNS_PER_OUTCOME))
    values, odds = np.array(simulated, float).reshape(-1, 2).T
    return Draws(np.array(reached), values, odds)


def end_of_turn(states: Sequence[TurnState]) -> TurnState:
    """The first state in which another seat or chance is to act; the last one if there is none."""
    seat = states[0].actor
    return next((state for state in states if state.actor != seat or seat in (CHANCE, NOBODY)), states[-1])


def play_turn(plan: Plan, row: Row, state: TurnState, number: int, turn: int) -> TurnState:
    """Let the player to act play on until another player or chance is to act.

    The random numbers depend only on the `number` of the act and the number of the simulated `turn`, not on the game.
    """
    seat = state.actor
    if seat in (CHANCE, NOBODY):
        return state
    mover, played = plan.player(row.players[seat]), 0
    while state.actor == seat:
        state = state.apply(mover.choose(state, seed_of(plan.seed, row.block, row.game, "luck", number, turn, played)))
        played += 1
    return state


def without_luck(shares: Reals, draws: Sequence[Sequence[Draws]]) -> Reals:
    """The first player's shares minus luck, for all games of a match, a row per block."""
    corrected, blocks = np.array(shares, float), range(len(shares))
    for fold in range(FOLDS):
        others = [block for block in blocks if block % FOLDS != fold]
        calibration = fit(shares[others], [draws[block] for block in others])
        for block in blocks[fold::FOLDS]:
            corrected[block] -= [calibration.part * luck(draw, calibration) for draw in draws[block]]
    return corrected


def luck(draws: Draws, calibration: Calibration) -> float:
    """The luck in a game, by calibrated values."""
    return float(calibrated(draws.reached, calibration).sum() - draws.odds @ calibrated(draws.values, calibration))


def calibrated(values: Reals, calibration: Calibration) -> Reals:
    from scipy.special import expit

    return np.where(is_open(values), expit(calibration.edge + calibration.exponent * log_odds(values)), values)


def is_open(values: Reals) -> npt.NDArray[np.bool_]:
    """Where a game is undecided; calibration leaves decided values unchanged."""
    return (values > 0) & (values < 1)


def log_odds(values: Reals) -> Reals:
    inside = np.clip(values, MIN_VALUE, 1 - MIN_VALUE)
    odds: Reals = np.log(inside / (1 - inside))
    return odds


def fit(shares: Reals, draws: Sequence[Sequence[Draws]]) -> Calibration:
    """The maximum-likelihood calibration, each game with the same weight, and the part of luck that leaves the least
    variance when it is subtracted.
    """
    games = [draw for block in draws for draw in block]
    calibration = likeliest(shares.ravel(), [draw.reached[is_open(draw.reached)] for draw in games])
    lucks = np.array([np.mean([luck(draw, calibration) for draw in block]) for block in draws])
    centred = lucks - lucks.mean() if len(lucks) else lucks
    squares = float(centred @ centred)
    varies = squares > MIN_VARIANCE * len(lucks)
    return calibration._replace(part=float(centred @ shares.mean(axis=1)) / squares if varies else 0.0)


def likeliest(shares: Reals, values: Sequence[Reals]) -> Calibration:
    """The edge and the exponent that best predict each game's share from its values: a logistic regression."""
    from scipy.optimize import minimize
    from scipy.special import expit

    counts = [len(some) for some in values]
    logs, results = log_odds(np.concatenate([np.empty(0), *values])), np.repeat(shares, counts)
    weights, start = np.repeat(1 / np.maximum(counts, 1), counts), np.array([0.0, 1.0])

    def loss(parameters: Reals) -> tuple[float, Reals]:
        """The penalised negative log likelihood and its gradient."""
        predicted, offset = parameters[0] + parameters[1] * logs, parameters - start
        errors = weights * (expit(predicted) - results)
        total = weights @ (np.logaddexp(0, predicted) - results * predicted)
        gradient = np.array([errors.sum(), errors @ logs]) + PRIOR_GAMES * offset
        return float(total + PRIOR_GAMES / 2 * offset @ offset), gradient

    return Calibration(*minimize(loss, start, jac=True).x.tolist())
