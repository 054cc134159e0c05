"""Nodes of the trees of `plain`, also those at which several seats choose in secret at the same moment.

Such seats share one node, at which each mixes its choices by regret matching (Hart and Mas-Colell 2000, "A simple
adaptive procedure leading to correlated equilibrium"): none of its choices depends on another one of the same moment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence

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
