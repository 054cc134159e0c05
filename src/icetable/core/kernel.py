"""What the rules of a turn-based game look like to everything that runs them at full speed.

A position is one int64 array. Its first words mean the same in every game; the rest is the game's own. A game's
`rules.py` holds kernel functions (`core.jit.kernel`) with the names and meanings of `Rules`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from icetable.core.jit import kernel

if TYPE_CHECKING:
    from icetable.core.jit import Floats, Ints

NATURE = -1
"""In ACTOR: a die must fall, a deal must be made."""
NOBODY = -2
"""In ACTOR: the game is over."""

ACTOR = 0
"""The seat that may act, or NATURE, or NOBODY."""
SEATS = 1
"""How many players there are."""
TURN = 2
"""How many turns have been played."""
TURN_LIMIT = 3
"""After how many turns the game is drawn; 0: never."""
WINNERS = 4
"""The winners, a bit for each seat; 0 until the game is over."""
ENDED_BY = 5
"""The number of the rule that ended the game; 0 until it is over."""
GAME = 6
"""The first word that is the game's own."""


class Rules(Protocol):
    """The kernel functions of a turn-based game."""

    @property
    def MOST_ACTS(self) -> int:  # noqa: N802 (a constant of the module)
        """The length of an array with room for all legal acts of any position."""

    def legal(self, state: Ints, acts: Ints) -> int:
        """Write the legal acts (at a chance node: the outcomes, where they can be listed) and return their number."""

    def pick(self, state: Ints, acts: Ints, rng: Ints) -> int:
        """A uniformly random legal act; at a chance node an outcome drawn by its probability.

        `acts` is room for MOST_ACTS numbers to work in.
        """

    def apply(self, state: Ints, act: int) -> None:
        """Play a legal act, in place."""


class Insight(Protocol):
    """What a game's `insight.py` tells bots."""

    def evaluate(self, state: Ints, values: Floats) -> None:
        """Write each seat's expected share of the game (0 … 1, together 1), exact when it is over."""


@kernel
def settle(state: Ints, winners: int, rule: int) -> None:
    """End the game: `winners` a bit for each seat, `rule` the number of the rule that ends it."""
    state[ACTOR] = NOBODY
    state[WINNERS] = winners
    state[ENDED_BY] = rule


@kernel
def share(state: Ints, result: Floats) -> None:
    """What each seat gets of a game that is over: 1 in all, divided equally among the winners."""
    winners = 0
    for seat in range(state[SEATS]):
        winners += (state[WINNERS] >> seat) & 1
    for seat in range(state[SEATS]):
        result[seat] = ((state[WINNERS] >> seat) & 1) / winners if winners else 0.0
