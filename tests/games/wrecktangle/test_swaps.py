"""The swaps that random play draws: each as often as any other."""

from __future__ import annotations

from collections import Counter
from typing import cast

import numpy as np
import pytest

from icetable.games.wrecktangle import rules

from .drawings import placed

DRAWS = 600_000
TOLERANCE = 0.02
PIECES = {
    "c4": "0P", "e5": "0P", "b3": "0D", "g6": "0Q",
    "d7": "1P", "f2": "1D", "a5": "1D", "h4": "1Q",
}  # fmt: skip


@pytest.mark.rule("WT-8")
def test_wt_8_random_swaps_are_equally_likely() -> None:
    """Of eight pyramids, two pairs of which are alike: 26 swaps, each within 2 % of its part."""
    state = placed(PIECES, turn=40, roll="swap", left=["die"]).state
    rng = np.array([12345], np.int64)
    counted = Counter(int(rules.pick_swap(state.array, rng)) for _ in range(DRAWS))
    swaps = [act for act in state.legal_actions() if act != "end"]
    assert sorted(counted) == sorted(cast("int", state.game.code(act)) for act in swaps)
    assert len(swaps) == 26
    for act, count in counted.items():
        assert abs(count * len(swaps) / DRAWS - 1) < TOLERANCE, act
