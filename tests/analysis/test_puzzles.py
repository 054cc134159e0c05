"""Puzzles: one act is right, whoever judges, and the same seed finds the same ones anywhere."""

from __future__ import annotations

import itertools
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import icetable
from icetable import GameError
from icetable.analysis import Puzzle, puzzles
from icetable.analysis.puzzling import LEAST_ACTS, LEAST_LEAD, Verdict, judge, puzzle_at, themes_of
from icetable.core import jit
from icetable.core.game import Action
from icetable.core.solving import best_acts
from icetable.core.turns import TurnGame
from tests.analysis.material import toy
from tests.cli.test_commands import assert_refused, output_here, run_here


def found(name: str, count: int, seed: int = 1, **options: Any) -> list[Puzzle]:
    """Some puzzles of a game."""
    game = icetable.load(name, **options)
    assert isinstance(game, TurnGame)
    return list(puzzles(game, count, seed))


@pytest.mark.skipif(jit.ALWAYS_PLAIN, reason="plain kernels are too slow to solve a game")
def test_the_solver_agrees() -> None:
    some = found("squad", 12)
    assert len(some) == 12
    for puzzle in some:
        state = puzzle.state()
        assert best_acts(state) == {puzzle.act}
        assert state.actor == puzzle.seat
        assert len(state.legal_actions()) >= LEAST_ACTS
        assert puzzle.worth - puzzle.next_best >= LEAST_LEAD
        assert puzzle.line[0] == puzzle.act
        assert ("wins" in puzzle.themes) == (puzzle.worth == 1)
        assert "formation" in puzzle.themes or "captain" in puzzle.themes
    assert len({puzzle.level for puzzle in some}) > 1
    assert len({json.dumps(puzzle.position) for puzzle in some}) == 12


def test_a_longer_search_agrees() -> None:
    """Of a few puzzles none is refuted by ten times the simulations that judged it."""
    for puzzle in found("squad", 4, players=3):
        assert judge(puzzle.state(), 30_000, 77).act == puzzle.act


def test_the_same_seed_finds_the_same_anywhere() -> None:
    some = found("squad", 6, seed=3)
    with ThreadPoolExecutor(2) as where:
        assert list(puzzles(icetable.load("squad"), 6, 3, where)) == some  # type: ignore[arg-type]
    assert found("squad", 3, seed=3) == some[:3]
    assert found("squad", 3, seed=4) != some[:3]


def test_a_puzzle_as_json_leads_back_to_its_position() -> None:
    (puzzle,) = found("squad", 1, players=3, trios=3)
    told = json.loads(json.dumps(puzzle.described()))
    again = Puzzle(**{**told, "line": tuple(told["line"]), "themes": tuple(told["themes"])})
    assert again.state() == puzzle.state()
    assert again.described() == puzzle.described()
    assert again.state().game.options["trios"] == 3


@pytest.mark.usefixtures("toys")
def test_beans() -> None:
    """Of six beans who takes two wins; of eight nobody can, and all acts are alike."""
    puzzle = puzzle_at(toy("fate", heap=6), 1)
    assert puzzle is not None
    assert (puzzle.seat, puzzle.act, puzzle.worth, puzzle.next_best) == (0, "do:2", 1, 0)
    assert (puzzle.level, puzzle.themes) == ("beginner", ("wins",))
    assert puzzle_at(toy("fate", heap=8), 1) is None
    assert puzzle_at(toy("fate", heap=2), 1) is None
    assert judge(toy("fate", heap=6), 50, 3) == Verdict(Action("do:2"), 1, 0)


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize(
    ("worth", "next_best", "themes"), [(1, 0.4, ("wins",)), (0.4, 0, ("saves",)), (0.9, 0.2, ()), (1, 0, ("wins",))]
)
def test_what_hangs_on_it(worth: float, next_best: float, themes: tuple[str, ...]) -> None:
    assert themes_of(toy("fate", heap=6), Verdict(toy("fate", heap=6).legal_actions()[0], worth, next_best)) == themes


def test_the_command() -> None:
    (puzzle, other) = found("squad", 2, seed=5)
    text = output_here("puzzles", "squad", "--count=2", "--seed=5")
    assert text.count("one act is right") == 2
    assert f"Answer: {puzzle.act}" in text
    assert f"The weakest level that finds it: {other.level or 'none'}." in text
    lines = output_here("puzzles", "squad", "--count=2", "--seed=5", "--json", "--jobs=2").splitlines()
    assert [json.loads(line) for line in lines] == json.loads(json.dumps([puzzle.described(), other.described()]))
    assert output_here("puzzles", "squad", "--count=0") == ""


def test_refused() -> None:
    assert_refused(run_here("puzzles", "icehouse"), "games of turns")
    assert_refused(run_here("puzzles", "squad", "--players=1"), "two players")
    assert_refused(run_here("puzzles", "squad", "--count=-1"), "count")
    assert_refused(run_here("puzzles", "squad", "--jobs=0"), "jobs")
    with pytest.raises(GameError, match="seed"):
        next(itertools.chain(puzzles(icetable.load("squad"), 1, -1)))  # type: ignore[arg-type]
