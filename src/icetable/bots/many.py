"""Searches in many positions per call, as kernels; `search` and `by_preference` do the same for one position."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from icetable.bots import search
from icetable.bots.search import MILLION, Scratch, Style, best_style, modules_of, new_scratch
from icetable.bots.trees import NONE, TREES, Tree, restart, share_of
from icetable.core.options import slices
from icetable.kernels import jit
from icetable.kernels.jit import draw, inlined, kernel
from icetable.kernels.layout import ACTOR, UNPROVEN, Rules

if TYPE_CHECKING:
    from icetable.core.turns import TurnGame
    from icetable.extras.encoding import Codec
    from icetable.extras.strength import Effort
    from icetable.kernels.jit import Ints

rules = cast("Rules", None)  # bound for each game
codec = cast("Codec", None)  # bound for each game
run_search = cast("Callable[[Tree, Scratch, Ints, int, Style], int]", None)  # bound for each game
glance_at = cast("Callable[[Ints, int, Scratch, Style], int]", None)  # bound for each game

OPEN, PASSED = 0, 1
"""Status of an act: it may still be noticed; it was overlooked or already considered."""


@kernel
def choose(
    positions: Ints,
    actions: Ints,
    seeds: Ints,
    simulations: int,
    style: Style,
    attention: int,
    visit_ratio: float,
    tree: Tree,
    scratch: Scratch,
) -> None:
    """Write the action for each position. `attention` is a probability in parts of a MILLION."""
    for row in range(len(positions)):
        legal = rules.legal(positions[row], scratch.acts)
        if legal == 1:
            actions[row] = codec.action_of(positions[row], scratch.acts[0])
            continue
        scratch.rng[0] = seeds[row]
        if simulations == 1 and style.informed and visit_ratio > 1.0:
            act = glance_at(positions[row], attention, scratch, style)
            if act == NONE:  # glance_at has written the acts again
                act = scratch.acts[draw(scratch.rng, legal)]
            actions[row] = codec.action_of(positions[row], act)
            continue
        restart(tree)
        run_search(tree, scratch, positions[row], simulations, style)
        edge = preferred(tree, positions[row, ACTOR], attention, visit_ratio, scratch.acts, scratch.rng)
        actions[row] = codec.action_of(positions[row], tree.act[edge])


@inlined
def preferred(tree: Tree, seat: int, attention: int, visit_ratio: float, passed: Ints, rng: Ints) -> int:
    """The root's edge that a level prefers, as in `by_preference`. `passed` is scratch space for all edges."""
    for edge in range(tree.degree[0]):
        passed[edge] = OPEN
    best = next_best(tree, seat, passed)
    while best != NONE and draw(rng, MILLION) >= attention:
        passed[best] = PASSED
        best = next_best(tree, seat, passed)
    if best == NONE:
        return draw(rng, tree.degree[0])
    if visit_ratio > 1.0 or is_exact(tree, best):
        return best
    chosen, least, found = best, visit_ratio * tree.visits[best], 1
    for edge in range(tree.degree[0]):
        is_candidate = edge != best and passed[edge] == OPEN and not is_exact(tree, edge) and tree.visits[edge] >= least
        if is_candidate and draw(rng, MILLION) < attention:
            found += 1
            if draw(rng, found) == 0:
                chosen = edge
    return chosen


@inlined
def next_best(tree: Tree, seat: int, passed: Ints) -> int:
    """The next edge in the order of `best_first`; NONE after the last one."""
    known = other = NONE
    for edge in range(tree.degree[0]):
        if passed[edge] == OPEN:
            if is_exact(tree, edge):
                value = value_of(tree, edge, seat)
                if known == NONE or beats(value, tree.visits[edge], value_of(tree, known, seat), tree.visits[known]):
                    known = edge
            elif other == NONE or tree.visits[edge] >= tree.visits[other]:
                value = value_of(tree, edge, seat)
                if other == NONE or beats(tree.visits[edge], value, tree.visits[other], value_of(tree, other, seat)):
                    other = edge
    if known == NONE or other == NONE:
        return other if known == NONE else known
    value = value_of(tree, known, seat)
    return known if value_of(tree, other, seat) <= value and value > 0.0 else other


@kernel
def beats(first: float, second: float, other_first: float, other_second: float) -> bool:
    """Whether (first, second) > (other_first, other_second)."""
    return first > other_first or (first == other_first and second > other_second)


@inlined
def is_exact(tree: Tree, edge: int) -> bool:
    """Whether the value of a root's edge is proven."""
    child = tree.child[edge]
    return child != NONE and tree.proven[child] != UNPROVEN


@inlined
def value_of(tree: Tree, edge: int, seat: int) -> float:
    """A seat's expected share after a root's edge."""
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
    """The chosen actions, in the game's encoding, of the seats to act in some positions, each with its own seed.

    The work is divided into `threads` tasks, which `side_by_side` runs. The search has no time limit and remembers the
    whole game.
    """
    assert effort.simulations is not None
    name, simulations = game.info.name, effort.simulations
    grow, glance = (jit.bind(kernel, name, **modules_of(game)) for kernel in (search.run, search.glance))
    run = jit.bind(choose, name, rules=game.rules, codec=game.info.part("encoding"), run_search=grow, glance_at=glance)
    limits = simulations, style or best_style(game), round(effort.attention * MILLION), effort.visit_ratio
    actions = np.empty(len(positions), np.int64)

    def choose_some(part: slice) -> None:
        tree = TREES.acquire(game)
        run(positions[part], actions[part], seeds[part], *limits, tree, new_scratch(game, 1))
        TREES.release(tree)

    # Slices of rows are contiguous; for other arrays the kernel would be compiled a second time.
    side_by_side([functools.partial(choose_some, part) for part in slices(len(positions), threads)])
    return actions
