"""Training: the weights of a game's features, learned from games of the search against itself.

In each position of such a game the search tells what every act that it has looked into is worth to all seats. The
weights are moved so that the position after that act is judged alike at once, and so that each position that was played
foretells the result. In the first games the search judges by the hand-made evaluation, then by the weights learned so
far: what it knows after some simulations, the weights come to know before.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from icetable.bots.compiling import ensure
from icetable.bots.ranking import proven_behind
from icetable.bots.search import Style, modules_of, new_scratch, run, weigh
from icetable.bots.trees import NONE, TREES, share_of
from icetable.core.errors import GameError
from icetable.core.numbers import check_whole
from icetable.kernels import jit
from icetable.kernels.defaults import NO_WEIGHTS
from icetable.kernels.jit import copy
from icetable.kernels.layout import ACTOR, NOBODY, OFFSET, SEATS, UNPROVEN, WINNERS, Features, Rules, shares_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from concurrent.futures import Executor
    from typing import Any

    from icetable.bots.search import Scratch
    from icetable.bots.trees import Tree
    from icetable.core.turns import TurnGame
    from icetable.kernels.jit import Floats, Ints

TOGETHER = 4
"""The games between two changes of the weights."""
BY_HAND = 0.1
"""The part of the games in which the search judges by the hand-made evaluation."""
RATE, LAST_RATE = 0.02, 0.0006
"""The greatest change of a weight at a time: at first, and at the end."""
STEADY = 0.3
"""The part of the games before the rate begins to fall."""
AVERAGED, MEMORY = 0.6, 0.995
"""From this part of the games on the result is the mean of the weights, older ones counting ever less."""
DECAYS = 0.9, 0.999
"""How slowly Adam forgets the mean of the gradients and of their squares."""
TINY = 1e-8
MIN_VISITS = 3
"""Acts with fewer visits teach nothing."""
MAX_OPENING = 9
"""At most so many random acts begin a game."""
SLIP = 0.05
"""How often a player does anything."""
VARIED = 8
"""For so many acts after the opening the choice among good acts is varied."""

rules = cast("Rules", None)  # bound for each game
features = cast("Features", None)  # bound for each game


class GameGradient(NamedTuple):
    """What the games of a step taught: the sum of the gradients, the sum of the losses and the weight of both."""

    gradient: Floats
    loss: float
    weight: float


class TrainingStep(NamedTuple):
    """How far a training is: the games played, and their loss: how far the judgement is from what it should be, in
    nats.
    """

    games: int
    loss: float
    weights: Floats


@jit.kernel
def learn(
    position: Ints, wanted: Floats, factor: float, scratch: Scratch, values: Floats, weights: Floats, gradient: Floats
) -> float:
    """Add the gradient of a position whose worth is `wanted`, times a factor, and return its loss."""
    weigh(position, scratch.active, scratch.amounts, scratch.ends, weights, values)
    loss, entry = 0.0, 0
    for seat in range(position[SEATS]):
        if wanted[seat] > 0.0:
            loss -= wanted[seat] * math.log(max(values[seat], TINY) / wanted[seat])
        while entry < scratch.ends[seat]:
            gradient[scratch.active[entry]] += factor * (values[seat] - wanted[seat]) * scratch.amounts[entry]
            entry += 1
    return factor * loss


@jit.kernel
def learn_from_acts(tree: Tree, root: Ints, scratch: Scratch, weights: Floats, gradient: Floats, sums: Floats) -> None:
    """Add the gradients of the positions after the acts at the root of a tree, and to `sums` their loss and weight."""
    wanted = scratch.best
    for edge in range(tree.first[0], tree.first[0] + tree.degree[0]):
        visits, child = tree.visits[edge], tree.child[edge]
        if visits < MIN_VISITS:
            continue
        copy(root, scratch.successor)
        rules.apply(scratch.successor, tree.act[edge])
        if scratch.successor[ACTOR] == NOBODY:
            continue
        proof = tree.proven[child] if child != NONE else UNPROVEN
        for seat in range(root[SEATS]):
            wanted[seat] = tree.root_sums[edge, seat] / visits if proof == UNPROVEN else share_of(proof, seat)
        factor = math.sqrt(visits) / 4.0
        sums[0] += learn(scratch.successor, wanted, factor, scratch, scratch.values, weights, gradient)
        sums[1] += factor


def gradient_of_game(
    name: str, options: Mapping[str, Any], weights: Floats, by_hand: bool, simulations: int, seed: tuple[int, int]
) -> GameGradient:
    """What one game of a search against itself teaches: what a worker does."""
    from icetable import games

    ensure(games.info(name))
    game = cast("TurnGame", games.load(name, **options))
    return SelfPlay(game, weights, by_hand, simulations, seed).play()


class SelfPlay:
    """A search that plays a game against itself and learns from it."""

    def __init__(self, game: TurnGame, weights: Floats, by_hand: bool, simulations: int, seed: tuple[int, int]) -> None:
        self.game, self.weights, self.simulations = game, weights, simulations
        self.rng = np.random.default_rng(seed)
        self.style = Style(exploration=game.exploration, weights=NO_WEIGHTS if by_hand else weights)
        self.scratch = new_scratch(game, self._seed())
        self.gradient, self.sums = np.zeros(len(weights)), np.zeros(2)
        bound = modules_of(game)
        self._run = jit.bind(run, game.info.name, **bound)
        bound["weigh"] = jit.bind(weigh, game.info.name, **bound)
        self.learn = jit.bind(learn, game.info.name, **bound)
        self._learn_from_acts = jit.bind(learn_from_acts, game.info.name, **bound)

    def play(self) -> GameGradient:
        """A game from a random opening to its end."""
        position, seen = self.game.first_position(), []
        rng, buffer = np.array([self._seed()]), np.empty(self.game.rules.MAX_ACTS, np.int64)
        opening, acts = int(self.rng.integers(MAX_OPENING + 1)), 0
        while position[ACTOR] != NOBODY:
            acts += position[ACTOR] >= 0
            if position[ACTOR] < 0 or acts <= opening or self.rng.random() < SLIP:
                act = self.game.rules.pick(position, buffer, rng)
            else:
                seen.append(position.copy())
                act = self._think(position, acts <= opening + VARIED)
            self.game.rules.apply(position, act)
        self._learn_from_result(seen, position)
        self.gradient[OFFSET] = 0.0
        return GameGradient(self.gradient, *self.sums.tolist())

    def _think(self, position: Ints, is_varied: bool) -> int:
        """Search, learn, and choose an act: mostly one with many visits."""
        tree = TREES.acquire(self.game)
        self._run(tree, self.scratch, position, self.simulations, self.style)
        self._learn_from_acts(tree, position, self.scratch, self.weights, self.gradient, self.sums)
        edges = slice(int(tree.first[0]), int(tree.first[0] + tree.degree[0]))
        proof, visits = proven_behind(tree, edges), tree.visits[edges].astype(np.float64)
        good = proof == position[ACTOR]
        if not good.any():
            good = proof == UNPROVEN
        if good.any():
            visits[~good] = 0.0
        odds = (visits / visits.max()) ** (1.5 if is_varied else 6.0)
        act = int(tree.act[edges][self.rng.choice(len(odds), p=odds / odds.sum())])
        TREES.release(tree)
        return act

    def _learn_from_result(self, seen: list[Ints], end: Ints) -> None:
        players = self.game.players
        winners = [seat for seat in range(players) if end[WINNERS] >> seat & 1]
        result = np.array(shares_of(winners, players))
        for position in seen:
            loss = self.learn(position, result, 1.0, self.scratch, self.scratch.values, self.weights, self.gradient)
            self.sums += loss, 1.0

    def _seed(self) -> int:
        return int(self.rng.integers(1, jit.SEED_LIMIT))


class Adam:
    """The method of Kingma and Ba (2015)."""

    def __init__(self, size: int) -> None:
        self.mean, self.square, self.steps = np.zeros(size), np.zeros(size), 0

    def change(self, gradient: Floats) -> Floats:
        """What to take away from the weights, at a rate of 1."""
        self.steps += 1
        for kept, decay, new in zip((self.mean, self.square), DECAYS, (gradient, gradient**2), strict=True):
            kept *= decay
            kept += (1 - decay) * new
        mean, square = (
            kept / (1 - decay**self.steps) for kept, decay in zip((self.mean, self.square), DECAYS, strict=True)
        )
        return mean / (np.sqrt(square) + TINY)


def train(
    game: TurnGame, count: int, simulations: int, seed: int = 0, where: Executor | None = None
) -> Iterator[TrainingStep]:
    """Learn the weights of a game's features from `count` games of searches of so many simulations.

    Gives a step after every TOGETHER games; the last one has the result. The same numbers give the same weights,
    wherever the games are played. `where`: an executor of `concurrent.futures` whose workers have the same icetable.
    Raises GameError where the game has no features.
    """
    if game.features.FEATURES == 0:
        raise GameError(f"{game.info.title} has no features to learn the weights of")
    for name, number, least in (("games", count, TOGETHER), ("simulations", simulations, 1), ("seed", seed, 0)):
        check_whole(name, number, least)
    weights = np.zeros(game.features.FEATURES)
    weights[OFFSET] = 1.0
    adam, mean, options = Adam(len(weights)), None, dict(game.options)
    call: Callable[..., Iterator[GameGradient]] = map if where is None else where.map
    for first in range(0, count, TOGETHER):
        done = first / count
        some = range(first, min(first + TOGETHER, count))
        jobs = [(game.info.name, options, weights, done < BY_HAND, simulations, (seed, number)) for number in some]
        gradients = list(call(gradient_of_game, *zip(*jobs, strict=True)))
        weight = sum(one.weight for one in gradients)
        gradient = sum((one.gradient for one in gradients), np.zeros(len(weights))) / max(weight, TINY)
        weights = weights - rate_at(done) * adam.change(gradient)
        if done >= AVERAGED:
            mean = weights if mean is None else MEMORY * mean + (1 - MEMORY) * weights
        yield TrainingStep(
            some.stop, sum(one.loss for one in gradients) / max(weight, TINY), weights if mean is None else mean
        )


def rate_at(done: float) -> float:
    """The rate when this part of the games is done."""
    return max(LAST_RATE, RATE * min(1.0, (1.0 - done) / (1.0 - STEADY)))
