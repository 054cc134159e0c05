"""By how much players miss perfect play."""

from __future__ import annotations

import json
from typing import Any

import pytest

import icetable
from icetable import GameError, cli
from icetable.extras.strength import best_acts
from icetable.kernels import jit
from icetable.lab import Plan, regret
from tests.lab.here import Here

pytestmark = pytest.mark.skipif(jit.ALWAYS_PLAIN, reason="plain kernels are too slow to solve a game")


def test_the_regret_of_each_act() -> None:
    for players, values in ((2, {0.0, 0.5, 1.0}), (1, set(range(13)))):
        state = icetable.load("squad", players=players).start()
        while not state.is_terminal:
            known = icetable.analysis.regrets(state)
            assert set(known) == set(state.legal_actions())
            assert {act for act, lost in known.items() if lost == 0} == best_acts(state)
            assert set(known.values()) <= values
            state = state.apply(state.legal_actions()[-1])
    for game in (icetable.load("squad", players=3), icetable.load("icefrogs")):
        with pytest.raises(GameError, match="can't be solved"):
            icetable.analysis.regrets(game.start())
        with pytest.raises(GameError, match="can't be solved"):
            regret(Plan(game))


def test_perfect_play_regrets_nothing_and_others_what_they_lose() -> None:
    solver, first = regret(Plan("squad", seats=["solver", firsts], blocks=60, seed=2), executor=Here())
    assert (solver.player, solver.act.value, solver.game.value, solver.perfect.value) == ("solver", 0, 0, 1)
    assert (first.player, first.act.unit) == ("firsts", "of a game")
    assert 0 < first.act.value < first.game.value
    assert first.perfect.value < 1


def test_the_regret_of_a_single_player_is_in_points() -> None:
    (found,) = regret(Plan("squad", players=1, seats=["random"], blocks=60, seed=2), executor=Here())
    assert found.game.unit == "points"
    assert 0 < found.game.value < 12


def firsts(state: Any, _seat: int) -> Any:
    return state.legal_actions()[0]


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["lab", "regret", "squad", "greedy", "--blocks", "2"]) == 0
    assert "greedy gives away " in capsys.readouterr().out
    assert cli.main(["lab", "regret", "squad", "greedy", "solver", "--blocks", "2", "--json"]) == 0
    greedy, solver = json.loads(capsys.readouterr().out)
    assert (greedy["player"], solver["player"], solver["act"]["value"]) == ("greedy", "solver", 0)
