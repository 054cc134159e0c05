"""Random games of the oracle and the product side by side: every attempt has the same verdict and the same end."""

from __future__ import annotations

import pytest

from .oracle import Oracle
from .product import compare, game_of, verdict
from .random_games import random_game

GAMES = 6
STEPS = 200
BELL_FROM = 150


@pytest.mark.parametrize("seed", range(GAMES))
def test_lockstep(seed: int) -> None:
    game = game_of(next(random_game(seed)).before)
    state = game.start()
    after = Oracle(players=game.players)
    for step in random_game(seed, STEPS, BELL_FROM):
        assert verdict(state, step.text, step.seat, step.at) == step.fault, (step.text, step.seat, step.at)
        after = step.after
        if step.fault is None:
            state = state.apply(step.text, step.seat, step.at / 1000)
            compare(state, after)
    assert len(state.field) == len(after.field)
    assert game.replay(state.record()) == state
    assert game.from_json(state.to_json()) == state
