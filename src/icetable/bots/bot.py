"""The player of turn-based games. This module imports neither numpy nor numba until a bot chooses an act."""

from __future__ import annotations

import contextlib
import os
import random
from typing import TYPE_CHECKING

from icetable import games
from icetable.bots.levels import SearchLevel, level_named
from icetable.core.errors import GameError
from icetable.core.options import short_repr

if TYPE_CHECKING:
    from collections.abc import Collection

    from icetable.core.game import Action, Game, State

MAX_POSITIONS = 200_000
"""Maximum number of positions a bot searches to solve a game, which takes a few tenths of a second."""


class Bot:
    """A player of a turn-based game, given as a game or by name, at one level.

    With a seed its choices are reproducible unless the clock ends a search: at the level that is only limited by time,
    and at other levels in the largest games. Raises GameError for a real-time game, and BadOption for an unknown level.
    """

    def __init__(self, game: Game | str | type, level: str, seed: int | None = None) -> None:
        game = games.with_options(game)
        if not game.info.turns:
            raise GameError(f"{game.info.title} has no turns, and is played by a RealTimeBot")
        chosen = level_named(game, level)
        assert isinstance(chosen, SearchLevel)
        self.game = game
        self.level = chosen
        self._random = random.Random(seed)  # noqa: S311 (play, not secrets)

    def choose(self, state: State, seat: int, *, threads: int | None = None) -> Action:
        """Choose a legal act for the seat. Blocks while it searches; compiled searches release the GIL.

        `threads`: the number of threads for the level that is only limited by time, by default one per core. Raises
        GameError if the seat is not to act.
        """
        from icetable.bots.search import search
        from icetable.bots.trees import by_preference
        from icetable.core.turns import TurnState, determinized

        if state.game != self.game or seat not in state.to_act:
            raise GameError(f"seat {short_repr(seat)} is not to act here")
        legal = state.legal_actions(seat)
        if len(legal) == 1:
            return legal[0]
        effort, allowed = self.level.effort, self._allowed(state, legal)
        if len(allowed) == 1:
            return next(iter(allowed))
        assert isinstance(state, TurnState)
        state = state.before(seat)
        candidates = search(
            determinized(state, effort.memory, self._random.getrandbits(32)),
            simulations=effort.simulations,
            seconds=effort.seconds,
            threads=(threads or os.cpu_count() or 1) if effort.simulations is None else 1,
            seed=self._random.getrandbits(32),
        )
        candidates = [candidate for candidate in candidates if candidate.action in allowed]
        return next(by_preference(candidates, effort, self._random)).action

    def _allowed(self, state: State, legal: list[Action]) -> Collection[Action]:
        """The acts of perfect play; all legal acts if the level doesn't use them or they take too long to compute."""
        from icetable.bots.compilation import status
        from icetable.extras.strength import best_acts, can_solve

        if self.level.effort.solve and can_solve(self.game) and status(self.game.info) in ("cached", "loaded"):
            with contextlib.suppress(GameError):
                return best_acts(state, MAX_POSITIONS)
        return legal
