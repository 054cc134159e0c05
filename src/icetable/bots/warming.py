"""Compiling before play: so that no player waits for the compiler."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.bots.levels import REAL_TIME_LEVELS
from icetable.bots.realtime import RealTimeBot
from icetable.core import jit
from icetable.core.game import CHANCE

if TYPE_CHECKING:
    from icetable.core.game import Game, State


def warm(game: Game) -> None:
    """Compile all kernels that a game needs at a table. Takes many seconds without a cache: run it in a thread."""
    import numpy as np

    from icetable.bots.search import search
    from icetable.core.turns import TurnState

    if jit.ALWAYS_PLAIN:
        return
    with jit.compiling():
        state = game.start()
        if isinstance(state, TurnState):
            search(state, simulations=2)
        seen = list(game.random_game(np.random.default_rng(0)).history())
        for one in seen:
            _ask_all(one)
        if not game.info.turns:
            bot = RealTimeBot(game, REAL_TIME_LEVELS[-1].name)
            for now, one in enumerate(seen):
                bot.next(one.view(0), now)


def _ask_all(state: State) -> None:
    """Ask what a table asks of a state after an act."""
    acts = [(act, seat) for seat in state.to_act - {CHANCE} for act in state.legal_actions(seat)[:1]]
    for act, seat in acts:
        state.fault(act, seat)
    state.view(None)
    assert isinstance(state.effects, tuple)
