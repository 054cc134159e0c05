"""Random games of the oracle and the product side by side, with all that acts cause."""

from __future__ import annotations

import random

import pytest

from tests.games.pairs import Pair, patient

from . import product
from .material import well_formed
from .oracle import Oracle

ACTS = 300
TEXTS_TRIED = 4

OPTIONS = [
    {"players": 2},
    {"players": 3},
    {"players": 4},
    {"players": 2, "rectangles": "tilted", "leap": True},
    {"players": 3, "rectangles": "tilted", "fallen": "stay"},
    {"players": 4, "rectangles": "tilted", "fallen": "stay", "leap": True},
    {"players": 4, "fallen": "stay"},
    {"players": 2, "home_coin": "turns"},
    {"players": 4, "rectangles": "tilted", "home_coin": "turns"},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_lockstep(options: dict[str, object]) -> None:
    """Whoever can capture does, so that games come to an end; else any act but the end is made."""
    dice = random.Random(str(options))
    start = pair = Pair.at_start(product, Oracle(turn_limit=150, **options))  # type: ignore[arg-type]
    texts = list(well_formed(start.state.game))
    kinds: set[str] = set()
    for _ in range(ACTS):
        pair.legal()
        kinds |= {effect.kind for effect in pair.state.effects}
        asked = Pair(product, patient(pair.position), pair.state)
        for text in dice.sample(texts, TEXTS_TRIED):
            asked.fault(text)
        pair = start if pair.position.ended_by else pair.apply(choose(pair.position, dice))
        assert_holds_together(pair.position)
    assert {"forms", "captures", "coin", "turn"} <= kinds


def choose(position: Oracle, dice: random.Random) -> str:
    """An act that captures most, else any, the end only where it must be."""
    legal = sorted(position.legal() - {"end"}) or ["end"]
    if position.roll is None:
        return dice.choice(legal)
    dice.shuffle(legal)
    return max(legal, key=lambda text: sum(caused[0] == "capture" for caused in position.apply(text).effects))


def assert_holds_together(position: Oracle) -> None:
    """What follows from the rules."""
    assert (position.roll is None) == (position.to_act == {-1}) or position.ended_by
    assert position.legal() != {"end"}  # WT-9
    assert position.is_in(position.seat)  # WT-16
    for seat in range(position.players):
        own = [size for owner, size in position.standing.values() if owner == seat]
        assert all(own.count(size) <= 2 for size in "PDQ")  # WT-2
        assert own == [] or position.is_in(seat) or position.fallen == "stay"
