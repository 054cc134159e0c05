"""Tree search in all games of a batch at once, with an evaluator of one's own."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from icetable.core.errors import GameError
from icetable.core.numbers import check_whole
from icetable.core.options import short_repr
from icetable.envs import forest
from icetable.envs.batch import check_choice
from icetable.kernels import jit
from icetable.kernels.layout import ACTOR, NOBODY

if TYPE_CHECKING:
    import numpy.typing as npt

    from icetable.envs.batch import Batch
    from icetable.kernels.jit import Floats, Ints

Evaluate = Callable[[Any, Any], tuple[Any, Any]]
"""Judges k positions at once, each from the view of the seat that is to act. Observations and masks as `Batch` has
them, int8[k, …] and int8[k, actions], give logits, [k, actions], and values, [k] or [k, players]."""
Kind = Literal["puct", "gumbel"]
EDGES = 16
"""For so many edges of each node there is room at first."""
DIRICHLET = 10.0
"""The sum of the parameters of the Dirichlet noise, equally divided among the legal actions."""


class Searched(NamedTuple):
    """What a search has found in each row; zeros, and of `actions` -1, in rows where there was none.

    `visits`: int64[n, actions], the simulations that began with each action. `policy`: float64[n, actions], what a
    policy should learn: by PUCT the parts of the visits, by Gumbel the improved policy. `values`: float64[n, players],
    what the position is worth to each seat, on average of the simulations, on the scale of the batch's rewards.
    `actions`: int64[n], what to play: by PUCT the action with most visits, by Gumbel the one that is left over.
    """

    visits: Ints
    policy: Floats
    values: Floats
    actions: Ints


class TreeSearch:
    """A search from the positions of a batch, with an evaluator that judges the new leaves of all rows in one call.

    `evaluate` takes what those to act in k positions see and may do, observations int8[k, …] shaped as the batch has
    them and masks int8[k, actions], and returns two arrays, or what numpy makes some of: logits, [k, actions], which
    may be logarithms of probabilities and don't matter where an action is illegal; and values, on the scale of the
    batch's rewards: [k, players], in the order of turns from the seat that is to act on, as the planes are; or [k], for
    that seat alone, where it plays alone or two share what adds up to 0.

    `kind` "puct" is the search of AlphaGo Zero, `exploration` the weight of its priors, for values that are scaled to
    lie between 0 and 1. "gumbel" takes `considered` of the root's actions by the policy and shares the simulations
    among them by sequential halving, which makes more of few simulations; `sharpness` is its c_scale, how much values
    count. `noise` is how much of the root is drawn, from 0 for play to 1: of PUCT the part of a Dirichlet distribution
    in its priors, where a policy learns some 0.25; of Gumbel the factor of its variates, where a policy learns 1.

    Each seat plays for itself: where it acts, its own values count. Chance acts by its odds; equally likely outcomes
    come in turn, and of deals that are too many to list, each visit draws one, or takes what they are worth on average
    where the game knows that. What is over is worth the batch's reward. Values that are points are scaled by the lowest
    and the highest one of the tree.

    Where seats do not know all, the search goes from a position as the seat to act takes it to be: what is secret is
    drawn from all that fits what it has seen, anew for each search, and what it has to remember it remembers for the
    last `memory` acts, None for all. Each further position is judged by what its seat sees of that.

    Rows are as in the batch, which does not change. The same seed gives the same results of the same evaluator, call
    after call.

    Raises GameError where an argument is not allowed.

    >>> import numpy as np
    >>> from icetable.envs import Batch, TreeSearch
    >>> batch = Batch("squad", 2, seed=1)
    >>> search = TreeSearch(batch, lambda seen, masks: (np.zeros(masks.shape), np.zeros(len(masks))), simulations=10)
    >>> found = search.run()
    >>> found.visits.sum(axis=1), found.values.shape
    (array([10, 10]), (2, 2))
    >>> batch.step(found.actions)
    """

    def __init__(
        self,
        batch: Batch,
        evaluate: Evaluate,
        simulations: int = 64,
        kind: Kind = "puct",
        *,
        exploration: float = 1.25,
        noise: float = 0.0,
        considered: int = 16,
        sharpness: float = 1.0,
        memory: int | None = None,
        seed: int = 0,
    ) -> None:
        for name, number, least in (("simulations", simulations, 1), ("considered", considered, 1), ("seed", seed, 0)):
            check_whole(name, number, least)
        if memory is not None:
            check_whole("memory", memory, 0)
        check_choice("kind", kind, get_args(Kind))
        for name, amount in (("exploration", exploration), ("sharpness", sharpness)):
            if not 0 <= amount < math.inf:
                raise GameError(f"{name} is a number from 0 up, not {short_repr(amount)}")
        if not 0 <= noise <= 1:
            raise GameError(f"noise is a part from 0 to 1, not {short_repr(noise)}")
        self.batch, self.evaluate, self.simulations = batch, evaluate, int(simulations)
        self.memory, self.noise = memory, float(noise)
        self._rng = np.random.default_rng(seed)
        self._secret = batch.game.has_secrets
        self._bounded = batch.rewards == "share"
        self._choice = forest.Choosing(
            gumbel=kind == "gumbel",
            exploration=float(exploration),
            sharpness=float(sharpness),
            draws=np.zeros((0, 0)),
            turns=turns(int(considered), self.simulations),
        )
        self._make_trees(int(seed))
        jit.announce_compiling()
        game = batch.game
        bound = {"rules": game.rules, "codec": batch.space.codec, "deals": game.deals}
        self._plant, self._descend, self._back_up, self._mix, self._tell = (
            jit.bind(kernel, game.info.name, **bound)
            for kernel in (forest.plant, forest.descend, forest.back_up, forest.mix, forest.tell)
        )

    def run(self, which: npt.ArrayLike | None = None) -> Searched:
        """Search in all rows, or in those where bool[n] `which` is True; never where the game is over.

        Raises GameError where `evaluate` gives arrays of other shapes or what is no number.
        """
        chosen = self.batch.chosen(which) & (self.batch.actor != NOBODY)
        leaves = self._leaves
        leaves.does[:] = np.where(chosen, forest.WAITING, forest.IDLE)
        self._take_roots(chosen)
        low, high = (-1 / max(self.batch.game.players - 1, 1), 1.0) if self._bounded else (math.inf, -math.inf)
        self._plant(self._forest, leaves, low, high)
        choice = self._choice
        for simulation in range(-1, self.simulations):  # the first one judges the roots
            while (result := self._descend(self._forest, leaves, choice, simulation)) != forest.DONE:
                self._make_room(result)
            if not self._bounded:
                self._count_points()
            logits = self._ask()
            last = simulation == self.simulations - 1
            self._back_up(self._forest, leaves, logits, forest.IDLE if last else forest.WAITING)
            if simulation < 0:
                choice = choice._replace(draws=self._draw(chosen))
                if self.noise and not choice.gumbel:
                    self._mix(chosen, self._forest, choice.draws, self.noise)
        n, players = self.batch.n, self.batch.game.players
        shape = self.batch.mask.shape
        found = Searched(np.zeros(shape, np.int64), np.zeros(shape), np.zeros((n, players)), np.full(n, -1))
        self._tell(chosen, self._forest, choice, *found)
        return found

    def _make_trees(self, seed: int) -> None:
        """The arrays of the trees and their leaves."""
        batch, game = self.batch, self.batch.game
        n, players, first = batch.n, game.players, game.first_position()
        encoding = batch.space.encoding
        nodes = (1 + game.has_chance) * self.simulations + 1
        edges = EDGES * nodes

        def whole(*shape: int) -> Ints:
            return np.zeros((n, *shape), np.int64)

        def real(*shape: int) -> Floats:
            return np.zeros((n, *shape))

        self._forest = forest.Forest(
            positions=np.zeros((n, nodes, len(first)), first.dtype),
            used=whole(2),
            parent=whole(nodes),
            first=whole(nodes),
            degree=whole(nodes),
            visits=whole(nodes),
            sums=real(nodes, players),
            judged=real(nodes),
            act=whole(edges),
            action=whole(edges),
            child=whole(edges),
            prior=real(edges),
            logit=real(edges),
            lowest=real(),
            highest=real(),
        )
        self._leaves = forest.Leaves(
            does=whole(),
            node=whole(),
            positions=np.tile(first, (n, 1)),
            planes=np.zeros((n, encoding.height * encoding.width, len(encoding.planes)), np.int8),
            mask=np.zeros((n, encoding.actions), np.int8),
            values=real(players),
            streams=jit.seeds(seed, n).reshape(n, 1),
            buffer=np.empty(game.rules.MAX_ACTS, np.int64),
            shares=np.zeros(players),
            even=game.equal_odds,
            bounded=self._bounded,
        )

    def _make_room(self, result: int | None) -> None:
        """Make the arrays of nodes or of edges twice as long."""
        names: tuple[str, ...] = ("act", "action", "child", "prior", "logit")
        if result == forest.NO_NODES:
            names = ("positions", "parent", "first", "degree", "visits", "sums", "judged")
        arrays = {name: getattr(self._forest, name) for name in names}
        longer = {name: np.concatenate((array, np.zeros_like(array)), axis=1) for name, array in arrays.items()}
        self._forest = self._forest._replace(**longer)

    def _take_roots(self, chosen: npt.NDArray[np.bool_]) -> None:
        """Take over the positions, with what is secret drawn."""
        positions = self._leaves.positions
        positions[chosen] = self.batch.positions(chosen)
        if self._secret:
            for row in np.flatnonzero(chosen):
                positions[row] = self.batch.game.determinize(positions[row], self.memory, self._rng)

    def _draw(self, chosen: npt.NDArray[np.bool_]) -> Floats:
        """What is drawn for the legal actions at the roots: Gumbel variates, or parts that add up to 1."""
        drawn = np.zeros(self.batch.mask.shape)
        if self.noise:
            legal = self.batch.legal & chosen[:, np.newaxis]
            number, count = legal.nonzero()[0], legal.sum(axis=1)
            if self._choice.gumbel:
                drawn[legal] = self.noise * self._rng.gumbel(size=len(number))
            else:
                parts = self._rng.standard_gamma(DIRICHLET / count[number])
                drawn[legal] = parts / np.bincount(number, parts)[number]
        return drawn

    def _count_points(self) -> None:
        """What games are worth that are over, in points."""
        leaves = self._leaves
        for row in np.flatnonzero(leaves.does == forest.KNOWN):
            leaves.values[row] = self.batch.game.scores(leaves.positions[row])

    def _ask(self) -> npt.NDArray[np.float32]:
        """Ask for what the leaves are worth, and write it; the logits."""
        leaves, encoding = self._leaves, self.batch.space.encoding
        asks = np.flatnonzero(leaves.does == forest.ASKS)
        if len(asks) == 0:
            return np.zeros((0, encoding.actions), np.float32)
        seen = self.batch.arranged(leaves.planes[asks].reshape(len(asks), *encoding.shape))
        told, worth = map(np.asarray, self.evaluate(seen, leaves.mask[asks]))
        if told.shape != (len(asks), encoding.actions):
            raise GameError(f"evaluate has to give logits of shape {(len(asks), encoding.actions)}, not {told.shape}")
        leaves.values[asks] = self._for_seats(worth, leaves.positions[asks, ACTOR].astype(np.int64))
        logits = np.where(leaves.mask[asks], told, 0).astype(np.float32)
        if np.isnan(logits).any() or np.isposinf(logits).any() or not np.isfinite(worth).all():
            raise GameError("evaluate has given what is no number: logits are finite or -inf, and values finite")
        return logits

    def _for_seats(self, worth: npt.NDArray[Any], actors: Ints) -> npt.NDArray[Any]:
        """Values by the order of turns, by seat."""
        count, players = len(actors), self.batch.game.players
        alone_will_do = players == 1 or (players == 2 and self._bounded)
        if worth.shape == (count,) and alone_will_do:
            worth = np.stack([worth, -worth][:players], axis=1)
        if worth.shape != (count, players):
            shapes = f"{(count, players)}{f' or {(count,)}' * alone_will_do}"
            raise GameError(f"evaluate has to give values of shape {shapes}, not {worth.shape}")
        by_seat = np.empty((count, players))
        np.put_along_axis(by_seat, (actors[:, np.newaxis] + np.arange(players)) % players, worth, axis=1)
        return by_seat


def turns(considered: int, simulations: int) -> Ints:
    """Sequential halving: by the number of acts that are considered, for each simulation the number of visits that the
    act has which is next. All acts that are left have the same visits in turn, and those with fewer are out.
    """
    table = np.zeros((considered + 1, simulations), np.int64)
    for most in range(1, considered + 1):
        left, phases, visits, order = most, max(1, math.ceil(math.log2(most))), 0, list[int]()
        while len(order) < simulations:
            for _ in range(max(1, simulations // (phases * left))):
                order += [visits] * left
                visits += 1
            left = max(min(2, most), left // 2)
        table[most] = order[:simulations]
    return table
