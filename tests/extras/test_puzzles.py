"""Puzzles as they are told, found by name, and judged."""

from __future__ import annotations

import subprocess
import sys

import pytest

from icetable import GameError
from icetable.core.game import Action
from icetable.extras.exercises import NoPuzzle, Puzzle, Reply, collection, judged, puzzle_of, read, task_of
from tests.core import toy
from tests.lab.toys import FATE


def of_beans() -> Puzzle:
    """Three beans, of which one may take three: who takes the last one wins."""
    state = FATE.load(heap=3).start()
    return Puzzle(
        FATE,
        state.game.options,
        state._position(),
        0,
        "Take the last bean.",
        (Action("do:3"),),
        (Action("do:3"),),
        1.0,
        0.5,
        "beginner",
        ("wins",),
        replies={Action("do:1"): Reply(0.5, (Action("do:2"),))},
    )


@pytest.mark.usefixtures("plain_mode")
class TestPuzzle:
    def test_its_name_depends_on_what_is_asked(self) -> None:
        puzzle = of_beans()
        assert len(puzzle.name) == 8
        assert read(FATE, puzzle.described() | {"level": None}).name == puzzle.name
        assert read(FATE, puzzle.described() | {"goal": "lose"}).name != puzzle.name

    def test_told_and_read_again_it_is_the_same(self) -> None:
        puzzle = of_beans()
        assert read(FATE, puzzle.described()) == puzzle

    def test_judged(self) -> None:
        puzzle = of_beans()
        start = puzzle.state()
        assert judged(puzzle, start).is_right is None
        right = judged(puzzle, start.apply("do:3"))
        assert right.is_right
        assert right.explanation == "Right: it wins 100% of the time, any other move at most 50%."
        wrong = judged(puzzle, start.apply("do:1"))
        assert (wrong.is_right, wrong.reply) == (False, puzzle.replies[Action("do:1")])
        assert "50%" in wrong.explanation
        assert judged(puzzle, start.apply("do:2")).reply is None

    def test_only_the_first_act_counts(self) -> None:
        puzzle = of_beans()
        later = puzzle.state().apply("do:1").apply("do:1").apply("do:1")
        assert judged(puzzle, later).is_right is False

    def test_a_try_begins_at_the_position(self) -> None:
        puzzle = of_beans()
        with pytest.raises(GameError, match="position"):
            judged(puzzle, FATE.load().start())
        with pytest.raises(GameError, match="position"):
            judged(puzzle, puzzle.state().apply("do:3").without_history())


def test_a_game_without_puzzles() -> None:
    assert collection(toy.INFO) == ()
    with pytest.raises(NoPuzzle, match="Toy has no puzzle '0123abcd'"):
        puzzle_of(toy.INFO, "0123abcd")


@pytest.mark.parametrize(
    ("themes", "asked"), [(["wins"], "wins"), (["saves"], "saves you"), ([], "is best"), (["wins", "quiet"], "wins")]
)
def test_the_task(themes: list[str], asked: str) -> None:
    assert task_of(toy.INFO, 0, themes) == f"You play {toy.INFO.colours[0]}. One move {asked}: find it."


def test_the_shipped_ones_are_read_without_numpy() -> None:
    code = "import sys, icetable; from icetable.extras.exercises import collection; "
    code += "assert all(map(collection, icetable.list_games())); assert 'numpy' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
