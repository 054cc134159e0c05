"""Games that can be solved: the module `solve` of a game's package does it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

from icetable.core.errors import GameError

if TYPE_CHECKING:
    from icetable.core.game import Action, Game, GameInfo, State


class Solution(Protocol):
    """The result of perfect play.

    `worth`: for two players "win", "draw" or "loss" of seat 0; for one player the highest possible score. `end`: the
    last state of such a game. `positions`: the number of positions that were searched.
    """

    @property
    def worth(self) -> str | int: ...
    @property
    def end(self) -> State: ...
    @property
    def positions(self) -> int: ...


class Solver(Protocol):
    """What a game's module `solve` offers. Its functions raise GameError for another game."""

    USUAL: Sequence[Mapping[str, Any]]
    """The sets of options that `icetable solve` solves by default."""

    def can_solve(self, game: Game, /) -> bool:
        """Whether a game is small enough to be solved. Takes no time."""
        ...

    def solve(self, game: Game, /) -> Solution:
        """Solve a game. Raises GameError where it is too large."""
        ...

    def values(self, state: State, positions: int | None = None, /) -> Mapping[Action, str | int]:
        """The worth of each legal act to the seat that is to act: "win", "draw", "loss", or the score of one player.

        Raises GameError where more than so many new `positions` have to be searched, or another thread is at it; what
        was found until then is kept.
        """
        ...


def solver_of(info: GameInfo) -> Solver | None:
    """The solver of a game; None where it has none."""
    return cast("Solver | None", info.part("solve"))


RANKS = {"win": 1, "draw": 0, "loss": -1}


def rank(value: str | int) -> int:
    """A value as a number: the better one is higher."""
    return value if isinstance(value, int) else RANKS[value]


def best_acts(state: State, positions: int | None = None) -> frozenset[Action]:
    """The acts that perfect play allows at a state of a game that `can_solve`. Raises GameError as `values` does."""
    solver = solver_of(state.game.info)
    assert solver is not None
    ranks = {act: rank(value) for act, value in solver.values(state, positions).items()}
    best = max(ranks.values())
    return frozenset(act for act in ranks if ranks[act] == best)


def regrets(state: State) -> dict[Action, float]:
    """By how much less each legal act brings the seat that is to act than perfect play: in shares of the game, where a
    draw is half of it, and in points where one plays alone. Raises GameError where the game can't be solved.

    >>> import icetable
    >>> state = icetable.load("squad").start().apply("C@a1")
    >>> icetable.analysis.regrets(state)
    {'C@d1': 0.0, 'C@a4': 0.0, 'C@d4': 0.5}
    """
    solver = solver_of(state.game.info)
    if solver is None or not solver.can_solve(state.game):
        raise GameError(f"{state.game!r} can't be solved, so nobody knows what an act gives away")
    unit = 1 if state.game.players == 1 else 2  # from a loss to a win are two ranks
    ranks = {act: rank(value) / unit for act, value in solver.values(state).items()}
    return {act: max(ranks.values()) - worth for act, worth in ranks.items()}


def can_solve(game: Game) -> bool:
    """Whether a game has a solver that can solve it with its options."""
    solver = solver_of(game.info)
    return solver is not None and solver.can_solve(game)
