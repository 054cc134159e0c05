"""Search trees, and their memory."""

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
MAX_NODES = 1 << 20
MAX_EDGES = 1 << 22
MAX_KEPT = 1 << 13
"""The nodes of the largest tree that is kept for another search: with its edges some megabytes."""


class Tree(NamedTuple):
    """Nodes and edges by number. The edges of a node are consecutive: its legal acts, or the outcomes of chance."""

    used: Ints
    """The number of nodes and the number of edges."""
    first: Ints
    """A node's first edge; NONE while it is a leaf."""
    degree: Ints
    """The number of a node's edges."""
    node_visits: Ints
    """The number of simulations that went through a node."""
    proven: Floats
    """The seat that surely wins from a node, or UNPROVEN. Of two seats a number between 0 and 1 is the exact share of
    seat 1.
    """
    bound: Floats
    """What the seat that acts at a node surely has: the best that is proven behind its edges, encoded like `proven`."""
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
    """A seat's share where so much is `proven`."""
    return max(0.0, 1.0 - abs(proof - seat))


@kernel
def share_out(proof: float, values: Floats) -> None:
    """Write all seats' shares where so much is `proven`."""
    for seat in range(len(values)):
        values[seat] = share_of(proof, seat)


def new_tree(game: TurnGame) -> Tree:
    """A tree that is a single leaf."""
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
    """Sums of values for all seats after each act."""
    return np.empty((game.rules.MAX_ACTS, game.players))


@kernel
def restart(tree: Tree) -> None:
    """Make a tree a single leaf."""
    tree.used[0], tree.used[1] = 1, 0
    tree.first[0] = NONE
    tree.degree[0] = tree.node_visits[0] = 0
    tree.proven[0] = UNPROVEN


class TreePool:
    """Trees of searches that are done: writing to memory that was used before costs far less than to new memory.

    At most one for each core is kept, and none that has grown large.
    """

    def __init__(self) -> None:
        self._trees: deque[Tree] = deque(maxlen=os.cpu_count())

    def acquire(self, game: TurnGame) -> Tree:
        """A tree that is a single leaf, and nobody else's."""
        try:
            tree = self._trees.pop()
        except IndexError:
            return new_tree(game)
        restart(tree)
        return tree._replace(root_sums=new_root_sums(game))

    def release(self, tree: Tree) -> None:
        """Take a tree back that nobody needs any longer."""
        if tree.used[0] <= MAX_KEPT:
            self._trees.append(tree)

    def clear(self) -> None:
        """Keep none."""
        self._trees.clear()


TREES = TreePool()
