"""What games tell through the worth of their positions: drama, lead changes, when they are decided.

The worth of a position is each seat's expected share, by the evaluation that bots play by. It is not right by itself:
one exponent, fitted to how these very games ended, makes it bolder or more careful, and `brier` and `reliability` tell
how far it can be believed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from icetable.bots.search import INFORMED, search
from icetable.core.game import CHANCE
from icetable.core.turns import TurnGame, TurnState
from icetable.lab.blocks import ACTS, final_state
from icetable.lab.intervals import mean
from icetable.lab.measures import TENTHS, by_known_block

if TYPE_CHECKING:
    from icetable.core.game import Game
    from icetable.lab.blocks import Row
    from icetable.lab.intervals import Reals
    from icetable.lab.measures import Figures, Games
    from icetable.lab.plan import Plan

EXPONENTS = (0.1, 10.0)
CLEAR = 0.05
"""By how much somebody has to lead to be the leader, and an act has to be worse not to be good."""
DECIDED = 0.9
LOST = 0.05
KING_MADE = 0.2
BINS = 10
LEAST = 1e-9


class Judged(NamedTuple):
    """Games with the worth of their positions: for each game float64[acts + 1, players], exact at the end."""

    games: Games
    worths: Sequence[Reals]
    exponent: float

    def by_block(self, value: Callable[[Row, Reals], float]) -> Reals:
        """The mean of a figure in each block; games in which it has no value are left out."""
        values = [value(row, worth) for row, worth in zip(self.games.rows, self.worths, strict=True)]
        return by_known_block(values, len(self.games.plan.orders))


def judge(games: Games) -> Judged:
    """Games of turns with the worth of their positions."""
    game = games.plan.game
    assert isinstance(game, TurnGame)
    raw = [worth_of(game, row) for row in games.rows]
    exponent = fit(raw, [row.shares for row in games.rows])
    return Judged(games, [sharpened(worth, exponent) for worth in raw], exponent)


def worth_of(game: TurnGame, row: Row) -> Reals:
    """The worth of each position of a game by the evaluation alone."""
    state = game.start()
    acts = row.log.split(ACTS)
    worth = np.empty((len(acts) + 1, game.players))
    for number, act in enumerate([*acts, None]):
        game.evaluation.evaluate(state.array, worth[number])
        if act is not None:
            state = state.apply(act)
    worth[-1] = row.shares
    return worth


def sharpened(worth: Reals, exponent: float) -> Reals:
    """Shares raised to a power and made to add up to 1 again. Those of a game that is over stay as they are."""
    powers = np.maximum(worth, LEAST) ** exponent
    found: Reals = powers / powers.sum(axis=1, keepdims=True)
    found[-1] = worth[-1]
    return found


def fit(raw: Sequence[Reals], shares: Sequence[Sequence[float]]) -> float:
    """The exponent under which the results are likeliest, each game counting the same."""
    from scipy.optimize import minimize_scalar

    def surprise(exponent: float) -> float:
        total = 0.0
        for worth, share in zip(raw, shares, strict=True):
            logs = exponent * np.log(np.maximum(worth[:-1], LEAST))
            logs -= np.log(np.exp(logs).sum(axis=1, keepdims=True))
            total -= float((logs @ np.array(share)).mean())
        return total

    return float(minimize_scalar(surprise, bounds=EXPONENTS, method="bounded").x)


def brier(judged: Judged) -> Figures:
    """How far the worth of positions is from how the game ended: the mean of half the sum of squared distances. 0 is
    perfect, and 0.25 what a coin gets between two.
    """
    return {"": mean(judged.by_block(lambda row, worth: _brier(row, worth)), 0, 1)}


def _brier(row: Row, worth: Reals) -> float:
    return float(((worth[:-1] - np.array(row.shares)) ** 2).sum(axis=1).mean() / 2)


def reliability(judged: Judged) -> Figures:
    """Of positions whose worth to a seat lies in a tenth of the range, the share that the seat had at the end."""
    found = {}
    for number in range(BINS):
        low, high = number / BINS, (number + 1) / BINS
        values = judged.by_block(lambda row, worth, low=low, high=high: _share_within(row, worth, low, high))  # type: ignore[misc]
        if len(values):
            found[f"{low:.1f} to {high:.1f}"] = mean(values, 0, 1)
    return found


def _share_within(row: Row, worth: Reals, low: float, high: float) -> float:
    within = (worth[:-1] >= low) & ((worth[:-1] < high) | (high == 1.0))
    return float((within * np.array(row.shares)).sum() / within.sum()) if within.any() else math.nan


def lead_changes(judged: Judged) -> Figures:
    """How often the lead changes in a game: another seat is worth more than all others, by at least 0.05."""
    return {"": mean(judged.by_block(lambda _, worth: _changes(worth)), 0)}


def _changes(worth: Reals) -> int:
    leader, changes = -1, 0
    for values in worth:
        first, second = np.argsort(values)[:-3:-1]
        if first != leader and values[first] - values[second] >= CLEAR:
            changes += leader >= 0
            leader = int(first)
    return changes


def drama(judged: Judged) -> Figures:
    """How far the winner lies behind the leader, on average over the game: 0 where the winner always leads."""
    return {"": mean(judged.by_block(_drama), 0, 1)}


def _drama(row: Row, worth: Reals) -> float:
    if max(row.shares) < 1:
        return math.nan
    return float((worth.max(axis=1) - worth[:, row.shares.index(1)]).mean())


def comebacks(judged: Judged) -> Figures:
    """The share of games won by a seat that was worth at most half of an equal share after half of the game."""
    return {"": mean(judged.by_block(_came_back), 0, 1)}


def _came_back(row: Row, worth: Reals) -> float:
    if max(row.shares) < 1:
        return math.nan
    late = worth[len(worth) // 2 :, row.shares.index(1)]
    return float((late <= 0.5 / len(row.shares)).any())


def dead_time(judged: Judged) -> Figures:
    """The part of a game that is left once its winner is worth 0.9 for good."""
    return {"": mean(judged.by_block(_dead_time), 0, 1)}


def _dead_time(row: Row, worth: Reals) -> float:
    if max(row.shares) < 1:
        return math.nan
    open_until = np.flatnonzero(worth[:, row.shares.index(1)] < DECIDED)
    last = int(open_until[-1]) + 1 if len(open_until) else 0
    return 1 - last / (len(worth) - 1)


def uncertainty(judged: Judged) -> Figures:
    """How open a game is, on average: the entropy of the worth of a position, 1 where all seats are worth the same."""

    def entropy(_row: Row, worth: Reals) -> float:
        safe = np.maximum(worth, LEAST)
        return float(-(safe * np.log(safe)).sum(axis=1).mean() / math.log(worth.shape[1]))

    return {"": mean(judged.by_block(entropy), 0, 1)}


def leader_wins(judged: Judged) -> Figures:
    """The share at the end of the seat that leads after a quarter, half and three quarters of the game. Where several
    seats lead alike, it is the mean of theirs.
    """
    return {
        name: mean(judged.by_block(lambda row, worth, part=part: _share_of_leader(row, worth, part)), 0, 1)  # type: ignore[misc]
        for name, part in (("a quarter", 0.25), ("half", 0.5), ("three quarters", 0.75))
    }


def _share_of_leader(row: Row, worth: Reals, part: float) -> float:
    then = worth[int(part * (len(worth) - 1))]
    return float(np.array(row.shares)[then >= then.max() - LEAST].mean())


def course(judged: Judged) -> Figures:
    """The worth, in each tenth of a game, of the seat that wins it alone: how early its win shows."""
    return {
        str(number + 1): mean(judged.by_block(lambda row, worth, number=number: _winner_in(row, worth, number)), 0, 1)  # type: ignore[misc]
        for number in range(TENTHS)
    }


def _winner_in(row: Row, worth: Reals, number: int) -> float:
    if max(row.shares) < 1:
        return math.nan
    positions = np.repeat(worth[:-1, row.shares.index(1)], TENTHS).reshape(TENTHS, -1)
    return float(positions[number].mean())


def kingmaking(judged: Judged) -> Figures:
    """With three players or more: the share of acts by a seat worth less than 0.05 that change who leads of the others
    by more than 0.2. None where no seat that acts is ever worth so little.
    """
    values = judged.by_block(_kings_made)
    return {"": mean(values, 0, 1)} if len(values) else {}


def _kings_made(row: Row, worth: Reals) -> float:
    made = lost = players = 0
    for number, seat in enumerate(row.seats):
        if seat < 0:
            continue
        players += 1
        before, after = worth[number], worth[number + 1]
        if before[seat] >= LOST:
            continue
        lost += 1
        others = [one for one in range(len(before)) if one != seat]
        first = max(others, key=lambda one: before[one])
        then = max(others, key=lambda one: after[one])
        made += first != then and after[then] - before[then] > KING_MADE
    return made / players if lost else math.nan


def surprise(judged: Judged) -> Figures:
    """How far one event moves the worth of the seats, on average: half the sum of its changes, by players' acts and by
    what chance draws.
    """
    found = {}
    for name, is_chance in (("acts", False), ("chance", True)):
        values = judged.by_block(lambda row, worth, by=is_chance: _mean_move(row, worth, by))  # type: ignore[misc]
        if len(values):
            found[name] = mean(values, 0, 1)
    return found


def _mean_move(row: Row, worth: Reals, is_chance: bool) -> float:
    moves = np.abs(np.diff(worth, axis=0)).sum(axis=1) / 2
    chosen = moves[(np.array(row.seats) == CHANCE) == is_chance]
    return float(chosen.mean()) if len(chosen) else math.nan


def suspense(games: Games) -> Figures:
    """How much hangs on what chance draws, where all that it may draw can be listed: how far the worth of the seats
    then lies from its mean, as the root of half the sum of the squares, on average over a game's draws. 0.5 where a
    coin decides between two.
    """
    values = by_known_block([_mean_suspense(games.plan, row) for row in games.rows], len(games.plan.orders))
    return {"": mean(values, 0, 1)} if len(values) else {}


def _mean_suspense(plan: Plan, row: Row) -> float:
    found = []
    for state in final_state(plan, row).history():
        assert isinstance(state, TurnState)
        if state.actor == CHANCE and state.codes():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            worth = np.empty((len(outcomes), state.game.players))
            for number, outcome in enumerate(outcomes):
                state.game.evaluation.evaluate(state.apply(outcome).array, worth[number])
            apart = ((worth - np.average(worth, axis=0, weights=odds)) ** 2).sum(axis=1) / 2
            found.append(math.sqrt(np.average(apart, weights=odds)))
    return float(np.mean(found)) if found else math.nan


def real_choice(games: Games) -> Figures:
    """Whether it matters what a player does, by the evaluation of the positions that its acts lead to: how many acts
    are `good`, which is as good as the best but for 0.05, and by how much of a share the median act is worse. Acts that
    are forced do not count.
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
            found.append(((behind <= CLEAR).sum(), np.median(behind)))
    good, median = np.mean(found, axis=0) if found else (math.nan, math.nan)
    return float(good), float(median)


OF_TWO = (brier, reliability, lead_changes, drama, comebacks, dead_time, uncertainty, leader_wins, course, surprise)
OF_MORE = (*OF_TWO, kingmaking)
OF_OPTIONS = (real_choice, suspense)


def functions_for(game: Game) -> tuple[Callable[[Judged], Figures], ...]:
    """The measures of the worth of positions that make sense for a game."""
    if not isinstance(game, TurnGame) or game.players == 1 or not game.is_evaluated:
        return ()
    return OF_MORE if game.players > 2 else OF_TWO


def told_by_worth(judged: Judged) -> dict[str, Figures]:
    """All measures of the worth of positions, those alone that such games have."""
    found = {one.__name__: one(judged) for one in functions_for(judged.games.plan.game)}
    return {name: figures for name, figures in found.items() if figures}


def told_by_options(games: Games) -> dict[str, Figures]:
    """All measures of what players and chance may do, those alone that such a game has."""
    found = {one.__name__: one(games) for one in OF_OPTIONS}
    return {name: figures for name, figures in found.items() if figures}


def most_dramatic(judged: Judged) -> Row:
    """The game whose winner lay farthest behind, on average; the first one where nobody won alone."""
    dramas = [_drama(row, worth) for row, worth in zip(judged.games.rows, judged.worths, strict=True)]
    return judged.games.rows[int(np.argmax(np.nan_to_num(dramas)))]
