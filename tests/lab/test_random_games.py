"""The many random games that stand for those of random players in studies and sweeps: compiled, and without acts."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from icetable import GameError
from icetable.cli import lab as cli
from icetable.core.game import CHANCE
from icetable.core.turns import TurnGame
from icetable.kernels import jit
from icetable.lab import comparisons, studies
from icetable.lab.measures import OF_RESULTS, Games, measures_for
from icetable.lab.plan import UNFINISHED, Plan
from icetable.lab.playouts import has_random_games, random_games
from icetable.lab.runs import run
from icetable.lab.studies import Budget, answers, study
from icetable.workshop.examples.canals import Canals
from tests.cli.test_commands import assert_refused, output_here, run_here
from tests.lab.here import Here
from tests.lab.test_playouts import TURN_GAMES, play_by_face

MODULE: Any = sys.modules["icetable.lab.playouts"]  # the package has a function of this name
COUNT = 30


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch, few_resamples: None, page: None) -> None:
    monkeypatch.setattr(MODULE, "RANDOM_GAMES", COUNT)
    monkeypatch.setattr(studies, "RANDOM_GAMES", COUNT)
    monkeypatch.setitem(studies.BUDGETS, "quick", Budget({"random": 4, "greedy": 3}, {}, (3, 1), (0, 2)))


@pytest.fixture
def _marching(toys: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernels of toys count as compiled."""
    for module in (studies, comparisons, cli):
        monkeypatch.setattr(module, "has_random_games", lambda plan, _: {*plan.seats} == {"random"})


@pytest.mark.parametrize("game", TURN_GAMES, ids=repr)
def test_they_are_the_games_of_the_face(game: TurnGame) -> None:
    plan = Plan(game, seed=6)
    games = random_games(plan, threads=3)
    assert len(games.rows) == games.plan.blocks == games.plan.games == COUNT
    for row, seed in list(zip(games.rows, jit.seeds(6, COUNT), strict=True))[:4]:
        end = play_by_face(game, int(seed))
        assert row.ended_by == end.ended_by
        assert row.turns == end.position[2]
        assert row.shares == [(seat in end.winners) / len(end.winners) for seat in range(game.players)]


def test_a_game_that_does_not_end_is_broken_off_as_in_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """After so many acts of players: those of chance don't count."""
    monkeypatch.setattr(MODULE, "MAX_GAME_ACTS", 5)
    monkeypatch.setattr(MODULE, "RANDOM_GAMES", 3)
    plan = Plan("wrecktangle", players=3)
    assert isinstance(plan.game, TurnGame)
    for row, seed in zip(random_games(plan).rows, jit.seeds(0, 3), strict=True):
        state, rng, left = plan.game.start(), np.array([seed], np.int64), 5
        while left:
            left -= state.actor != CHANCE
            picked = plan.game.rules.pick(state.array, np.empty(plan.game.rules.MAX_ACTS, np.int64), rng)
            state = state.apply(plan.game.act_at(state.array, int(picked)))
        assert (row.ended_by, row.shares, row.turns) == (UNFINISHED, [1 / 3] * 3, state.position[2])


@pytest.mark.parametrize("players", [1, 3])
@pytest.mark.usefixtures("toys")
def test_measures_of_results_need_no_acts(players: int) -> None:
    """From the same games without acts and points they are the same."""
    plan = Plan("march", players, blocks=60)
    games = Games(plan, run(plan).rows)
    bare = [row._replace(opening="", points=[], seats=[], choices=[], log="") for row in games.rows]
    for measure in measures_for(plan.game):
        if measure.function in OF_RESULTS:
            assert measure.function(Games(plan, bare)) == measure.function(games)


@pytest.mark.usefixtures("_marching")
def test_a_study_has_their_results(monkeypatch: pytest.MonkeyPatch) -> None:
    found = study("march", 3, executor=Here())
    random, greedy = found.strengths["random"], found.strengths["greedy"]
    assert random["seat_share"]["seat 1"].blocks == random["turns"]["mean"].blocks == COUNT
    assert random["points"]["seat 1"].blocks == 4
    assert random["acts"]["mean"].blocks == 4
    assert greedy["turns"]["mean"].blocks == 3
    assert {strength: sum(counts.values()) for strength, counts in found.lengths.items()} == {"random": 30, "greedy": 3}
    assert f"Between random players, shares, endings and lengths are those of {COUNT} games." in answers(found)
    monkeypatch.setattr(studies, "has_random_games", lambda *_: False)
    assert "are those of" not in " ".join(answers(study("march", 3, executor=Here())))


@pytest.mark.usefixtures("_marching")
@pytest.mark.parametrize(("games", "is_enough"), [(300, True), (10, False)])
def test_their_shares_are_known_well_enough_or_not(
    games: int, is_enough: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MODULE, "RANDOM_GAMES", games)
    monkeypatch.setitem(studies.BUDGETS, "quick", Budget({"random": 4}, {}, (2, 1), (0, 2)))
    assert study("march", 2, until=0.2, executor=Here()).is_enough is is_enough


@pytest.mark.usefixtures("_marching")
def test_a_sweep_has_their_results() -> None:
    words = ["lab", "sweep", "march", "--over", "length=2,3", "--blocks", "3", "--seats"]
    text = output_here(*words, "random")
    assert f"Shares, draws and lengths are those of {COUNT} games of each combination.\n" in text
    assert "are those of" not in output_here(*words, "greedy")
    games = Games(plan := Plan("march", blocks=3), run(plan).rows)
    figures = comparisons.figures_of(games)
    assert {name: figure.blocks for name, figure in figures.items()} == {
        "first-seat": COUNT,
        "draws": COUNT,
        "length": COUNT,
        "choice": 3,
    }


def test_they_stand_for_random_players_of_compiled_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "ALWAYS_PLAIN", False)
    assert has_random_games(Plan("squad"), "cpu")
    for game, seats in (("squad", ["random", "greedy"]), ("squad", ["greedy"]), (Canals, ["random"])):
        assert not has_random_games(Plan(game, seats=seats), "cpu")
    assert not has_random_games(Plan("icehouse", seats=["beginner"]), "cpu")
    monkeypatch.setattr(jit, "ALWAYS_PLAIN", True)
    assert not has_random_games(Plan("squad"), "cpu")


def test_a_game_that_does_not_run_on_a_gpu_is_refused_before_it_is_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(GameError, match=r"^Icehouse has no turns; only games with a kernel run on a GPU$"):
        study("icehouse", device="cuda")
    with pytest.raises(GameError, match="allowed: 'cpu', 'cuda'"):
        study("squad", device="gpu")  # type: ignore[arg-type]

    def cuda_for(game: TurnGame) -> None:
        if game.info.title == "Canals":
            raise GameError("no kernel")

    monkeypatch.setattr(MODULE, "cuda_for", cuda_for)
    with pytest.raises(GameError, match=r"^no kernel$"):
        study(Canals, device="cuda")
    refused = run_here("lab", "sweep", "squad", "--over", "board=4,6", "--device", "cuda")
    assert_refused(refused, "only random players play on a GPU, not greedy")
    assert has_random_games(Plan("squad"), "cuda")
