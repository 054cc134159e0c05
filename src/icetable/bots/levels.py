"""How strong a bot plays, and the bot itself. This module imports no numpy and no numba until a bot is made."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from icetable.core import jit, registry
from icetable.core.errors import BadOption, GameError
from icetable.core.options import shorten

if TYPE_CHECKING:
    from icetable.core.game import Action, Game, State


@dataclass(frozen=True)
class Level:
    """A strength: how much a bot searches, and how often it does not care.

    `simulations` and `seconds`, whichever comes first, bound a thought. `slip` is how often it plays any legal act
    instead. `near` is how close to the best in visits another act must come to be played as well, for variety.
    """

    name: str
    title: str
    about: str
    simulations: int | None = None
    seconds: float | None = None
    slip: float = 0.0
    near: float = 0.9


LEVELS = (
    Level("beginner", "Beginner", "Sees its next move, and often dreams.", simulations=8, slip=0.35, near=0.3),
    Level("casual", "Casual", "Looks a little ahead and sometimes slips.", simulations=60, slip=0.1, near=0.5),
    Level("skilled", "Skilled", "Plans a few moves; punishes mistakes.", simulations=600, seconds=1.0, near=0.8),
    Level("expert", "Expert", "Searches thousands of lines before each move.", simulations=8_000, seconds=2.0),
    Level("master", "Master", "The best we have: thinks for a second.", seconds=1.0),
)


def levels(game: str) -> tuple[Level, ...]:
    """The levels there are for a game, weakest first: none without turns. Raises UnknownGame."""
    return LEVELS if registry.info(game).turns else ()


class Bot:
    """A player of one game at one level.

    With a seed its choices are reproducible, unless the clock ends a thought: always at the level that only thinks by
    it, at others in the largest games. Raises BadOption for a level that there is not.
    """

    def __init__(self, game: Game, level: str, seed: int | None = None) -> None:
        by_name = {known.name: known for known in levels(game.info.name)}
        if level not in by_name:
            known = ", ".join(by_name) or "none; this game has no computer players"
            raise BadOption(f"there is no level {shorten(level)}; allowed: {known}")
        self.game = game
        self.level = by_name[level]
        self._random = random.Random(seed)  # noqa: S311 (play, not secrets)

    def choose(self, state: State, seat: int) -> Action:
        """A legal act for the seat. Blocks while it thinks; compiled searches let other threads run.

        Raises GameError where the seat has nothing to do.
        """
        from icetable.bots.search import search
        from icetable.core.turns import TurnState

        if state.game != self.game or seat not in state.to_act:
            raise GameError(f"seat {shorten(seat)} is not to act here")
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
            threads=(os.cpu_count() or 1) if self.level.simulations is None else 1,
            seed=self._random.getrandbits(32),
        )
        best = candidates[0]
        good = [c for c in candidates if c.sure == best.sure and c.visits >= self.level.near * best.visits]
        return best.action if best.sure else self._random.choice(good).action


def warm(game: Game) -> None:
    """Compile all kernels that a game needs at a table. Takes seconds when nothing is cached; run it in a thread."""
    import numpy as np

    from icetable.bots.search import search
    from icetable.core.turns import TurnState

    with jit.compiling():
        state = game.start()
        if isinstance(state, TurnState):
            search(state, simulations=2)
            state = state.apply(state.legal_actions()[0])
        else:
            state = game.random_game(np.random.default_rng(0))
        game.replay(state.record())
