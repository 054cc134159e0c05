"""The swaps that random play draws: each as often as any other."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import icetable
from icetable.core.turns import TurnState
from icetable.games.wrecktangle import rules

from .product import set_up

DRAWS = 600_000
TOLERANCE = 0.02
PIECES = {
    "c4": "0P", "e5": "0P", "b3": "0D", "g6": "0Q",
    "d7": "1P", "f2": "1D", "a5": "1D", "h4": "1Q",
}  # fmt: skip


@pytest.mark.rule("WT-8")
def test_wt_8_random_swaps_are_equally_likely() -> None:
    """Of eight pyramids, two pairs of which are alike: 26 swaps, each within 2 % of its part."""
    game = icetable.load("wrecktangle")
    state = set_up(
        game,
        turn=40,
        turn_of=0,
        roll="swap",
        normal_owed=False,
        die_unused=True,
        coin="heads",
        pieces=PIECES,
        lost=[2, 2],
        last=[[["c2", "c5", "f2", "f5"]]] * 2,
    )
    assert isinstance(state, TurnState)
    rng = np.array([12345], np.int64)
    counted = Counter(int(rules.pick_swap(state.array, rng)) for _ in range(DRAWS))
    swaps = [act for act in state.legal_actions() if act != "end"]
    assert sorted(counted) == sorted(game.code(act) for act in swaps)  # type: ignore[attr-defined]
    assert len(swaps) == 26
    for act, count in counted.items():
        assert abs(count * len(swaps) / DRAWS - 1) < TOLERANCE, act
