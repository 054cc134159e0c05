"""Search trees over the rows of a batch, as kernels: a tree for each row, and all grow by a leaf in step.

PUCT goes down by the mean values and priors of the acts, as AlphaGo Zero does (Silver and others 2017, "Mastering the
game of Go without human knowledge"). Gumbel shares the simulations among some of the root's acts by sequential halving,
and further down follows an improved policy (Danihelka and others 2022, "Policy improvement by planning with Gumbel").
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, cast

from icetable.envs.rows import worth
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
"""How growing went: well; there is no room for another node, or for another node's edges."""
IDLE, WAITING, ASKS, KNOWN = 0, 1, 2, 3
"""What a row does: nothing; it has to find a leaf; its leaf is to be judged; what its leaf is worth is known."""
CERTAIN = 50.0
"""Of Gumbel, c_visit: how many visits the values weigh as much as, before there are any."""


class Forest(NamedTuple):
    """The trees. Nodes and edges have numbers, in each row from 0; the edges of a node are consecutive.

    `positions`: int64[n, nodes, words]. `used`: int64[n, 2], how many nodes and edges there are. `parent`, `first` and
    `degree`: int64[n, nodes], the node before, the first edge or NONE in a leaf, the number of edges. `visits`:
    int64[n, nodes], the simulations that went through a node. `sums`: float64[n, nodes, seats], what these were worth.
    `judged`: float64[n, nodes], what a node was judged to be worth to the seat that acts there, when it was new.

    `act`, `action` and `child`: int64[n, edges], the child NONE before the first visit. `prior`: float64[n, edges], the
    probability; `logit`: float64[n, edges].

    `lowest` and `highest`: float64[n], the bounds of what anything is worth.
    """

    positions: Ints
    used: Ints
    parent: Ints
    first: Ints
    degree: Ints
    visits: Ints
    sums: Floats
    judged: Floats
    act: Ints
    action: Ints
    child: Ints
    prior: Floats
    logit: Floats
    lowest: Floats
    highest: Floats


class Leaves(NamedTuple):
    """Where each tree grows, and what is shown of it.

    `does`: int64[n], IDLE and so on. `node`: int64[n]. `positions`: int64[n, words], those of the leaves; of a node
    where chance has too many outcomes to list, what one of them leads to. `planes` and `mask`: as in `Rows`. `values`:
    float64[n, seats], what it is worth to each seat. `streams`: int64[n, 1], the generators of chance. `buffer` and
    `shares`: room for legal acts and for the shares of a game. `even`: whether the outcomes of chance are equally
    likely, and come in turn. `bounded`: whether the bounds of what anything is worth are known.
    """

    does: Ints
    node: Ints
    positions: Ints
    planes: Bytes
    mask: Bytes
    values: Floats
    streams: Ints
    buffer: Ints
    shares: Floats
    even: bool
    bounded: bool


class Choosing(NamedTuple):
    """How edges are chosen.

    `gumbel`: whether by the rules of Gumbel, else by PUCT. `exploration`: the weight of the priors in PUCT.
    `sharpness`: of Gumbel, c_scale: how much more values count than logits. `draws`: float64[n, actions], what is drawn
    for the root's actions. `turns`: int64[m + 1, simulations], by the number of the root's acts that count, how many
    visits the act has that is next.
    """

    gumbel: bool
    exploration: float
    sharpness: float
    draws: Floats
    turns: Ints


# Growing


@kernel
def plant(forest: Forest, leaves: Leaves, low: float, high: float) -> None:
    """Begin with trees of a single leaf, where a row waits; `leaves.positions` are those of the roots."""
    for row in range(len(leaves.does)):
        if leaves.does[row] == WAITING:
            forest.used[row, 0] = forest.used[row, 1] = 0
            forest.lowest[row], forest.highest[row] = low, high
            new_node(forest, row, NONE, leaves.positions[row])


@inlined
def new_node(forest: Forest, row: int, parent: int, position: Ints) -> int:
    """A new leaf. There has to be room."""
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
def descend(forest: Forest, leaves: Leaves, choice: Choosing, simulation: int) -> int:
    """Find a leaf in each row that waits. Where there is no room for all, the same call goes on after there is."""
    for row in range(len(leaves.does)):
        if leaves.does[row] == WAITING:
            result = find_leaf(row, forest, leaves, choice, simulation)
            if result != DONE:
                return result
    return DONE


@inlined
def find_leaf(row: int, forest: Forest, leaves: Leaves, choice: Choosing, simulation: int) -> int:
    """Go down the tree of a row to a leaf, and give it its edges."""
    node = 0
    while True:
        seat = forest.positions[row, node, ACTOR]
        if seat == NOBODY:
            reach(row, node, forest, leaves)
            return DONE
        if forest.first[row, node] == NONE:
            if not expand(row, node, forest, leaves):
                return NO_EDGES
            if seat != CHANCE:
                reach(row, node, forest, leaves)
                return DONE
        if forest.degree[row, node] == 0:  # too many outcomes of chance to list
            reach(row, node, forest, leaves)
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
    """Give a leaf its edges: the legal acts, or the outcomes of chance. False where there is no room."""
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
def reach(row: int, node: int, forest: Forest, leaves: Leaves) -> None:
    """End at a node: show it, or tell what it is worth where that is known."""
    state, shares = leaves.positions[row], leaves.shares
    leaves.node[row] = node
    copy(forest.positions[row, node], state)
    leaves.does[row] = KNOWN
    if state[ACTOR] == CHANCE:
        expected = deals.expect(state) if leaves.bounded else UNPROVEN
        if expected != UNPROVEN:
            shares[0], shares[1] = 1.0 - expected, expected
            write_worth(row, leaves)
            return
        while state[ACTOR] == CHANCE:
            rules.apply(state, rules.pick(state, leaves.buffer, leaves.streams[row]))
    if state[ACTOR] == NOBODY:
        share(state, shares)
        write_worth(row, leaves)
        return
    leaves.does[row] = ASKS
    clear(leaves.mask[row])
    for number in range(rules.legal(state, leaves.buffer)):
        leaves.mask[row, codec.action_of(state, leaves.buffer[number])] = 1
    codec.observe(state, state[ACTOR], leaves.planes[row])


@inlined
def write_worth(row: int, leaves: Leaves) -> None:
    """Write what shares of a game are worth."""
    seats = len(leaves.shares)
    for seat in range(seats):
        leaves.values[row, seat] = worth(leaves.shares[seat], seats)


# Choosing


@inlined
def outcome(row: int, node: int, forest: Forest, leaves: Leaves) -> int:
    """An edge of chance: drawn by the odds, or one with the fewest visits where all are equally likely."""
    first, degree = forest.first[row, node], forest.degree[row, node]
    if not leaves.even:
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
    """The simulations that went through an edge."""
    child = forest.child[row, edge]
    return 0 if child == NONE else forest.visits[row, child]


@inlined
def scaled(row: int, value: float, forest: Forest) -> float:
    """A value between its bounds, from 0 to 1."""
    span = forest.highest[row] - forest.lowest[row]
    return (value - forest.lowest[row]) / span if span > 0.0 else 0.5


@inlined
def mean(row: int, node: int, seat: int, forest: Forest) -> float:
    """What a node is worth to a seat, from 0 to 1: on average of its simulations."""
    return scaled(row, forest.sums[row, node, seat] / forest.visits[row, node], forest)


@inlined
def by_puct(row: int, node: int, seat: int, forest: Forest, exploration: float) -> int:
    """The edge with the highest mean value and bonus; one without visits is taken to be worth what its node is."""
    first, own = forest.first[row, node], mean(row, node, seat, forest)
    bonus = exploration * math.sqrt(forest.visits[row, node])
    chosen, highest = first, -math.inf
    for edge in range(first, first + forest.degree[row, node]):
        visits = visits_of(row, edge, forest)
        value = mean(row, forest.child[row, edge], seat, forest) if visits else own
        promise = value + bonus * forest.prior[row, edge] / (1.0 + visits)
        if promise > highest:
            chosen, highest = edge, promise
    return chosen


@inlined
def most_visits(row: int, node: int, forest: Forest) -> int:
    """The visits of the edge of a node that has most."""
    first, most = forest.first[row, node], 0
    for edge in range(first, first + forest.degree[row, node]):
        most = max(most, visits_of(row, edge, forest))
    return most


@inlined
def weight(row: int, node: int, forest: Forest, sharpness: float) -> float:
    """What values from 0 to 1 are multiplied with, to be added to logits."""
    return (CERTAIN + most_visits(row, node, forest)) * sharpness


@inlined
def by_halving(row: int, seat: int, forest: Forest, choice: Choosing, simulation: int) -> int:
    """The root's edge that sequential halving visits next."""
    considered = min(forest.degree[row, 0], len(choice.turns) - 1)
    return foremost(row, seat, choice.turns[considered, simulation], forest, choice)


@inlined
def foremost(row: int, seat: int, visits: int, forest: Forest, choice: Choosing) -> int:
    """The edge with the highest draw, logit and value of the root's edges that have so many visits."""
    times = weight(row, 0, forest, choice.sharpness)
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
def mixed(row: int, node: int, seat: int, forest: Forest) -> float:
    """What stands for the values of edges without visits: the node's own judgement, mixed with the other edges' values
    by their priors."""
    first = forest.first[row, node]
    visits, priors, values = 0, 0.0, 0.0
    for edge in range(first, first + forest.degree[row, node]):
        if visits_of(row, edge, forest):
            visits += visits_of(row, edge, forest)
            priors += forest.prior[row, edge]
            values += forest.prior[row, edge] * mean(row, forest.child[row, edge], seat, forest)
    own = scaled(row, forest.judged[row, node], forest)
    return (own + visits * values / priors) / (1 + visits) if priors > 0.0 else own


@inlined
def improve(row: int, node: int, seat: int, forest: Forest, sharpness: float) -> tuple[float, float, float, float]:
    """What the improved policy is made of: the weight of values, the value of edges without visits, the highest score,
    and the sum of the exponentials of all scores less that."""
    first, degree = forest.first[row, node], forest.degree[row, node]
    times, unvisited = weight(row, node, forest, sharpness), mixed(row, node, seat, forest)
    highest, total = -math.inf, 0.0
    for edge in range(first, first + degree):
        highest = max(highest, completed(row, edge, seat, times, unvisited, forest))
    for edge in range(first, first + degree):
        total += math.exp(completed(row, edge, seat, times, unvisited, forest) - highest)
    return times, unvisited, highest, total


@inlined
def completed(row: int, edge: int, seat: int, times: float, unvisited: float, forest: Forest) -> float:
    """The score of an edge in the improved policy."""
    value = mean(row, forest.child[row, edge], seat, forest) if visits_of(row, edge, forest) else unvisited
    return forest.logit[row, edge] + times * value


@inlined
def by_improved_policy(row: int, node: int, seat: int, forest: Forest, sharpness: float) -> int:
    """The edge whose part of the visits lies furthest behind the improved policy."""
    first = forest.first[row, node]
    times, unvisited, top, total = improve(row, node, seat, forest, sharpness)
    chosen, furthest = first, -math.inf
    for edge in range(first, first + forest.degree[row, node]):
        probability = math.exp(completed(row, edge, seat, times, unvisited, forest) - top) / total
        behind = probability - visits_of(row, edge, forest) / forest.visits[row, node]
        if behind > furthest:
            chosen, furthest = edge, behind
    return chosen


# Learning


@kernel
def back_up(forest: Forest, leaves: Leaves, logits: Reals, again: int) -> None:
    """Take over what was told of the leaves that asked, the logits in their order, and add all values up to the roots.

    What each row does `again` after that: IDLE or WAITING.
    """
    told = 0
    for row in range(len(leaves.does)):
        does, node = leaves.does[row], leaves.node[row]
        if does == ASKS:
            if forest.degree[row, node]:
                take_priors(row, node, logits[told], forest)
                forest.judged[row, node] = leaves.values[row, leaves.positions[row, ACTOR]]
            told += 1
        if does in (ASKS, KNOWN):
            add(row, node, forest, leaves)
            leaves.does[row] = again


@inlined
def take_priors(row: int, node: int, logits: Reals, forest: Forest) -> None:
    """Take over logits of a node's actions, and make priors of them; equal ones of none that is finite."""
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
def add(row: int, node: int, forest: Forest, leaves: Leaves) -> None:
    """Add the values of a leaf to it and all nodes that led there."""
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
def mix(which: Bools, forest: Forest, draws: Floats, part: float) -> None:
    """Let so great a part of the roots' priors be what was drawn for their actions: float64[n, actions]."""
    for row in range(len(which)):
        if which[row]:
            for edge in range(forest.first[row, 0], forest.first[row, 0] + forest.degree[row, 0]):
                drawn = draws[row, forest.action[row, edge]]
                forest.prior[row, edge] += part * (drawn - forest.prior[row, edge])


# What was found


@kernel
def tell(
    which: Bools, forest: Forest, choice: Choosing, visits: Ints, policy: Floats, values: Floats, actions: Ints
) -> None:
    """Write what was found at the roots of rows; zeros have been there."""
    for row in range(len(which)):
        if which[row]:
            seat = forest.positions[row, 0, ACTOR]
            for one in range(values.shape[1]):
                values[row, one] = forest.sums[row, 0, one] / forest.visits[row, 0]
            times = unvisited = top = total = 0.0
            if choice.gumbel:
                times, unvisited, top, total = improve(row, 0, seat, forest, choice.sharpness)
                best = foremost(row, seat, most_visits(row, 0, forest), forest, choice)
            else:
                best = most_visited(row, seat, forest)
            actions[row] = forest.action[row, best]
            for edge in range(forest.first[row, 0], forest.first[row, 0] + forest.degree[row, 0]):
                action, made = forest.action[row, edge], visits_of(row, edge, forest)
                visits[row, action] = made
                if choice.gumbel:
                    policy[row, action] = math.exp(completed(row, edge, seat, times, unvisited, forest) - top) / total
                else:
                    policy[row, action] = made / (forest.visits[row, 0] - 1)


@inlined
def most_visited(row: int, seat: int, forest: Forest) -> int:
    """The root's edge with most visits; of several the one of highest value."""
    most, chosen, highest = most_visits(row, 0, forest), NONE, -math.inf
    for edge in range(forest.first[row, 0], forest.first[row, 0] + forest.degree[row, 0]):
        if visits_of(row, edge, forest) == most:
            value = mean(row, forest.child[row, edge], seat, forest)
            if chosen == NONE or value > highest:
                chosen, highest = edge, value
    return chosen
