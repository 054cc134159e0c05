"""A match without luck: what dice and moods brought to its first player is taken out of each game.

Luck is how much more a position is worth after chance and the player that it fell to have acted than it was expected to
be before. What is expected is the mean over all that chance could do, each outcome played on by the same player with
other random numbers, as in AIVAT (Burch, Schmid, Moravčík, Morrill and Bowling, 2018). On average luck is nothing,
whatever worth is believed in, so a share less luck has the same mean as the share. The better the worth foretells how
the games of these players end, the less variance is left. So the worth that a search finds is fitted to the match: to
its other blocks, since a block must have no say in what is taken from it.
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
from icetable.core.numbers import check_whole
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

IMAGINED = 4
"""How many turns are imagined for each outcome of chance."""
FOLDS = 10
"""The blocks are parted into so many sets; for each of them the worth is fitted to the others."""
PRIOR = 1.0
"""As many games speak for the worth as it is."""
LEAST = 1e-3
"""A fitted worth is this far from 0 and 1 before it is fitted."""


class Draws(NamedTuple):
    """The worths to a player at the end of each turn that chance began in a game, as it was `reached`, and as it could
    have ended: the `worths` at the ends of imagined turns, and the `odds` of those.
    """

    reached: Reals
    worths: Reals
    odds: Reals


class Belief(NamedTuple):
    """How far a worth is believed: its odds are raised to the power `exponent` and multiplied by e to the power `edge`,
    by which the player is better than the worth says. `part` of the luck that follows is taken from a share.
    """

    edge: float = 0.0
    exponent: float = 1.0
    part: float = 1.0


def check_luck(plan: Plan, simulations: int) -> None:
    """Raise GameError where luck can't be taken out, or for what is no number of simulations."""
    if not plan.game.info.turns:
        raise GameError(f"luck is taken out of games of turns, not of {plan.game.info.title}")
    check_whole("simulations", simulations, 1)


def share_without_luck(games: Games, simulations: int, jobs: int = 1) -> Estimate:
    """The first player's share without luck, by searches of so many simulations in so many threads.

    Raises GameError.
    """
    check_luck(games.plan, simulations)
    with ThreadPoolExecutor(jobs) as pool:
        draws = list(pool.map(lambda row: draws_of(games.plan, row, simulations), games.rows))
    places = len(games.plan.orders)
    blocks = [draws[first : first + places] for first in range(0, len(draws), places)]
    return mean(without_luck(games.of_each(share_of_first), blocks).mean(axis=1))


def draws_of(plan: Plan, row: Row, simulations: int) -> Draws:
    """How each turn that chance began in a game ended, how it could have ended, and what that was worth to the first
    player.

    Where there are too many outcomes to list, their luck stays in the share. So does that of a random opening, which
    all games of a block have in common.
    """
    analyst, seat = Analyst(simulations), row.players.index(0)
    states = [state for state in final_state(plan, row).history() if isinstance(state, TurnState)]
    opening = len(openings(plan, states[0].game).of(row.block))

    known: dict[tuple[int, bytes], float] = {}  # many an imagined turn ends alike

    def worth(state: TurnState, number: int) -> float:
        key = number, state.game.key(state.array)
        if key not in known:
            known[key] = analyst.analyse(state, number + 1).worth[seat]
        return known[key]

    reached: list[float] = []
    imagined: list[tuple[float, float]] = []
    for number, state in enumerate(states[:-1]):
        if state.actor == CHANCE and number >= opening and state.codes():
            reached.append(worth(end_of_turn(states[number + 1 :]), number))
            for (outcome, likely), time in itertools.product(state.chance_outcomes(), range(IMAGINED)):
                then = after_turn(plan, row, state.apply(outcome), number, time)
                imagined.append((worth(then, number), likely / IMAGINED))
    worths, odds = np.array(imagined, float).reshape(-1, 2).T
    return Draws(np.array(reached), worths, odds)


def end_of_turn(states: Sequence[TurnState]) -> TurnState:
    """The first of the states where another one than at first or chance is to act; the last one where none is."""
    seat = states[0].actor
    return next((state for state in states if state.actor != seat or seat in (CHANCE, NOBODY)), states[-1])


def after_turn(plan: Plan, row: Row, state: TurnState, number: int, time: int) -> TurnState:
    """What the player who is to act in a game makes of a position, until another one or chance is to act.

    What it draws for that hangs on the `number` of the act and the `time` of imagining alone, so whatever has happened
    is met alike.
    """
    seat = state.actor
    if seat in (CHANCE, NOBODY):
        return state
    mover, played = plan.player(row.players[seat]), 0
    while state.actor == seat:
        state = state.apply(mover.choose(state, seed_of(plan.seed, row.block, row.game, "luck", number, time, played)))
        played += 1
    return state


def without_luck(shares: Reals, draws: Sequence[Sequence[Draws]]) -> Reals:
    """The first player's shares less luck. Both hold all games of a match, a row for each block."""
    left, blocks = np.array(shares, float), range(len(shares))
    for fold in range(FOLDS):
        others = [block for block in blocks if block % FOLDS != fold]
        belief = fit(shares[others], [draws[block] for block in others])
        for block in blocks[fold::FOLDS]:
            left[block] -= [belief.part * luck(one, belief) for one in draws[block]]
    return left


def luck(draws: Draws, belief: Belief) -> float:
    """What luck brought in a game, by a worth that is believed so far."""
    return float(believed(draws.reached, belief).sum() - draws.odds @ believed(draws.worths, belief))


def believed(worths: Reals, belief: Belief) -> Reals:
    """Worths as far as they are believed."""
    from scipy.special import expit

    return np.where(is_open(worths), expit(belief.edge + belief.exponent * log_odds(worths)), worths)


def is_open(worths: Reals) -> npt.NDArray[np.bool_]:
    """Where a game is not decided: no belief changes what is sure."""
    return (worths > 0) & (worths < 1)


def log_odds(worths: Reals) -> Reals:
    """The logarithms of the odds."""
    inside = np.clip(worths, LEAST, 1 - LEAST)
    found: Reals = np.log(inside / (1 - inside))
    return found


def fit(shares: Reals, draws: Sequence[Sequence[Draws]]) -> Belief:
    """The belief under which the results are likeliest, each game counting the same, with the part of the luck whose
    taking leaves the least variance.
    """
    games = [one for block in draws for one in block]
    belief = likeliest(shares.ravel(), [one.reached[is_open(one.reached)] for one in games])
    lucks = np.array([np.mean([luck(one, belief) for one in block]) for block in draws])
    apart = lucks - lucks.mean() if len(lucks) else lucks
    squares = float(apart @ apart)
    known = squares > MIN_VARIANCE * len(lucks)
    return belief._replace(part=float(apart @ shares.mean(axis=1)) / squares if known else 0.0)


def likeliest(shares: Reals, worths: Sequence[Reals]) -> Belief:
    """The edge and the exponent that foretell each game's share best from worths in it: a logistic regression."""
    from scipy.optimize import minimize
    from scipy.special import expit

    counts = [len(some) for some in worths]
    logs, results = log_odds(np.concatenate([np.empty(0), *worths])), np.repeat(shares, counts)
    weights, usual = np.repeat(1 / np.maximum(counts, 1), counts), np.array([0.0, 1.0])

    def surprise(belief: Reals) -> tuple[float, Reals]:
        """How far the results are from what is foretold, and the slope of that."""
        foretold, off = belief[0] + belief[1] * logs, belief - usual
        missed = weights * (expit(foretold) - results)
        total = weights @ (np.logaddexp(0, foretold) - results * foretold)
        return float(total + PRIOR / 2 * off @ off), np.array([missed.sum(), missed @ logs]) + PRIOR * off

    return Belief(*minimize(surprise, usual, jac=True).x.tolist())
