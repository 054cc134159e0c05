"""Where the package of a game has its solver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.server import toy

if TYPE_CHECKING:
    from icetable.core.game import Action, Game, State


def can_solve(game: Game) -> bool:
    return toy.can_solve(game)


def values(state: State, positions: int | None = None) -> dict[Action, str | int]:
    return toy.values(state)
