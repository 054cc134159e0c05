"""Random games of the edition and the product side by side: colours named or not, faults, effects, and what is seen."""

from __future__ import annotations

import random
from typing import Any

import pytest

from icetable import CHANCE
from tests.games.old_pairs import Pair
from tests.games.twins import Twin

from . import product
from .material import well_formed
from .product import all_texts, seen, squares, visible, write_numbers

TEXTS_TRIED = 6

OPTIONS: list[dict[str, Any]] = [
    {},
    {"memory": "off"},
    {"numbers": "unseen"},
    {"rows": 4, "numbers": "unseen", "memory": "off"},
    {"rows": 3, "cols": 4},
    {"rows": 4, "cols": 3, "memory": "off"},
    {"rows": 5, "cols": 5},
    {"rows": 8, "cols": 4},
    {"values": [0, 0, 9, 9, 9, 12, 0, 0, 0]},
    {"values": [1, 2, 3, 4, 5, 6, 7, 8, 9], "memory": "off"},
    {"values": [7] * 9},
    {"rows": 4, "cols": 4, "values": [2**n for n in range(16)]},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_lockstep(options: dict[str, Any]) -> None:
    """HR-1 … HR-10: a third of the placings name a colour; every kind of text is judged at each position."""
    dice = random.Random(str(options))
    pair = Pair.start(product, **options)
    game = pair.state.game
    texts = [*all_texts(squares(8, 8)), *well_formed(game)]
    near = all_texts(pair.position.table.spaces)
    while True:
        for seat in (None, 0, 1):
            assert visible(pair.state, seat) == seen(pair.position, seat)
        for text in (*dice.sample(texts, TEXTS_TRIED), *dice.sample(near, TEXTS_TRIED)):
            pair.fault(text)
        if pair.position.ended_by:
            break
        assert pair.state.view()["numbers"] == pair.position.table.known
        act = choose(pair.position, dice)
        pair = pair.apply(act)
        assert pair.state.act == act
        if CHANCE not in pair.state.to_act and len(pair.position.table.spaces) < 20:
            pair.legal()
    assert_scored(pair.position)


def assert_scored(position: Twin) -> None:
    """HR-9: every tower that somebody controls brings the pips of the other and the number."""
    table, design = position.table, position.design
    pips = {square: [design.pips(table, square, seat) for seat in (0, 1)] for square in table.spaces}
    numbers = dict(zip(table.spaces, table.shown, strict=True))
    assert sum(position.scores) == sum(min(two) + numbers[square] for square, two in pips.items() if two[0] != two[1])


def choose(position: Twin, dice: random.Random) -> str:
    """A legal act: a roll, a deal, a placing without a colour, or one in any colour that is left."""
    if position.to_act == {-1}:
        is_to_roll = position.design.is_to_roll(position.table)
        numbers = position.table.known or [dice.randint(1, 6) for _ in position.table.spaces]
        numbers = sorted(numbers) if is_to_roll else dice.sample(numbers, len(numbers))
        return write_numbers("roll" if is_to_roll else "deal", numbers)
    act = dice.choice(sorted(position.legal()))
    if dice.randrange(3):
        return act
    size, _, square = act.partition("@")
    left = position.table.pad[position.table.seat]
    colour = dice.choice(sorted({str(one.colour) for one in left if one.size == size}))
    return f"{size}:{colour}@{square}"
