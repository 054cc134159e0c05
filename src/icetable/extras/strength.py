"""How strongly bots play: the efforts of levels, and solvers, which play perfectly.

A game has the efforts of its levels in its module `levels`, and its solver, if it has one, in its module `solve`.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

from icetable.core.errors import GameError

if TYPE_CHECKING:
    from icetable.core.game import Action, Game, GameInfo, State

RANKS = {"win": 1, "draw": 0, "loss": -1}


class Solution(Protocol):
    """The result of perfect play.

    `worth`: for two players "win", "draw" or "loss" for seat 0; for one player the maximum score. `end`: the last state
    of a perfect game. `positions`: the number of positions searched.
    """

    @property
    def worth(self) -> str | int: ...
    @property
    def end(self) -> State: ...
    @property
    def positions(self) -> int: ...


class Solver(Protocol):
    """The interface of a game's module `solve`. Its functions raise GameError for another game."""

    DEFAULT_OPTIONS: Sequence[Mapping[str, Any]]
    """The sets of options that `icetable solve` solves by default."""

    def can_solve(self, game: Game, /) -> bool:
        """Whether a game is small enough to be solved; returns immediately."""
        ...

    def solve(self, game: Game, /) -> Solution:
        """Solve a game. Raises GameError if it is too large."""
        ...

    def values(self, state: State, positions: int | None = None, /) -> Mapping[Action, str | int]:
        """The value of each legal act for the seat to act: "win", "draw", "loss", or the score of a single player.

        Raises GameError if more than `positions` new positions have to be searched, or another thread is searching;
        results found until then are cached.
        """
        ...


def solver_of(info: GameInfo) -> Solver | None:
    """The solver of a game, or None."""
    return cast("Solver | None", info.part("solve"))


def rank(value: str | int) -> int:
    """A value as a number; higher is better."""
    return value if isinstance(value, int) else RANKS[value]


def best_acts(state: State, positions: int | None = None) -> frozenset[Action]:
    """The acts of perfect play in a state of a game that `can_solve`. Raises GameError as `values` does."""
    solver = solver_of(state.game.info)
    assert solver is not None
    ranks = {act: rank(value) for act, value in solver.values(state, positions).items()}
    best = max(ranks.values())
    return frozenset(act for act in ranks if ranks[act] == best)


def regrets(state: State) -> dict[Action, float]:
    """How much each legal act loses against perfect play, for the seat to act: in shares of the game, with a draw as
    half, or in points in a game for one player. Raises GameError if the game can't be solved.

    >>> import icetable
    >>> state = icetable.load("squad").start().apply("C@a1")
    >>> icetable.analysis.regrets(state)
    {'C@d1': 0.0, 'C@a4': 0.0, 'C@d4': 0.5}
    """
    solver = solver_of(state.game.info)
    if solver is None or not solver.can_solve(state.game):
        raise GameError(f"{state.game!r} can't be solved, so the loss of an act is unknown")
    unit = 1 if state.game.players == 1 else 2  # a loss and a win are two ranks apart
    ranks = {act: rank(value) / unit for act, value in solver.values(state).items()}
    return {act: max(ranks.values()) - value for act, value in ranks.items()}


def can_solve(game: Game) -> bool:
    """Whether a game has a solver that can solve it with its options."""
    solver = solver_of(game.info)
    return solver is not None and solver.can_solve(game)


@dataclass(frozen=True)
class Effort:
    """The search limits and the weaknesses of a bot. A search ends at its first limit."""

    simulations: int | None = None
    """The limit in simulations; None for no limit."""
    seconds: float | None = None
    """The limit in seconds; None for no limit."""
    attention: float = 1.0
    """The probability with which the bot notices a legal act; it plays the best of those that it notices."""
    visit_ratio: float = math.inf
    """Up to 1: the bot varies its play among all acts with at least this part of the visits of the best."""
    solve: bool = False
    """Whether the bot plays perfectly if the game can be solved quickly."""
    memory: int | None = None
    """The number of last acts that the bot remembers in games with hidden information, None for all; it samples the
    rest."""
    version: int = 1
    """Increases whenever another field changes, or the search style, weights or evaluation of the level."""


Efforts = Mapping[int, Mapping[str, Effort]]
"""By the minimum number of players: the efforts of levels by name, weakest first."""


BEST = Effort(seconds=1.0, visit_ratio=0.9)


PERFECT = dataclasses.replace(BEST, solve=True)
"""The efforts of the strongest level, without and with a solver."""
