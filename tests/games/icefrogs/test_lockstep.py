"""Random games of kernel and class side by side, on boards that fill up."""

from __future__ import annotations

import random

import pytest

from .drawings import all_texts, start

ACTS = 180
TEXTS_TRIED = 3


@pytest.mark.parametrize("board", ["star", "hexagon"])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_lockstep(players: int, board: str) -> None:
    """In every other game the goal is shunned while there is another way, so that boards fill up."""
    dice = random.Random(f"{players} {board}")
    texts = all_texts(board)
    games, longest = 0, 0
    first = pair = start(players=players, board=board, turn_limit=45)
    for _ in range(ACTS):
        legal = pair.legal()
        for text in dice.sample(texts, TEXTS_TRIED):
            pair.fault(text)
        if pair.ended_by:
            games, pair = games + 1, first
            continue
        homes = {*pair.design.homes} - {pair.design.homes[pair.table.seat]}
        shunned = {text for text in legal if text[-2:] not in homes}
        pair = pair.apply(dice.choice(sorted(shunned if shunned and games % 2 else legal)))
        longest = max([longest, *(len(effect.spaces) - 1 for effect in pair.state.effects)])
    assert games > 2
    assert longest >= 3
