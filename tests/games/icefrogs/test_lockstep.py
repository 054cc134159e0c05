"""Random games of the edition and the product side by side."""

from __future__ import annotations

import random

import pytest

from tests.games.pairs import Pair, patient

from . import product
from .product import all_texts, start

ACTS = 700
TEXTS_TRIED = 3


@pytest.mark.parametrize("board", ["star", "hexagon"])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_lockstep(players: int, board: str) -> None:
    """In every other game the goal is shunned while there is another way, so that boards fill up."""
    dice = random.Random(f"{players} {board}")
    texts = all_texts(board)
    games, longest = 0, 0
    first = pair = Pair.at_start(product, start(players=players, board=board, turn_limit=150))
    for _ in range(ACTS):
        asked = Pair(product, patient(pair.position), pair.state)
        legal = asked.legal()
        for text in dice.sample(texts, TEXTS_TRIED):
            asked.fault(text)
        if pair.position.ended_by:
            games, pair = games + 1, first
            continue
        homes = {*pair.position.design.homes} - {pair.position.design.homes[pair.position.table.seat]}
        shunned = {text for text in legal if text[-2:] not in homes}
        pair = asked.apply(dice.choice(sorted(shunned if shunned and games % 2 else legal)))
        longest = max([longest, *(len(effect.spaces) - 1 for effect in pair.state.effects)])
    assert games > 2
    assert longest >= 3
