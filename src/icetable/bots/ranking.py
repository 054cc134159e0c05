"""The results of searches: the acts at the roots of their trees, best first, and their principal variations."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from icetable.bots.trees import NONE, share_of, share_out
from icetable.kernels.layout import ACTOR, UNPROVEN

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from icetable.bots.trees import Tree
    from icetable.core.game import Action
    from icetable.core.turns import TurnState
    from icetable.kernels.jit import Floats, Ints


@dataclass(frozen=True)
class Candidate:
    """A legal act with its number of visits, the seat's expected share of the game and the `shares` of all seats.

    `exact`: the shares are proven to be those of best play. `line`: the principal variation from the act to a leaf or
    to chance; empty if it was not requested. `wins`: whether the act is known to win at once, which no level overlooks.
    `mixed`: whether the act is a secret choice; a list of those is in an order drawn by their odds.
    """

    action: Action
    visits: int
    value: float
    exact: bool
    shares: tuple[float, ...]
    line: tuple[Action, ...]
    wins: bool = False
    mixed: bool = False

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
