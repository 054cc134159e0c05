"""The actions of a search in many positions at once, as kernels: what `search` and `by_preference` do for one."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from icetable.bots import search
from icetable.bots.search import MILLION, Scratch, Style, best_style, modules_of, new_scratch
from icetable.bots.trees import NONE, TREES, Tree, restart, share_of
from icetable.core.numbers import slices
from icetable.kernels import jit
from icetable.kernels.jit import draw, inlined, kernel
from icetable.kernels.layout import ACTOR, UNPROVEN, Rules

if TYPE_CHECKING:
    from icetable.core.turns import TurnGame
    from icetable.extras.effort import Effort
    from icetable.extras.encoding import Codec
    from icetable.kernels.jit import Ints

rules = cast("Rules", None)  # bound for each game
codec = cast("Codec", None)  # bound for each game
think = cast("Callable[[Tree, Scratch, Ints, int, Style], int]", None)  # bound for each game
look = cast("Callable[[Ints, int, Scratch, Style], int]", None)  # bound for each game

OPEN, PASSED = 0, 1
"""Of an act: it may still be noticed; it was overlooked, or asked for already."""


@kernel
def choose(
    positions: Ints,
    actions: Ints,
    seeds: Ints,
    simulations: int,
    style: Style,
    notices: int,
    near: float,
    tree: Tree,
    scratch: Scratch,
) -> None:
    """Write the action for each position. `notices` is a part of a MILLION."""
    for row in range(len(positions)):
        legal = rules.legal(positions[row], scratch.acts)
        if legal == 1:
            actions[row] = codec.action_of(positions[row], scratch.acts[0])
            continue
        scratch.rng[0] = seeds[row]
        if simulations == 1 and style.informed and near > 1.0:
            act = look(positions[row], notices, scratch, style)
            if act == NONE:  # the acts of the position are there once more
                act = scratch.acts[draw(scratch.rng, legal)]
            actions[row] = codec.action_of(positions[row], act)
            continue
        restart(tree)
        think(tree, scratch, positions[row], simulations, style)
        edge = preferred(tree, positions[row, ACTOR], notices, near, scratch.acts, scratch.rng)
        actions[row] = codec.action_of(positions[row], tree.act[edge])


@inlined
def preferred(tree: Tree, seat: int, notices: int, near: float, passed: Ints, rng: Ints) -> int:
    """The edge of the root that a level prefers, as `by_preference` has it. `passed` is room for all edges."""
    for edge in range(tree.degree[0]):
        passed[edge] = OPEN
    best = foremost(tree, seat, passed)
    while best != NONE and draw(rng, MILLION) >= notices:
        passed[best] = PASSED
        best = foremost(tree, seat, passed)
    if best == NONE:
        return draw(rng, tree.degree[0])
    if near > 1.0 or is_exact(tree, best):
        return best
    chosen, least, found = best, near * tree.visits[best], 1
    for edge in range(tree.degree[0]):
        is_near = edge != best and passed[edge] == OPEN and not is_exact(tree, edge) and tree.visits[edge] >= least
        if is_near and draw(rng, MILLION) < notices:
            found += 1
            if draw(rng, found) == 0:
                chosen = edge
    return chosen


@inlined
def foremost(tree: Tree, seat: int, passed: Ints) -> int:
    """The edge that comes next in the order of `best_first`; NONE after the last one."""
    known = other = NONE
    for edge in range(tree.degree[0]):
        if passed[edge] == OPEN:
            if is_exact(tree, edge):
                value = worth(tree, edge, seat)
                if known == NONE or goes_before(value, tree.visits[edge], worth(tree, known, seat), tree.visits[known]):
                    known = edge
            elif other == NONE or tree.visits[edge] >= tree.visits[other]:
                value = worth(tree, edge, seat)
                if other == NONE or goes_before(tree.visits[edge], value, tree.visits[other], worth(tree, other, seat)):
                    other = edge
    if known == NONE or other == NONE:
        return other if known == NONE else known
    value = worth(tree, known, seat)
    return known if worth(tree, other, seat) <= value and value > 0.0 else other


@kernel
def goes_before(first: float, second: float, other_first: float, other_second: float) -> bool:
    """Whether two numbers are more than two others, the first of them weighing more."""
    return first > other_first or (first == other_first and second > other_second)


@inlined
def is_exact(tree: Tree, edge: int) -> bool:
    """Whether it is proven what an edge of the root is worth."""
    child = tree.child[edge]
    return child != NONE and tree.proven[child] != UNPROVEN


@inlined
def worth(tree: Tree, edge: int, seat: int) -> float:
    """A seat's expected share after an edge of the root."""
    if is_exact(tree, edge):
        return share_of(tree.proven[tree.child[edge]], seat)
    return tree.root_sums[edge, seat] / max(tree.visits[edge], 1)


def choose_many(
    game: TurnGame,
    positions: Ints,
    seeds: Ints,
    effort: Effort,
    style: Style | None,
    threads: int,
    side_by_side: Callable[[Sequence[Callable[[], None]]], object],
) -> Ints:
    """The actions, as the game's encoding numbers them, of those to act in some positions; each of these has a seed.

    The work is divided into `threads` tasks, which `side_by_side` runs. The search looks at no clock and remembers the
    whole game.
    """
    assert effort.simulations is not None
    name, simulations = game.info.name, effort.simulations
    grow, glance = (jit.bind(kernel, name, **modules_of(game)) for kernel in (search.run, search.glance))
    run = jit.bind(choose, name, rules=game.rules, codec=game.info.part("encoding"), think=grow, look=glance)
    limits = simulations, style or best_style(game), round(effort.notices * MILLION), effort.near
    actions = np.empty(len(positions), np.int64)

    def choose_some(part: slice) -> None:
        tree = TREES.acquire(game)
        run(positions[part], actions[part], seeds[part], *limits, tree, new_scratch(game, 1))
        TREES.release(tree)

    # In each the rows follow one another: for others the kernel would be compiled a second time.
    side_by_side([functools.partial(choose_some, part) for part in slices(len(positions), threads)])
    return actions
