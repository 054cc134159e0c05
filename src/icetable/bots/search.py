"""Monte-Carlo tree search over any kernel.

UCT for any number of seats by max-n: each edge stores the sum of the values for the seat that acts there. At chance
nodes the outcome is sampled, or the one with the fewest visits is taken. Forced wins are stored as proven, separately
from sampled values, and not searched again; with two seats so are all exact values, which solves small endgames.

New positions are evaluated by the game's evaluation after a number of random acts: none with `INFORMED`, which
evaluates all successors of a new node together, or a whole playout with `PURE`, which ends with the exact result.
"""

from __future__ import annotations

import math
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from icetable.bots.plain import PlainSearch
from icetable.bots.trees import MAX_DEPTH, MAX_PLAYOUT_ACTS, NONE, TREES, Candidate, Tree, rank, share_of, share_out
from icetable.kernels import jit
from icetable.kernels.defaults import NO_WEIGHTS
from icetable.kernels.jit import clear, copy, draw
from icetable.kernels.layout import (
    ACTOR,
    CHANCE,
    NOBODY,
    SEATS,
    UNPROVEN,
    WINNERS,
    Deals,
    Evaluation,
    Features,
    Rules,
    share_by_strength,
)
from icetable.workshop.playing import PlainGame

if TYPE_CHECKING:
    from icetable.core.turns import TurnGame, TurnState
    from icetable.kernels.jit import Floats, Ints

MAX_CHUNK = 256
CHUNK_SECONDS = 0.01
"""A search checks the clock after at most MAX_CHUNK simulations, or fewer if they take longer than CHUNK_SECONDS."""
LEARNED_EXPLORATION = 0.02
"""The exploration with learned weights, which rank acts so well that a search need not explore much."""
MILLION = 1_000_000
WIDE_EVERY = 8
"""The interval between wide visits of a node, in visits."""

rules = cast("Rules", None)  # bound for each game
evaluation = cast("Evaluation", None)  # bound for each game
features = cast("Features", None)  # bound for each game
deals = cast("Deals", None)  # bound for each game


class Scratch(NamedTuple):
    """The buffers of a search in one thread."""

    state: Ints
    """The position that a simulation has reached."""
    successor: Ints
    """A position after one act."""
    acts: Ints
    """The legal acts."""
    more_acts: Ints
    """The legal acts of a successor."""
    edges: Ints
    """The edges of the path of a simulation."""
    nodes: Ints
    """The nodes of the path."""
    seats: Ints
    """The seats to act on the path."""
    rng: Ints
    """The state of the random numbers."""
    values: Floats
    """The values of a position, by seat."""
    best: Floats
    """The values that a simulation backs up, by seat."""
    active: Ints
    """The features of a position that are active."""
    amounts: Floats
    """The amount of each active feature."""
    ends: Ints
    """By seat: the end of its active features."""


class Style(NamedTuple):
    """The evaluation and selection of a search."""

    informed: bool = True
    """Whether a new node evaluates all its successors instead of itself."""
    cutoff: int = 0
    """The number of random acts before an evaluation."""
    exploration: float = 0.2
    """The weight of edges with few visits."""
    weights: Floats = NO_WEIGHTS
    """The weights of the game's features; if empty, the hand-written evaluation is used."""
    wide: float = 0.0
    """The exploration of wide visits, which find forced wins that the evaluation misjudges; 0 disables them."""
    even: bool = False
    """Whether the outcomes of a chance node are visited equally often instead of being sampled, which reduces the
    variance if they are equally likely.
    """
    exact: bool = False
    """Whether all exact shares such as draws count as proven, not only wins; only for two players."""


INFORMED = Style()
"""Never changes, so that measurements against such a search stay comparable."""
SHORT_PLAYOUT_ACTS = 60
"""The length of random games in plain Python that is enough if somebody leads by points."""
PURE = Style(informed=False, cutoff=MAX_PLAYOUT_ACTS, exploration=1.0)
"""Plain UCT with full random playouts."""


def best_style(game: TurnGame) -> Style:
    """The strongest known style for a game. It changes whenever a better one is found."""
    if not game.is_evaluated:
        cutoff = SHORT_PLAYOUT_ACTS if isinstance(game, PlainGame) else MAX_PLAYOUT_ACTS
        return PURE._replace(cutoff=cutoff, even=game.equal_odds, exact=game.players == 2)
    style = Style(exploration=game.exploration, even=game.equal_odds, exact=game.players == 2)
    if len(game.weights) == 0:
        return style
    return style._replace(exploration=LEARNED_EXPLORATION, weights=game.weights, wide=game.exploration)


@jit.inlined
def evaluate(state: Ints, acts: Ints, scratch: Scratch, style: Style, values: Floats) -> None:
    """Play at most `cutoff` random acts, then evaluate the position."""
    for _ in range(style.cutoff):
        if state[ACTOR] == NOBODY:
            break
        rules.apply(state, rules.pick(state, acts, scratch.rng))
    if len(style.weights) == 0 or state[ACTOR] == NOBODY:
        evaluation.evaluate(state, values)
    else:
        evaluate_features(state, scratch.active, scratch.amounts, scratch.ends, style.weights, values)


@jit.kernel
def evaluate_features(state: Ints, active: Ints, amounts: Floats, ends: Ints, weights: Floats, values: Floats) -> None:
    """Write each seat's expected share by the learned weights."""
    features.features(state, active, amounts, ends)
    entry = 0
    for seat in range(state[SEATS]):
        strength = 0.0
        while entry < ends[seat]:
            strength += weights[active[entry]] * amounts[entry]
            entry += 1
        values[seat] = strength
    share_by_strength(state, values)


@jit.kernel
def proof_of(state: Ints, exact: bool) -> float:
    """The proof of a position without a search, encoded like `proven`: the sole winner of a game of several players.

    If `exact`, also draws and the expected shares of deals.
    """
    if state[ACTOR] == NOBODY and state[SEATS] > 1:
        for seat in range(state[SEATS]):
            if state[WINNERS] == 1 << seat:
                return float(seat)
        if exact:
            return 0.5
    if exact and state[ACTOR] == CHANCE:
        return deals.expect(state)
    return UNPROVEN


@jit.kernel
def new_node(tree: Tree) -> int:
    """Add a leaf; NONE if the tree is full."""
    node = tree.used[0]
    if node == len(tree.first):
        return NONE
    tree.used[0] += 1
    tree.first[node] = NONE
    tree.degree[node] = 0
    tree.node_visits[node] = 0
    tree.proven[node] = UNPROVEN
    return node


@jit.kernel
def expand(tree: Tree, node: int, state: Ints, scratch: Scratch, style: Style) -> bool:
    """Add the edges of a leaf. If informed, evaluate each successor and write the best one's values to `scratch.best`.

    Returns False if the tree is full.
    """
    degree = rules.legal(state, scratch.acts)
    first = tree.used[1]
    if first + degree > len(tree.act) or tree.used[0] + degree > len(tree.first):
        return False
    tree.used[1] += degree
    tree.first[node] = first
    tree.degree[node] = degree
    tree.bound[node] = UNPROVEN
    seat = state[ACTOR]
    highest = -1.0
    for edge in range(first, first + degree):
        tree.act[edge] = scratch.acts[edge - first]
        tree.child[edge] = NONE
        tree.visits[edge] = 0
        tree.value_sum[edge] = 0.0
        if node == 0:
            clear(tree.root_sums[edge])
        if style.informed and seat >= 0:
            copy(state, scratch.successor)
            rules.apply(scratch.successor, tree.act[edge])
            proof = proof_of(scratch.successor, style.exact)
            if proof == UNPROVEN:
                evaluate(scratch.successor, scratch.more_acts, scratch, style, scratch.values)
            else:
                tree.child[edge] = new_node(tree)
                tree.proven[tree.child[edge]] = proof
                share_out(proof, scratch.values)
            tree.visits[edge] = 1
            tree.value_sum[edge] = scratch.values[seat]
            if node == 0:
                copy(scratch.values, tree.root_sums[edge])
            if scratch.values[seat] > highest:
                highest = scratch.values[seat]
                copy(scratch.values, scratch.best)
    return True


@jit.kernel
def select(tree: Tree, node: int, seat: int, exploration: float) -> int:
    """The edge that UCT visits next. Proven edges are skipped unless they win or all edges are proven."""
    chosen = tree.first[node]
    highest = -math.inf
    log_visits = math.log(tree.node_visits[node] + 1.0)
    for edge in range(tree.first[node], tree.first[node] + tree.degree[node]):
        child = tree.child[edge]
        if child != NONE and tree.proven[child] != UNPROVEN:
            if tree.proven[child] == seat:
                return edge
            continue
        if tree.visits[edge] == 0:
            return edge
        visits = tree.visits[edge]
        score = tree.value_sum[edge] / visits + exploration * math.sqrt(log_visits / visits)
        if score > highest:
            highest = score
            chosen = edge
    return chosen


@jit.kernel
def edge_of(tree: Tree, node: int, act: int) -> int:
    """The edge of a chance node for an outcome."""
    for edge in range(tree.first[node], tree.first[node] + tree.degree[node]):
        if tree.act[edge] == act:
            return edge
    return NONE


@jit.kernel
def least_visited_outcome(tree: Tree, node: int, rng: Ints) -> int:
    """An edge of a chance node with the fewest visits; ties are broken randomly."""
    first, degree = tree.first[node], tree.degree[node]
    chosen = start = first + draw(rng, degree)
    for step in range(1, degree):
        edge = start + step if start + step < first + degree else start + step - degree
        if tree.visits[edge] < tree.visits[chosen]:
            chosen = edge
    return chosen


@jit.kernel
def solve(tree: Tree, node: int, seat: int, style: Style) -> bool:
    """Whether the proven children of a node solve it. Stores its proof, or otherwise its bound."""
    best, total = UNPROVEN, 0.0
    open_edges = False
    mixed = False
    for edge in range(tree.first[node], tree.first[node] + tree.degree[node]):
        child = tree.child[edge]
        proof = tree.proven[child] if child != NONE else UNPROVEN
        if proof == UNPROVEN:
            open_edges = True
        elif proof == seat:
            tree.proven[node] = proof
            return True
        else:
            total += proof
            mixed = mixed or proof != best != UNPROVEN
            if best == UNPROVEN or abs(proof - seat) < abs(best - seat):
                best = proof
    tree.bound[node] = best
    if open_edges or (mixed and not style.exact):
        return False
    if mixed and seat < 0:
        if not style.even:  # the odds are unknown
            return False
        best = total / tree.degree[node]
    tree.proven[node] = best
    return True


@jit.kernel
def simulate(tree: Tree, scratch: Scratch, root: Ints, style: Style) -> None:
    """Run one simulation: select edges down to a leaf, expand and evaluate it, and back up its values."""
    state = scratch.state
    copy(root, state)
    node, depth = 0, 0
    while True:
        scratch.nodes[depth] = node
        seat = state[ACTOR]
        if style.exact and tree.proven[node] != UNPROVEN:
            share_out(tree.proven[node], scratch.best)
            break
        if seat == NOBODY:
            tree.proven[node] = proof_of(state, style.exact)
            evaluation.evaluate(state, scratch.best)
            break
        if tree.first[node] == NONE:
            expands = style.informed or tree.node_visits[node] > 0 or depth == 0
            opened = expands and depth < MAX_DEPTH - 1 and expand(tree, node, state, scratch, style)
            if opened and style.informed and seat >= 0:
                break
            if not opened:
                evaluate(state, scratch.acts, scratch, style, scratch.best)
                break
        if tree.degree[node] == 0:  # too many outcomes of chance to list
            evaluate(state, scratch.acts, scratch, style, scratch.best)
            break
        if seat >= 0:
            is_wide = style.wide > 0.0 and tree.node_visits[node] % WIDE_EVERY == 0
            edge = select(tree, node, seat, style.wide if is_wide else style.exploration)
        elif style.even:
            edge = least_visited_outcome(tree, node, scratch.rng)
        else:
            edge = edge_of(tree, node, rules.pick(state, scratch.acts, scratch.rng))
        if tree.child[edge] == NONE:
            tree.child[edge] = new_node(tree)
            if tree.child[edge] == NONE:
                evaluate(state, scratch.acts, scratch, style, scratch.best)
                break
        scratch.edges[depth] = edge
        scratch.seats[depth] = seat
        rules.apply(state, tree.act[edge])
        node = tree.child[edge]
        depth += 1
    tree.node_visits[node] += 1
    solved = tree.proven[node] != UNPROVEN or (tree.degree[node] > 0 and solve(tree, node, seat, style))
    back_up(tree, scratch, depth, solved, style)


@jit.kernel
def back_up(tree: Tree, scratch: Scratch, depth: int, solved: bool, style: Style) -> None:
    """Add a leaf's values to the edges on its path, and solve the path's nodes while the child is `solved`."""
    for step in range(depth - 1, -1, -1):
        edge, seat, node = scratch.edges[step], scratch.seats[step], scratch.nodes[step]
        tree.visits[edge] += 1
        if seat >= 0:
            tree.value_sum[edge] += scratch.best[seat]
        if step == 0:
            add(scratch.best, tree.root_sums[edge])
        tree.node_visits[node] += 1
        solved = solved and solve(tree, node, seat, style)
        if style.exact:
            tighten(tree, node, seat, edge, scratch.best)


@jit.kernel
def tighten(tree: Tree, node: int, seat: int, edge: int, values: Floats) -> None:
    """Replace values by the exact ones of a node: its proof, or its bound if the edge has a lower value.

    This keeps exploration below the node from distorting the values of the acts leading to it.
    """
    if tree.proven[node] != UNPROVEN:
        share_out(tree.proven[node], values)
        return
    bound = tree.bound[node]
    if seat >= 0 and bound != UNPROVEN and share_of(bound, seat) * tree.visits[edge] > tree.value_sum[edge]:
        share_out(bound, values)


@jit.kernel
def add(values: Floats, sums: Floats) -> None:
    for index in range(len(sums)):
        sums[index] += values[index]


@jit.kernel
def run(tree: Tree, scratch: Scratch, root: Ints, simulations: int, style: Style) -> int:
    """Run simulations until the root is proven, and return their number."""
    for count in range(simulations):
        if tree.proven[0] != UNPROVEN:
            return count
        simulate(tree, scratch, root, style)
    return simulations


@jit.kernel
def glance(state: Ints, attention: int, scratch: Scratch, style: Style) -> int:
    """The act that a single informed simulation ranks highest among the noticed acts; NONE if it notices none.

    `attention` is the probability of noticing an act, in parts of a MILLION. Overlooked acts are not evaluated.
    """
    seat, proven_act, open_act, proven_value, open_value = state[ACTOR], NONE, NONE, -1.0, -1.0
    for index in range(rules.legal(state, scratch.acts)):
        if draw(scratch.rng, MILLION) >= attention:
            continue
        copy(state, scratch.successor)
        rules.apply(scratch.successor, scratch.acts[index])
        proof = proof_of(scratch.successor, style.exact)
        if proof != UNPROVEN:
            if share_of(proof, seat) > proven_value:
                proven_act, proven_value = scratch.acts[index], share_of(proof, seat)
        else:
            evaluate(scratch.successor, scratch.more_acts, scratch, style, scratch.values)
            if scratch.values[seat] > open_value:
                open_act, open_value = scratch.acts[index], scratch.values[seat]
    if open_act == NONE or (proven_act != NONE and proven_value > 0.0 and proven_value >= open_value):
        return proven_act
    return open_act


def modules_of(game: TurnGame) -> dict[str, object]:
    """A game's modules, by their names in these kernels."""
    return {"rules": game.rules, "evaluation": game.evaluation, "features": game.features, "deals": game.deals}


def new_scratch(game: TurnGame, seed: int) -> Scratch:
    first, max_acts = game.first_position(), game.rules.MAX_ACTS
    return Scratch(
        state=np.empty_like(first),
        successor=np.empty_like(first),
        acts=_buffer(max_acts),
        more_acts=_buffer(max_acts),
        edges=_buffer(MAX_DEPTH),
        nodes=_buffer(MAX_DEPTH),
        seats=_buffer(MAX_DEPTH),
        rng=np.array([seed], np.int64),
        values=np.empty(game.players),
        best=np.empty(game.players),
        active=_buffer(game.features.MAX_ACTIVE),
        amounts=np.empty(game.features.MAX_ACTIVE),
        ends=_buffer(game.players),
    )


def _buffer(size: int) -> Ints:
    return np.empty(size, np.int64)


def search(
    state: TurnState,
    style: Style | None = None,
    *,
    simulations: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
    seed: int = 0,
    lines: bool = False,
) -> list[Candidate]:
    """The legal acts of the seat to act, best first, optionally with their `lines`.

    The default style is the best one known for the game.

    The search ends after `simulations` or `seconds`, whichever comes first; at least one limit must be given. Each
    thread grows its own tree, and the results are added up. Without a limit in seconds, the same seed, simulations and
    threads give the same result. Compiled kernels release the GIL.
    """
    assert simulations is not None or seconds is not None
    game, root = state.game, state.array
    style = style or best_style(game)
    assert game.players == 2 or not style.exact
    deadline = math.inf if seconds is None else time.monotonic() + seconds
    if isinstance(game, PlainGame):
        alone = PlainSearch(game, state, style, seed, deadline)
        alone.run(math.inf if simulations is None else simulations)
        return alone.candidates(lines=lines)
    grow = jit.bind(run, game.info.name, **modules_of(game))

    def search_alone(budget: float, thread_seed: int) -> Tree:
        tree, scratch = TREES.acquire(game), new_scratch(game, thread_seed)
        limit, now = 1, time.monotonic()
        while budget > 0:
            chunk = int(min(limit, budget))
            simulated = grow(tree, scratch, root, chunk, style)
            before, now = now, time.monotonic()
            if simulated < chunk or now >= deadline:
                break
            budget -= chunk
            if now - before < CHUNK_SECONDS:
                limit = min(2 * limit, MAX_CHUNK)
        return tree

    budgets = [math.inf if simulations is None else math.ceil(simulations / threads)] * threads
    seeds = jit.seeds(seed, threads).tolist()
    if threads == 1:
        trees = [search_alone(budgets[0], seeds[0])]
    else:
        with ThreadPoolExecutor(threads) as pool:
            trees = list(pool.map(search_alone, budgets, seeds))
    candidates = rank(state, trees, lines)
    for tree in trees:
        TREES.release(tree)
    return candidates
