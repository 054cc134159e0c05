"""Random games of the oracle and the product side by side: colours named or not, faults, effects, and what is seen."""

from __future__ import annotations

import random
from typing import Any

import pytest

from icetable import CHANCE
from tests.games.pairs import Pair

from . import product
from .material import well_formed
from .oracle import Oracle, write_numbers
from .product import all_texts, visible

GAMES = 2
TEXTS_TRIED = 6

OPTIONS: list[dict[str, Any]] = [
    {},
    {"memory": "off"},
    {"numbers": "unseen"},
    {"rows": 4, "numbers": "unseen", "memory": "off"},
    {"rows": 3, "cols": 4},
    {"rows": 4, "cols": 3, "memory": "off"},
    {"rows": 5, "cols": 5},
    {"rows": 8, "cols": 6},
    {"values": [0, 0, 9, 9, 9, 12, 0, 0, 0]},
    {"values": [1, 2, 3, 4, 5, 6, 7, 8, 9], "memory": "off"},
    {"values": [7] * 9},
    {"rows": 4, "cols": 4, "values": [2**n for n in range(16)]},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_lockstep(options: dict[str, Any]) -> None:
    """HR-1 … HR-10: a third of the placings name a colour; every kind of text is judged at each position."""
    dice = random.Random(str(options))
    start = Pair.at_start(product, Oracle(**options))
    game = start.state.game
    texts = [*all_texts(Oracle(rows=8, cols=8).squares), *well_formed(game)]
    near = all_texts(start.position.squares)
    for _ in range(GAMES):
        pair = start
        while True:
            for seat in (None, 0, 1):
                assert visible(pair.state, seat) == pair.position.visible(seat)
            for text in (*dice.sample(texts, TEXTS_TRIED), *dice.sample(near, TEXTS_TRIED)):
                pair.fault(text)
            if pair.position.ended_by:
                break
            assert pair.state.view()["numbers"] == pair.position.known
            act = choose(pair.position, dice)
            pair = pair.apply(act)
            assert pair.state.act == act
            if CHANCE not in pair.state.to_act and len(pair.position.squares) < 20:
                pair.legal()
        assert_scored(pair.position)


def assert_scored(position: Oracle) -> None:
    """HR-9: every tower that somebody controls brings the pips of the other and the number."""
    numbers = position.numbers or {}
    controlled = [square for square in position.squares if position.control(square) is not None]
    assert sum(position.scores) == sum(min(position.pips(square)) + numbers[square] for square in controlled)


def choose(position: Oracle, dice: random.Random) -> str:
    """A legal act: a roll, a deal, a placing without a colour, or one in any colour that is left."""
    if position.to_act == {-1}:
        numbers = position.known or [dice.randint(1, 6) for _ in position.squares]
        numbers = sorted(numbers) if position.to_be_rolled else dice.sample(numbers, len(numbers))
        return write_numbers("roll" if position.to_be_rolled else "deal", numbers)
    act = dice.choice(sorted(position.legal()))
    if dice.randrange(3):
        return act
    size, _, square = act.partition("@")
    left = position.stashes[position.seat]
    colour = dice.choice([colour for (one, colour), count in left.items() if one == size and count])
    return f"{size}:{colour}@{square}"
