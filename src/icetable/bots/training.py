"""Training: learn the weights of a game's features from self-play of the search.

In each position the search estimates the values of all acts that it has visited. The weights are trained so that the
evaluation of the position after an act predicts these values, and that of each position predicts the result of the
game. The search uses the hand-written evaluation in the first games, then the current weights, so that the evaluation
learns what the search only finds after some simulations.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from icetable.bots.compilation import ensure
from icetable.bots.search import Style, evaluate_features, modules_of, new_scratch, run
from icetable.bots.trees import NONE, TREES, proven_behind, share_of
from icetable.core.errors import GameError
from icetable.core.options import check_whole
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

GAMES_PER_STEP = 4
"""The number of games per update of the weights."""
HAND_WRITTEN_PART = 0.1
"""The fraction of games in which the search uses the hand-written evaluation."""
RATE, FINAL_RATE = 0.02, 0.0006
"""The learning rates at the beginning and at the end."""
STEADY_PART = 0.3
"""The fraction of games before the rate begins to fall."""
AVERAGING_START, AVERAGING_DECAY = 0.6, 0.995
"""After this fraction of the games the result is an exponential moving average of the weights, with this decay."""
DECAYS = 0.9, 0.999
"""Adam's decay rates of the mean of the gradients and of their squares."""
EPSILON = 1e-8
MIN_VISITS = 3
"""Acts with fewer visits are not used for training."""
MAX_OPENING_ACTS = 9
"""Maximum number of random acts at the beginning of a game."""
RANDOM_ACT_PROBABILITY = 0.05
"""The probability of a random act after the opening."""
VARIED_ACTS = 8
"""The number of acts after the opening that are chosen with more variety."""

rules = cast("Rules", None)  # bound for each game
features = cast("Features", None)  # bound for each game


class GameGradient(NamedTuple):
    """The result of a training game."""

    gradient: Floats
    """The sum of the gradients."""
    loss: float
    """The sum of the losses."""
    weight: float
    """The weight of both sums."""


class TrainingStep(NamedTuple):
    """The progress of a training."""

    games: int
    """The number of games so far."""
    loss: float
    """The mean loss of the last games, a Kullback-Leibler divergence in nats."""
    weights: Floats
    """The weights after it."""


@jit.kernel
def learn(
    position: Ints, wanted: Floats, factor: float, scratch: Scratch, values: Floats, weights: Floats, gradient: Floats
) -> float:
    """Add the gradient of a position with the target shares `wanted`, times a factor, and return its loss."""
    evaluate_features(position, scratch.active, scratch.amounts, scratch.ends, weights, values)
    loss, entry = 0.0, 0
    for seat in range(position[SEATS]):
        if wanted[seat] > 0.0:
            loss -= wanted[seat] * math.log(max(values[seat], EPSILON) / wanted[seat])
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
    """Play one training game in a worker and return its gradient."""
    from icetable import games

    ensure(games.info(name))
    game = cast("TurnGame", games.load(name, **options))
    return SelfPlay(game, weights, by_hand, simulations, seed).play()


class SelfPlay:
    """A game of self-play and its gradient."""

    def __init__(self, game: TurnGame, weights: Floats, by_hand: bool, simulations: int, seed: tuple[int, int]) -> None:
        self.game, self.weights, self.simulations = game, weights, simulations
        self.rng = np.random.default_rng(seed)
        self.style = Style(exploration=game.exploration, weights=NO_WEIGHTS if by_hand else weights)
        self.scratch = new_scratch(game, self._seed())
        self.gradient, self.sums = np.zeros(len(weights)), np.zeros(2)
        bound = modules_of(game)
        self._run = jit.bind(run, game.info.name, **bound)
        bound["evaluate_features"] = jit.bind(evaluate_features, game.info.name, **bound)
        self.learn = jit.bind(learn, game.info.name, **bound)
        self._learn_from_acts = jit.bind(learn_from_acts, game.info.name, **bound)

    def play(self) -> GameGradient:
        """Play a game from a random opening to its end."""
        position, seen = self.game.first_position(), []
        rng, buffer = np.array([self._seed()]), np.empty(self.game.rules.MAX_ACTS, np.int64)
        opening, acts = int(self.rng.integers(MAX_OPENING_ACTS + 1)), 0
        while position[ACTOR] != NOBODY:
            acts += position[ACTOR] >= 0
            if position[ACTOR] < 0 or acts <= opening or self.rng.random() < RANDOM_ACT_PROBABILITY:
                act = self.game.rules.pick(position, buffer, rng)
            else:
                seen.append(position.copy())
                act = self._think(position, acts <= opening + VARIED_ACTS)
            self.game.rules.apply(position, act)
        self._learn_from_result(seen, position)
        self.gradient[OFFSET] = 0.0
        return GameGradient(self.gradient, *self.sums.tolist())

    def _think(self, position: Ints, is_varied: bool) -> int:
        """Search, learn from the search, and sample an act by its visits."""
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
    """The optimizer of Kingma and Ba (2015)."""

    def __init__(self, size: int) -> None:
        self.mean, self.square, self.steps = np.zeros(size), np.zeros(size), 0

    def change(self, gradient: Floats) -> Floats:
        """The step to subtract from the weights, at a rate of 1."""
        self.steps += 1
        for average, decay, new in zip((self.mean, self.square), DECAYS, (gradient, gradient**2), strict=True):
            average *= decay
            average += (1 - decay) * new
        mean, square = (
            average / (1 - decay**self.steps) for average, decay in zip((self.mean, self.square), DECAYS, strict=True)
        )
        return mean / (np.sqrt(square) + EPSILON)


def train(
    game: TurnGame, count: int, simulations: int, seed: int = 0, executor: Executor | None = None
) -> Iterator[TrainingStep]:
    """Learn the weights of a game's features from `count` games of self-play with the given number of simulations.

    Yields a step after every GAMES_PER_STEP games; the last one has the result. The same arguments give the same
    weights on any executor. `executor`: one of `concurrent.futures` whose workers have the same icetable. Raises
    GameError if the game has no features.
    """
    if game.features.FEATURES == 0:
        raise GameError(f"{game.info.title} has no features to learn the weights of")
    for name, number, least in (("games", count, GAMES_PER_STEP), ("simulations", simulations, 1), ("seed", seed, 0)):
        check_whole(name, number, least)
    weights = np.zeros(game.features.FEATURES)
    weights[OFFSET] = 1.0
    adam, mean, options = Adam(len(weights)), None, dict(game.options)
    call: Callable[..., Iterator[GameGradient]] = map if executor is None else executor.map
    for first in range(0, count, GAMES_PER_STEP):
        done = first / count
        numbers = range(first, min(first + GAMES_PER_STEP, count))
        by_hand = done < HAND_WRITTEN_PART
        jobs = [(game.info.name, options, weights, by_hand, simulations, (seed, number)) for number in numbers]
        gradients = list(call(gradient_of_game, *zip(*jobs, strict=True)))
        weight = sum(one.weight for one in gradients)
        gradient = sum((one.gradient for one in gradients), np.zeros(len(weights))) / max(weight, EPSILON)
        weights = weights - rate_at(done) * adam.change(gradient)
        if done >= AVERAGING_START:
            mean = weights if mean is None else AVERAGING_DECAY * mean + (1 - AVERAGING_DECAY) * weights
        yield TrainingStep(
            numbers.stop, sum(one.loss for one in gradients) / max(weight, EPSILON), weights if mean is None else mean
        )


def rate_at(done: float) -> float:
    """The learning rate after a fraction of the games."""
    return max(FINAL_RATE, RATE * min(1.0, (1.0 - done) / (1.0 - STEADY_PART)))
