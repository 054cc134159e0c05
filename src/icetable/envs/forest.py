"""Search trees over the rows of a batch, as kernels: one tree per row, and each step adds a leaf to every tree.

PUCT selects by mean values and priors, as in AlphaGo Zero (Silver et al. 2017, "Mastering the game of Go without human
knowledge"). Gumbel divides the simulations among some of the root's acts by sequential halving, and below the root
follows an improved policy (Danihelka et al. 2022, "Policy improvement by planning with Gumbel").
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, cast

from icetable.envs.rows import reward_of
from icetable.extras.encoding import Codec
from icetable.kernels.jit import clear, copy, draw, inlined, kernel
from icetable.kernels.layout import ACTOR, CHANCE, NOBODY, UNPROVEN, Deals, Rules, share

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from icetable.extras.encoding import Bytes
    from icetable.kernels.jit import Floats, Ints

    Bools = npt.NDArray[np.bool_]
    Reals = npt.NDArray[np.float32]

rules = cast("Rules", None)  # bound for each game
codec = cast("Codec", None)  # bound for each game
deals = cast("Deals", None)  # bound for each game

NONE = -1
DONE, NO_NODES, NO_EDGES = 0, 1, 2
"""Results of a descent: success; the arrays of nodes or of edges are full."""
IDLE, DESCENDING, NEEDS_EVALUATION, EVALUATED = 0, 1, 2, 3
"""Status of a row: not searching; about to descend; at a leaf that needs evaluation; at a leaf with known values."""
BASE_VISITS = 50.0
"""c_visit of Gumbel: added to the maximum number of visits when values are weighted."""


class Forest(NamedTuple):
    """The trees. Nodes and edges are numbered from 0 in each row; the edges of a node are consecutive."""

    positions: Ints
    """int64[n, nodes, words]."""
    used: Ints
    """int64[n, 2], the number of nodes and of edges."""
    parent: Ints
    """int64[n, nodes], a node's parent."""
    first: Ints
    """int64[n, nodes], a node's first edge; NONE in a leaf."""
    degree: Ints
    """int64[n, nodes], the number of a node's edges."""
    visits: Ints
    """int64[n, nodes], the number of simulations through a node."""
    sums: Floats
    """float64[n, nodes, seats], the sums of their values."""
    evaluation: Floats
    """float64[n, nodes], the evaluator's value of a node for the seat to act there."""
    act: Ints
    """int64[n, edges], an edge's act."""
    action: Ints
    """int64[n, edges], its number as an action."""
    child: Ints
    """int64[n, edges], the node that it leads to; NONE before the first visit."""
    prior: Floats
    """float64[n, edges], its probability by the evaluator."""
    logit: Floats
    """float64[n, edges], its logit by the evaluator."""
    lowest: Floats
    """float64[n], a lower bound of all values."""
    highest: Floats
    """float64[n], an upper bound of all values."""


class Leaves(NamedTuple):
    """The current leaf of each tree."""

    status: Ints
    """int64[n], IDLE etc."""
    node: Ints
    """int64[n], the leaf."""
    positions: Ints
    """int64[n, words], the leaf's position, or a sampled successor if chance has too many outcomes there to list."""
    planes: Bytes
    """As in `Rows`."""
    mask: Bytes
    """As in `Rows`."""
    values: Floats
    """float64[n, seats], the value for each seat."""
    streams: Ints
    """int64[n, 1], the random streams of chance."""
    buffer: Ints
    """Scratch space for legal acts."""
    shares: Floats
    """Scratch space for the shares of a game."""
    equal_odds: bool
    """Whether all outcomes of chance are equally likely, and so are visited in turn."""
    bounded: bool
    """Whether the bounds of values are known in advance."""


class Selection(NamedTuple):
    """The parameters of selection."""

    gumbel: bool
    """Whether Gumbel selects, otherwise PUCT."""
    exploration: float
    """The weight of the priors in PUCT."""
    sharpness: float
    """c_scale of Gumbel, the weight of values relative to logits."""
    draws: Floats
    """float64[n, actions], the noise of the root's actions."""
    turns: Ints
    """int64[m + 1, simulations], by the number of considered acts and the simulation, the number of visits of the act
    to visit next."""


# Descent and expansion


@kernel
def reset(forest: Forest, leaves: Leaves, low: float, high: float) -> None:
    """Reset the trees of DESCENDING rows to a root at `leaves.positions`."""
    for row in range(len(leaves.status)):
        if leaves.status[row] == DESCENDING:
            forest.used[row, 0] = forest.used[row, 1] = 0
            forest.lowest[row], forest.highest[row] = low, high
            new_node(forest, row, NONE, leaves.positions[row])


@inlined
def new_node(forest: Forest, row: int, parent: int, position: Ints) -> int:
    """Add a leaf; the arrays must have room for it."""
    node = forest.used[row, 0]
    forest.used[row, 0] += 1
    copy(position, forest.positions[row, node])
    forest.parent[row, node] = parent
    forest.first[row, node] = NONE
    forest.degree[row, node] = forest.visits[row, node] = 0
    for seat in range(forest.sums.shape[2]):
        forest.sums[row, node, seat] = 0.0
    return node


@kernel
def descend(forest: Forest, leaves: Leaves, choice: Selection, simulation: int) -> int:
    """Find a leaf in each DESCENDING row. If an array is full, grow it and call again to continue."""
    for row in range(len(leaves.status)):
        if leaves.status[row] == DESCENDING:
            result = find_leaf(row, forest, leaves, choice, simulation)
            if result != DONE:
                return result
    return DONE


@inlined
def find_leaf(row: int, forest: Forest, leaves: Leaves, choice: Selection, simulation: int) -> int:
    """Descend from the root of a row to a leaf, and expand it."""
    node = 0
    while True:
        seat = forest.positions[row, node, ACTOR]
        if seat == NOBODY:
            end_descent(row, node, forest, leaves)
            return DONE
        if forest.first[row, node] == NONE:
            if not expand(row, node, forest, leaves):
                return NO_EDGES
            if seat != CHANCE:
                end_descent(row, node, forest, leaves)
                return DONE
        if forest.degree[row, node] == 0:  # too many outcomes of chance to list
            end_descent(row, node, forest, leaves)
            return DONE
        if seat == CHANCE:
            edge = outcome(row, node, forest, leaves)
        elif not choice.gumbel:
            edge = by_puct(row, node, seat, forest, choice.exploration)
        elif node == 0:
            edge = by_halving(row, seat, forest, choice, simulation)
        else:
            edge = by_improved_policy(row, node, seat, forest, choice.sharpness)
        if forest.child[row, edge] == NONE:
            if forest.used[row, 0] == forest.parent.shape[1]:
                return NO_NODES
            child = new_node(forest, row, node, forest.positions[row, node])
            rules.apply(forest.positions[row, child], forest.act[row, edge])
            forest.child[row, edge] = child
        node = forest.child[row, edge]


@inlined
def expand(row: int, node: int, forest: Forest, leaves: Leaves) -> bool:
    """Add the edges of a leaf: its legal acts, or the outcomes of chance. False if there is no room."""
    state = forest.positions[row, node]
    degree, first = rules.legal(state, leaves.buffer), forest.used[row, 1]
    if first + degree > forest.act.shape[1]:
        return False
    forest.used[row, 1] += degree
    forest.first[row, node], forest.degree[row, node] = first, degree
    for number in range(degree):
        act = leaves.buffer[number]
        forest.act[row, first + number] = act
        forest.action[row, first + number] = codec.action_of(state, act) if state[ACTOR] >= 0 else NONE
        forest.child[row, first + number] = NONE
        forest.prior[row, first + number] = 1.0 / degree
        forest.logit[row, first + number] = 0.0
    return True


@inlined
def end_descent(row: int, node: int, forest: Forest, leaves: Leaves) -> None:
    """End the descent at a node: write its values if they are known, otherwise its observation and mask."""
    state, shares = leaves.positions[row], leaves.shares
    leaves.node[row] = node
    copy(forest.positions[row, node], state)
    leaves.status[row] = EVALUATED
    if state[ACTOR] == CHANCE:
        expected = deals.expect(state) if leaves.bounded else UNPROVEN
        if expected != UNPROVEN:
            shares[0], shares[1] = 1.0 - expected, expected
            write_values(row, leaves)
            return
        while state[ACTOR] == CHANCE:
            rules.apply(state, rules.pick(state, leaves.buffer, leaves.streams[row]))
    if state[ACTOR] == NOBODY:
        share(state, shares)
        write_values(row, leaves)
        return
    leaves.status[row] = NEEDS_EVALUATION
    clear(leaves.mask[row])
    for number in range(rules.legal(state, leaves.buffer)):
        leaves.mask[row, codec.action_of(state, leaves.buffer[number])] = 1
    codec.observe(state, state[ACTOR], leaves.planes[row])


@inlined
def write_values(row: int, leaves: Leaves) -> None:
    """Write the values of shares of a game."""
    seats = len(leaves.shares)
    for seat in range(seats):
        leaves.values[row, seat] = reward_of(leaves.shares[seat], seats)


# Selection


@inlined
def outcome(row: int, node: int, forest: Forest, leaves: Leaves) -> int:
    """An edge of chance: sampled by the odds, or one with the fewest visits if all are equally likely."""
    first, degree = forest.first[row, node], forest.degree[row, node]
    if not leaves.equal_odds:
        act = rules.pick(forest.positions[row, node], leaves.buffer, leaves.streams[row])
        for edge in range(first, first + degree):
            if forest.act[row, edge] == act:
                return edge
        return first
    chosen = start = first + draw(leaves.streams[row], degree)
    for step in range(1, degree):
        edge = start + step if start + step < first + degree else start + step - degree
        if visits_of(row, edge, forest) < visits_of(row, chosen, forest):
            chosen = edge
    return chosen


@inlined
def visits_of(row: int, edge: int, forest: Forest) -> int:
    """The number of simulations through an edge."""
    child = forest.child[row, edge]
    return 0 if child == NONE else forest.visits[row, child]


@inlined
def scaled(row: int, value: float, forest: Forest) -> float:
    """A value scaled by its bounds to 0 to 1."""
    span = forest.highest[row] - forest.lowest[row]
    return (value - forest.lowest[row]) / span if span > 0.0 else 0.5


@inlined
def mean(row: int, node: int, seat: int, forest: Forest) -> float:
    """The mean value of a node for a seat, scaled to 0 to 1."""
    return scaled(row, forest.sums[row, node, seat] / forest.visits[row, node], forest)


@inlined
def by_puct(row: int, node: int, seat: int, forest: Forest, exploration: float) -> int:
    """The edge with the highest sum of mean value and exploration bonus; unvisited edges have their node's value."""
    first, own = forest.first[row, node], mean(row, node, seat, forest)
    bonus = exploration * math.sqrt(forest.visits[row, node])
    chosen, highest = first, -math.inf
    for edge in range(first, first + forest.degree[row, node]):
        visits = visits_of(row, edge, forest)
        value = mean(row, forest.child[row, edge], seat, forest) if visits else own
        score = value + bonus * forest.prior[row, edge] / (1.0 + visits)
        if score > highest:
            chosen, highest = edge, score
    return chosen


@inlined
def max_visits(row: int, node: int, forest: Forest) -> int:
    """The maximum number of visits among a node's edges."""
    first, most = forest.first[row, node], 0
    for edge in range(first, first + forest.degree[row, node]):
        most = max(most, visits_of(row, edge, forest))
    return most


@inlined
def value_weight(row: int, node: int, forest: Forest, sharpness: float) -> float:
    """The factor that puts values from 0 to 1 on the scale of logits."""
    return (BASE_VISITS + max_visits(row, node, forest)) * sharpness


@inlined
def by_halving(row: int, seat: int, forest: Forest, choice: Selection, simulation: int) -> int:
    """The root's edge that sequential halving visits next."""
    considered = min(forest.degree[row, 0], len(choice.turns) - 1)
    return best_with_visits(row, seat, choice.turns[considered, simulation], forest, choice)


@inlined
def best_with_visits(row: int, seat: int, visits: int, forest: Forest, choice: Selection) -> int:
    """The root's edge with the highest sum of noise, logit and weighted value, among those with `visits` visits."""
    times = value_weight(row, 0, forest, choice.sharpness)
    chosen, highest = NONE, -math.inf
    for edge in range(forest.first[row, 0], forest.first[row, 0] + forest.degree[row, 0]):
        if visits_of(row, edge, forest) == visits:
            score = forest.logit[row, edge] + choice.draws[row, forest.action[row, edge]]
            if visits:
                score += times * mean(row, forest.child[row, edge], seat, forest)
            if chosen == NONE or score > highest:
                chosen, highest = edge, score
    return chosen


@inlined
def mixed_value(row: int, node: int, seat: int, forest: Forest) -> float:
    """The value assumed for unvisited edges: the node's own evaluation, averaged with the prior-weighted values of the
    visited edges."""
    first = forest.first[row, node]
    visits, priors, values = 0, 0.0, 0.0
    for edge in range(first, first + forest.degree[row, node]):
        if visits_of(row, edge, forest):
            visits += visits_of(row, edge, forest)
            priors += forest.prior[row, edge]
            values += forest.prior[row, edge] * mean(row, forest.child[row, edge], seat, forest)
    own = scaled(row, forest.evaluation[row, node], forest)
    return (own + visits * values / priors) / (1 + visits) if priors > 0.0 else own


@inlined
def improved(row: int, node: int, seat: int, forest: Forest, sharpness: float) -> tuple[float, float, float, float]:
    """The parameters of the improved policy, a softmax of scores: the weight of values, the value of unvisited edges,
    the highest score, and the sum of exp(score - highest)."""
    first, degree = forest.first[row, node], forest.degree[row, node]
    times, unvisited = value_weight(row, node, forest, sharpness), mixed_value(row, node, seat, forest)
    highest, total = -math.inf, 0.0
    for edge in range(first, first + degree):
        highest = max(highest, score_of(row, edge, seat, times, unvisited, forest))
    for edge in range(first, first + degree):
        total += math.exp(score_of(row, edge, seat, times, unvisited, forest) - highest)
    return times, unvisited, highest, total


@inlined
def score_of(row: int, edge: int, seat: int, times: float, unvisited: float, forest: Forest) -> float:
    """The score of an edge in the improved policy."""
    value = mean(row, forest.child[row, edge], seat, forest) if visits_of(row, edge, forest) else unvisited
    return forest.logit[row, edge] + times * value


@inlined
def by_improved_policy(row: int, node: int, seat: int, forest: Forest, sharpness: float) -> int:
    """The edge whose share of the visits is furthest below its probability in the improved policy."""
    first = forest.first[row, node]
    times, unvisited, top, total = improved(row, node, seat, forest, sharpness)
    chosen, furthest = first, -math.inf
    for edge in range(first, first + forest.degree[row, node]):
        probability = math.exp(score_of(row, edge, seat, times, unvisited, forest) - top) / total
        behind = probability - visits_of(row, edge, forest) / forest.visits[row, node]
        if behind > furthest:
            chosen, furthest = edge, behind
    return chosen


# Backup


@kernel
def back_up(forest: Forest, leaves: Leaves, logits: Reals, again: int) -> None:
    """Store the evaluations of NEEDS_EVALUATION rows, whose logits come in order; back up all values to the roots.

    Each row's status becomes `again`: IDLE or DESCENDING.
    """
    evaluated = 0
    for row in range(len(leaves.status)):
        status, node = leaves.status[row], leaves.node[row]
        if status == NEEDS_EVALUATION:
            if forest.degree[row, node]:
                set_priors(row, node, logits[evaluated], forest)
                forest.evaluation[row, node] = leaves.values[row, leaves.positions[row, ACTOR]]
            evaluated += 1
        if status in (NEEDS_EVALUATION, EVALUATED):
            add_to_path(row, node, forest, leaves)
            leaves.status[row] = again


@inlined
def set_priors(row: int, node: int, logits: Reals, forest: Forest) -> None:
    """Store the logits of a node's actions, and their softmax as priors; uniform if no logit is finite."""
    first, degree = forest.first[row, node], forest.degree[row, node]
    highest, total = -math.inf, 0.0
    for edge in range(first, first + degree):
        forest.logit[row, edge] = logits[forest.action[row, edge]]
        highest = max(highest, forest.logit[row, edge])
    for edge in range(first, first + degree):
        if highest == -math.inf:
            forest.logit[row, edge] = 0.0
        forest.prior[row, edge] = math.exp(forest.logit[row, edge] - max(highest, forest.logit[row, edge]))
        total += forest.prior[row, edge]
    for edge in range(first, first + degree):
        forest.prior[row, edge] /= total


@inlined
def add_to_path(row: int, node: int, forest: Forest, leaves: Leaves) -> None:
    """Add the values of a leaf to it and all its ancestors."""
    for seat in range(len(leaves.shares)):
        if not leaves.bounded:
            forest.lowest[row] = min(forest.lowest[row], leaves.values[row, seat])
            forest.highest[row] = max(forest.highest[row], leaves.values[row, seat])
    while node != NONE:
        forest.visits[row, node] += 1
        for seat in range(len(leaves.shares)):
            forest.sums[row, node, seat] += leaves.values[row, seat]
        node = forest.parent[row, node]


@kernel
def mix_noise(which: Bools, forest: Forest, draws: Floats, part: float) -> None:
    """Mix noise into the roots' priors: `part` of each prior becomes that of `draws`, float64[n, actions]."""
    for row in range(len(which)):
        if which[row]:
            for edge in range(forest.first[row, 0], forest.first[row, 0] + forest.degree[row, 0]):
                drawn = draws[row, forest.action[row, edge]]
                forest.prior[row, edge] += part * (drawn - forest.prior[row, edge])


# Results


@kernel
def write_results(
    which: Bools, forest: Forest, choice: Selection, visits: Ints, policy: Floats, values: Floats, actions: Ints
) -> None:
    """Write the results at the roots of the chosen rows to arrays of zeros."""
    for row in range(len(which)):
        if which[row]:
            seat = forest.positions[row, 0, ACTOR]
            for player in range(values.shape[1]):
                values[row, player] = forest.sums[row, 0, player] / forest.visits[row, 0]
            times = unvisited = top = total = 0.0
            if choice.gumbel:
                times, unvisited, top, total = improved(row, 0, seat, forest, choice.sharpness)
                best = best_with_visits(row, seat, max_visits(row, 0, forest), forest, choice)
            else:
                best = most_visited(row, seat, forest)
            actions[row] = forest.action[row, best]
            for edge in range(forest.first[row, 0], forest.first[row, 0] + forest.degree[row, 0]):
                action, count = forest.action[row, edge], visits_of(row, edge, forest)
                visits[row, action] = count
                if choice.gumbel:
                    policy[row, action] = math.exp(score_of(row, edge, seat, times, unvisited, forest) - top) / total
                else:
                    policy[row, action] = count / (forest.visits[row, 0] - 1)


@inlined
def most_visited(row: int, seat: int, forest: Forest) -> int:
    """The root's edge with the most visits; ties are broken by value."""
    most, chosen, highest = max_visits(row, 0, forest), NONE, -math.inf
    for edge in range(forest.first[row, 0], forest.first[row, 0] + forest.degree[row, 0]):
        if visits_of(row, edge, forest) == most:
            value = mean(row, forest.child[row, edge], seat, forest)
            if chosen == NONE or value > highest:
                chosen, highest = edge, value
    return chosen
