"""Random games of the oracle and the product side by side."""

from __future__ import annotations

import random

import pytest

from .oracle import Oracle
from .product import all_texts, game_of, key

ACTS = 700
TEXTS_TRIED = 3


@pytest.mark.parametrize("board", ["star", "hexagon"])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_lockstep(players: int, board: str) -> None:
    """In every other game the goal is shunned while there is another way, so that boards fill up."""
    dice = random.Random(f"{players} {board}")
    texts = all_texts(board)
    games = 0
    position, state = Oracle(players, board, turn_limit=150), game_of(Oracle(players, board, turn_limit=150)).start()
    for _ in range(ACTS):
        legal = position.legal()
        assert key(state) == position.key()
        assert {str(act) for act in state.legal_actions()} == legal
        for text in dice.sample(texts, TEXTS_TRIED):
            fault = state.fault(text)
            assert (fault.rule if fault else None) == position.fault(text), text
        if position.ended_by:
            games += 1
            position, state = Oracle(players, board, turn_limit=150), state.game.start()
            continue
        patient = {text for text in legal if text[-2:] not in position.goals()}
        text = dice.choice(sorted(patient if patient and games % 2 else legal))
        position, state = position.apply(text), state.apply(text)
    assert games > 2
