"""Games that can be solved: a game names the module that does it, and only asking imports it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from icetable.core.game import Action, Game, GameInfo, State


class Solution(Protocol):
    """What a game comes to when nobody errs.

    `worth`: for two players "win", "draw" or "loss" of seat 0; for one the highest score there is. `end`: the last
    state of such a game. `positions`: how many had to be looked at.
    """

    @property
    def worth(self) -> str | int: ...
    @property
    def end(self) -> State: ...
    @property
    def positions(self) -> int: ...


class Solver(Protocol):
    """What the module of `GameInfo.solver` offers. Everything but `USUAL` raises GameError for another's game."""

    USUAL: Sequence[Mapping[str, Any]]
    """The options of the games whose solutions are worth knowing."""

    def can_solve(self, game: Game, /) -> bool:
        """Whether a game is small enough; said at once."""
        ...

    def solve(self, game: Game, /) -> Solution:
        """The solution. Raises GameError where the game is too large."""
        ...

    def values(self, state: State, /) -> Mapping[Action, str | int]:
        """What each legal act is worth to the seat that is to act: "win", "draw", "loss", or alone the score."""
        ...


def solver_of(info: GameInfo) -> Solver | None:
    """What solves a game under some options; None where nothing does."""
    return None if info.solver is None else cast("Solver", import_module(info.solver))


def can_solve(game: Game) -> bool:
    """Whether `solver_of` can solve a game under its options."""
    solver = solver_of(game.info)
    return solver is not None and solver.can_solve(game)
