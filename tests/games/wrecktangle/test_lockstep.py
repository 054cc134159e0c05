"""Random games of the oracle and the product side by side, with all that acts cause."""

from __future__ import annotations

import random

import pytest

from .material import well_formed
from .oracle import Oracle
from .product import effects, game_of, key, patient

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
    position = Oracle(turn_limit=150, **options)  # type: ignore[arg-type]
    state = game_of(position).start()
    texts = list(well_formed(state.game))
    kinds: set[str] = set()
    for _ in range(ACTS):
        twin = patient(position)
        assert key(state) == position.key()
        assert {str(act) for act in state.legal_actions()} == twin.legal()
        kinds |= {effect.kind for effect in state.effects}
        for text in dice.sample(texts, TEXTS_TRIED):
            fault = state.fault(text)
            assert (fault.rule if fault else None) == twin.fault(text), text
        if position.ended_by:
            position, state = Oracle(turn_limit=150, **options), state.game.start()  # type: ignore[arg-type]
            continue
        text = choose(position, dice)
        before, position, state = position, position.apply(text), state.apply(text)
        assert state.effects == effects(before, text, position)
    assert {"forms", "captures", "coin", "turn"} <= kinds


def choose(position: Oracle, dice: random.Random) -> str:
    """An act that captures most, else any, the end only where it must be."""
    legal = sorted(position.legal() - {"end"}) or ["end"]
    if position.roll is None:
        return dice.choice(legal)
    dice.shuffle(legal)
    return max(legal, key=lambda text: sum(caused[0] == "capture" for caused in position.apply(text).effects))
