"""Tree search in all games of a batch simultaneously, with an evaluator of your own."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from icetable.core.errors import GameError
from icetable.core.options import check_whole, short_repr
from icetable.envs import forest
from icetable.envs.batch import check_choice
from icetable.kernels import jit
from icetable.kernels.layout import ACTOR, NOBODY

if TYPE_CHECKING:
    import numpy.typing as npt

    from icetable.envs.batch import Batch
    from icetable.kernels.jit import Floats, Ints

Evaluate = Callable[[Any, Any], tuple[Any, Any]]
"""Evaluates k positions in one call, each for the seat to act. Maps observations and masks as in `Batch`, int8[k, …]
and int8[k, actions], to logits, [k, actions], and values, [k] or [k, players]."""
Kind = Literal["puct", "gumbel"]
EDGES_PER_NODE = 16
"""Initial capacity for edges; it doubles when they are more."""
DIRICHLET_TOTAL = 10.0
"""The sum of the parameters of the Dirichlet noise, divided equally among the legal actions."""


class Searched(NamedTuple):
    """The results of a search in each row; rows that were not searched have zeros, and -1 in `actions`."""

    visits: Ints
    """int64[n, actions], the simulations that began with each action."""
    policy: Floats
    """float64[n, actions], the training target of a policy: the visit distribution with PUCT, the improved policy with
    Gumbel."""
    values: Floats
    """float64[n, players], the mean value of the position for each seat, on the scale of the batch's rewards."""
    actions: Ints
    """int64[n], the action to play: with PUCT the most visited one, with Gumbel the winner of sequential halving."""


class TreeSearch:
    """A tree search from the positions of a batch. The evaluator is called once per step with the leaves of all rows.

    `evaluate` takes observations, int8[k, …] shaped as in the batch, and action masks, int8[k, actions], of the seats
    to act in k positions. It returns two arrays, or anything numpy converts to arrays: logits, [k, actions], which may
    be log-probabilities and are ignored for illegal actions; and values on the scale of the batch's rewards:
    [k, players] in turn order from the seat to act, like the planes; or [k], for that seat alone, in games for one
    player or with two players whose rewards add up to 0.

    `kind` "puct" is the search of AlphaGo Zero; `exploration` weighs its priors against values scaled to 0 to 1.
    "gumbel" selects `considered` of the root's actions by the policy and divides the simulations among them by
    sequential halving, which is stronger with few simulations; `sharpness` is its c_scale, the weight of values.
    `noise` is the randomness at the root, from 0 for play to 1: with PUCT the fraction of Dirichlet noise in the
    priors, about 0.25 in training; with Gumbel the scale of the Gumbel noise, 1 in training.

    Each seat maximizes its own value. Chance is sampled by its odds; equally likely outcomes are visited in turn. If
    deals are too many to list, each visit samples one, or uses their mean value if the game can compute it. Finished
    games have the batch's reward as value. Values in points are scaled by the minimum and maximum in the tree.

    In games with hidden information the search starts from a determinization for the seat to act: the secrets are
    sampled for each search from all that are consistent with what it has seen, and it remembers the last `memory` acts,
    None for all. Each position in the tree is evaluated from the observation of its seat to act. Games in which several
    seats choose in secret at the same moment are refused.

    Rows are those of the batch, which does not change. The same seed and evaluator give the same sequence of results.

    Raises GameError if an argument is not allowed.

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
        if batch.device != "cpu":
            raise GameError("a tree search runs on the processor; give it a batch with device='cpu'")
        if batch.game.has_secret_choices:
            raise GameError(
                f"in {batch.game.info.title} seats choose in secret at the same moment, and a tree of one act after "
                "another would answer a choice that its seat can't know; icetable.bots.Bot searches such games"
            )
        self.batch, self.evaluate, self.simulations = batch, evaluate, int(simulations)
        self.memory, self.noise = memory, float(noise)
        self._rng = np.random.default_rng(seed)
        self._secret = batch.game.has_secrets
        self._bounded = batch.rewards == "share"
        self._choice = forest.Selection(
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
        self._plant, self._descend, self._back_up, self._mix, self._write_results = (
            jit.bind(kernel, game.info.name, **bound)
            for kernel in (forest.reset, forest.descend, forest.back_up, forest.mix_noise, forest.write_results)
        )

    def run(self, which: npt.ArrayLike | None = None) -> Searched:
        """Search in all rows, or in those where bool[n] `which` is True, except finished games.

        Raises GameError if `evaluate` returns arrays of other shapes or values that are not numbers.
        """
        chosen = self.batch.chosen(which) & (self.batch.actor != NOBODY)
        leaves = self._leaves
        leaves.status[:] = np.where(chosen, forest.DESCENDING, forest.IDLE)
        self._set_roots(chosen)
        low, high = (-1 / max(self.batch.game.players - 1, 1), 1.0) if self._bounded else (math.inf, -math.inf)
        self._plant(self._forest, leaves, low, high)
        choice = self._choice
        for simulation in range(-1, self.simulations):  # the first one evaluates the roots
            while (result := self._descend(self._forest, leaves, choice, simulation)) != forest.DONE:
                self._grow(result)
            if not self._bounded:
                self._score_points()
            logits = self._evaluate_leaves()
            last = simulation == self.simulations - 1
            self._back_up(self._forest, leaves, logits, forest.IDLE if last else forest.DESCENDING)
            if simulation < 0:
                choice = choice._replace(draws=self._draw_noise(chosen))
                if self.noise and not choice.gumbel:
                    self._mix(chosen, self._forest, choice.draws, self.noise)
        n, players = self.batch.n, self.batch.game.players
        shape = self.batch.mask.shape
        found = Searched(np.zeros(shape, np.int64), np.zeros(shape), np.zeros((n, players)), np.full(n, -1))
        self._write_results(chosen, self._forest, choice, *found)
        return found

    def _make_trees(self, seed: int) -> None:
        batch, game = self.batch, self.batch.game
        n, players, first = batch.n, game.players, game.first_position()
        encoding = batch.space.encoding
        nodes = (1 + game.has_chance) * self.simulations + 1
        edges = EDGES_PER_NODE * nodes

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
            evaluation=real(nodes),
            act=whole(edges),
            action=whole(edges),
            child=whole(edges),
            prior=real(edges),
            logit=real(edges),
            lowest=real(),
            highest=real(),
        )
        self._leaves = forest.Leaves(
            status=whole(),
            node=whole(),
            positions=np.tile(first, (n, 1)),
            planes=np.zeros((n, encoding.height * encoding.width, len(encoding.planes)), np.int8),
            mask=np.zeros((n, encoding.actions), np.int8),
            values=real(players),
            streams=jit.seeds(seed, n).reshape(n, 1),
            buffer=np.empty(game.rules.MAX_ACTS, np.int64),
            shares=np.zeros(players),
            equal_odds=game.equal_odds,
            bounded=self._bounded,
        )

    def _grow(self, result: int | None) -> None:
        """Double the capacity for nodes or for edges."""
        names: tuple[str, ...] = ("act", "action", "child", "prior", "logit")
        if result == forest.NO_NODES:
            names = ("positions", "parent", "first", "degree", "visits", "sums", "evaluation")
        arrays = {name: getattr(self._forest, name) for name in names}
        longer = {name: np.concatenate((array, np.zeros_like(array)), axis=1) for name, array in arrays.items()}
        self._forest = self._forest._replace(**longer)

    def _set_roots(self, chosen: npt.NDArray[np.bool_]) -> None:
        """Copy the positions to the roots, with secrets sampled."""
        positions = self._leaves.positions
        positions[chosen] = self.batch.positions(chosen)
        if self._secret:
            for row in np.flatnonzero(chosen):
                positions[row] = self.batch.game.determinize(positions[row], self.memory, self._rng)

    def _draw_noise(self, chosen: npt.NDArray[np.bool_]) -> Floats:
        """The noise of the legal actions at the roots: Gumbel variates, or a Dirichlet sample."""
        drawn = np.zeros(self.batch.mask.shape)
        if self.noise:
            legal = self.batch.legal & chosen[:, np.newaxis]
            number, count = legal.nonzero()[0], legal.sum(axis=1)
            if self._choice.gumbel:
                drawn[legal] = self.noise * self._rng.gumbel(size=len(number))
            else:
                parts = self._rng.standard_gamma(DIRICHLET_TOTAL / count[number])
                drawn[legal] = parts / np.bincount(number, parts)[number]
        return drawn

    def _score_points(self) -> None:
        """Write the points of finished games as their values."""
        leaves = self._leaves
        for row in np.flatnonzero(leaves.status == forest.EVALUATED):
            leaves.values[row] = self.batch.game.scores(leaves.positions[row])

    def _evaluate_leaves(self) -> npt.NDArray[np.float32]:
        """Evaluate the leaves that need it: write their values and return their logits."""
        leaves, encoding = self._leaves, self.batch.space.encoding
        found = np.flatnonzero(leaves.status == forest.NEEDS_EVALUATION)
        if len(found) == 0:
            return np.zeros((0, encoding.actions), np.float32)
        seen = self.batch.arranged(leaves.planes[found].reshape(len(found), *encoding.shape))
        logits, values = map(np.asarray, self.evaluate(seen, leaves.mask[found]))
        if logits.shape != (len(found), encoding.actions):
            raise GameError(
                f"evaluate must return logits of shape {(len(found), encoding.actions)}, not {logits.shape}"
            )
        leaves.values[found] = self._by_seat(values, leaves.positions[found, ACTOR].astype(np.int64))
        masked = np.where(leaves.mask[found], logits, 0).astype(np.float32)
        if np.isnan(masked).any() or np.isposinf(masked).any() or not np.isfinite(values).all():
            raise GameError("evaluate must return finite values, and logits that are finite or -inf")
        return masked

    def _by_seat(self, values: npt.NDArray[Any], actors: Ints) -> npt.NDArray[Any]:
        """Values in turn order from the actors, rearranged by seat."""
        count, players = len(actors), self.batch.game.players
        one_is_enough = players == 1 or (players == 2 and self._bounded)
        if values.shape == (count,) and one_is_enough:
            values = np.stack([values, -values][:players], axis=1)
        if values.shape != (count, players):
            shapes = f"{(count, players)}{f' or {(count,)}' * one_is_enough}"
            raise GameError(f"evaluate must return values of shape {shapes}, not {values.shape}")
        by_seat = np.empty((count, players))
        np.put_along_axis(by_seat, (actors[:, np.newaxis] + np.arange(players)) % players, values, axis=1)
        return by_seat


def turns(considered: int, simulations: int) -> Ints:
    """The schedule of sequential halving: by number of considered acts and simulation, the visits so far of the act to
    visit next. The remaining acts are visited in turn; acts with fewer visits have been eliminated.
    """
    table = np.zeros((considered + 1, simulations), np.int64)
    for count in range(1, considered + 1):
        left, phases, visits, order = count, max(1, math.ceil(math.log2(count))), 0, list[int]()
        while len(order) < simulations:
            for _ in range(max(1, simulations // (phases * left))):
                order += [visits] * left
                visits += 1
            left = max(min(2, count), left // 2)
        table[count] = order[:simulations]
    return table
