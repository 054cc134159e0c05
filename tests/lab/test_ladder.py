"""How deep a game is: Elo, rungs, and ladders on a toy."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from icetable import GameError
from icetable.lab import Plan, run
from icetable.lab.intervals import Estimate
from icetable.lab.matches import ELO_PER_RUNG, MAX_ELO, elo_of, ladder, pairing_of, step_of, total
from icetable.lab.measures import Games
from tests.lab.here import Here

pytestmark = pytest.mark.usefixtures("toys", "few_resamples")


@pytest.mark.parametrize(
    ("share", "players", "elo"),
    [
        (0.5, 2, 0),
        (0.6, 2, 70.4365),
        (0.4, 2, -70.4365),
        (10 / 11, 2, 400),
        (1 / 3, 3, 0),
        (0.25, 4, 0),
        (0.5, 3, 120.412),
        (1, 2, MAX_ELO),
        (0, 2, -MAX_ELO),
        (0.9999, 2, MAX_ELO),
        (0.0001, 2, -MAX_ELO),
    ],
)
def test_elo(share: float, players: int, elo: float) -> None:
    assert elo_of(share, players) == pytest.approx(elo, abs=1e-3)


def test_pairing() -> None:
    """Where the seat decides, two games with changed seats tell that players are equal, without any variance; where
    openings decide who wins both, they tell no more than one."""

    def games(*shares: float) -> Games:
        rows = run(plan, executor=Here()).rows
        by_player = [
            row._replace(shares=[s, 1 - s] if row.players[0] == 0 else [1 - s, s])
            for row, s in zip(rows, shares, strict=True)
        ]
        return Games(plan, by_player)

    plan = Plan("march", seats=["greedy", "random"], blocks=4)
    assert pairing_of(games(1, 0, 1, 0, 0, 1, 1, 0)).value == 0
    assert pairing_of(games(1, 1, 0, 0, 1, 1, 0, 0)).value == 2
    assert pairing_of(games(1, 1, 0, 0, 1, 0, 0, 1)).value == 1
    assert pairing_of(games(*[1] * 8)).value == 1


def test_a_rung() -> None:
    assert ELO_PER_RUNG == pytest.approx(elo_of(0.6, 2)) == pytest.approx(70.4365, abs=1e-3)


def test_total() -> None:
    """Half-widths of independent steps add up by their squares, each side on its own."""
    steps = [Estimate(100, 70, 140, "bootstrap", 20, "Elo"), Estimate(50, 10, 80, "bootstrap", 10, "Elo")]
    found = total(steps)
    assert (found.value, found.low, found.high, found.blocks) == (150, 100, 200, 10)
    assert total([*steps, Estimate(800, 200, math.inf, "exact", 10, "Elo")]).high == math.inf


def test_a_known_step() -> None:
    """Two who can't choose are equal, and a block shows it: they meet the same lot, once in each seat."""
    plan = Plan("fate", options={"heap": 1, "lots": 8, "first": 4}, seats=["greedy", "random"], blocks=60)
    step = step_of(Games(plan, run(plan, executor=Here()).rows), "greedy", "random")
    assert (step.player, step.against, step.share.value) == ("greedy", "random", 0.5)
    assert step.elo.value == 0


def test_the_elo_of_a_player_who_always_wins_has_no_bound() -> None:
    plan = Plan("fate", options={"heap": 40}, seats=["greedy", "random"], blocks=50, opening=0)
    games = Games(plan, run(plan, executor=Here()).rows)
    assert step_of(games, "greedy", "random").share.value == 1
    elo = step_of(games, "greedy", "random").elo
    assert (elo.value, elo.high) == (MAX_ELO, math.inf)
    assert 0 < elo.low < MAX_ELO
    swapped = Games(plan, [row._replace(shares=row.shares[::-1]) for row in games.rows])
    assert step_of(swapped, "greedy", "random").elo.low == -math.inf


@pytest.mark.parametrize("players", [2, 3])
def test_ladder(players: int, tmp_path: Path) -> None:
    found = ladder("march", players, {"length": 3}, doublings=1, blocks=8, out=tmp_path, executor=Here())
    assert [(step.player, step.against) for step in found.steps] == [("sims:1", "random"), ("sims:2", "sims:1")]
    assert found.slope == found.steps[-1].elo
    assert found.elo.value == pytest.approx(sum(step.elo.value for step in found.steps))
    assert found.rungs.value == pytest.approx(found.elo.value / ELO_PER_RUNG)
    for step in found.steps:
        assert step.elo.value == pytest.approx(elo_of(step.share.value, players))
        assert step.share.blocks == 8
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sims-1", "sims-2"]
    seeds = {json.loads((path / "plan.json").read_text())["plan"]["seed"] for path in tmp_path.iterdir()}
    assert len(seeds) == 2  # what the steps find is independent
    again = ladder("march", players, {"length": 3}, doublings=1, blocks=8, out=tmp_path, executor=Here())
    assert again == found
    assert json.loads(json.dumps(found.described(), allow_nan=False))["steps"][0]["player"] == "sims:1"


def test_too_high_a_ladder(tmp_path: Path) -> None:
    """It is refused before anybody climbs."""
    with pytest.raises(GameError, match="there is no player 'sims:16777216'"):
        ladder("march", doublings=24, out=tmp_path, executor=Here())
    with pytest.raises(GameError, match="doublings is a whole number"):
        ladder("march", doublings=-1, out=tmp_path, executor=Here())
    assert list(tmp_path.iterdir()) == []
