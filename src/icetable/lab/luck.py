"""How much of a game's result is luck, choices and seat.

A seat's expected share over the course of a game is a martingale: the variance of the result is the sum of the mean
squares of its steps (Doob). So the variance splits completely into the draws of chance, the choices of the players and
their seats. Each step is measured by two independent halves of playouts between the same players. The product of the
two is unbiased for any number of playouts.

A match can be told without luck, for dice and for the players' own random choices: luck is the value of a position
after chance and then a player have acted, minus its expectation before. The expectation is the mean over all outcomes
of chance, each continued by the same player with other random numbers, as in AIVAT (Burch, Schmid, Moravčík, Morrill
and Bowling, 2018). Luck is 0 on average for any evaluation, so a share minus luck has the same mean as the share. The
better the evaluation predicts the results of these players, the less variance remains. So the values of a search are
calibrated on the other blocks of the match, as a block must not influence its own correction.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from icetable.analysis.positions import Analyst
from icetable.bots import search
from icetable.bots.search import INFORMED, Scratch, modules_of, new_scratch
from icetable.bots.trees import NONE, Tree, new_tree, restart
from icetable.core.errors import GameError
from icetable.core.options import check_whole, short_repr, slices
from icetable.core.turns import TurnState
from icetable.kernels import jit
from icetable.kernels.jit import copy, draw, kernel
from icetable.kernels.layout import ACTOR, CHANCE, NOBODY, SEATS, UNPROVEN, Rules, share
from icetable.lab.intervals import LEVEL, MIN_VARIANCE, Estimate, anytime, mean
from icetable.lab.plan import MAX_GAME_ACTS, final_state, openings, seed_of, share_of_first

if TYPE_CHECKING:
    from collections.abc import Callable

    from icetable.core.turns import TurnGame
    from icetable.kernels.jit import Floats, Ints
    from icetable.lab.intervals import Reals
    from icetable.lab.measures import Games
    from icetable.lab.plan import Plan, Row


rules = cast("Rules", None)  # bound for each game
run_search = cast("Callable[..., int]", None)  # bound for each game: `search.run`

SEAT, CHOICES, CHANCES, TOTAL = range(4)
SOURCES = ("seat", "choices", "chance")
MILLION = 10**6
HALF_SEED = 1 << 30
UNPROVEN_BONUS = 1 << 40
"""More than the visits of any edge, so that acts that are not proven lost come first."""
MIN_LUCK = 1e-3
"""A smaller part of luck in a game with chance counts as none."""
MAX_INTERVAL_WIDTH = 0.5
"""Maximum width of the interval of a known part."""
TURNS_PER_OUTCOME = 4
"""Number of turns simulated for each outcome of chance."""
FOLDS = 10
"""Number of sets of blocks for cross-fitting: each is corrected by a calibration on the others."""
PRIOR_GAMES = 1.0
"""Weight of the uncalibrated values, in games."""
MIN_VALUE = 1e-3
"""Minimum distance of a value from 0 and 1 before it is calibrated."""


class Buffers(NamedTuple):
    """The buffers of one thread."""

    tree: Tree
    """The search tree."""
    scratch: Scratch
    """The scratch space of the search."""
    state: Ints
    """The position of the game."""
    playout: Ints
    """The position of a playout."""
    acts: Ints
    """The legal acts."""
    result: Floats
    """The shares at the end of a playout, by seat."""
    before: Floats
    """The values before a turn, by seat."""
    after: Floats
    """The values after a turn, by seat."""
    rng: Ints
    """The state of the random numbers."""


@kernel
def choose(state: Ints, buffers: Buffers, simulations: int, slip: int) -> int:
    """Choose an act for chance or a player: the most visited one of a search, or a random one (`slip` in a million)."""
    if state[ACTOR] == CHANCE or slip >= MILLION or draw(buffers.rng, MILLION) < slip:
        return rules.pick(state, buffers.acts, buffers.rng)
    tree = buffers.tree
    restart(tree)
    # The game's own random numbers would let the search foresee the draws of chance.
    buffers.scratch.rng[0] = draw(buffers.rng, HALF_SEED) * HALF_SEED + draw(buffers.rng, HALF_SEED) + 1
    run_search(tree, buffers.scratch, state, simulations, INFORMED)
    return best_of(tree, state[ACTOR])


@kernel
def best_of(tree: Tree, seat: int) -> int:
    """The root's best act, as in `search.rank`: a proven win, otherwise the act with the most visits, then the highest
    value. Acts that are not proven lost come first.
    """
    best, most, best_value = tree.first[0], -1, 0.0
    for edge in range(tree.first[0], tree.first[0] + tree.degree[0]):
        child = tree.child[edge]
        proven = tree.proven[child] if child != NONE else UNPROVEN
        if proven == seat:
            return tree.act[edge]
        visits, value = tree.visits[edge], 0.0
        if proven == UNPROVEN:
            value = tree.value_sum[edge] / max(visits, 1)
            visits += UNPROVEN_BONUS
        if visits > most or (visits == most and value > best_value):
            best, most, best_value = edge, visits, value
    return tree.act[best]


@kernel
def expect(position: Ints, buffers: Buffers, playouts: int, simulations: int, slip: int, values: Floats) -> None:
    """Write the mean shares of two halves of `playouts` each from a position: float64[2 * seats]."""
    seats = position[SEATS]
    for index in range(2 * seats):
        values[index] = 0.0
    for number in range(2 * playouts):
        copy(position, buffers.playout)
        for _ in range(MAX_GAME_ACTS):
            if buffers.playout[ACTOR] == NOBODY:
                break
            rules.apply(buffers.playout, choose(buffers.playout, buffers, simulations, slip))
        write_shares(buffers.playout, buffers.result)
        half = seats if number >= playouts else 0
        for seat in range(seats):
            values[half + seat] += buffers.result[seat] / playouts


@kernel
def write_shares(state: Ints, result: Floats) -> None:
    """Write the shares of a finished game, or equal ones for a game that was broken off."""
    share(state, result)
    if state[ACTOR] != NOBODY:
        for seat in range(state[SEATS]):
            result[seat] = 1.0 / state[SEATS]


@kernel
def product(buffers: Buffers, seats: int) -> float:
    """The product of both halves' steps, summed over the seats."""
    total = 0.0
    for seat in range(seats):
        first = buffers.after[seat] - buffers.before[seat]
        total += first * (buffers.after[seats + seat] - buffers.before[seats + seat])
    return total


@kernel
def split(
    first: Ints, seeds: Ints, buffers: Buffers, playouts: int, simulations: int, slip: int, chance: bool, parts: Floats
) -> None:
    """Play a game for each seed and write the parts of the result's variance: float64[games, 4].

    Without `chance`, everything except the seat's part comes from choices, so steps are not measured.
    """
    seats = first[SEATS]
    for game in range(len(seeds)):
        buffers.rng[0] = seeds[game]
        copy(first, buffers.state)
        for index in range(2 * seats):
            buffers.before[index] = 1.0 / seats
        expect(buffers.state, buffers, playouts, simulations, slip, buffers.after)
        parts[game, SEAT] = product(buffers, seats)
        parts[game, CHOICES] = parts[game, CHANCES] = 0.0
        for number in range(1, MAX_GAME_ACTS + 1):
            if buffers.state[ACTOR] == NOBODY:
                break
            copy(buffers.after, buffers.before)
            source = CHANCES if buffers.state[ACTOR] == CHANCE else CHOICES
            rules.apply(buffers.state, choose(buffers.state, buffers, simulations, slip))
            if buffers.state[ACTOR] == NOBODY or number == MAX_GAME_ACTS:
                write_shares(buffers.state, buffers.after)
                for seat in range(seats):
                    buffers.after[seats + seat] = buffers.after[seat]
            elif chance:
                expect(buffers.state, buffers, playouts, simulations, slip, buffers.after)
            if chance:
                parts[game, source] += product(buffers, seats)
        parts[game, TOTAL] = 0.0
        for seat in range(seats):
            parts[game, TOTAL] += (buffers.after[seat] - 1.0 / seats) ** 2
        if not chance:
            parts[game, CHOICES] = parts[game, TOTAL] - parts[game, SEAT]


class Luck(NamedTuple):
    """The sources of the variance of a game's result, as parts of it."""

    seat: Estimate
    """The part of the seats."""
    choices: Estimate
    """The part of the players' choices."""
    chance: Estimate
    """The part of chance."""
    adds_up: Estimate
    """The sum of the parts, which is 1 up to sampling error."""

    @property
    def is_known(self) -> bool:
        """Whether all parts and their sum are known well enough."""
        return (
            all(part.high - part.low <= MAX_INTERVAL_WIDTH for part in self)
            and self.adds_up.low <= 1 <= self.adds_up.high
        )

    @property
    def shares(self) -> Luck:
        """The parts between 0 and 1, and adding up to 1: with few games, an estimate may lie outside."""
        parts = [min(max(part.value, 0.0), 1.0) for part in self[:3]]
        total = sum(parts)
        if not total > 0:  # also without games
            return self
        seat, choices, chance = (
            replace(part, value=share, low=min(max(part.low, 0.0), share), high=max(min(part.high, 1.0), share))
            for part, share in zip(self[:3], (part / total for part in parts), strict=True)
        )
        return Luck(seat, choices, chance, self.adds_up)

    @property
    def is_seat_known(self) -> bool:
        """Whether the part of the seat is known well enough, the only part measured in a game without chance."""
        return self.seat.high - self.seat.low <= MAX_INTERVAL_WIDTH


def split_luck(
    game: TurnGame,
    games: int,
    seed: int = 0,
    simulations: int = 1,
    slip: float = 0.1,
    playouts: int = 16,
    jobs: int = 1,
) -> Luck:
    """Split the variance of results between equal players who search, and play a random act with probability `slip`.

    There are 2 * `playouts` playouts after each act, or in a game without chance only at the start. Each game is a
    block. The same seed gives the same figures for any number of threads, `jobs`. Raises GameError for a number out of
    range.
    """
    minimums = ("games", games, 2), ("simulations", simulations, 1), ("playouts", playouts, 1), ("jobs", jobs, 1)
    for name, number, least in minimums:
        check_whole(name, number, least)
    if not 0 <= slip <= 1:
        raise GameError(f"slip is a probability from 0 to 1, not {short_repr(slip)}")
    return luck_of(play_and_split(game, jit.seeds(seed, games), simulations, slip, playouts, jobs), game, part_of)


def luck_of(parts: Floats, game: TurnGame, part: Callable[[Floats, Floats], Estimate]) -> Luck:
    """The parts of the variance over all games, each estimated by `part`."""
    seat, choices, chance, total = parts.T
    found = Luck(*(part(some, total) for some in (seat, choices, chance, seat + choices + chance)))
    if game.has_chance:
        return found
    zero, one = (Estimate(value, value, value, "exact", len(parts)) for value in (0.0, 1.0))
    return found._replace(chance=zero, adds_up=one)


def part_of(some: Floats, total: Floats) -> Estimate:
    """The part of one sum in another, from the values of each game."""
    return mean(parts_of(some, total))


def luck_of_seats(shares: Floats) -> Luck:
    """The sources in a game without chance, from the shares of each seat (a column) in each game: what the seats don't
    explain comes from choices.
    """
    games, seats = shares.shape
    claims = seats + 1  # the intervals of all seats and of the variance hold together
    means = [anytime(column, 1 - (1 - LEVEL) / claims) for column in shares.T]
    variance = anytime(((shares - 1 / seats) ** 2).sum(axis=1), 1 - (1 - LEVEL) / claims)
    equal = 1 / seats
    nearest = [max(one.low - equal, equal - one.high, 0.0) for one in means]
    farthest = [max(one.high - equal, equal - one.low) for one in means]
    low = min(sum(distance**2 for distance in nearest) / max(variance.high, MIN_VARIANCE), 1.0)
    high = min(sum(distance**2 for distance in farthest) / max(variance.low, MIN_VARIANCE), 1.0)
    value = sum((one.value - equal) ** 2 for one in means) / max(variance.value, MIN_VARIANCE)
    seat = Estimate(min(max(value, low), high), low, high, "anytime", games)
    choices = Estimate(1 - seat.value, 1 - high, 1 - low, "anytime", games)
    zero, one = (Estimate(number, number, number, "exact", games) for number in (0.0, 1.0))
    return Luck(seat, choices, zero, one)


def anytime_part(some: Floats, total: Floats) -> Estimate:
    """The same with an anytime-valid interval."""
    parts = parts_of(some, total)
    return anytime(parts, least=-math.inf, most=math.inf) if np.ptp(parts) > MIN_LUCK else anytime(parts)


def parts_of(some: Floats, total: Floats) -> Floats:
    """A value per game, linearised, so that their mean is the part of one sum in another."""
    variance = max(float(total.mean()), MIN_VARIANCE)
    part = float(some.mean()) / variance
    return part + (some - part * total) / variance


def play_and_split(game: TurnGame, seeds: Ints, simulations: int, slip: float, playouts: int, jobs: int = 1) -> Floats:
    """The parts of the variance in each game: float64[games, 4], for seat, choices, chance and the total."""
    name = game.info.name
    run_search = jit.bind(search.run, name, **modules_of(game))
    run = jit.bind(split, name, rules=game.rules, run_search=run_search)
    first, chance, parts = game.first_position(), game.has_chance, np.empty((len(seeds), 4))

    def play(some: slice) -> None:
        run(first, seeds[some], new_buffers(game), playouts, simulations, round(slip * MILLION), chance, parts[some])

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(play, slices(len(seeds), jobs)))
    return parts


def new_buffers(game: TurnGame) -> Buffers:
    first, seats = game.first_position(), game.players
    return Buffers(
        tree=new_tree(game),
        scratch=new_scratch(game, 1),
        state=np.empty_like(first),
        playout=np.empty_like(first),
        acts=np.empty(game.rules.MAX_ACTS, np.int64),
        result=np.empty(seats),
        before=np.empty(2 * seats),
        after=np.empty(2 * seats),
        rng=np.ones(1, np.int64),
    )


class Draws(NamedTuple):
    """The values for a player after each turn that began with chance."""

    reached: Reals
    """The values that the game reached."""
    values: Reals
    """The values after simulated turns."""
    odds: Reals
    """The probability of each simulated turn."""


class Calibration(NamedTuple):
    """A correction of values, and the part of the resulting luck that is subtracted from a share."""

    edge: float = 0.0
    """The player's advantage, which is added to log odds."""
    exponent: float = 1.0
    """The factor of log odds."""
    part: float = 1.0
    """The part of the luck that is subtracted."""


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
            corrected[block] -= [calibration.part * luck_in(draw, calibration) for draw in draws[block]]
    return corrected


def luck_in(draws: Draws, calibration: Calibration) -> float:
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
    lucks = np.array([np.mean([luck_in(draw, calibration) for draw in block]) for block in draws])
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
