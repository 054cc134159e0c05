"""Random games of the oracle and the product side by side: colours named or not, faults, effects, and what is seen."""

from __future__ import annotations

import random
from typing import Any

import pytest

from icetable import CHANCE

from .material import well_formed
from .oracle import Oracle, write_numbers
from .product import all_texts, effects, game_of, key, visible

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
    game = game_of(Oracle(**options))
    texts = [*all_texts(Oracle(rows=8, cols=8).squares), *well_formed(game)]
    near = all_texts(game.squares)
    for _ in range(GAMES):
        position, state = Oracle(**options), game.start()
        while True:
            assert key(state) == position.key()
            assert state.scores == position.scores
            for seat in (None, 0, 1):
                assert visible(state, seat) == position.visible(seat)
            for text in (*dice.sample(texts, TEXTS_TRIED), *dice.sample(near, TEXTS_TRIED)):
                fault = state.fault(text)
                assert (fault.rule if fault else None) == position.fault(text), text
            if position.ended_by:
                break
            assert state.view()["numbers"] == position.known
            act = choose(position, dice)
            position, state = position.apply(act), state.apply(act)
            assert state.act == act
            assert state.effects == effects(position, act)
            if not position.ended_by and len(position.squares) < 20:
                assert {str(one) for one in listed(state)} == (set() if position.to_act == {-1} else position.legal())


def listed(state: Any) -> list[Any]:
    """The legal acts of a seat, none for that of chance."""
    return [] if CHANCE in state.to_act else state.legal_actions()


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
