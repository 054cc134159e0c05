"""The layout of a turn-based game's position, and the kernels that every such game has.

A position is one int64 array. Its first words have the same meaning in every game (`COMMON`); the rest is specific to
the game. A game's `rules.py` has the kernels (`kernels.jit.kernel`) of `Rules`, its `evaluation.py` those of
`Evaluation`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, Protocol

from icetable.kernels.jit import kernel

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from icetable.kernels.jit import Floats, Ints

CHANCE = -1
"""The seat of dice, deals and the bell. In ACTOR: a die or a deal is due."""
NOBODY = -2
"""In ACTOR: the game is over."""


class Word(NamedTuple):
    """A word of an array, or several with one name."""

    name: str
    meaning: str
    first: int
    length: int


class Words:
    """The words of an array, each declared once, with a constant as index for kernels and a name for people.

    >>> words = Words()
    >>> BOARD = words.add("board", "The set of all spaces.")
    >>> TOPS = words.add("tops", "By size: the spaces with a top of that size.", 3)
    >>> BOARD, TOPS, words.length
    (0, 1, 4)
    >>> words.read([127, 1, 2, 0])
    {'board': 127, 'tops': [1, 2, 0]}
    """

    def __init__(self, before: Words | None = None, first: int = 0) -> None:
        """Create words that follow those of `before` in the same array, or begin at index `first`."""
        self.declared: list[Word] = [*before.declared] if before else []
        self.length: int = before.length if before else first

    def add(self, name: str, meaning: str, length: int = 1) -> int:
        """Declare the next word, or several, and return the index of the first."""
        self.declared.append(Word(name, meaning, self.length, length))
        self.length += length
        return self.declared[-1].first

    def read(self, array: Sequence[int] | Ints) -> dict[str, int | list[int]]:
        """An array's words by name, without those beyond its end."""
        read: dict[str, int | list[int]] = {}
        for name, _, first, length in self.declared:
            values = [int(value) for value in array[first : first + length]]
            if values:
                read[name] = values[0] if length == 1 else values
        return read

    def differences(self, array: Sequence[int] | Ints, other: Sequence[int] | Ints) -> dict[str, tuple[object, object]]:
        """The words that differ between two arrays, by name, with both values."""
        these, others = self.read(array), self.read(other)
        return {name: (these[name], others.get(name)) for name in these if these[name] != others.get(name)}


COMMON = Words()
"""The first words of every game's position."""
ACTOR = COMMON.add("actor", "The seat that may act, or CHANCE, or NOBODY.")
SEATS = COMMON.add("seats", "The number of players.")
TURN = COMMON.add("turn", "The number of turns played.")
TURN_LIMIT = COMMON.add("turn_limit", "The number of turns after which the game is drawn; 0: never.")
WINNERS = COMMON.add("winners", "The winners, a bit for each seat; 0 until the game is over.")
ENDED_BY = COMMON.add("ended_by", "The number of the rule that ended the game; 0 until it is over.")


class Rules(Protocol):
    """The kernel functions of a turn-based game."""

    @property
    def WORDS(self) -> Words:  # noqa: N802 (a constant of the module)
        """The words of a position."""

    @property
    def MAX_ACTS(self) -> int:  # noqa: N802 (a constant of the module)
        """The length of a buffer that holds the legal acts of any position."""

    def legal(self, state: Ints, acts: Ints) -> int:
        """Write the legal acts and return their number; at a chance node the outcomes, if they can be listed."""

    def pick(self, state: Ints, acts: Ints, rng: Ints) -> int:
        """A uniformly random legal act; at a chance node an outcome sampled by its probability.

        `acts` is a buffer of MAX_ACTS numbers.
        """

    def apply(self, state: Ints, act: int) -> None:
        """Play a legal act, in place."""


UNPROVEN = -1.0
"""Used instead of a winner or an exact share: nothing is proven."""


class Deals(Protocol):
    """Exact shares in games for two, at chance nodes with too many outcomes to list after which no seat acts."""

    def expect(self, state: Ints) -> float:
        """Seat 1's exact expected share at a chance node after which no seat acts; UNPROVEN if it is unknown."""


class Evaluation(Protocol):
    """The static evaluation of positions, for bots."""

    def evaluate(self, state: Ints, values: Floats) -> None:
        """Write each seat's expected share of the game (0 … 1, with sum 1), exact when it is over."""


OFFSET = 0
"""The feature whose weight is always 1."""
SURELY_LOST = -1000.0
"""The amount of OFFSET that gives a seat no share of the game."""


class Features(Protocol):
    """The features of a learned evaluation."""

    @property
    def FEATURES(self) -> int:  # noqa: N802 (a constant of the module)
        """The number of features, and of weights."""

    @property
    def MAX_ACTIVE(self) -> int:  # noqa: N802 (a constant of the module)
        """The maximum number of entries that `features` writes."""

    def features(self, state: Ints, active: Ints, amounts: Floats, ends: Ints) -> None:
        """Write the indices and amounts of a position's active features by seat, and the end of each seat's entries.

        The strength of a seat is the sum of the weights of its features times their amounts, as a logarithm of odds.
        """


@kernel
def settle(state: Ints, winners: int, rule: int) -> None:
    """End the game. `winners`: a bit for each seat. `rule`: the number of the rule that ends it."""
    state[ACTOR] = NOBODY
    state[WINNERS] = winners
    state[ENDED_BY] = rule


@kernel
def share(state: Ints, result: Floats) -> None:
    """Write each seat's share of a finished game: the winners share 1 equally."""
    winners = 0
    for seat in range(state[SEATS]):
        winners += (state[WINNERS] >> seat) & 1
    for seat in range(state[SEATS]):
        result[seat] = ((state[WINNERS] >> seat) & 1) / winners if winners else 0.0


def shares_of(winners: Collection[int], players: int) -> list[float]:
    """Each seat's share of any game: the winners share 1 equally; all 0 before the end."""
    each = 1 / max(len(winners), 1)
    return [each * (seat in winners) for seat in range(players)]


@kernel
def share_by_strength(state: Ints, strengths: Floats) -> None:
    """Replace each seat's strength, a logarithm of odds, by its expected share of the game; minus infinity gives 0."""
    total = 0.0
    for seat in range(state[SEATS]):
        strengths[seat] = math.exp(strengths[seat])
        total += strengths[seat]
    for seat in range(state[SEATS]):
        strengths[seat] /= total
