"""Random games of kernel and class side by side, with all that acts cause."""

from __future__ import annotations

import random

import pytest

from .drawings import WreckTangle, start
from .material import well_formed

ACTS, MAX_ACTS = 120, 400
"""How many acts are made, and at most until everything has occurred."""
OCCURS = {"forms", "captures", "coin", "turn"}
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
    """Each seat captures if it can, so that games come to an end; else it plays any act but the end of its turn."""
    dice = random.Random(str(options))
    first = pair = start(turn_limit=150, **options)
    texts = list(well_formed(first.state.game))
    kinds: set[str] = set()
    for made in range(MAX_ACTS):
        if made >= ACTS and kinds >= OCCURS:
            break
        pair.legal()
        kinds |= {effect.kind for effect in pair.state.effects}
        for text in dice.sample(texts, TEXTS_TRIED):
            pair.fault(text)
        pair = first if pair.ended_by else pair.apply(choose(pair, dice))
        assert_holds_together(pair)
    assert kinds >= OCCURS


def choose(pair: WreckTangle, dice: random.Random) -> str:
    """An act that takes most, else any, the end only where it must be."""
    legal = sorted(pair.legal() - {"end"}) or ["end"]
    if not pair.table.face:
        return dice.choice(legal)
    dice.shuffle(legal)
    taken = {"captures", "removes"}
    return max(legal, key=lambda text: sum(one.kind in taken for one in pair.state.apply(text).effects))


def assert_holds_together(position: WreckTangle) -> None:
    """Assert consequences of the rules."""
    assert (not position.table.face) == (position.to_act == {-1}) or position.ended_by
    assert position.legal() != {"end"}  # WT-9
    out = position.table.out
    assert position.table.seat not in out  # WT-16
    for seat in range(position.game.players):
        assert all(len(position.table.where(seat, size)) <= 2 for size in "SML")  # WT-2
        assert seat not in out or not position.table.where(seat) or position.options["fallen"] == "stay"
