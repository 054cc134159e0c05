"""Collections of puzzles: positions of the game, each once, with an answer and refutations of all other acts."""

from __future__ import annotations

import functools

import pytest

from icetable import games
from icetable.bots.levels import levels
from icetable.core.game import CHANCE, GameInfo, State
from icetable.extras.exercises import Puzzle, collection, judged, puzzle_of

LEAST, MIN_WITHOUT_TURNS = 200, 60
LARGEST = 1 << 20
each_game = pytest.mark.parametrize("info", games.list_games(), ids=lambda info: info.name)
each_of_turns = pytest.mark.parametrize(
    "info", [info for info in games.list_games() if info.turns], ids=lambda info: info.name
)


def solved(puzzle: Puzzle) -> State:
    """The state after the answer."""
    return functools.reduce(lambda state, act: state.apply(act, puzzle.seat), puzzle.answer, puzzle.state())


@each_game
def test_there_are_enough_and_each_is_there_once(info: GameInfo) -> None:
    shipped = collection(info)
    assert len(shipped) >= (LEAST if info.turns else MIN_WITHOUT_TURNS)
    assert len({puzzle.name for puzzle in shipped}) == len(shipped)
    assert all(puzzle_of(info, puzzle.name) is puzzle for puzzle in shipped)
    assert len((info.folder / "puzzles.json").read_bytes()) < LARGEST


@each_game
def test_the_answers_are_legal_and_right(info: GameInfo) -> None:
    for puzzle in collection(info):
        start = puzzle.state()
        assert puzzle.seat in start.to_act
        assert judged(puzzle, start).is_right is None
        assert judged(puzzle, solved(puzzle), waits=not puzzle.answer).is_right


@each_game
def test_their_words(info: GameInfo) -> None:
    names = [level.name for level in levels(info.name)]
    for puzzle in collection(info):
        assert puzzle.level is None or puzzle.level in names
        assert puzzle.task.startswith(f"You play {info.colours[puzzle.seat]}. ")
        assert puzzle.task[-1] in ".?"
        assert len(set(puzzle.themes)) == len(puzzle.themes)
    assert len({puzzle.level for puzzle in collection(info)}) > 1
    assert len({theme for puzzle in collection(info) for theme in puzzle.themes}) > 2


@each_of_turns
def test_few_are_no_more_than_a_win_at_once(info: GameInfo) -> None:
    shipped = collection(info)
    assert 10 * sum("wins at once" in puzzle.themes for puzzle in shipped) <= len(shipped)


@each_of_turns
def test_all_other_acts_are_refuted(info: GameInfo) -> None:
    """By a line that can be played, and worth less than the answer."""
    for puzzle in collection(info):
        start = puzzle.state()
        assert {*puzzle.answer, *puzzle.replies} == set(start.legal_actions())
        assert puzzle.worth is not None
        assert puzzle.next_best == max(reply.worth for reply in puzzle.replies.values()) < puzzle.worth
        for act, reply in puzzle.replies.items():
            verdict = judged(puzzle, start.apply(act))
            assert verdict.is_right is False
            assert verdict.reply == reply
            functools.reduce(lambda state, answer: state.apply(answer), reply.line, start.apply(act))


@each_of_turns
def test_the_line_to_expect_can_be_played(info: GameInfo) -> None:
    for puzzle in collection(info):
        assert puzzle.line[: len(puzzle.answer)] == puzzle.answer
        end = functools.reduce(lambda state, act: state.apply(act), puzzle.line, puzzle.state())
        assert end.parent is not None
        assert puzzle.state().to_act == {puzzle.seat} != {CHANCE}
