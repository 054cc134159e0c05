"""Monte-Carlo tree search in games without a kernel.

It is UCT as in `search`, over tables. Ties are broken at random. Each act at the root is looked at, and an act that
wins at once is known to. In games that hide pieces each simulation draws anew where they lie, and a node stands for all
positions that look the same (Cowling et al. 2012, "Information set Monte Carlo tree search").

Seats that choose in secret at the same moment share one node, at which each mixes its choices by regret matching (Hart
and Mas-Colell 2000, "A simple adaptive procedure leading to correlated equilibrium"): none of its choices depends on
another one of the same moment.
"""

from __future__ import annotations

import math
import random
import time
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from icetable.bots.trees import MAX_DEPTH, MAX_PLAYOUT_ACTS, Candidate, best_first
from icetable.kernels import jit
from icetable.kernels.layout import ACTOR, CHANCE, NOBODY
from icetable.workshop.guard import DesignError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from icetable.core.game import Action
    from icetable.core.turns import TurnState
    from icetable.workshop.playing import PlainGame


MAX_KEPT = 20_000
"""The maximum number of positions that a tree keeps, as a table may be large."""
RETRIES = 4
"""The number of visits per tried act after which another act is tried: one random game says little."""
MAX_FAILED = 200
"""The number of worlds in a row that turn out to be impossible, after which the game is taken to be faulty."""
WORLDS = 4
"""The number of worlds in which an act has to win at once if the game hides pieces; also of the others' secret choices
against which a seat's own are looked at.
"""

POINTS_WEIGHT = 0.5
"""The weight of points, beside the result, in games of secret choices that points decide."""
MAX_COMPARISONS = 20
"""The maximum number of comparisons of all choices at the root."""
MAX_AHEAD = 20.0
MAX_SPREADS = 100
"""The maximum lead that counts, in usual ones, and the number of random games that tell what is usual."""
EXPLORATION = 0.1
"""The share of choices that a search makes at random."""
LEAST_ODDS = 0.3
"""A choice with less than this share of the likeliest one's odds is noise of the search, and not played."""

NOISE = 4
"""The number of values of certain choices of all seats that say as much as those of one seat's choice alone."""


class TreeNode:
    """A position, or all that look the same, with the sums of the values of its `visits`.

    `proof`: all seats' shares in best play. `codes`: the acts in the order in which they are tried; None in a leaf.
    `children`: by act. `position`: None if it is worked out each time.
    """

    __slots__ = ("children", "codes", "position", "proof", "sums", "visits")

    def __init__(self, players: int) -> None:
        self.visits = 0
        self.sums = [0.0] * players
        self.proof: list[float] | None = None
        self.codes: list[int] | None = None
        self.children: dict[Any, TreeNode] = {}
        self.position: Any = None

    def add(self, values: Sequence[float]) -> None:
        self.visits += 1
        for seat, value in enumerate(values):
            self.sums[seat] += value

    def shares(self) -> list[float]:
        """All seats' expected shares; equal ones before the first visit."""
        if self.proof is not None:
            return self.proof
        if not self.visits:
            return [1 / len(self.sums)] * len(self.sums)
        return [total / self.visits for total in self.sums]


class Choices:
    """What a search has learned about the choices of one seat at a moment.

    `regrets`: by how much each would have done better than the mixture, at least 0. `totals`: the sums of the mixtures,
    later ones weighted more. `visits`, `sums`: how often each was made, and the sums of the values.
    """

    __slots__ = ("codes", "regrets", "seat", "sums", "totals", "visits")

    def __init__(self, seat: int, codes: list[int]) -> None:
        self.seat, self.codes = seat, codes
        self.regrets, self.totals, self.sums = [0.0] * len(codes), [0.0] * len(codes), [0.0] * len(codes)
        self.visits = [0] * len(codes)

    def mixture(self) -> list[float]:
        """The probability of each choice, in proportion to its regret."""
        total = sum(self.regrets)
        return [regret / total for regret in self.regrets] if total else [1 / len(self.codes)] * len(self.codes)

    def learn(self, worths: Sequence[float], visits: int) -> None:
        """Update the regrets by what each choice was worth. `visits`: of the moment, so that later ones count more."""
        mixture = self.mixture()
        usual = sum(odds * worth for odds, worth in zip(mixture, worths, strict=True))
        for index, worth in enumerate(worths):
            self.regrets[index] = max(0.0, self.regrets[index] + worth - usual)
            self.totals[index] += (visits + 1) ** 2 * mixture[index]

    def draw(self, rng: random.Random) -> int:
        """The choice in a simulation: first each one once, then by the mixture."""
        made = sum(self.visits)
        if made < len(self.codes):
            return self.codes[made]
        if rng.random() < EXPLORATION or not any(self.regrets):
            return rng.choice(self.codes)
        return rng.choices(self.codes, self.regrets)[0]

    def odds(self) -> list[float]:
        """The probability of each choice in good play: the mean mixture, without the noise of the search."""
        most = max(self.totals)
        kept = [total if total >= LEAST_ODDS * most else 0.0 for total in self.totals]
        return [total / sum(kept) for total in kept] if most else self.mixture()

    def order(self, rng: random.Random) -> list[int]:
        """The choices in an order drawn by their odds (Efraimidis and Spirakis 2006)."""
        keys = [
            (rng.random() ** (1 / odds) if odds else 0.0, total)
            for odds, total in zip(self.odds(), self.totals, strict=True)
        ]
        return [self.codes[index] for index in sorted(range(len(keys)), key=keys.__getitem__, reverse=True)]


class MomentNode(TreeNode):
    """A node at which several seats choose in secret. Its children are keyed by the choices of all, as codes."""

    __slots__ = ("_known",)

    def __init__(self, players: int) -> None:
        super().__init__(players)
        self._known: dict[tuple[int, tuple[int, ...]], Choices] = {}

    def asked(self, choices: Mapping[int, Sequence[int]], rng: random.Random) -> list[Choices]:
        """What is known of each seat's choices; with others to choose from, a seat knows that its hand is another."""
        found = []
        for seat, codes in choices.items():
            own = self._known.get((seat, tuple(codes)))
            if own is None:
                own = self._known[seat, tuple(codes)] = Choices(seat, rng.sample(codes, len(codes)))
            found.append(own)
        return found

    def learn(self, asked: Sequence[Choices], joint: tuple[int, ...]) -> None:
        """Update each seat's regrets, given what the others chose."""
        shares = self.shares()
        for at, own in enumerate(asked):
            worths = [
                self._worth(own, index, (*joint[:at], code, *joint[at + 1 :]), shares)
                for index, code in enumerate(own.codes)
            ]
            own.learn(worths, self.visits)

    def _worth(self, own: Choices, index: int, joint: tuple[int, ...], shares: Sequence[float]) -> float:
        """The value of choices for one of the seats; the fewer visits they have, the nearer to its own choice's."""
        child = self.children.get(joint)
        if child is not None and child.proof is not None:
            return child.proof[own.seat]
        usual = (own.sums[index] + shares[own.seat]) / (own.visits[index] + 1)
        return usual if child is None else (child.sums[own.seat] + NOISE * usual) / (child.visits + NOISE)


def count(asked: Sequence[Choices], joint: tuple[int, ...], values: Sequence[float]) -> None:
    """Add the values of choices to those of each seat's own."""
    for own, code in zip(asked, joint, strict=True):
        index = own.codes.index(code)
        own.visits[index] += 1
        own.sums[index] += values[own.seat]


class SearchStyle(Protocol):
    """What `search.Style` says that matters here."""

    @property
    def informed(self) -> bool: ...
    @property
    def cutoff(self) -> int: ...
    @property
    def exploration(self) -> float: ...
    @property
    def exact(self) -> bool: ...


class OutOfTime(Exception):
    """The time is over in the middle of a random game."""


class TreeStep(NamedTuple):
    """A step down a tree."""

    node: TreeNode
    """The node from which it leads."""
    key: Any
    """The act, or all choices of a moment."""
    actor: int
    """The seat to act."""
    asked: list[Choices]
    """What is known of the choices of each seat at a moment; empty elsewhere."""


class PlainSearch:
    """A search for the seat to act at a state of a game without a kernel."""

    def __init__(self, game: PlainGame, state: TurnState, style: SearchStyle, seed: int, deadline: float) -> None:
        self.game, self.style, self.deadline, self.seat = game, style, deadline, state.actor
        self._rng, self._worlds = random.Random(int(seed)), np.random.default_rng(seed)  # noqa: S311 (play, not secrets)
        self._draws = jit.seeds(seed, 1)
        self._buffer = np.empty(game.rules.MAX_ACTS, np.int64)
        self._hides = game.design.hides is not None
        self._kept = 0
        self._start = game.before_choices(state.array)
        self.root = self._node(self._start)
        self._counts_points = isinstance(self.root, MomentNode) and game.is_decided_by_points
        self._spread: deque[float] = deque(maxlen=MAX_SPREADS)
        self.wins: set[int] = set()
        """The acts that win at once."""
        if isinstance(self.root, MomentNode):
            self._look_for_results(self.root)
        else:
            self._look_for_wins()

    def run(self, simulations: float) -> None:
        """Run simulations until the root is proven, or the time is over. Raises DesignError."""
        done, failed = self._compare_choices(simulations / 2), 0
        while done < simulations and self.root.proof is None and not self.wins:
            try:
                self._simulate()
                done, failed = done + 1, 0
            except OutOfTime:
                break
            except DesignError:  # hidden pieces can't lie like that
                failed += 1
                if not self._hides or failed == MAX_FAILED:
                    raise
            if time.monotonic() >= self.deadline:
                break

    def _compare_choices(self, simulations: float) -> int:
        """Compare all choices of each seat at the root against the same choices of the others, followed by the same
        random numbers, so that luck tells them apart least. Returns the number of random games, at most `simulations`.
        """
        moment, done = self.root, 0
        if not isinstance(moment, MomentNode) or self._hides:
            return 0
        asked = self._asked(moment, self._start)
        cost = sum(len(own.codes) for own in asked)
        while done + cost <= min(simulations, MAX_COMPARISONS * cost) and time.monotonic() < self.deadline:
            joint, draws = tuple(own.draw(self._rng) for own in asked), self._draws.copy()
            for at, own in enumerate(asked):
                found = []
                for code in own.codes:
                    self._draws[:] = draws
                    key = (*joint[:at], code, *joint[at + 1 :])
                    child, after = self._child(moment, self._start, key)
                    try:
                        values = child.proof or self._evaluate(after)
                    except OutOfTime:
                        return done
                    for node in (child, moment):
                        node.add(values)
                    count(asked, key, values)
                    found.append(values[own.seat])
                own.learn(found, moment.visits)
            done += cost
        return done

    # Simulations

    def _simulate(self) -> None:
        """Select acts down to a leaf, evaluate it, and back up its values."""
        node, position = self.root, self._world()
        path: list[TreeStep] = []
        values: Sequence[float]
        while True:
            actor = int(position[ACTOR])
            if actor == NOBODY:
                node.proof, values = self._proof_of(position), self._evaluate(position)
                break
            if node.proof is not None:
                values = node.proof
                break
            is_leaf = actor != CHANCE and node.codes is None
            opens = len(path) < MAX_DEPTH and (self.style.informed or node.visits > 0 or not path)
            if (is_leaf and not opens) or not self._fits(node, position):
                values = self._evaluate(position)
                break
            if is_leaf:
                node.codes = self._shuffled(position)
            if is_leaf and self.style.informed:
                values = self._open(node, position, actor)
                break
            asked = self._asked(node, position)
            key = tuple(own.draw(self._rng) for own in asked) or self._select(node, position, actor)
            path.append(TreeStep(node, key, actor, asked))
            node, position = self._child(node, position, key)
        self._back_up(node, values, path)

    def _select(self, node: TreeNode, position: Any, actor: int) -> int:
        """The act or outcome to visit next."""
        if actor == CHANCE:
            return int(self.game.rules.pick(position, self._buffer, self._draws))
        codes = node.codes
        if self._hides:  # other acts may be legal than before
            unknown, codes = TreeNode(self.game.players), self._shuffled(position)
            codes.sort(key=lambda code: not node.children.get(code, unknown).visits)
        assert codes is not None
        return self._by_uct(node, codes, actor)

    def _by_uct(self, node: TreeNode, codes: Sequence[int], seat: int) -> int:
        """The act that UCT visits next. Proven ones are skipped unless they win or all are proven."""
        chosen, highest, tried = codes[0], -math.inf, 0
        log_visits, exploration = math.log(node.visits + 1.0), self.style.exploration
        for code in codes:
            child = node.children.get(code)
            if child is not None and child.proof is not None:
                if child.proof[seat] == 1.0:
                    return code
                continue
            if child is None or not child.visits:
                if self.style.informed or tried * RETRIES <= node.visits:
                    return code
                break
            tried += 1
            score = child.sums[seat] / child.visits + exploration * math.sqrt(log_visits / child.visits)
            if score > highest:
                chosen, highest = code, score
        return chosen

    def _open(self, node: TreeNode, position: Any, actor: int) -> Sequence[float]:
        """Evaluate the successors of a new node, and return the best one's values.

        At a moment these are each seat's choices against the same choices of the others.
        """
        if isinstance(node, MomentNode):
            asked = self._asked(node, position)
            joint = tuple(self._rng.choice(own.codes) for own in asked)
            others = [(*joint[:at], code, *joint[at + 1 :]) for at, own in enumerate(asked) for code in own.codes]
            for other in dict.fromkeys(others):
                count(asked, other, self._look(node, position, other))
            node.learn(asked, joint)
            return node.children[joint].shares()
        assert node.codes is not None
        found = [self._look(node, position, code) for code in node.codes]
        self._prove(node, actor)
        return max(found, key=lambda values: values[actor])

    def _look(self, node: TreeNode, position: Any, key: Any) -> Sequence[float]:
        """Evaluate a successor of a new node."""
        child, after = self._child(node, position, key)
        child.proof = self._proof_of(after)
        child.add(self._evaluate(after))
        return child.shares()

    def _back_up(self, node: TreeNode, values: Sequence[float], path: Sequence[TreeStep]) -> None:
        """Add values to a leaf and the nodes on its path, and prove those whose children suffice."""
        node.add(values)
        is_proven = node.proof is not None
        for above, key, actor, asked in reversed(path):
            above.add(values)
            if isinstance(above, MomentNode):
                count(asked, key, values)
                above.learn(asked, key)
            is_proven = is_proven and self._prove(above, actor)
            if above.proof is not None:
                values = above.proof

    def _prove(self, node: TreeNode, seat: int) -> bool:
        """Store the proof of a node if its children prove it; returns whether they do."""
        if isinstance(node, MomentNode) or node.codes is None:
            return False
        children = [node.children.get(code) for code in node.codes]
        proofs = [child.proof for child in children if child is not None and child.proof is not None]
        best = max(proofs, key=lambda proof: proof[seat], default=None)
        if best is None:
            return False
        is_settled = len(proofs) == len(children) and (self.style.exact or all(proof == best for proof in proofs))
        if best[seat] == 1.0 or is_settled:
            node.proof = best
        return node.proof is not None

    # Positions

    def _node(self, position: Any) -> TreeNode:
        return (MomentNode if self.game.choices(position) else TreeNode)(self.game.players)

    def _asked(self, node: TreeNode, position: Any) -> list[Choices]:
        """What is known at a moment of the choices of each seat; empty if one seat acts."""
        return node.asked(self.game.choices(position), self._rng) if isinstance(node, MomentNode) else []

    def _world(self) -> Any:
        """The start, with hidden pieces in random order."""
        return self.game.imagined(self._start, self.seat, self._worlds) if self._hides else self._start

    def _fits(self, node: TreeNode, position: Any) -> bool:
        """Whether several seats choose at a position, which may depend on hidden pieces, as at its node."""
        return not self._hides or isinstance(node, MomentNode) == bool(self.game.choices(position))

    def _child(self, node: TreeNode, position: Any, key: Any) -> tuple[TreeNode, Any]:
        """A child and its position, which must not be changed."""
        child = node.children.get(key)
        if child is not None and child.position is not None:
            return child, child.position
        after = position.copy()
        for code in key if isinstance(node, MomentNode) else (key,):
            self.game.rules.apply(after, code)
        if child is None:
            child = node.children[key] = self._node(after)
        elif not self._hides and self._kept < MAX_KEPT:
            child.position = after
            self._kept += 1
        return child, after

    def _shuffled(self, position: Any) -> list[int]:
        """The legal acts in random order."""
        codes: list[int] = self._buffer[: self.game.rules.legal(position, self._buffer)].tolist()
        self._rng.shuffle(codes)
        return codes

    def _evaluate(self, position: Any) -> list[float]:
        """The values of a position, or of one `cutoff` or more random acts later that tells the seats apart."""
        position = position.copy()
        for acts in range(MAX_PLAYOUT_ACTS):
            if position[ACTOR] == NOBODY or (acts >= self.style.cutoff and self.game.can_estimate(position)):
                break
            if time.monotonic() >= self.deadline:
                raise OutOfTime
            self.game.rules.apply(position, self.game.rules.pick(position, self._buffer, self._draws))
        values = self.game.estimate(position)
        return self._with_points(values, self.game.scores(position)) if self._counts_points else values

    def _with_points(self, values: Sequence[float], points: Sequence[float]) -> list[float]:
        """Values mixed with how far each seat is ahead by points, relative to what is usual: of a few random games that
        tells choices of the same moment apart sooner than who wins.
        """
        middle = math.fsum(points) / len(points)
        self._spread.append(math.fsum((one - middle) ** 2 for one in points) / len(points))
        usual = math.sqrt(math.fsum(self._spread) / len(self._spread)) or 1.0
        strengths = [math.exp(min((one - middle) / usual, MAX_AHEAD)) for one in points]
        total = math.fsum(strengths)
        pairs = zip(values, strengths, strict=True)
        return [(1 - POINTS_WEIGHT) * value + POINTS_WEIGHT * one / total for value, one in pairs]

    def _proof_of(self, position: Any) -> list[float] | None:
        """The shares of a finished game with a sole winner, or of any if draws count as proven."""
        if position[ACTOR] != NOBODY or self.game.players == 1 or self._hides:
            return None
        shares = self.game.estimate(position)
        return shares if self.style.exact or 1.0 in shares else None

    def _look_for_wins(self) -> None:
        """Find the acts that win at once, and those that end the game otherwise."""
        worlds = [self._world() for _ in range(WORLDS if self._hides else 1)]
        self.root.codes = self._shuffled(self._start)
        for code in self.root.codes:
            try:
                results = [self._child(self.root, world, code) for world in worlds]
            except DesignError:
                if not self._hides:
                    raise
                continue
            child, after = results[0]
            child.proof = self._proof_of(after)
            if not self._hides:
                child.position = after
            if all(self.game.is_won(position, self.seat) for _, position in results):
                self.wins.add(code)
        self._prove(self.root, self.seat)

    def _look_for_results(self, moment: MomentNode) -> None:
        """See how the seat's choices end the game, each against the same random choices of the others."""
        for _ in range(0 if self._hides else WORLDS):
            asked = self._asked(moment, self._start)
            at = [own.seat for own in asked].index(self.seat)
            joint = tuple(self._rng.choice(own.codes) for own in asked)
            for code in asked[at].codes:
                child, after = self._child(moment, self._start, (*joint[:at], code, *joint[at + 1 :]))
                child.proof = self._proof_of(after)
            moment.learn(asked, joint)

    # Results

    def candidates(self, *, lines: bool) -> list[Candidate]:
        """The legal acts, best first; the choices of a moment in an order that is drawn by their odds."""
        if isinstance(self.root, MomentNode):
            return self._chosen(self.root)
        root, seat, unknown = self.root, self.seat, TreeNode(self.game.players)
        codes = root.codes or []
        nodes = [root.children.get(code, unknown) for code in codes]
        shares = [node.shares() for node in nodes]
        exact = np.array([node.proof is not None for node in nodes])
        weights = np.array([node.visits for node in nodes], float)
        if not (weights[~exact]).all():  # there were fewer simulations than acts
            usual = root.sums[seat] / root.visits if root.visits else 0.0
            weights = np.array([(node.sums[seat] + usual) / (node.visits + 1) for node in nodes])
        order = best_first(exact, np.array([share[seat] for share in shares]), weights)
        order.sort(key=lambda at: codes[at] not in self.wins)
        return [
            Candidate(
                self._action(codes[at]),
                nodes[at].visits,
                shares[at][seat],
                bool(exact[at]),
                tuple(shares[at]),
                self._line(codes[at]) if lines and codes[at] in root.children else (),
                wins=codes[at] in self.wins,
            )
            for at in order
        ]

    def _chosen(self, moment: MomentNode) -> list[Candidate]:
        """The choices of the seat at the root."""
        choices = self.game.choices(self._start)
        at = list(choices).index(self.seat)
        found = []
        for code in moment.asked(choices, self._rng)[at].order(self._rng):
            made = TreeNode(self.game.players)
            for joint, node in moment.children.items():
                if joint[at] == code:
                    made.visits += node.visits
                    made.sums = [one + other for one, other in zip(made.sums, node.sums, strict=True)]
            shares = tuple(made.shares())
            found.append(Candidate(self._action(code), made.visits, shares[self.seat], False, shares, (), mixed=True))
        return found

    def _action(self, code: int) -> Action:
        return self.game.notations[code]

    def _line(self, code: int) -> tuple[Action, ...]:
        """The best line that begins with an act, up to chance, secret choices or hidden pieces."""
        line, node, position = [code], *self._child(self.root, self._start, code)
        while position[ACTOR] >= 0 and node.codes and not isinstance(node, MomentNode) and not self._hides:
            seat, children = int(position[ACTOR]), node.children
            known = [code for code in node.codes if code in children]
            line.append(max(known, key=lambda code: (children[code].shares()[seat] == 1.0, children[code].visits)))
            node, position = self._child(node, position, line[-1])
        return tuple(map(self._action, line))
