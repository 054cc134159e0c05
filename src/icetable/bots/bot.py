"""The player of turn-based games. This module imports neither numpy nor numba until a bot chooses an act."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

from icetable.bots.levels import SearchLevel, level_named
from icetable.core.errors import GameError
from icetable.core.options import short_repr

if TYPE_CHECKING:
    from icetable.core.game import Action, Game, State


class Bot:
    """A player of one game of turns at one level.

    With a seed its choices are reproducible, unless the clock ends a search: that is so at the level with no limit but
    the clock, and at other levels in the largest games. Raises GameError for a game without turns, and BadOption for an
    unknown level.
    """

    def __init__(self, game: Game, level: str, seed: int | None = None) -> None:
        if not game.info.turns:
            raise GameError(f"{game.info.title} has no turns, and is played by a RealTimeBot")
        chosen = level_named(game, level)
        assert isinstance(chosen, SearchLevel)
        self.game = game
        self.level = chosen
        self._random = random.Random(seed)  # noqa: S311 (play, not secrets)

    def choose(self, state: State, seat: int, *, threads: int | None = None) -> Action:
        """A legal act for the seat. Blocks while it searches; compiled searches release the GIL.

        `threads`: the number of threads that the level with no limit but the clock may search in, by default one for
        every core. Raises GameError where the seat is not to act.
        """
        from icetable.bots.search import search
        from icetable.core.turns import TurnState

        if state.game != self.game or seat not in state.to_act:
            raise GameError(f"seat {short_repr(seat)} is not to act here")
        legal = state.legal_actions(seat)
        if len(legal) == 1:
            return legal[0]
        if self._random.random() < self.level.slip:
            return self._random.choice(legal)
        assert isinstance(state, TurnState)
        candidates = search(
            state,
            simulations=self.level.simulations,
            seconds=self.level.seconds,
            threads=(threads or os.cpu_count() or 1) if self.level.simulations is None else 1,
            seed=self._random.getrandbits(32),
        )
        best = candidates[0]
        good = [c for c in candidates if c.sure == best.sure and c.visits >= self.level.near * best.visits]
        return best.action if best.sure else self._random.choice(good).action
