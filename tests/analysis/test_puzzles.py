"""Puzzles: one act is right, whoever judges, and the same seed finds the same ones anywhere."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import icetable
from icetable import GameError, games
from icetable.analysis import Puzzle, puzzles
from icetable.analysis.positions import check_state
from icetable.analysis.puzzle_search import MIN_ACTS, MIN_LEAD, holds, image_of, puzzle_at, themes_of
from icetable.bots.search import search
from icetable.core.game import CHANCE
from icetable.core.turns import TurnGame, TurnState
from icetable.extras.exercises import collection, judged, read
from icetable.extras.strength import best_acts
from icetable.kernels import jit
from icetable.kernels.layout import TURN
from tests.analysis.material import toy
from tests.cli.test_commands import assert_refused, output_here, run_here


def lead(puzzle: Puzzle) -> float:
    """By how much the answer is worth more than any other act."""
    assert puzzle.worth is not None
    assert puzzle.next_best is not None
    return puzzle.worth - puzzle.next_best


def found(name: str, count: int, seed: int = 1, **options: Any) -> list[Puzzle]:
    """Some puzzles of a game."""
    return list(puzzles(icetable.load(name, **options), count, seed))


@pytest.mark.skipif(jit.ALWAYS_PLAIN, reason="plain kernels are too slow to solve a game")
def test_the_solver_agrees() -> None:
    some = found("squad", 12)
    assert len(some) == 12
    for puzzle in some:
        state = check_state(puzzle.state())
        assert best_acts(state) == {*puzzle.answer}
        assert state.actor == puzzle.seat
        assert len(state.legal_actions()) >= MIN_ACTS
        assert lead(puzzle) >= MIN_LEAD
        assert puzzle.line[:1] == puzzle.answer
        assert ("wins" in puzzle.themes) == (puzzle.worth == 1)
        assert set(puzzle.replies) == set(state.legal_actions()) - set(puzzle.answer)
    assert len({puzzle.level for puzzle in some}) > 1
    assert len({json.dumps(puzzle.position) for puzzle in some}) == 12


def test_a_longer_search_agrees() -> None:
    """Of a few puzzles none is refuted by ten times the simulations that judged it."""
    for puzzle in found("squad", 4, players=3):
        assert search(check_state(puzzle.state()), simulations=30_000, seed=77)[0].action == puzzle.answer[0]


def test_refutations_of_wrong_acts_can_be_played() -> None:
    for puzzle in found("squad", 3, players=3):
        for act, reply in puzzle.replies.items():
            state = puzzle.state().apply(act)
            for answer in reply.line:
                state = state.apply(answer)
            assert puzzle.next_best is not None
            assert 0 <= reply.worth <= puzzle.next_best


def test_the_same_seed_finds_the_same_anywhere() -> None:
    some = found("squad", 6, seed=3)
    with ThreadPoolExecutor(2) as executor:
        assert list(puzzles(icetable.load("squad"), 6, 3, executor)) == some
    assert found("squad", 3, seed=3) == some[:3]
    assert found("squad", 3, seed=4) != some[:3]


def test_only_those_that_weaker_levels_miss() -> None:
    some = list(puzzles(icetable.load("squad"), 3, 1, level="casual"))
    assert len(some) == 3
    assert all(puzzle.level != "beginner" for puzzle in some)
    with pytest.raises(GameError, match="beginner"):
        next(puzzles(icetable.load("squad"), 1, level="grandmaster"))


def test_a_puzzle_as_json_leads_back_to_its_position() -> None:
    (puzzle,) = found("squad", 1, players=3, trios=3)
    again = read(puzzle.info, json.loads(json.dumps(puzzle.described())))
    assert again == puzzle
    assert again.state() == puzzle.state()
    assert again.state().game.options["trios"] == 3


def test_without_turns() -> None:
    """The rules judge such puzzles, and the same seed finds the same ones."""
    options: dict[str, Any] = {"players": 3, "width": 14.0, "height": 14.0, "timer": 0.0, "crash": "refuse"}
    some = list(puzzles(icetable.load("icehouse", **options), 5, 1))
    assert list(puzzles(icetable.load("icehouse", **options), 2, 1)) == some[:2]
    assert len({puzzle.goal for puzzle in some}) > 1
    for puzzle in some:
        state = puzzle.state()
        assert judged(puzzle, state).is_right is None
        for act in puzzle.answer:
            state = state.apply(act, puzzle.seat)
        assert judged(puzzle, state, waits=not puzzle.answer).is_right


@pytest.mark.usefixtures("toys")
def test_beans() -> None:
    """Of six beans who takes two wins; of eight nobody can, and all acts are alike."""
    puzzle = puzzle_at(toy("fate", heap=6), 1)
    assert puzzle is not None
    assert (puzzle.seat, puzzle.answer, puzzle.worth, puzzle.next_best) == (0, ("do:2",), 1, 0)
    assert (puzzle.level, puzzle.themes) == ("beginner", ("wins",))
    assert puzzle_at(toy("fate", heap=6), 1, "casual") is None
    assert puzzle_at(toy("fate", heap=8), 1) is None
    assert puzzle_at(toy("fate", heap=2), 1) is None


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize(
    ("worth", "next_best", "themes"), [(1, 0.4, ("wins",)), (0.4, 0, ("saves",)), (0.9, 0.2, ()), (1, 0, ("wins",))]
)
def test_themes_by_what_is_at_stake(worth: float, next_best: float, themes: tuple[str, ...]) -> None:
    state = toy("fate", heap=6)
    assert themes_of(state, state.legal_actions()[0], worth, next_best) == themes


def test_the_command() -> None:
    (puzzle, other) = found("squad", 2, seed=5)
    text = output_here("puzzles", "squad", "--count=2", "--seed=5")
    assert text.count("Solution: ") == 2
    assert f"Solution: {puzzle.answer[0]}" in text
    assert f"The weakest level that solves it: {other.level or 'none'}." in text
    lines = output_here("puzzles", "squad", "--count=2", "--seed=5", "--json", "--jobs=2").splitlines()
    assert [json.loads(line) for line in lines] == json.loads(json.dumps([puzzle.described(), other.described()]))
    assert output_here("puzzles", "squad", "--count=0") == ""


def test_the_shipped_ones_judged_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """A puzzle whose answer is another one is refuted."""
    told = output_here("puzzles", "squad", "--check", "--count=3", "--simulations=300")
    assert told == "3 puzzles of Who's On The Squad? verified, 0 refuted.\n"
    right, *others = collection(games.info("squad"))[:3]
    wrong = replace(right, answer=(next(iter(right.replies)),))
    monkeypatch.setattr("icetable.cli.engine.collection", lambda _: (wrong, *others))
    found = run_here("puzzles", "squad", "--check")
    assert found.returncode == 1
    assert f"{wrong.name} is refuted: {wrong.answer[0]} is not right." in found.stdout
    assert "3 puzzles of Who's On The Squad? verified, 1 refuted." in found.stdout


def test_a_puzzle_with_a_wrong_answer_does_not_hold() -> None:
    """Answers that the rules refuse, that do not solve it, or that a search finds worse than another act."""
    (placed, *_) = (puzzle for puzzle in collection(games.info("icehouse")) if puzzle.goal == "crack")
    assert holds(placed, 1)
    assert not holds(replace(placed, answer=placed.answer[1:]), 1)
    assert not holds(replace(placed, answer=placed.answer[:1]), 1)
    (puzzle,) = found("squad", 1, players=3)
    assert holds(puzzle, 1000)
    assert not holds(replace(puzzle, answer=(next(iter(puzzle.replies)),)), 1000)


def test_refused() -> None:
    assert_refused(run_here("puzzles", "squad", "--players=1"), "two players")
    assert_refused(run_here("puzzles", "squad", "--count=-1"), "count")
    assert_refused(run_here("puzzles", "squad", "--jobs=0"), "jobs")
    with pytest.raises(GameError, match="seed"):
        next(puzzles(icetable.load("squad"), 1, -1))


GAMES = [
    game
    for info in icetable.list_games()
    for options in ({}, {"memory": "off"})
    if set(options) <= {option.name for option in info.options}
    if isinstance(game := info.load(**options), TurnGame)
]


def walk(game: TurnGame) -> list[TurnState]:
    """The states of a random game at which a seat is to act."""
    states = game.random_game(np.random.default_rng(4)).history()
    return [one for one in states if isinstance(one, TurnState) and not one.is_terminal and CHANCE not in one.to_act]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_a_game_goes_through_many_images(game: TurnGame) -> None:
    states = walk(game)
    assert len({image_of(state) for state in states}) > 0.7 * len(states)


def test_how_late_it_is_does_not_matter() -> None:
    game = icetable.games.load("icefrogs")
    assert isinstance(game, TurnGame)
    state = walk(game)[5]
    later = state.position.copy()
    later[TURN] = game.options["turn_limit"] - 1
    assert image_of(TurnState(game, later)) == image_of(state)
