"""The tree searches as their papers have them, in plain Python over states: the oracle of the kernels' tests."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from icetable.core.game import State
from icetable.core.turns import TurnState
from icetable.envs import Spaces

Judge = Callable[[Any, Any], tuple[Any, Any]]


class Node:
    """A position, and what the evaluator and the simulations say of it."""

    def __init__(self, state: State) -> None:
        assert isinstance(state, TurnState)
        self.state = state
        self.actions: list[int] = []
        self.logits: list[float] = []
        self.priors: list[float] = []
        self.children: dict[int, Node] = {}
        self.results: list[Sequence[float]] = []
        self.judged = 0.0

    def mean(self, seat: int) -> float:
        return sum(result[seat] for result in self.results) / len(self.results)

    def count(self, index: int) -> int:
        return len(self.children[index].results) if index in self.children else 0


class NaiveSearch:
    """A search from one position of a game without chance whose rewards are shares."""

    def __init__(self, spaces: Spaces, judge: Judge, exploration: float, draws: Sequence[float]) -> None:
        self.spaces, self.judge, self.exploration, self.draws = spaces, judge, exploration, draws
        self.players = spaces.game.players
        self.low = -1 / max(self.players - 1, 1)

    def scaled(self, value: float) -> float:
        return (value - self.low) / (1 - self.low)

    def puct(self, state: State, simulations: int) -> Node:
        root = Node(state)
        self.open(root)
        for _ in range(simulations):
            self.simulate(root, self.by_puct)
        return root

    def gumbel(self, state: State, simulations: int, considered: int) -> Node:
        """Halving by rounds: each candidate gets its share of what is left of a round, then the better half stays."""
        root = Node(state)
        self.open(root)
        candidates = sorted(range(len(root.actions)), key=lambda index: -self.chance(root, index))
        candidates = candidates[: min(considered, len(candidates))]
        rounds = max(1, math.ceil(math.log2(len(candidates))))
        left = simulations
        while left:
            each = max(1, simulations // (rounds * len(candidates)))
            for _ in range(each):
                tried = sorted(candidates, key=lambda index: -self.score(root, index))
                while tried and left:
                    best = max(tried, key=lambda index: self.score(root, index))
                    tried.remove(best)
                    self.simulate(root, self.by_improved, first=best)
                    left -= 1
            ordered = sorted(candidates, key=lambda index: -self.score(root, index))
            candidates = ordered[: max(min(2, len(candidates)), len(candidates) // 2)]
        return root

    def chance(self, root: Node, index: int) -> float:
        return root.logits[index] + self.draws[root.actions[index]]

    def score(self, root: Node, index: int) -> float:
        value = self.scaled(root.children[index].mean(root.state.actor)) if root.count(index) else 0.0
        return self.chance(root, index) + self.weight(root) * value

    def weight(self, node: Node) -> float:
        return 50 + max(node.count(index) for index in range(len(node.actions)))

    def open(self, node: Node) -> None:
        """Judge a new node."""
        state, spaces = node.state, self.spaces
        if state.is_terminal:
            shares = [(seat in state.winners) / len(state.winners) for seat in range(self.players)]
            node.results.append([(share * self.players - 1) / max(self.players - 1, 1) for share in shares])
            return
        node.actions = [spaces.number(act) for act in state.legal_actions()]
        height, width, planes = spaces.encoding.shape
        seen = np.empty((height * width, planes), np.int8)
        spaces.codec.observe(state.array, state.actor, seen)
        mask = np.zeros(spaces.encoding.actions, np.int8)
        mask[node.actions] = 1
        logits, values = self.judge(seen.reshape(1, height, width, planes), mask[np.newaxis])
        node.logits = [float(np.float32(logits[0, action])) for action in node.actions]
        node.priors = softmax(node.logits)
        result = [0.0] * self.players
        for after, value in enumerate(values[0].tolist()):
            result[(state.actor + after) % self.players] = value
        node.results.append(result)
        node.judged = result[state.actor]

    def simulate(self, root: Node, choose: Callable[[Node], int], first: int | None = None) -> None:
        node, path, index = root, [root], first
        while node.actions:
            if index is None:
                index = choose(node)
            if index not in node.children:
                action = self.spaces.notation(node.actions[index])
                node.children[index] = Node(node.state.apply(action))
            node, index = node.children[index], None
            path.append(node)
            if not node.results:
                break
        if node.results:
            node.results.append(node.results[0])
        else:
            self.open(node)
        for before in path[:-1]:
            before.results.append(node.results[-1])

    def by_puct(self, node: Node) -> int:
        seat, best = node.state.actor, (-math.inf, 0)
        for index, prior in enumerate(node.priors):
            count = node.count(index)
            value = (node.children[index] if count else node).mean(seat)
            bonus = self.exploration * prior * math.sqrt(len(node.results)) / (1 + count)
            best = max(best, (self.scaled(value) + bonus, -index))
        return -best[1]

    def improved(self, node: Node) -> list[float]:
        """The improved policy: softmax of logits and completed values."""
        seat = node.state.actor
        visited = [index for index in range(len(node.actions)) if node.count(index)]
        values = {index: self.scaled(node.children[index].mean(seat)) for index in visited}
        mixed = self.scaled(node.judged)
        if visited:
            visits = sum(node.count(index) for index in visited)
            priors = sum(node.priors[index] for index in visited)
            mean = sum(node.priors[index] * values[index] for index in visited) / priors
            mixed = (mixed + visits * mean) / (1 + visits)
        return softmax(
            [logit + self.weight(node) * values.get(index, mixed) for index, logit in enumerate(node.logits)]
        )

    def by_improved(self, node: Node) -> int:
        total = 1 + sum(node.count(index) for index in range(len(node.actions)))
        behind = [wanted - node.count(index) / total for index, wanted in enumerate(self.improved(node))]
        return behind.index(max(behind))


def softmax(logits: Sequence[float]) -> list[float]:
    powers = [math.exp(logit - max(logits)) for logit in logits]
    return [power / sum(powers) for power in powers]
