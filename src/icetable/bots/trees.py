"""Search trees, a pool of their memory, and what they have found: the acts at their roots, best first."""

from __future__ import annotations

import os
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from icetable.kernels.jit import kernel
from icetable.kernels.layout import ACTOR, UNPROVEN

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from icetable.core.game import Action
    from icetable.core.turns import TurnGame, TurnState
    from icetable.extras.strength import Effort
    from icetable.kernels.jit import Floats, Ints


NONE = -1
MAX_DEPTH = 512
MAX_PLAYOUT_ACTS = 2000
"""Longer random games may never end."""
MAX_NODES = 1 << 20
MAX_EDGES = 1 << 22
MAX_POOLED_NODES = 1 << 13
"""Larger trees are not reused. A tree of this size takes some megabytes with its edges."""


class Tree(NamedTuple):
    """Nodes and edges, numbered. The edges of a node are consecutive: its legal acts, or the outcomes of chance."""

    used: Ints
    """The number of nodes and the number of edges."""
    first: Ints
    """A node's first edge; NONE in a leaf."""
    degree: Ints
    """The number of a node's edges."""
    node_visits: Ints
    """The number of simulations through a node."""
    proven: Floats
    """The seat with a proven win, or UNPROVEN. With two seats a number between 0 and 1 is the exact share of seat 1."""
    bound: Floats
    """A proven lower bound for the seat that acts at a node: its best proven child, encoded like `proven`."""
    act: Ints
    """An edge's act."""
    child: Ints
    """The node that an edge leads to; NONE before the first visit."""
    visits: Ints
    """The number of values that were backed up through an edge."""
    value_sum: Floats
    """The sum of these values for the seat that acts at the edge's node."""
    root_sums: Floats
    """The sums of the values of the root's edges for all seats: float64[MAX_ACTS, seats]."""


@kernel
def share_of(proof: float, seat: int) -> float:
    """A seat's share by a value of `proven`."""
    return max(0.0, 1.0 - abs(proof - seat))


@kernel
def share_out(proof: float, values: Floats) -> None:
    """Write all seats' shares by a value of `proven`."""
    for seat in range(len(values)):
        values[seat] = share_of(proof, seat)


def new_tree(game: TurnGame) -> Tree:
    """A tree with a single leaf."""
    tree = Tree(
        used=np.empty(2, np.int64),
        first=np.empty(MAX_NODES, np.int64),
        degree=np.empty(MAX_NODES, np.int64),
        node_visits=np.empty(MAX_NODES, np.int64),
        proven=np.empty(MAX_NODES),
        bound=np.empty(MAX_NODES),
        act=np.empty(MAX_EDGES, np.int64),
        child=np.empty(MAX_EDGES, np.int64),
        visits=np.empty(MAX_EDGES, np.int64),
        value_sum=np.empty(MAX_EDGES),
        root_sums=new_root_sums(game),
    )
    restart(tree)
    return tree


def new_root_sums(game: TurnGame) -> Floats:
    return np.empty((game.rules.MAX_ACTS, game.players))


@kernel
def restart(tree: Tree) -> None:
    """Reset a tree to a single leaf."""
    tree.used[0], tree.used[1] = 1, 0
    tree.first[0] = NONE
    tree.degree[0] = tree.node_visits[0] = 0
    tree.proven[0] = UNPROVEN


class TreePool:
    """Reuses the trees of finished searches, because writing to new memory is far slower than to used memory.

    It holds at most one tree per core, and no large ones.
    """

    def __init__(self) -> None:
        self._trees: deque[Tree] = deque(maxlen=os.cpu_count())

    def acquire(self, game: TurnGame) -> Tree:
        """A tree with a single leaf for exclusive use."""
        try:
            tree = self._trees.pop()
        except IndexError:
            return new_tree(game)
        restart(tree)
        return tree._replace(root_sums=new_root_sums(game))

    def release(self, tree: Tree) -> None:
        """Return a tree that is no longer needed."""
        if tree.used[0] <= MAX_POOLED_NODES:
            self._trees.append(tree)

    def clear(self) -> None:
        self._trees.clear()


TREES = TreePool()


@dataclass(frozen=True)
class Candidate:
    """A legal act at the root of a search."""

    action: Action
    """The act."""
    visits: int
    """The number of simulations that tried it."""
    value: float
    """The expected share of the seat to act."""
    exact: bool
    """Whether the shares are proven to be those of best play."""
    shares: tuple[float, ...]
    """The expected shares of all seats."""
    line: tuple[Action, ...]
    """The principal variation from the act to a leaf or to chance; empty if it was not requested."""
    wins: bool = False
    """Whether the act is known to win at once, which no level overlooks."""
    mixed: bool = False
    """Whether the act is a secret choice; a list of those is in an order drawn by their odds."""

    @property
    def sure(self) -> int:
        """The seat with a forced win after the act, plus one; 0 if no win is proven."""
        return self.shares.index(1.0) + 1 if self.exact and 1.0 in self.shares else 0


def rank(state: TurnState, trees: Sequence[Tree], lines: bool = False) -> list[Candidate]:
    """The combined candidates of all trees, in the order of `best_first`."""
    first = trees[0]
    acts = [int(code) for code in first.act[: first.degree[0]]]
    roots = slice(0, len(acts))
    visits = np.sum([tree.visits[roots] for tree in trees], axis=0)
    shares = np.sum([tree.root_sums[roots] for tree in trees], axis=0) / np.maximum(visits, 1)[:, None]
    proven = np.max([proven_behind(tree, roots) for tree in trees], axis=0)
    exact = proven != UNPROVEN
    for edge in np.flatnonzero(exact):
        share_out(proven[edge], shares[edge])
    return [
        Candidate(
            state.game.notations[acts[edge]],
            int(visits[edge]),
            float(shares[edge, state.actor]),
            bool(exact[edge]),
            tuple(shares[edge].tolist()),
            follow(state, first, edge) if lines else (),
        )
        for edge in best_first(exact, shares[:, state.actor], visits)
    ]


def proven_behind(tree: Tree, edges: slice) -> Floats:
    """The entries of `proven` of the children of some edges."""
    child = tree.child[edges]
    return np.where(child == NONE, UNPROVEN, tree.proven[child])


def best_first(exact: npt.NDArray[np.bool_], values: Floats, visits: Ints) -> list[int]:
    """The indices of the acts, best first.

    Proven acts are ordered by value, the others by visits. The two orders are merged by value, with proven losses last.
    """
    known = deque(sorted(np.flatnonzero(exact).tolist(), key=lambda act: (-values[act], -visits[act])))
    others = deque(sorted(np.flatnonzero(~exact).tolist(), key=lambda act: (-visits[act], -values[act])))
    order = []
    while known and others:
        better = known if values[others[0]] <= values[known[0]] > 0 else others
        order.append(better.popleft())
    return [*order, *known, *others]


def by_preference(candidates: Sequence[Candidate], effort: Effort, rng: random.Random) -> Iterator[Candidate]:
    """The candidates of a search, given best first, in a level's order of preference; overlooked ones come last."""
    noticed = [one for one in candidates if one.wins or rng.random() < effort.attention] or [rng.choice(candidates)]
    best = noticed[0]
    if effort.visit_ratio <= 1 and not (best.exact or best.wins or best.mixed):
        best = rng.choice([one for one in noticed if not one.exact and one.visits >= effort.visit_ratio * best.visits])
    yield best
    yield from (one for one in noticed if one is not best)
    yield from (one for one in candidates if one not in noticed)


def follow(state: TurnState, tree: Tree, edge: int) -> tuple[Action, ...]:
    """The best line of a tree that begins with an edge of its root."""
    game, position, line = state.game, state.array.copy(), []
    while True:
        code, node = int(tree.act[edge]), tree.child[edge]
        line.append(game.notations[code])
        game.rules.apply(position, code)
        if node == NONE or tree.first[node] == NONE or position[ACTOR] < 0:
            return tuple(line)
        edge = _best_edge(tree, node, position[ACTOR])


def _best_edge(tree: Tree, node: int, seat: int) -> int:
    """The edge of a node that `rank` would list first."""
    edges = slice(int(tree.first[node]), int(tree.first[node] + tree.degree[node]))
    proven, visits = proven_behind(tree, edges), tree.visits[edges]
    exact = proven != UNPROVEN
    values = tree.value_sum[edges] / np.maximum(visits, 1)
    for edge in np.flatnonzero(exact):
        values[edge] = share_of(proven[edge], seat)
    return edges.start + best_first(exact, values, visits)[0]
