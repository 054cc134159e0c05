"""The themes of an act, by the positions before and after it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import icetable
from icetable import State
from icetable.games.wrecktangle.lessons import themes

AIMS = {"capture", "double capture", "threat", "quiet"}


def prey(state: State, seat: int) -> tuple[int, int]:
    """How many pyramids of a seat others could capture, and how many of others it could."""
    stacks, hit, aimed = state.view()["stacks"], set(), set()
    for threat in state.view()["threats"]:
        for square in threat["prey"]:
            if threat["seat"] == seat and stacks[square][0][0] != str(seat):
                aimed.add(square)
            if threat["seat"] != seat and stacks[square][0][0] == str(seat):
                hit.add(square)
    return len(hit), len(aimed)


@pytest.mark.parametrize("options", [{}, {"players": 3}], ids=str)
def test_themes_of_acts(options: dict[str, Any]) -> None:
    game = icetable.load("wrecktangle", **options)
    rng = np.random.default_rng(3)
    state, seen = game.start(), set()
    for _ in range(240):
        before, state = state, game.start() if state.is_terminal else state.apply(game.random_act(state, rng))
        if state.seat is None or state.parent is None:
            continue
        found, kinds = {*themes(state)}, [effect.kind for effect in state.effects]
        hit, aimed = prey(state, state.seat)
        hit_before, aimed_before = prey(before, state.seat)
        assert ("escape" in found) == (hit < hit_before)
        assert len(found & AIMS) == 1
        assert ("threat" in found) == ("captures" not in kinds and aimed > aimed_before)
        seen |= found
    assert seen >= {"quiet", "threat", "escape", "die move"}
