"""Search trees and a pool of their memory."""

from __future__ import annotations

import os
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from icetable.kernels.jit import kernel
from icetable.kernels.layout import UNPROVEN

if TYPE_CHECKING:
    from icetable.core.turns import TurnGame
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
