"""How much of a game's result is luck, and where it comes from.

The share of a seat, as it is expected at each moment, is a martingale: the variance of the result is the sum of the
mean squares of its steps (Doob). So the result's variance splits, without a rest, into what chance draws, what the
players choose, and where they sit. A step is measured by two independent halves of playouts of the same players, and
their product has no bias, however few playouts there are.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from icetable.bots import search
from icetable.bots.search import INFORMED, Scratch, modules_of, new_scratch
from icetable.bots.trees import NONE, Tree, new_tree, restart
from icetable.core.errors import GameError
from icetable.core.numbers import check_whole, slices
from icetable.core.options import short_repr
from icetable.kernels import jit
from icetable.kernels.jit import copy, draw, kernel
from icetable.kernels.layout import ACTOR, CHANCE, NOBODY, SEATS, UNPROVEN, Rules, share
from icetable.lab.blocks import LONGEST_GAME
from icetable.lab.intervals import MIN_VARIANCE, Estimate, anytime, mean

if TYPE_CHECKING:
    from collections.abc import Callable

    from icetable.core.turns import TurnGame
    from icetable.kernels.jit import Floats, Ints

rules = cast("Rules", None)  # bound for each game
think = cast("Callable[..., int]", None)  # bound for each game: `search.run`

SEAT, CHOICES, CHANCES, TOTAL = range(4)
SOURCES = ("seat", "choices", "chance")
MILLION = 10**6
HALF_SEED = 1 << 30
ALIVE = 1 << 40
"""More than the visits of any edge: what is not proven lost comes first."""
MIN_LUCK = 1e-3
"""Less is measured as nothing in a game that has chance."""
TOO_WIDE = 0.5
"""An interval of a share that is wider tells nothing."""


class Buffers(NamedTuple):
    """The buffers of one thread."""

    tree: Tree
    scratch: Scratch
    state: Ints
    there: Ints
    acts: Ints
    result: Floats
    before: Floats
    after: Floats
    rng: Ints


@kernel
def choose(state: Ints, buffers: Buffers, simulations: int, slip: int) -> int:
    """What a player does, or chance: the act that a search visits most; with `slip` in a million any act."""
    if state[ACTOR] == CHANCE or slip >= MILLION or draw(buffers.rng, MILLION) < slip:
        return rules.pick(state, buffers.acts, buffers.rng)
    tree = buffers.tree
    restart(tree)
    # Of the game's own draws it would foresee those of chance to come.
    buffers.scratch.rng[0] = draw(buffers.rng, HALF_SEED) * HALF_SEED + draw(buffers.rng, HALF_SEED) + 1
    think(tree, buffers.scratch, state, simulations, INFORMED)
    return best_of(tree, state[ACTOR])


@kernel
def best_of(tree: Tree, seat: int) -> int:
    """The root's best act, as `search.rank` has it: a proven win, else of those that are not proven lost, or where all
    are, the one with most visits, and most worth.
    """
    best, most, worth = tree.first[0], -1, 0.0
    for edge in range(tree.first[0], tree.first[0] + tree.degree[0]):
        child = tree.child[edge]
        proven = tree.proven[child] if child != NONE else UNPROVEN
        if proven == seat:
            return tree.act[edge]
        visits, value = tree.visits[edge], 0.0
        if proven == UNPROVEN:
            value = tree.value_sum[edge] / max(visits, 1)
            visits += ALIVE
        if visits > most or (visits == most and value > worth):
            best, most, worth = edge, visits, value
    return tree.act[best]


@kernel
def expect(position: Ints, buffers: Buffers, playouts: int, simulations: int, slip: int, values: Floats) -> None:
    """Write the mean shares of games from a position in two halves of `playouts` each: float64[2 * seats]."""
    seats = position[SEATS]
    for index in range(2 * seats):
        values[index] = 0.0
    for number in range(2 * playouts):
        copy(position, buffers.there)
        for _ in range(LONGEST_GAME):
            if buffers.there[ACTOR] == NOBODY:
                break
            rules.apply(buffers.there, choose(buffers.there, buffers, simulations, slip))
        conclude(buffers.there, buffers.result)
        half = seats if number >= playouts else 0
        for seat in range(seats):
            values[half + seat] += buffers.result[seat] / playouts


@kernel
def conclude(state: Ints, result: Floats) -> None:
    """Write the shares of a game that is over; equal ones for a game that went on too long."""
    share(state, result)
    if state[ACTOR] != NOBODY:
        for seat in range(state[SEATS]):
            result[seat] = 1.0 / state[SEATS]


@kernel
def product(buffers: Buffers, seats: int) -> float:
    """The sum over the seats of the product of both halves' steps."""
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

    Without `chance` all that the seat leaves is the choices', and no step need be measured.
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
        for number in range(1, LONGEST_GAME + 1):
            if buffers.state[ACTOR] == NOBODY:
                break
            copy(buffers.after, buffers.before)
            source = CHANCES if buffers.state[ACTOR] == CHANCE else CHOICES
            rules.apply(buffers.state, choose(buffers.state, buffers, simulations, slip))
            if buffers.state[ACTOR] == NOBODY or number == LONGEST_GAME:
                conclude(buffers.state, buffers.after)
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
    """What the variance of a game's result comes from.

    `seat`, `choices` and `chance` are parts of that variance: where a player sits, what players choose, what chance
    draws. `adds_up` is their sum, which is 1 but for the error of measurement.
    """

    seat: Estimate
    choices: Estimate
    chance: Estimate
    adds_up: Estimate

    @property
    def is_known(self) -> bool:
        """Whether all parts, and that they add up, are known well enough to be told."""
        return all(one.high - one.low <= TOO_WIDE for one in self) and self.adds_up.low <= 1 <= self.adds_up.high

    @property
    def is_seat_known(self) -> bool:
        """Whether the part of the seat is, which is all that is measured where nothing is left to chance."""
        return self.seat.high - self.seat.low <= TOO_WIDE


def split_luck(
    game: TurnGame,
    games: int,
    seed: int = 0,
    simulations: int = 1,
    slip: float = 0.1,
    playouts: int = 16,
    jobs: int = 1,
) -> Luck:
    """Split the variance of results between equal players who search, and play any act with the probability `slip`.

    After each act 2 * `playouts` games are played to the end; where nothing is left to chance, only at the start. Each
    game is a block. The same seed gives the same figures for any number of threads, `jobs`. Raises GameError where a
    number is not allowed.
    """
    whole = ("games", games, 2), ("simulations", simulations, 1), ("playouts", playouts, 1), ("jobs", jobs, 1)
    for name, number, least in whole:
        check_whole(name, number, least)
    if not 0 <= slip <= 1:
        raise GameError(f"slip is a probability from 0 to 1, not {short_repr(slip)}")
    return luck_of(play_and_split(game, jit.seeds(seed, games), simulations, slip, playouts, jobs), game, part_of)


def luck_of(parts: Floats, game: TurnGame, part: Callable[[Floats, Floats], Estimate]) -> Luck:
    """The parts of the variance in all games together, each an estimate by `part`."""
    seat, choices, chance, total = parts.T
    found = Luck(*(part(some, total) for some in (seat, choices, chance, seat + choices + chance)))
    if game.has_chance:
        return found
    none, all_of_it = (Estimate(value, value, value, "exact", len(parts)) for value in (0.0, 1.0))
    return found._replace(chance=none, adds_up=all_of_it)


def part_of(some: Floats, total: Floats) -> Estimate:
    """What sums make up of another one, of which each game has its values."""
    return mean(parts_of(some, total))


def anytime_part(some: Floats, total: Floats) -> Estimate:
    """The same in an interval that holds at all times together."""
    parts = parts_of(some, total)
    return anytime(parts, least=-math.inf, most=math.inf) if np.ptp(parts) > MIN_LUCK else anytime(parts)


def parts_of(some: Floats, total: Floats) -> Floats:
    """What each game's values make up of another one's: linearised, so that their mean is the part of the sums."""
    variance = max(float(total.mean()), MIN_VARIANCE)
    part = float(some.mean()) / variance
    return part + (some - part * total) / variance


def play_and_split(game: TurnGame, seeds: Ints, simulations: int, slip: float, playouts: int, jobs: int = 1) -> Floats:
    """The parts of the variance in each game: float64[games, 4], for seat, choices and chance, and all together."""
    name = game.info.name
    grow = jit.bind(search.run, name, **modules_of(game))
    run = jit.bind(split, name, rules=game.rules, think=grow)
    first, chance, parts = game.first_position(), game.has_chance, np.empty((len(seeds), 4))

    def play(some: slice) -> None:
        run(first, seeds[some], new_buffers(game), playouts, simulations, round(slip * MILLION), chance, parts[some])

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(play, slices(len(seeds), jobs)))
    return parts


def new_buffers(game: TurnGame) -> Buffers:
    """The buffers for one thread."""
    first, seats = game.first_position(), game.players
    return Buffers(
        tree=new_tree(game),
        scratch=new_scratch(game, 1),
        state=np.empty_like(first),
        there=np.empty_like(first),
        acts=np.empty(game.rules.MAX_ACTS, np.int64),
        result=np.empty(seats),
        before=np.empty(2 * seats),
        after=np.empty(2 * seats),
        rng=np.ones(1, np.int64),
    )
