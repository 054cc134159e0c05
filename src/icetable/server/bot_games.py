"""Games between bots, for the reports of play-tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from icetable.core.game import CHANCE

if TYPE_CHECKING:
    from icetable.core.turns import TurnState

SIMULATIONS = 20
MAX_ACTS = 500
"""Simulations per act, and acts after which a game is abandoned."""


def play_bot_game(state: TurnState, seed: int) -> tuple[int, frozenset[int]]:
    """Play a game between shallow searches: the number of players' acts, and the winners. Takes seconds."""
    import numpy as np

    from icetable.bots.search import search

    rng, acts = np.random.default_rng(seed), 0
    while not state.is_terminal and acts < MAX_ACTS:
        if state.actor == CHANCE:
            act = state.game.random_act(state, rng)
        else:
            acts += 1
            act = search(state, simulations=SIMULATIONS, seed=int(rng.integers(2**31)))[0].action
        state = state.apply(act).without_history()
    return acts, state.winners
