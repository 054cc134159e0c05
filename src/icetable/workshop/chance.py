"""Chance: dice, coins and draws, with the odds of their outcomes."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from icetable.core.errors import GameError
from icetable.core.options import short_repr

DICE: Mapping[str, tuple[str, ...]] = {"treehouse": ("aim", "dig", "hop", "swap", "tip", "wild")}
"""Dice with words on their faces, each face equally likely."""
COIN = ("heads", "tails")
MAX_OUTCOMES = 1000
"""The maximum number of outcomes of an act of chance that are listed."""
MAX_FACES = 10_000
"""The maximum number of faces, cards or choices to choose from."""
MAX_DICE = 1000
"""The maximum number of dice of an act of chance."""


def faces_of(die: int | str | Iterable[object]) -> list[str]:
    """The faces of a die, given by its number of sides, its name in DICE, or a list. Raises GameError."""
    if isinstance(die, str):
        if die not in DICE:
            raise GameError(f"there is no die {short_repr(die)}; there are {', '.join(DICE)}, and any number of sides")
        return list(DICE[die])
    if isinstance(die, int):
        if not 2 <= die <= MAX_FACES:
            raise GameError(f"a die has 2 to {MAX_FACES:,} sides, not {die:,}")
        return [str(face) for face in range(1, die + 1)]
    return texts_of(die)


def texts_of(listed: Iterable[object]) -> list[str]:
    """The texts of faces, cards or choices. Raises GameError if they are too many."""
    found = [str(one) for one in itertools.islice(listed, MAX_FACES + 1)]
    if len(found) > MAX_FACES:
        raise GameError(f"there are at most {MAX_FACES:,} faces, cards or choices to choose from")
    return found


def odds_of(what: str, faces: Iterable[object]) -> dict[str, float]:
    """The outcomes `what:face` with their odds; a face listed twice is twice as likely. Raises GameError."""
    counts = Counter(texts_of(faces))
    if not counts:
        raise GameError(f"chance has nothing to choose from ({what})")
    total = counts.total()
    return {f"{what}:{face}": count / total for face, count in sorted(counts.items())}


class MultiDraw(NamedTuple):
    """Several dice or cards in one act of chance, such as `roll:1335` or `deal:10,2,7`.

    `faces`: the faces or cards; one listed twice is twice as likely. `dice`: the number of draws with replacement; 0
    for a permutation of all faces. `ordered`: whether the order of the draws counts; otherwise they are sorted in the
    order of the faces.
    """

    word: str
    faces: tuple[str, ...]
    dice: int
    ordered: bool

    @property
    def number(self) -> int:
        """The number of ordered outcomes."""
        kinds = Counter(self.faces)
        orders = math.factorial(len(self.faces)) // math.prod(math.factorial(count) for count in kinds.values())
        return int(len(kinds) ** self.dice) if self.dice else orders

    def odds(self) -> dict[str, float]:
        """All possible acts with their odds."""
        found: Counter[str] = Counter()
        for parts, ways in rows(Counter(self.faces), self.dice or len(self.faces), back=self.dice > 0):
            found[self.written(parts)] += ways
        return {act: ways / found.total() for act, ways in sorted(found.items())}

    def drawn_from(self, seed: int) -> str:
        """The act drawn from a seed."""
        import numpy as np  # slow to import when a server starts

        rng, faces = np.random.default_rng(seed), len(self.faces)
        drawn_ = rng.integers(faces, size=self.dice) if self.dice else rng.permutation(faces)
        return self.written(self.faces[number] for number in drawn_.tolist())

    def is_possible(self, act: str) -> bool:
        """Whether an act is possible."""
        parts = drawn(act)
        if self.dice:
            could = len(parts) == self.dice and set(parts) <= set(self.faces)
        else:
            could = sorted(parts) == sorted(self.faces)
        return could and act == self.written(parts)

    def written(self, parts: Iterable[str]) -> str:
        """The act with these parts."""
        parts = list(parts) if self.ordered else sorted(parts, key=self.faces.index)
        return f"{self.word}:" + ("," if any(len(part) > 1 for part in parts) else "").join(parts)


def drawn(act: str) -> list[str]:
    """The parts of an act of chance: `drawn("roll:1335")` is ["1", "3", "3", "5"]."""
    parts = act.partition(":")[2]
    return parts.split(",") if "," in parts else list(parts)


def rows(left: Counter[str], count: int, *, back: bool) -> Iterator[tuple[tuple[str, ...], int]]:
    """All sequences of `count` faces, with the number of ways to draw each; `back`: with replacement."""
    if not count:
        yield (), 1
        return
    for face, copies in left.items():
        for rest, ways in rows(left if back else left - Counter({face: 1}), count - 1, back=back):
            yield (face, *rest), copies * ways
