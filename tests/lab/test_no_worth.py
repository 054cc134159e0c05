"""Games that do not say what positions are worth, or say what is wrong; and games that don't end."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import pytest

from icetable import GameError, games
from icetable.bots.players import Trier
from icetable.bots.search import PURE, best_style
from icetable.core.turns import TurnGame, TurnState
from icetable.lab import luck, studies
from icetable.lab import plan as plans
from icetable.lab.matches import ladder
from icetable.lab.measures import Games, limit_of, measured
from icetable.lab.plan import UNFINISHED, Plan, final_state, play_block
from icetable.lab.players import player
from icetable.lab.studies import Budget, answers, study
from tests.lab.here import Here
from tests.lab.toys import march

pytestmark = pytest.mark.usefixtures("toys", "few_resamples")


def nim(**options: Any) -> TurnGame:
    game = games.info("nim").load(**options)
    assert isinstance(game, TurnGame)
    return game


def test_players_of_a_game_without_an_evaluation_play_to_the_end() -> None:
    game = nim()
    assert not game.is_evaluated
    assert best_style(game)._replace(exact=False) == PURE
    for name in ("pure:60", "best:60", "tries:90"):
        state = game.start()
        assert isinstance(state, TurnState)
        assert player(game, name).choose(state, 1) == "do:3"  # of seven beans: who leaves four wins
    for name in ("greedy", "sims:30"):
        with pytest.raises(
            GameError, match=r"there is no player .*; allowed: random, .*best:N, pure:N, tries:N, master; NAME"
        ):
            player(game, name)


def test_games_that_cannot_change_a_choice_are_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """For any results of the games, the act is the one that wins most of its own when all are played."""
    game, played = nim(), 0
    results: dict[bytes, list[float]] = {}

    def play_out(_trier: object, game: TurnGame, position: Any, _rng: object) -> list[float]:
        nonlocal played
        played += 1
        return [left[game.key(position)].pop(), 0.0]

    monkeypatch.setattr(Trier, "_play_out", play_out)
    state = game.start()
    keys = {act: game.key(state.apply(act).position) for act in state.legal_actions()}
    for wins in itertools.product((0.0, 1.0), repeat=6):
        results = {key: list(wins[2 * number : 2 * number + 2]) for number, key in enumerate(keys.values())}
        left = {key: list(some) for key, some in results.items()}
        chosen = Trier(6).choose(state, 1)
        assert sum(results[keys[chosen]]) == max(map(sum, results.values()))
    assert played < 2**6 * 6 * 0.7


def test_a_study_of_a_game_without_an_evaluation(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(studies.BUDGETS, "quick", Budget({"random": 6, "greedy": 4, "sims:30": 4}, {}, (4, 2), (1, 4)))
    found = study("nim", out=tmp_path, executor=Here())
    assert list(found.strengths) == ["random", "pure:4", "pure:30"]
    assert found.ladder is not None
    assert [step.player for step in found.ladder.steps] == ["pure:1", "pure:2"]
    assert {"brier", "drama", "real_choice"}.isdisjoint(found.best)
    said = " ".join(answers(found))
    assert "has no evaluation of positions, so its players use random playouts" in said
    assert "Nothing is left to chance." in said
    assert ladder("nim", blocks=2, doublings=0, executor=Here()).steps[0].player == "pure:1"


def test_an_evaluation_that_does_not_beat_random_play_is_not_played_by(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies, "is_believed", lambda _game, steps: steps is None)
    monkeypatch.setitem(studies.BUDGETS, "quick", Budget({"random": 6, "greedy": 4}, {}, (4, 2), (0, 2)))
    found = study("fate", options={"heap": 5}, executor=Here())
    assert not found.is_believed
    assert list(found.strengths) == ["random", "pure:4"]
    assert "drama" not in found.best
    assert "so it is not reliable: pure:4 players use random playouts instead" in " ".join(answers(found))


# Games that don't end


@pytest.fixture
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lab breaks games off after three acts."""
    for module in (plans, luck):
        monkeypatch.setattr(module, "MAX_GAME_ACTS", 3)


@pytest.mark.usefixtures("_short")
def test_a_game_that_does_not_end_is_broken_off_and_shared() -> None:
    plan = Plan("march", 3, {"length": 4, "width": 2}, blocks=6, opening=0)
    rows = [row for block in range(plan.blocks) for row in play_block(plan, block)]
    for row in rows:
        assert (row.ended_by, row.shares, row.turns) == (UNFINISHED, [1 / 3] * 3, 3)
        assert not final_state(plan, row).is_terminal
    found = measured(Games(plan, rows))
    assert found["endings"][UNFINISHED].value == found["cut_short"][""].value == 1
    assert found["turns"]["50 %"].value == math.inf


@pytest.mark.usefixtures("_short")
def test_luck_is_split_where_games_do_not_end() -> None:
    game = games.info("march").load(length=4)
    assert isinstance(game, TurnGame)
    assert luck.split_luck(game, 3, playouts=2).choices.value == 0


@pytest.mark.parametrize(("limit", "said"), [(3, "the limit of 3 turns"), (0, "the lab's limit of 2000 acts")])
def test_a_study_tells_whether_games_end(limit: int, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert limit_of(games.info("march").load(turn_limit=limit)).startswith(said)
    monkeypatch.setattr(plans, "MAX_GAME_ACTS", 3)
    monkeypatch.setitem(studies.BUDGETS, "quick", Budget({"random": 50}, {}, (2, 1), (0, 2)))
    told = answers(study("march", options={"length": 4, "turn_limit": limit}, executor=Here()))
    assert any(f"Between random players, 100% (93 to 100) of games reach {said}" in one for one in told)
    monkeypatch.setattr(plans, "MAX_GAME_ACTS", march.MAX_ACTS + 9)
    told = answers(study("march", options={"length": 4}, executor=Here()))
    assert "All games end by themselves; at each strength, at most 7.1 of 100 might not." in told
