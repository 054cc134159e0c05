"""How many positions there are, where it is known."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from icetable.core.turns import TurnState
from icetable.kernels.layout import TURN
from icetable.lab import Plan, run
from icetable.lab.measures import Games, chao, halfway, states
from icetable.lab.plan import final_state, play_block
from tests.lab import known
from tests.lab.here import Here

pytestmark = pytest.mark.usefixtures("toys")


@pytest.mark.parametrize("kinds", [200, 3_000, 100_000])
def test_lower_bounds_hold(kinds: int) -> None:
    """Of kinds that are drawn alike the bound is near their number; at most 5 of 100 lie above it, as intervals go."""
    rng, drawn, runs = np.random.default_rng(kinds), 1_000, 300
    found = []
    for _ in range(runs):
        seen = Counter(Counter(rng.integers(kinds, size=drawn).tolist()).values())
        found.append(chao(drawn, sum(seen.values()), seen[1], seen[2]))
    values, lows = zip(*found, strict=True)
    assert sum(low <= kinds for low in lows) >= 0.95 * runs
    assert 0.7 * kinds < np.median(values) < 1.1 * kinds
    assert all(low <= value for value, low in found)


def test_nothing_is_unseen() -> None:
    assert chao(100, 7, 0, 2) == (7, 7)
    assert chao(100, 7, 1, 0) == (7, 7)


def test_marches() -> None:
    """Two steps of 0, 1 or 2 add up to five sums."""
    plan = Plan("march", 2, {"length": 4, "width": 3}, blocks=150, seed=2, opening=0)
    found = states(Games(plan, run(plan, executor=Here()).rows))[""]
    assert 10**found.value == pytest.approx(5)
    assert found.high == math.inf
    assert found.blocks == 150


def test_halfway() -> None:
    """It is the position that the game's own states have there, but for the count of turns."""
    plan = Plan("fate", 2, {"heap": 9}, blocks=5, seed=2, opening=0)
    for row in run(plan, executor=Here()).rows:
        half = list(final_state(plan, row).history())[len(row.seats) // 2]
        left = half.position.copy()  # type: ignore[attr-defined]
        left[TURN] = 0
        assert halfway(plan.game, row) == left.tobytes()  # type: ignore[arg-type]


def test_halfway_knows_which_of_many_deals_came() -> None:
    """With another deal, the acts that follow would find no card to take."""
    plan = Plan(known.Patience, blocks=20)
    for block in range(plan.blocks):
        (row,) = play_block(plan, block)
        left = list(final_state(plan, row).history())[len(row.seats) // 2]
        assert isinstance(left, TurnState)
        left.array[TURN] = 0
        assert halfway(left.game, row) == left.game.key(left.array)
